"""Two apps on one database are one server: every request of these goes to the other one than the last."""

import re
import shutil
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.types import Receive, Scope, Send

from app.bank.load import Bank
from app.database import Database
from app.main import create_app
from app.paths import QUESTIONS
from app.settings import Settings
from tests.conftest import FakeClock

WORDS, NUMBER = "how-flash-attention-stays-exact", "attention-matrix-memory"


class InTurns:
    """Sends each request to the next of several apps."""

    def __init__(self, *apps: FastAPI) -> None:
        self._next = cycle(apps)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await next(self._next)(scope, receive, send)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bank of two questions that a test may change."""
    topic = tmp_path / "questions" / "attention"
    topic.mkdir(parents=True)
    for slug in (WORDS, NUMBER):
        [found] = QUESTIONS.rglob(f"{slug}.md")
        shutil.copy(found, topic)
        for picture in found.parent.glob("*.svg"):
            shutil.copy(picture, topic)
    return topic.parent


@pytest.fixture
def browser(database: Database, tmp_path: Path, folder: Path, clock: FakeClock) -> Iterator[TestClient]:
    url = database.url.render_as_string(hide_password=False)
    apps = [
        create_app(
            Settings(data_dir=tmp_path / name, database_url=url), clock=clock, bank=Bank.load([folder])
        )
        for name in ("one", "two")
    ]
    yield TestClient(InTurns(*apps), base_url="http://127.0.0.1")
    for app in apps:
        app.state.database.close()


def hidden(page: str, name: str) -> str:
    [value, *_] = re.findall(rf'name="{name}"[^>]* value="([^"]*)"', page)
    return str(value)


def test_an_answer_a_draft_and_a_rating_go_on_in_the_other(browser: TestClient) -> None:
    address = f"/questions/{WORDS}"
    typed = {"seed": 0, "part": "", "text": "a running maximum", "revision": 0}
    assert browser.put(f"{address}/draft", json=typed).json()["revision"] == 1
    page = browser.get(address).text
    assert "a running maximum" in page
    again = {**typed, "text": "a running maximum and sum", "revision": 1}
    assert browser.put(f"{address}/draft", json=again).json()["revision"] == 2

    sent = {"key": "the-key-of-a-form", "answer": "a running maximum and sum"}
    for _ in range(2):
        page = browser.post(f"{address}/answer", data=sent).text
    assert page.count("a running maximum and sum") >= 1
    assert "Rate" in browser.post(f"{address}/reveal", data={"key": "the-key-of-reveal"}).text
    for _ in range(2):
        rated = browser.post(f"{address}/rating", data={"key": "the-key-of-rating", "rating": "3"})
        assert rated.status_code == 200
    progress = browser.get("/progress").text
    assert progress == browser.get("/progress").text


def test_an_interview_goes_on_in_the_other(browser: TestClient, clock: FakeClock) -> None:
    began = browser.post("/interviews", data={"sent": "1", "minutes": "30", "question": [WORDS, NUMBER]})
    interview = began.url.path
    for number in (1, 2):
        page = browser.get(interview).text
        assert f"Question {number} of 2" in re.sub(r"<[^>]+>", "", page)
        clock.advance(minutes=5)
        answered = {"place": hidden(page, "place"), "key": hidden(page, "key"), "answer": "2 GiB"}
        assert browser.post(f"{interview}/answer", data=answered).status_code == 200
    for _ in range(2):
        assert browser.get(interview).text.count("<summary>Model answer</summary>") == 2, "the report"


def test_a_changed_question_is_seen_by_both(browser: TestClient, folder: Path) -> None:
    [file] = folder.rglob(f"{NUMBER}.md")
    assert "Renamed for both" not in browser.get(f"/questions/{NUMBER}").text
    file.write_text(re.sub(r"(?m)^title: .*$", "title: Renamed for both", file.read_text()))
    end = time.monotonic() + 10
    while not all("Renamed for both" in browser.get(f"/questions/{NUMBER}").text for _ in range(4)):
        assert time.monotonic() < end
        time.sleep(0.2)
