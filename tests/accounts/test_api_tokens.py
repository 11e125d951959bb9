"""Tokens of a person's programs: what they open, for how long, and that no cookie is needed or looked at."""

import pytest
from fastapi.testclient import TestClient
from sqlmodel import select

from app.accounts import api_tokens, browser_sessions, people, registering
from app.accounts.api_tokens import PREFIX, TokenRefused
from app.accounts.browser_sessions import COOKIE
from app.accounts.tokens import new_token
from app.accounts.users import User
from app.database import Database
from app.models import ApiTokenRow
from tests.conftest import FakeClock, Start


@pytest.fixture
def client(start: Start) -> TestClient:
    return start()


def database(client: TestClient) -> Database:
    found: Database = client.app.state.database  # type: ignore[attr-defined]  # Starlette types it as ASGI
    return found


@pytest.fixture
def ada(client: TestClient, clock: FakeClock) -> User:
    with database(client).session() as session:
        account = registering.prepare_without_password("ada@example.org", "Ada")
        return registering.create(session, account, clock())


def token(client: TestClient, user: User, clock: FakeClock, *scopes: str, days: int = 30) -> dict[str, str]:
    """The header of a new token."""
    made = PREFIX + new_token()
    with database(client).session() as session:
        api_tokens.make(session, user, made, "laptop", scopes, days, clock())
    return {"Authorization": f"Bearer {made}"}


def test_it_opens_the_api_and_nothing_else(client: TestClient, ada: User, clock: FakeClock) -> None:
    header = token(client, ada, clock, "read")
    answer = client.get("/api/v1/me", headers=header)
    assert (answer.status_code, answer.json()["login"]) == (200, "ada@example.org")
    assert "set-cookie" not in answer.headers
    assert client.get("/progress", headers=header).status_code == 303
    assert client.get("/api/docs", headers=header).status_code in (303, 401)


@pytest.mark.parametrize(
    "header",
    ["Bearer rdg_wrong", "Bearer", "Basic YTpi", "", "Bearer " + "x" * 5000],
    ids=lambda each: each[:16],
)
def test_what_is_no_token_opens_nothing_even_beside_a_cookie(
    client: TestClient, ada: User, clock: FakeClock, header: str
) -> None:
    with database(client).session() as session:
        browsers_own, _ = browser_sessions.open_session(session, ada, clock())
    client.cookies.set(COOKIE, browsers_own)
    answer = client.get("/api/v1/me", headers={"Authorization": header})
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"
    assert 'error="invalid_token"' in answer.headers["www-authenticate"]
    assert client.get("/api/v1/me").status_code == 200


def test_without_any_the_api_says_what_it_wants(client: TestClient) -> None:
    assert client.get("/api/v1/me").headers["www-authenticate"].startswith("Bearer")


def test_it_ends_with_its_time_and_when_it_is_revoked(
    client: TestClient, ada: User, clock: FakeClock
) -> None:
    short, long = token(client, ada, clock, "read", days=1), token(client, ada, clock, "read", days=2)
    clock.advance(days=1)
    assert client.get("/api/v1/me", headers=short).status_code == 401
    assert client.get("/api/v1/me", headers=long).status_code == 200
    with database(client).session() as session:
        newest = api_tokens.of_user(session, ada)[0]
        assert newest.last_used_at == clock()
        api_tokens.revoke(session, ada, newest.id)
    assert client.get("/api/v1/me", headers=long).status_code == 401


def test_whoever_is_disabled_has_none(client: TestClient, ada: User, clock: FakeClock) -> None:
    header = token(client, ada, clock, "read")
    with database(client).session() as session:
        people.disable(session, ada, clock())
    assert client.get("/api/v1/me", headers=header).status_code == 401


def test_it_is_good_for_its_scopes_alone(client: TestClient, ada: User, clock: FakeClock) -> None:
    answer = client.get("/api/v1/me", headers=token(client, ada, clock, "team"))
    assert answer.status_code == 403
    assert 'error="insufficient_scope", scope="read"' in answer.headers["www-authenticate"]
    assert "read" in answer.json()["detail"]


def test_only_its_hash_is_kept(client: TestClient, ada: User, clock: FakeClock) -> None:
    header = token(client, ada, clock, "read")
    with database(client).session() as session:
        row = session.exec(select(ApiTokenRow)).one()
    assert header["Authorization"].removeprefix("Bearer ") not in str(row.model_dump())


@pytest.mark.parametrize(
    ("name", "scopes", "days", "field"),
    [
        ("", ("read",), 1, "name"),
        ("x" * 81, ("read",), 1, "name"),
        ("a", (), 1, "scopes"),
        ("a", ("root",), 1, "scopes"),
        ("a", ("read",), 0, "days"),
        ("a", ("read",), 366, "days"),
    ],
)
def test_what_cannot_be_made(
    client: TestClient,
    ada: User,
    clock: FakeClock,
    name: str,
    scopes: tuple[str, ...],
    days: int,
    field: str,
) -> None:
    with database(client).session() as session, pytest.raises(TokenRefused) as refused:
        api_tokens.make(session, ada, PREFIX + new_token(), name, scopes, days, clock())
    assert refused.value.field == field


def test_there_is_an_end_to_them_and_the_same_form_makes_one(
    client: TestClient, ada: User, clock: FakeClock
) -> None:
    with database(client).session() as session:
        made = PREFIX + new_token()
        for _ in range(2):
            api_tokens.make(session, ada, made, "once", ("read",), 1, clock())
        assert len(api_tokens.of_user(session, ada)) == 1
        for number in range(api_tokens.MOST - 1):
            api_tokens.make(session, ada, PREFIX + new_token(), str(number), ("read",), 1, clock())
        with pytest.raises(TokenRefused):
            api_tokens.make(session, ada, PREFIX + new_token(), "one more", ("read",), 1, clock())
