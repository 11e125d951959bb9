"""A database that is away: what was typed comes back in the page, to be sent again when it is there."""

import re
import sqlite3
from html import unescape

import psycopg
import pytest
from fastapi.testclient import TestClient
from sqlalchemy.exc import InternalError, OperationalError

from app.bank.load import Bank
from app.main import create_app
from app.operations.away import UNREACHABLE, explain
from app.settings import Settings

AWAY = "postgresql://nobody@127.0.0.1:9/nothing"  # the discard port: nothing listens there
TYPED = 'K & V of "each" layer\n\n<b>16 bit</b> — 2 bytes\n' + "and more " * 50


@pytest.fixture
def away(app_settings: Settings, bank: Bank) -> TestClient:
    """A browser at an app whose database is away."""
    app = create_app(app_settings.model_copy(update={"database_url": AWAY}), bank=bank)
    return TestClient(app, base_url="http://127.0.0.1")


def fields(page: str) -> dict[str, str]:
    """What a browser without JavaScript would send from the page's form."""
    form = page.split('<form class="settings"')[1].split("</form>")[0]
    inputs = re.findall(r'<input type="(?:hidden|text)"[^>]* name="([^"]*)" value="([^"]*)"', form)
    texts = re.findall(r'<textarea[^>]* name="([^"]*)"[^>]*>\n(.*?)</textarea>', form, re.DOTALL)
    return {unescape(name): unescape(value) for name, value in [*inputs, *texts]}


def test_what_was_sent_is_in_the_page_and_arrives_when_sent_again(
    away: TestClient, client: TestClient, bank: Bank
) -> None:
    slug = next(slug for slug, question in bank.questions.items() if question.meta.kind == "open")
    sent = {"key": "fresh-key-1", "answer": TYPED}
    page = away.post(f"/questions/{slug}/answer?seed=7", data=sent)
    assert page.status_code == 503
    assert page.headers["retry-after"] == "5"
    assert "<b>16 bit" not in page.text
    assert f'action="/questions/{slug}/answer?seed=7" method="post"' in page.text
    assert fields(page.text) == sent
    again = client.post(f"/questions/{slug}/answer?seed=7", data=fields(page.text), follow_redirects=True)
    assert again.status_code == 200
    assert "K &amp; V of &#34;each&#34; layer" in again.text


def test_a_page_that_was_asked_for_can_be_asked_for_again(away: TestClient) -> None:
    page = away.get("/practice?topic=%3Cb%3E")
    assert page.status_code == 503
    assert 'href="/practice?topic=%3Cb%3E">Try again' in page.text


def test_programs_get_problem_details(away: TestClient) -> None:
    answer = away.get("/practice", headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["detail"]) == (503, UNREACHABLE)


def test_passwords_and_files_are_asked_for_again_and_not_repeated(away: TestClient, bank: Bank) -> None:
    slug = next(iter(bank.questions))
    files = {"archive": ("secret-name.json", b"secret-content")}
    page = away.post(f"/questions/{slug}/answer", data={"new_password": "s3cret-word"}, files=files)
    assert page.status_code == 503
    assert 'type="password" id="sent-1" name="new_password"' in page.text
    assert 'type="file" id="sent-2" name="archive"' in page.text
    assert 'enctype="multipart/form-data"' in page.text
    assert "s3cret-word" not in page.text
    assert "secret-" not in page.text


def test_what_needs_no_database_is_served(away: TestClient) -> None:
    assert away.get("/calculators/roofline").status_code == 200


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (sqlite3.OperationalError("database or disk is full"), "disk is full"),
        (sqlite3.OperationalError("attempt to write a readonly database"), "may not write its database"),
        (sqlite3.OperationalError("database is locked"), "busy"),
        (psycopg.errors.DiskFull("could not extend file"), "disk is full"),
        (psycopg.OperationalError("server closed the connection unexpectedly"), UNREACHABLE),
    ],
)
def test_the_reader_is_told_why(error: Exception, words: str) -> None:
    assert words in explain(OperationalError("INSERT", {}, error))


def test_a_standby_that_takes_no_writes_is_no_fault_of_the_code() -> None:
    error = InternalError("INSERT", {}, psycopg.errors.ReadOnlySqlTransaction("cannot execute INSERT"))
    assert "may not write its database" in explain(error)
