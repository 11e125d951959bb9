"""/account: what a user sets, and the deletion of everything."""

import html
import re

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlmodel import func, select

from app import models
from app.settings import Settings
from tests.conftest import FakeClock

ATTENTION = "/questions/attention-matrix-memory"
GOOD = {"retention": "85", "daily_goal": "25", "zone": "Asia/Tokyo", "single_keys": "1"}


def value(page: str, name: str) -> str:
    [text] = re.findall(rf'id="{name}" name="{name}" value="([^"]*)"', page)
    return html.unescape(text)


def errors(page: str) -> list[str]:
    return [html.unescape(text) for text in re.findall(r'<p class="field-error"[^>]*>([^<]+)</p>', page)]


class TestSettings:
    def test_are_shown_changed_and_kept(self, client: TestClient) -> None:
        page = client.get("/account").text
        assert (value(page, "retention"), value(page, "daily_goal")) == ("90%", "10")
        saved = client.post("/account/settings", data=GOOD).text
        assert "Saved." in saved
        page = client.get("/account").text
        assert (value(page, "retention"), value(page, "daily_goal")) == ("85%", "25")
        assert value(page, "zone") == "Asia/Tokyo"
        assert "0 of 25 today" in client.get("/practice").text

    @pytest.mark.parametrize("text", ["0.7", "69%", "97.1", "0.9", "nan", "9e99", "", "٩٠", "x" * 5000])
    def test_a_retention_out_of_reach_is_refused_and_nothing_else_is_lost(
        self, client: TestClient, text: str
    ) -> None:
        refused = client.post("/account/settings", data={**GOOD, "retention": text})
        assert refused.status_code == 422
        [message] = errors(refused.text)
        assert message.startswith(f"The retention is “{text[:40]}”: allowed is a percentage from 70% to 97%")
        assert value(refused.text, "daily_goal") == "25"
        assert value(client.get("/account").text, "daily_goal") == "10"

    def test_every_bad_field_is_named(self, client: TestClient) -> None:
        bad = {"retention": "12", "daily_goal": "0", "zone": "Mars/Base"}
        told = errors(client.post("/account/settings", data=bad).text)
        assert len(told) == 3
        assert "The daily goal is “0”: allowed is a whole number from 1 to 500." in told
        assert any("'Mars/Base' is not a time zone" in each for each in told)

    def test_single_keys_can_be_turned_off_on_every_page(self, client: TestClient) -> None:
        assert 'data-keys="on"' in client.get("/questions").text
        client.post("/account/settings", data={**GOOD, "single_keys": ""})
        assert 'data-keys="off"' in client.get("/questions").text


class TestDeleting:
    def practise(self, client: TestClient) -> None:
        client.post(f"{ATTENTION}/answer", data={"answer": "2 GB", "working": "my secret working"})
        client.post(f"{ATTENTION}/reveal")
        client.post(f"{ATTENTION}/rating", data={"rating": "2"})
        client.post(f"{ATTENTION}/marks", data={"bookmark": "1"})
        put = {"seed": 0, "part": "", "text": "my secret note", "revision": 0}
        client.put(f"{ATTENTION}/note", json=put)
        client.post("/practice/drill", data={"title": "my secret drill"})

    def test_needs_the_word(self, client: TestClient) -> None:
        self.practise(client)
        for word in ("", "yes", "delet"):
            refused = client.post("/account/delete", data={"confirmation": word})
            assert refused.status_code == 422
            assert "Nothing was deleted" in refused.text
        assert "not right" in client.get("/progress").text

    def test_leaves_no_row_and_no_byte(
        self, client: TestClient, app: FastAPI, app_settings: Settings, clock: FakeClock
    ) -> None:
        self.practise(client)
        folder = app_settings.data_dir
        assert any(b"my secret" in path.read_bytes() for path in folder.glob("ridgeway.sqlite3*"))
        deleted = client.post("/account/delete", data={"confirmation": " Delete "})
        assert "Everything of yours is deleted" in deleted.text
        assert deleted.headers["Clear-Site-Data"] == '"storage"'
        assert not client.cookies
        with app.state.database.session() as session:
            for name, table in models.metadata.tables.items():
                assert session.exec(select(func.count()).select_from(table)).one() == 0, name
        for path in folder.glob("ridgeway.sqlite3*"):
            assert b"my secret" not in path.read_bytes(), path
        assert "None yet" in client.get("/progress").text, "and one can begin anew"


def test_every_table_goes_with_its_user() -> None:
    """Whatever table names a user, or a row of one that does, goes with the user; the rest is a team's."""
    tables = models.metadata.tables
    personal, of_teams = followers("users"), followers("teams")
    assert {name for name, table in tables.items() if "user_id" in table.columns} <= personal
    assert {name for name, table in tables.items() if table.foreign_keys} <= personal | of_teams


def followers(table: str) -> set[str]:
    """The tables whose rows go with a row of this one."""
    found = {table}
    for _ in models.metadata.tables:
        found |= {
            name
            for name, each in models.metadata.tables.items()
            if any(key.column.table.name in found and key.ondelete == "CASCADE" for key in each.foreign_keys)
        }
    return found
