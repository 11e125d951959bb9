"""The pages' tests see the built-in questions and a pack with the kinds that those leave out."""

from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from app.bank.load import Bank
from app.paths import QUESTIONS

PACK = Path(__file__).parent / "pack"


@pytest.fixture(scope="session")
def bank() -> Bank:
    return Bank.load([QUESTIONS, PACK])


@pytest.fixture
def app(client: TestClient) -> FastAPI:
    """The app behind `client`, for a second browser."""
    assert isinstance(client.app, FastAPI)
    return client.app
