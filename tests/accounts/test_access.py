"""Team mode: what is closed to strangers, and where they are sent."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from fastapi.testclient import TestClient
from sqlmodel import select

from app.accounts import browser_sessions, users
from app.bank.load import Bank
from app.database import Database, writing
from app.main import create_app
from app.models import UserRow
from app.settings import Settings
from tests.conftest import FakeClock

QUESTION = "/questions/attention-matrix-memory"
Server = Callable[..., TestClient]


@pytest.fixture
def server(app_settings: Settings, clock: FakeClock, bank: Bank) -> Iterator[Server]:
    """Starts a server for a team, with further settings; the client follows no redirects."""
    with ExitStack() as stack:

        def start(**further: str) -> TestClient:
            settings = app_settings.model_copy(update={"mode": "team", **further})
            app = create_app(settings, clock=clock, bank=bank)
            client = TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)
            return stack.enter_context(client)

        yield start


def sign_in(client: TestClient, clock: FakeClock) -> None:
    database: Database = client.app.state.database  # type: ignore[attr-defined]  # Starlette types it as ASGI
    with database.session() as session:
        token, _ = browser_sessions.open_session(session, users.local_user(session, clock()), clock())
    client.cookies.set(browser_sessions.COOKIE, token)


class TestStrangers:
    def test_a_page_leads_to_signing_in_and_back(self, server: Server) -> None:
        answer = server().get(f"{QUESTION}?seed=7")
        assert answer.status_code == 303
        assert answer.headers["location"] == "/sign-in?next=%2Fquestions%2Fattention-matrix-memory%3Fseed%3D7"

    def test_an_update_of_a_page_leads_the_whole_page_there(self, server: Server) -> None:
        current = {"HX-Request": "true", "HX-Current-URL": f"http://127.0.0.1{QUESTION}?seed=7"}
        answer = server().post(f"{QUESTION}/answer", headers=current)
        assert answer.status_code == 401
        assert answer.headers["hx-redirect"].endswith("%2Fattention-matrix-memory%3Fseed%3D7")

    def test_the_api_says_that_it_wants_to_know_who(self, server: Server) -> None:
        answer = server().get("/api/v1/calculators")
        assert answer.status_code == 401
        assert answer.json()["title"] == "Unauthorized"

    def test_whether_the_server_is_alive_is_told_to_everybody(self, server: Server) -> None:
        assert server().get("/healthz").status_code == 200

    @pytest.mark.parametrize(
        ("public", "calculators", "questions"),
        [("nothing", 303, 303), ("calculators", 200, 303), ("questions", 200, 200)],
    )
    def test_visitors_read_what_the_setting_opens(
        self, server: Server, public: str, calculators: int, questions: int
    ) -> None:
        client = server(public=public)
        assert client.get("/calculators/ffn").status_code == calculators
        for page in ("/", "/questions", QUESTION):
            assert client.get(page).status_code == questions
        for page in ("/progress", "/practice", "/account", "/write-ups", f"{QUESTION}?reveal=1"):
            assert client.get(page).status_code == 303, page
        assert client.post(f"{QUESTION}/answer", data={"answer": "2 GiB"}).status_code == 401


class TestPeople:
    def test_a_session_opens_everything(self, server: Server, clock: FakeClock) -> None:
        client = server()
        sign_in(client, clock)
        assert client.get("/progress").status_code == 200

    def test_a_session_ends_with_its_time(self, server: Server, clock: FakeClock) -> None:
        client = server()
        sign_in(client, clock)
        clock.advance(days=browser_sessions.LIFETIME.days, seconds=1)
        assert client.get("/progress").status_code == 303

    def test_who_is_disabled_is_out_at_once(self, server: Server, clock: FakeClock) -> None:
        client = server()
        sign_in(client, clock)
        with client.app.state.database.session() as session, writing(session):  # type: ignore[attr-defined]
            session.exec(select(UserRow)).one().disabled_at = clock()
        assert client.get("/progress").status_code == 303
