"""The pages' tests see the built-in questions and a pack with the kinds that those leave out."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from app.bank.load import Bank
from app.main import create_app
from app.paths import QUESTIONS
from app.settings import Settings
from tests.conftest import FakeClock

PACK = Path(__file__).parent / "pack"


@pytest.fixture(scope="session")
def bank() -> Bank:
    return Bank.load([QUESTIONS, PACK])


@pytest.fixture
def small_client(app_settings: Settings, clock: FakeClock) -> Iterator[TestClient]:
    """A browser at an app with the pack alone, for what goes through every question."""
    app = create_app(app_settings, clock=clock, bank=Bank.load([PACK]))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture
def app(client: TestClient) -> FastAPI:
    """The app behind `client`, for a second browser."""
    assert isinstance(client.app, FastAPI)
    return client.app
