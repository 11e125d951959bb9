"""A calculator that was corrected, from an older link to every face of it; and a question likewise."""

from dataclasses import replace

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

import calculators
from app.bank.load import Bank
from app.cli import cli
from app.pages.question_address import links, read
from app.paths import QUESTIONS
from calculators.spec import Change

WHAT = "The hidden layer was counted twice."
CORRECTED = replace(
    calculators.get("attention-scores"), slug="made-up", version=2, changes=(Change(2, WHAT),)
)
PAGE, API = "/calculators/made-up", "/api/v1/calculators/made-up"


@pytest.fixture(autouse=True)
def _made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A made-up calculator of version 2 in the catalogue."""
    monkeypatch.setitem(calculators._DECLARED_IN, CORRECTED.slug, "attention")
    monkeypatch.setattr("calculators.attention.MADE_UP", CORRECTED, raising=False)


def test_an_older_link_opens_with_its_inputs_and_says_what_changed(client: TestClient) -> None:
    page = client.get(f"{PAGE}?v=1&batch=7").text
    assert "made with version 1 of this calculator" in page
    assert f"Corrected in version 2: {WHAT}" in page
    assert 'name="batch" value="7"' in page
    assert f"{PAGE}?v=2&amp;batch=7" in page, "the link to copy is of today"
    assert '<input type="hidden" name="v" value="2">' in page


def test_a_link_of_today_has_no_news_and_one_of_tomorrow_is_read_as_today(client: TestClient) -> None:
    assert "made with version" not in client.get(f"{PAGE}?v=2&batch=7").text
    tomorrow = client.get(f"{PAGE}?v=3")
    assert tomorrow.status_code == 200
    assert "says version 3; it is read as version 2" in tomorrow.text


def test_the_api_answers_older_links_with_a_note(client: TestClient) -> None:
    ask = {
        "": "",
        "/sweep": "&over=batch&from=1&to=2",
        "/solve": "&for=seq_len&output=score_bytes&equals=1GB",
        "/flips": "",
    }
    for path, question in ask.items():
        today = client.get(f"{API}{path}?v=2&heads=4{question}").json()
        older = client.get(f"{API}{path}?v=1&heads=4{question}").json()
        assert older["version"] == 2
        assert older["notes"][1:2] == [f"Corrected in version 2: {WHAT}"]
        assert {**older, "notes": older["notes"][2:]} == today
    assert client.get(f"{API}?v=3").status_code == 422
    listed = client.get("/api/v1/calculators").json()["calculators"]
    assert listed[-1]["changes"] == [{"version": 2, "what": WHAT}]


def test_the_command_says_it_too() -> None:
    printed = CliRunner().invoke(cli, ["calc", "made-up", "v=1", "batch=7"])
    assert printed.exit_code == 0
    assert f"Note: Corrected in version 2: {WHAT}" in printed.stdout


def test_a_link_to_an_older_version_of_a_question_says_so() -> None:
    written = Bank.load([QUESTIONS]).questions["attention-matrix-memory"]
    question = replace(written, meta=written.meta.model_copy(update={"version": 3}))
    older = read(question, [("v", "2"), ("seed", "7")])
    assert older.notices == (
        "This link was made with version 2 of this question, which is now at version 3: its numbers, or what "
        "counts as right, may have changed since.",
    )
    assert links(older.variant).canonical == "/questions/attention-matrix-memory?v=3&seed=7"
    assert read(question, [("v", "3"), ("seed", "7")]).notices == ()
    assert read(question, [("v", "4")]).notices == ("This link says version 4; it is read as version 3.",)
