"""An edit of a question never changes a verdict that was given."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.bank import load
from app.bank.load import Bank
from app.main import create_app
from app.settings import Settings
from tests.conftest import FakeClock

PACK = Path(__file__).parents[1] / "pages" / "pack"
CARRIED, SEVERAL = "/questions/sample-carried", "/questions/sample-several"


@pytest.fixture
def edit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, str], None]:
    """Replace a piece of a file in a copy of the pages' pack, which the app notices at once."""
    monkeypatch.setattr(load, "CHECK_EVERY", 0.0)
    shutil.copytree(PACK, tmp_path / "pack")

    def change(name: str, old: str, new: str) -> None:
        path = tmp_path / "pack" / name
        text = path.read_text("utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), "utf-8")

    return change


@pytest.fixture
def client(edit: object, tmp_path: Path, app_settings: Settings, clock: FakeClock) -> TestClient:
    app = create_app(app_settings, clock=clock, bank=Bank.load([tmp_path / "pack"]))
    return TestClient(app, base_url="http://127.0.0.1")


def test_the_verdict_stays_what_it_was(client: TestClient, edit: Callable[[str, str, str], None]) -> None:
    with client:
        given = {"answer-a": "1.68 GB", "answer-b": "29", "answer-d": "fits"}
        before = client.post(f"{CARRIED}/answer", data=given).text
        assert "1 of 2 right" not in before
        edit(
            "serving/sample-carried.md",
            "value: cache.bytes_per_sequence,",
            "value: cache.bytes_per_sequence * 3,",
        )
        edit("serving/sample-carried.md", "answer.a > 1e9, say", "answer.a > 1e8, say")
        edit("serving/sample-carried.md", "right: answer.a <= 1e9}", "right: answer.a <= 1e8}")
        after = client.get(CARRIED).text
        for told in ("✓ Right.", "✗ Not right.", "It takes"):
            assert before.count(told) == after.count(told)
        again = client.post(f"{CARRIED}/answer", data={"answer-a": "1.68 GB"}).text
        assert "✓ Right." not in again.split('id="verdict"')[1].split("<dt>b</dt>")[0]


def test_the_choices_are_marked_as_they_were(
    client: TestClient, edit: Callable[[str, str, str], None]
) -> None:
    with client:
        client.post(f"{SEVERAL}/answer", data={"answer": ["first", "second"]})
        client.post(f"{SEVERAL}/reveal")
        edit("kernels/sample-several.md", 'text: "The first", right: true', 'text: "The first"')
        page = client.get(SEVERAL).text
        assert "✓ Right." in page
        assert page.count("Right, and your choice.") == 2
