"""Signing in and out: what strangers may learn and try, and where somebody goes on."""

import pytest
from fastapi.testclient import TestClient
from sqlmodel import select

from app.accounts import browser_sessions, people, registering, resetting
from app.accounts.browser_sessions import COOKIE
from app.accounts.users import User
from app.database import Database
from app.models import SessionRow
from app.pages.entering import local_path
from tests.conftest import FakeClock, Start

ADA, PASSWORD = "ada@example.org", "tulip-anvil-moss-77"
HEADERS = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"}


def database(client: TestClient) -> Database:
    found: Database = client.app.state.database  # type: ignore[attr-defined]  # Starlette types it as ASGI
    return found


@pytest.fixture
def client(start: Start, clock: FakeClock) -> TestClient:
    client = start()
    with database(client).session() as session:
        account = registering.prepare(ADA, "Ada", password=PASSWORD)
        registering.create(session, account, clock(), operator=True)
        other = registering.prepare("ben@example.org", "Ben", password=PASSWORD)
        registering.create(session, other, clock())
    return client


def ada(client: TestClient) -> User:
    with database(client).session() as session:
        found = people.by_login(session, ADA)
    assert found is not None
    return found


def sign_in(client: TestClient, email: str = ADA, password: str = PASSWORD, **more: str):  # type: ignore[no-untyped-def]  # the client's answer
    return client.post("/sign-in", data={"email": email, "password": password, **more}, headers=HEADERS)


class TestSigningIn:
    def test_leads_back_to_where_one_was(self, client: TestClient) -> None:
        page = client.get("/sign-in?next=/questions%3Flevel%3Dsenior")
        assert 'name="next" value="/questions?level=senior"' in page.text
        answer = sign_in(client, " ADA@example.org ", next="/questions?level=senior")
        assert (answer.status_code, answer.headers["location"]) == (303, "/questions?level=senior")
        assert client.get("/progress").status_code == 200
        assert client.get("/sign-in").headers["location"] == "/"

    def test_the_cookie_is_for_this_server_alone_and_no_script(self, client: TestClient) -> None:
        cookie = sign_in(client).headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie

    def test_over_https_it_is_never_sent_in_the_clear(self, start: Start, clock: FakeClock) -> None:
        client = start(base_url="https://ridge.example")
        with database(client).session() as session:
            account = registering.prepare(ADA, "Ada", password=PASSWORD)
            registering.create(session, account, clock())
        assert "secure" in sign_in(client).headers["set-cookie"].lower()

    def test_a_session_that_somebody_planted_is_not_the_one_that_is_signed_in(
        self, client: TestClient, clock: FakeClock
    ) -> None:
        sign_in(client, "ben@example.org")
        planted = client.cookies[COOKIE]
        sign_in(client)
        assert client.cookies[COOKIE] != planted
        with database(client).session() as session:
            assert browser_sessions.signed_in(session, planted, clock()) is None
            agents = [row.agent for row in session.exec(select(SessionRow))]
        assert agents == ["Firefox on Linux"]
        client.cookies.set(COOKIE, "of the attacker's choice")
        answer = sign_in(client)
        assert "of the attacker" not in answer.headers["set-cookie"]

    def test_signing_out_ends_the_session_on_the_server(self, client: TestClient) -> None:
        sign_in(client)
        token = client.cookies[COOKIE]
        client.post("/sign-out")
        assert COOKIE not in client.cookies
        client.cookies.set(COOKIE, token)
        assert client.get("/progress").status_code == 303

    def test_another_sites_page_cannot_sign_anybody_in_or_out(self, client: TestClient) -> None:
        for path in ("/sign-in", "/sign-out"):
            answer = client.post(path, headers={"Sec-Fetch-Site": "cross-site"})
            assert answer.status_code == 403


class TestStrangers:
    def test_learn_nothing_of_who_has_an_account(self, client: TestClient, clock: FakeClock) -> None:
        with database(client).session() as session:
            ben = people.by_login(session, "ben@example.org")
            assert ben is not None
            people.disable(session, ben, clock())
        answers = [
            sign_in(client, email, password)
            for email, password in (
                (ADA, "wrong"),
                ("nobody@example.org", "wrong"),
                ("ben@example.org", PASSWORD),  # disabled
                ("no address", "wrong"),
                ("local", ""),
            )
        ]
        texts = {
            answer.text.replace(email, "")
            for answer, email in zip(
                answers, (ADA, "nobody@example.org", "ben@example.org", "no address", "local"), strict=True
            )
        }
        assert {answer.status_code for answer in answers} == {422}
        assert len(texts) == 1

    def test_a_hash_is_made_for_nobodys_account_too(
        self, client: TestClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The same work, so that the time tells nothing either."""
        from app.accounts import passwords

        verified: list[bool] = []
        real = passwords.verify

        def counting(password: str, known: str | None) -> tuple[bool, str | None]:
            verified.append(known is None)
            return real(password, known)

        monkeypatch.setattr(passwords, "verify", counting)
        sign_in(client, ADA, "wrong")
        sign_in(client, "nobody@example.org", "wrong")
        assert verified == [False, True]

    def test_can_try_an_account_only_so_often(self, client: TestClient, clock: FakeClock) -> None:
        answers = [sign_in(client, password=f"guess {number}") for number in range(11)]
        assert [answer.status_code for answer in answers] == [422] * 10 + [429]
        last = answers[-1]
        assert last.headers["retry-after"] == "60"
        assert "Wait 60 seconds" in last.text
        assert f'value="{ADA}"' in last.text  # what was typed stays
        assert "guess" not in last.text  # but for the password
        assert sign_in(client).status_code == 429  # the right one does not get through either
        clock.advance(minutes=1)
        assert sign_in(client).status_code == 303

    def test_can_try_many_accounts_only_so_often(self, client: TestClient) -> None:
        statuses = [sign_in(client, f"a{number}@example.org", "guess").status_code for number in range(31)]
        assert statuses == [422] * 30 + [429]

    def test_who_signs_in_uses_nothing_up(self, client: TestClient) -> None:
        """A whole office comes in from one address on a Monday morning."""
        assert {sign_in(client).status_code for _ in range(35)} == {303}

    @pytest.mark.parametrize(
        "elsewhere",
        [
            *("//evil.example", "https://evil.example/", "/\\evil.example", "\\\\evil.example"),
            "javascript:alert(1)",
            *("/\t/evil.example", "\n//evil.example", "/%0d%0aset-cookie", "evil.example", "", "/x" * 2000),
        ],
    )
    def test_cannot_send_anybody_elsewhere(self, client: TestClient, elsewhere: str) -> None:
        answer = sign_in(client, next=elsewhere)
        assert answer.status_code == 303
        assert answer.headers["location"] in ("/", "/%0d%0aset-cookie")
        assert "evil" not in client.get("/sign-in", params={"next": elsewhere}).text

    def test_a_path_here_is_kept_whole(self) -> None:
        assert local_path("/questions?q=a%2Fb&seed=7#x") == "/questions?q=a%2Fb&seed=7#x"


class TestWhatWasSent:
    def test_comes_back_to_be_sent_again(self, client: TestClient) -> None:
        """A form is posted after the session has ended."""
        sent = {"company": "first line\nsecond <b>line</b>", "old-password": "hidden", "key": "k1"}
        answer = client.post("/write-ups/abcdefgh00000001/edit?x=1", data=sent)
        assert answer.status_code == 401
        assert 'action="/write-ups/abcdefgh00000001/edit?x=1"' in answer.text
        assert "second &lt;b&gt;line&lt;/b&gt;</textarea>" in answer.text
        assert 'type="hidden" name="key" value="k1"' in answer.text
        assert "hidden</" not in answer.text
        assert 'value="hidden"' not in answer.text
        assert 'href="/sign-in" target="_blank" rel="noopener"' in answer.text


class TestForgotten:
    def test_without_a_mail_server_one_asks_the_operator(self, client: TestClient) -> None:
        assert "sends no mail" in client.get("/forgot").text
        assert client.post("/forgot", data={"email": ADA}).status_code == 404

    def test_the_link_sets_a_password_once_and_ends_every_other_session(
        self, client: TestClient, clock: FakeClock
    ) -> None:
        sign_in(client)
        before = client.cookies[COOKIE]
        with database(client).session() as session:
            link = resetting.make_link(session, ada(client), "", clock())
        client.cookies.clear()
        page = client.get(link)
        assert page.headers["referrer-policy"] == "no-referrer"
        weak = client.post(link, data={"password": "adaexample"})
        assert (weak.status_code, "easy to guess" in weak.text or "your own" in weak.text) == (422, True)
        answer = client.post(link, data={"password": "gravel-otter-lamp-3"})
        assert answer.status_code == 303
        assert client.get("/progress").status_code == 200
        with database(client).session() as session:
            assert browser_sessions.signed_in(session, before, clock()) is None
        client.cookies.clear()
        assert client.get(link).status_code == 404
        assert client.post(link, data={"password": "walnut-comet-raft-5"}).status_code == 404
        assert sign_in(client).status_code == 422  # the old one
        assert sign_in(client, password="gravel-otter-lamp-3").status_code == 303

    def test_a_link_ends_with_its_time_and_with_the_next_one(
        self, client: TestClient, clock: FakeClock
    ) -> None:
        with database(client).session() as session:
            older = resetting.make_link(session, ada(client), "", clock())
            newer = resetting.make_link(session, ada(client), "", clock())
        assert client.get(older).status_code == 404
        assert client.get(newer).status_code == 200
        clock.advance(days=1)
        assert client.post(newer, data={"password": "gravel-otter-lamp-3"}).status_code == 404

    def test_whoever_is_disabled_gets_no_further_by_one(self, client: TestClient, clock: FakeClock) -> None:
        with database(client).session() as session:
            ben = people.by_login(session, "ben@example.org")
            assert ben is not None
            link = resetting.make_link(session, ben, "", clock())
            people.disable(session, ben, clock())
        assert client.post(link, data={"password": "gravel-otter-lamp-3"}).status_code == 404


class TestFirstOwner:
    def test_from_the_link_to_the_first_team(self, start: Start, clock: FakeClock) -> None:
        from app.accounts import first_owner

        client = start()
        with database(client).session() as session:
            link = first_owner.make_link(session, "", clock())
        assert link is not None
        page = client.get(link)
        assert page.status_code == 200
        assert page.headers["referrer-policy"] == "no-referrer"
        given = {"email": "no address", "name": "Ada", "team": "", "password": "password"}
        refused = client.post(link, data=given)
        assert refused.status_code == 422
        assert refused.text.count('aria-invalid="true"') == 3
        assert 'value="no address"' in refused.text
        assert 'value="password"' not in refused.text
        whole = {"email": ADA, "name": "Ada", "team": "Inference", "password": PASSWORD}
        assert client.post(link, data=whole).status_code == 303
        assert "Inference" in client.get("/team/inference").text
        assert client.get(link).status_code == 404
