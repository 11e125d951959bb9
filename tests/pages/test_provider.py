"""Signing in by an OpenID provider: a real one in a thread, and what a bad one or a bad guest would try."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from joserfc.jwk import RSAKey
from sqlmodel import select

from app.accounts import invites, people, provider_http, registering, teams
from app.accounts.browser_sessions import COOKIE
from app.accounts.invites import Terms
from app.accounts.tokens import new_token
from app.accounts.users import User
from app.database import Database
from app.models import IdentityRow, ProviderVisitRow, UserRow
from app.pages.provider import AWAY, OVER, REFUSED
from tests.accounts import openid
from tests.accounts.openid import CLIENT, SECRET, OpenId
from tests.conftest import FakeClock, Start

BACK = "/sign-in/provider/back"


@pytest.fixture
def provider(clock: FakeClock) -> Iterator[OpenId]:
    with openid.running(lambda: clock().timestamp()) as running:
        yield running


@pytest.fixture
def serve(start: Start, provider: OpenId) -> Callable[..., TestClient]:
    def begin(**further: Any) -> TestClient:
        usual = {
            "oidc_issuer": provider.issuer,
            "oidc_client_id": CLIENT,
            "oidc_client_secret": SECRET,
            "oidc_allowed_domains": ("example.org",),
            "oidc_name": "Example ID",
        }
        return start(**usual | further)

    return begin


def database(client: TestClient) -> Database:
    found: Database = client.app.state.database  # type: ignore[attr-defined]  # Starlette types it as ASGI
    return found


def account(client: TestClient, email: str, clock: FakeClock) -> User:
    with database(client).session() as session:
        prepared = registering.prepare_without_password(email, "Known")
        return registering.create(session, prepared, clock())


def sign_in(client: TestClient, provider: OpenId, go_on: str = "/progress") -> Response:
    """There and back."""
    there = client.get("/sign-in/provider", params={"next": go_on})
    assert there.status_code == 303, there.text
    return client.get(BACK + provider.authorize(there.headers["location"]))


def people_of(client: TestClient) -> list[str]:
    with database(client).session() as session:
        return sorted(session.exec(select(UserRow.login)))


class TestTheWay:
    def test_there_and_back_makes_an_account_and_signs_it_in(
        self, serve: Callable[..., TestClient], provider: OpenId
    ) -> None:
        client = serve()
        page = client.get("/sign-in?next=/progress")
        assert "Continue with Example ID" in page.text
        assert "/sign-in/provider?next=%2Fprogress" in page.text
        answer = sign_in(client, provider)
        assert (answer.status_code, answer.headers["location"]) == (303, "/progress")
        assert "Ada" in client.get("/account/access").text
        assert people_of(client) == ["ada@example.org"]
        client.cookies.clear()
        provider.claims = {"email": "another@example.org", "name": "Ada L."}
        sign_in(client, provider)  # the identity tells, whatever the address says
        assert people_of(client) == ["ada@example.org"]
        # What the provider publishes was asked for once.
        assert provider.asked.count("/keys") == provider.asked.count("/.well-known/openid-configuration") == 1
        with database(client).session() as session:
            assert session.exec(select(ProviderVisitRow)).all() == []

    def test_a_provider_may_tell_the_address_only_where_it_is_asked(
        self, serve: Callable[..., TestClient], provider: OpenId
    ) -> None:
        client = serve()
        provider.claims = {"email": None, "email_verified": None}
        provider.userinfo = {"sub": "another's", "email": "eve@example.org", "email_verified": True}
        assert sign_in(client, provider).status_code == 403
        provider.userinfo["sub"] = "1"
        assert sign_in(client, provider).status_code == 303
        assert people_of(client) == ["eve@example.org"]

    def test_new_keys_are_fetched_when_a_token_names_one(
        self, serve: Callable[..., TestClient], provider: OpenId, clock: FakeClock
    ) -> None:
        client = serve()
        sign_in(client, provider)
        client.cookies.clear()
        provider.key = RSAKey.generate_key(2048, {"kid": "second"})
        assert sign_in(client, provider).status_code == 400  # asked for within this minute
        clock.advance(minutes=2)
        assert sign_in(client, provider).status_code == 303


class TestWhatIsRefused:
    @pytest.mark.parametrize(
        "claims",
        [
            {"nonce": "of another visit"},
            {"nonce": None},
            {"aud": "another-client"},
            {"aud": [CLIENT, "another-client"], "azp": "another-client"},
            {"iss": "https://evil.example"},
            {"exp": 1},
            {"iat": None},
            {"sub": ""},
            {"sub": None},
        ],
        ids=str,
    )
    def test_a_token_that_is_not_for_this_visit(
        self, serve: Callable[..., TestClient], provider: OpenId, claims: dict[str, Any]
    ) -> None:
        client = serve()
        provider.claims = claims
        answer = sign_in(client, provider)
        assert (answer.status_code, REFUSED in answer.text.replace("&#39;", "'")) == (400, True)
        assert COOKIE not in client.cookies
        assert people_of(client) == []

    @pytest.mark.parametrize("how", ["unsigned", "signed_by_the_secret", "another key", "no token at all"])
    def test_a_token_that_the_provider_has_not_signed(
        self, serve: Callable[..., TestClient], provider: OpenId, how: str
    ) -> None:
        client = serve()
        stranger = RSAKey.generate_key(2048, {"kid": "first"})
        provider.sign = {
            "unsigned": provider.unsigned,
            "signed_by_the_secret": provider.signed_by_the_secret,
            "another key": lambda claims: provider.signed(claims, stranger),
            "no token at all": lambda claims: "",
        }[how]
        assert sign_in(client, provider).status_code == 400
        assert people_of(client) == []

    def test_a_state_that_is_not_this_browsers(
        self, serve: Callable[..., TestClient], provider: OpenId, clock: FakeClock
    ) -> None:
        client = serve()
        begun = client.get("/sign-in/provider").headers["location"]
        query = provider.authorize(begun)
        for wrong in ("?state=x&code=y", "", query.replace("state=", "state=x")):
            answer = client.get(BACK + wrong)
            assert (answer.status_code, OVER in answer.text) == (400, True)
        browsers_own = client.cookies["ridgeway_provider"]
        client.cookies.clear()  # the victim of a link that an attacker prepared
        assert client.get(BACK + query).status_code == 400
        client.cookies.set("ridgeway_provider", browsers_own)
        clock.advance(minutes=10)
        assert client.get(BACK + query).status_code == 400

    def test_a_way_back_that_was_gone_already(
        self, serve: Callable[..., TestClient], provider: OpenId
    ) -> None:
        client = serve()
        query = provider.authorize(client.get("/sign-in/provider").headers["location"])
        browsers_own = client.cookies["ridgeway_provider"]
        assert client.get(BACK + query).status_code == 303
        client.cookies.set("ridgeway_provider", browsers_own)
        assert client.get(BACK + query).status_code == 400

    def test_somebody_who_said_no(self, serve: Callable[..., TestClient], provider: OpenId) -> None:
        client = serve()
        query = provider.authorize(client.get("/sign-in/provider?next=/progress").headers["location"])
        answer = client.get(BACK + query.split("&")[0] + "&error=access_denied")
        assert answer.status_code == 400
        assert "/sign-in?next=%2Fprogress" in answer.text


class TestWhoMayComeIn:
    def test_an_address_that_is_verified_finds_the_account_that_is_there(
        self, serve: Callable[..., TestClient], provider: OpenId, clock: FakeClock
    ) -> None:
        client = serve(oidc_allowed_domains=())
        known = account(client, "ada@example.org", clock)
        provider.claims = {"email": "ADA@example.org", "email_verified": False}
        assert sign_in(client, provider).status_code == 403
        provider.claims = {"email": "ADA@example.org"}
        assert sign_in(client, provider).status_code == 303
        with database(client).session() as session:
            linked = session.exec(select(IdentityRow)).one()
        assert (linked.user_id, linked.issuer, linked.subject) == (known.id, provider.issuer, "1")

    def test_without_a_list_nobody_gets_a_new_account_but_by_an_invite(
        self, serve: Callable[..., TestClient], provider: OpenId, clock: FakeClock
    ) -> None:
        client = serve(oidc_allowed_domains=())
        owner = account(client, "owner@example.org", clock)
        token = new_token()
        with database(client).session() as session:
            team = teams.create(session, owner, "Red", clock())
            invites.make(session, team, owner, Terms("member", 7, 1), token, clock())
        answer = sign_in(client, provider)
        assert answer.status_code == 403
        assert "Ask for an invite" in answer.text
        assert sign_in(client, provider, "/join/" + "A" * 43).status_code == 403
        assert sign_in(client, provider, f"/join/{token}").headers["location"] == f"/join/{token}"
        assert people_of(client) == ["ada@example.org", "owner@example.org"]

    @pytest.mark.parametrize(
        ("settings", "claims", "status"),
        [
            ({"oidc_allowed_domains": ("example.com",)}, {}, 403),
            ({"oidc_allowed_domains": ("example.com",)}, {"email": "ada@example.com.example.org"}, 403),
            ({"oidc_allowed_groups": ("ml",)}, {}, 403),
            ({"oidc_allowed_groups": ("ml",)}, {"groups": ["mlops"]}, 403),
            ({"oidc_allowed_groups": ("ml",)}, {"groups": ["all", "ml"]}, 303),
            ({"oidc_allowed_groups": ("ml",), "oidc_groups_claim": "roles"}, {"roles": "ml"}, 303),
        ],
    )
    def test_the_lists_decide(
        self,
        serve: Callable[..., TestClient],
        provider: OpenId,
        settings: dict[str, Any],
        claims: dict[str, Any],
        status: int,
    ) -> None:
        client = serve(**settings)
        provider.claims = claims
        assert sign_in(client, provider).status_code == status

    def test_whoever_is_disabled_stays_out(
        self, serve: Callable[..., TestClient], provider: OpenId, clock: FakeClock
    ) -> None:
        client = serve()
        sign_in(client, provider)
        with database(client).session() as session:
            ada = people.by_login(session, "ada@example.org")
            assert ada is not None
            people.disable(session, ada, clock())
        assert sign_in(client, provider).status_code == 403
        assert client.get("/progress").status_code == 303

    def test_a_claim_gives_a_role(
        self, serve: Callable[..., TestClient], provider: OpenId, clock: FakeClock
    ) -> None:
        roles = {"leads": "red/owner", "staff": "red/editor", "all": "member", "ops": "gone/owner"}
        client = serve(oidc_roles_claim="groups", oidc_roles=roles)
        owner = account(client, "owner@example.org", clock)
        with database(client).session() as session:
            teams.create(session, owner, "Red", clock())

        def role(*groups: str) -> str:
            provider.claims = {"groups": list(groups)}
            assert sign_in(client, provider).status_code == 303
            with database(client).session() as session:
                ada = people.by_login(session, "ada@example.org")
                assert ada is not None
                return teams.of(session, ada)[0].role

        assert role("all") == "member"
        assert role("all", "leads", "staff") == "owner"
        assert role("staff", "ops") == "editor"
        assert role() == "editor"


class TestAProviderThatIsSlowOrAway:
    def test_is_told_of_and_takes_nobody_elses_time(
        self,
        serve: Callable[..., TestClient],
        provider: OpenId,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(provider_http, "TIMEOUT", 0.3)
        client = serve()
        provider.delay = 1.5
        started = time.monotonic()
        answer = client.get("/sign-in/provider")
        assert time.monotonic() - started < 1.4
        assert (answer.status_code, AWAY in answer.text) == (503, True)
        assert int(answer.headers["retry-after"]) > 0

    def test_is_told_of_when_it_answers_nonsense(
        self, serve: Callable[..., TestClient], provider: OpenId
    ) -> None:
        client = serve()
        provider.broken = True
        assert client.get("/sign-in/provider").status_code == 503

    def test_or_calls_itself_by_another_name(
        self, serve: Callable[..., TestClient], provider: OpenId
    ) -> None:
        client = serve(oidc_issuer=f"{provider.issuer}/realm")
        assert client.get("/sign-in/provider").status_code == 503
