"""/interviews: set up, run against the clock, report, shared by a link."""

import re

import pytest
from fastapi.testclient import TestClient
from httpx import Response

from app.bank.load import Bank
from tests.conftest import FakeClock
from tests.pages.test_practice import words

MATRIX, MFU, FUSION, BOUND = (
    "attention-matrix-memory",
    "mfu-and-hfu",
    "kernel-fusion-and-cuda-graphs",
    "which-matmul-is-compute-bound",
)


def begin(client: TestClient, *slugs: str, **data: str) -> str:
    """Starts an interview on these questions; its address."""
    given = {"sent": "1", "minutes": "30", "question": list(slugs), **data}
    response = client.post("/interviews", data=given)
    assert response.status_code == 200
    return response.url.path


def field(page: str, name: str) -> str:
    found = re.search(rf'name="{name}"[^>]* value="([^"]*)"', page)
    assert found, name
    return found[1]


def act(client: TestClient, interview: str, name: str, **data: object) -> Response:
    """Sends the form of the question that is open."""
    page = client.get(interview).text
    sent = {"place": field(page, "place"), "key": field(page, "key") if 'name="key"' in page else ""}
    return client.post(f"{interview}/{name}", data={**sent, **data})


def test_whole(client: TestClient, clock: FakeClock) -> None:
    interview = begin(client, MATRIX, FUSION)
    page = act(client, interview, "answer", answer="2 GB", note="32 heads?").text
    page = act(client, interview, "answer", answer="Launches cost time.").text
    assert "By question" in page
