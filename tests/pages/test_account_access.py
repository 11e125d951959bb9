"""/account/access and /people: one's own name, password, browsers and tokens; and the operator's page."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session

from app.accounts import browser_sessions, people, registering, teams
from app.accounts.browser_sessions import COOKIE
from app.accounts.users import User
from app.bank.load import Bank
from app.database import Database
from app.main import create_app
from app.settings import Settings
from tests.conftest import FakeClock, Start

ADA, PASSWORD, NEW = "ada@example.org", "tulip-anvil-moss-77", "gravel-otter-lamp-3"
HERE = "/account/access"


@contextmanager
def opened(client: TestClient) -> Iterator[Session]:
    database: Database = client.app.state.database  # type: ignore[attr-defined]  # Starlette types it as ASGI
    with database.session() as session:
        yield session


def find(session: Session, login: str) -> User:
    user = people.by_login(session, login)
    assert user is not None
    return user


@pytest.fixture
def client(start: Start, clock: FakeClock) -> TestClient:
    """Ada's, who runs the server; Ben has an account too."""
    client = start()
    with opened(client) as session:
        ada = registering.create(
            session, registering.prepare(ADA, "Ada", password=PASSWORD), clock(), operator=True
        )
        teams.create(session, ada, "Inference", clock())
        registering.create(session, registering.prepare("ben@example.org", "Ben", password=PASSWORD), clock())
        token, _ = browser_sessions.open_session(session, ada, clock(), agent="Firefox on Linux")
    client.cookies.set(COOKIE, token)
    return client


def elsewhere(client: TestClient, clock: FakeClock) -> str:
    """The token of another browser of Ada's."""
    with opened(client) as session:
        token, _ = browser_sessions.open_session(
            session, find(session, ADA), clock(), agent="Safari on iPhone"
        )
    return token


def is_signed_in(client: TestClient, token: str, clock: FakeClock) -> bool:
    with opened(client) as session:
        return browser_sessions.signed_in(session, token, clock()) is not None


def test_every_page_says_who_is_signed_in_and_lets_them_out(client: TestClient) -> None:
    page = client.get("/questions").text
    assert "Your account: Ada" in page
    assert 'action="/sign-out"' in page
    assert re.search(r'<html [^>]*data-account="\d+"', page)  # whose drafts the browser keeps


def test_a_name_is_changed_and_shown(client: TestClient) -> None:
    refused = client.post(f"{HERE}/name", data={"name": "x" * 81})
    assert (refused.status_code, "x" * 81 in refused.text) == (422, True)
    client.post(f"{HERE}/name", data={"name": " Ada   <b>L</b> "})
    page = client.get(HERE).text
    assert "Ada &lt;b&gt;L&lt;/b&gt;" in page
    assert "<b>L</b>" not in page


class TestThePassword:
    def test_is_changed_by_who_knows_it_and_ends_the_other_sessions(
        self, client: TestClient, clock: FakeClock
    ) -> None:
        other = elsewhere(client, clock)
        answer = client.post(f"{HERE}/password", data={"old-password": PASSWORD, "password": NEW})
        assert answer.status_code == 303
        assert client.get(HERE).status_code == 200
        assert not is_signed_in(client, other, clock)
        client.cookies.clear()
        wrong = client.post("/sign-in", data={"email": ADA, "password": PASSWORD})
        assert wrong.status_code == 422
        assert client.post("/sign-in", data={"email": ADA, "password": NEW}).status_code == 303

    def test_is_not_changed_by_somebody_at_an_open_browser(self, client: TestClient) -> None:
        answers = [
            client.post(f"{HERE}/password", data={"old-password": f"guess {number}", "password": NEW})
            for number in range(11)
        ]
        assert [answer.status_code for answer in answers] == [422] * 10 + [429]
        assert "not your password" in answers[0].text

    def test_is_not_changed_for_a_weak_one(self, client: TestClient) -> None:
        answer = client.post(f"{HERE}/password", data={"old-password": PASSWORD, "password": "password1"})
        assert (answer.status_code, "easy to guess" in answer.text) == (422, True)


class TestBrowsers:
    def test_are_listed_and_ended_one_by_one(self, client: TestClient, clock: FakeClock) -> None:
        other = elsewhere(client, clock)
        page = client.get(HERE).text
        assert re.search(r"Firefox on Linux\s*<span class=\"here\">\(this one\)", page)
        ending = re.search(rf'action="({HERE}/browsers/\d+/end)"', page)
        assert ending is not None
        assert client.post(ending[1]).status_code == 303
        assert not is_signed_in(client, other, clock)
        assert client.post(ending[1]).status_code == 404

    def test_all_others_are_ended_at_once(self, client: TestClient, clock: FakeClock) -> None:
        others = [elsewhere(client, clock) for _ in range(2)]
        client.post(f"{HERE}/browsers/end-others")
        assert not any(is_signed_in(client, other, clock) for other in others)
        assert client.get(HERE).status_code == 200


class TestTokens:
    def test_one_is_made_shown_once_and_revoked(self, client: TestClient) -> None:
        page = client.get(HERE).text
        token = re.search(r'name="token" value="(\S+)"', page)
        assert token is not None
        form = {"token": token[1], "name": "laptop", "scopes": ["read", "team"], "days": "30"}
        made = client.post(f"{HERE}/tokens", data=form)
        assert f'value="{token[1]}" aria-label="The new token"' in made.text
        page = client.get(HERE).text
        assert token[1] not in page
        assert "(read, team)" in page
        header = {"Authorization": f"Bearer {token[1]}"}
        assert client.get("/api/v1/me", headers=header).status_code == 200
        revoking = re.search(rf'action="({HERE}/tokens/\d+/revoke)"', page)
        assert revoking is not None
        client.post(revoking[1])
        assert client.get("/api/v1/me", headers=header).status_code == 401

    def test_a_form_that_is_wrong_comes_back_as_it_was(self, client: TestClient) -> None:
        token = re.search(r'name="token" value="(\S+)"', client.get(HERE).text)
        assert token is not None
        form = {"token": token[1], "name": "my <laptop>", "scopes": "team", "days": "1000"}
        answer = client.post(f"{HERE}/tokens", data=form)
        assert answer.status_code == 422
        assert 'value="my &lt;laptop&gt;"' in answer.text
        assert 'value="team" checked' in answer.text
        assert 'value="1000"' in answer.text
        assert client.post(f"{HERE}/tokens", data={**form, "token": "mine"}).status_code == 422


class TestTheOperator:
    def test_makes_links_for_new_passwords_and_shuts_people_out(self, client: TestClient) -> None:
        page = client.get("/people").text
        resetting = re.search(
            r'action="(/people/\d+/reset)" method="post"><button aria-label="[^"]*Ben', page
        )
        assert resetting is not None
        link = re.search(r"/reset/[\w-]+", client.post(resetting[1]).text)
        assert link is not None
        client.post(resetting[1].replace("reset", "disable"))
        assert client.get(link[0]).status_code == 404
        assert "disabled" in client.get("/people").text
        client.post(resetting[1].replace("reset", "enable"))
        assert client.get(link[0]).status_code == 200

    def test_stays_while_nobody_else_runs_the_server(self, client: TestClient) -> None:
        with opened(client) as session:
            number = find(session, ADA).id
        answer = client.post(f"/people/{number}/disable")
        assert (answer.status_code, "The only operator" in answer.text) == (409, True)
        answer = client.post("/account/delete", data={"confirmation": "delete"})
        assert (answer.status_code, "The only operator" in answer.text) == (409, True)
        assert client.get(HERE).status_code == 200


def test_an_account_is_deleted_by_its_person(client: TestClient, clock: FakeClock) -> None:
    with opened(client) as session:
        ben = find(session, "ben@example.org")
        token, _ = browser_sessions.open_session(session, ben, clock())
    client.cookies.set(COOKIE, token)
    assert "Delete my account" in client.get("/account").text
    assert client.post("/account/delete", data={"confirmation": "delete"}).status_code == 200
    with opened(client) as session:
        assert people.by_login(session, "ben@example.org") is None


def test_in_local_mode_there_is_none_of_it(app_settings: Settings, clock: FakeClock, bank: Bank) -> None:
    app = create_app(app_settings, clock=clock, bank=bank)
    with TestClient(app, base_url="http://127.0.0.1") as alone:
        assert alone.get(HERE).status_code == alone.get("/sign-in").status_code == 404
        page = alone.get("/account").text
    assert "Sign-in and tokens" not in page
    assert "Sign out" not in page
    assert "data-account" not in page
