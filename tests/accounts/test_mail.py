"""Links by mail: sent to whoever has a password, and nothing tells a stranger whether there is an account."""

import re
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy

import pytest
from fastapi.testclient import TestClient

from app.accounts import mail, people, registering
from app.accounts.mail import Mailer
from app.database import Database
from tests.conftest import FakeClock, Start

ADA = "ada@example.org"


class _Smtp(socketserver.StreamRequestHandler):
    """As much of the protocol as a client without TLS speaks."""

    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        while line := self.rfile.readline():
            if line.upper().startswith(b"DATA"):
                self.wfile.write(b"354 go on\r\n")
                content = b""
                while (line := self.rfile.readline()) != b".\r\n":
                    content += line
                self.server.mails.append(content)  # type: ignore[attr-defined]  # set beside the server
            self.wfile.write(b"221 bye\r\n" if line.upper().startswith(b"QUIT") else b"250 ok\r\n")
            if line.upper().startswith(b"QUIT"):
                return


@pytest.fixture
def mails() -> Iterator[tuple[int, list[bytes]]]:
    """The port of a mail server, and what came to it."""
    came: list[bytes] = []
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Smtp) as server:
        server.mails = came  # type: ignore[attr-defined]  # for the handler
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server.server_address[1], came
        server.shutdown()
        thread.join()


Begin = Callable[[int], TestClient]


@pytest.fixture
def begin(start: Start, clock: FakeClock) -> Begin:
    def with_mail(port: int) -> TestClient:
        client = start(smtp_url=f"smtp://127.0.0.1:{port}", mail_from="ridgeway@example.org")
        with database(client).session() as session:
            account = registering.prepare(ADA, "Ada", password="tulip-anvil-moss-77")
            registering.create(session, account, clock())
            other = registering.prepare_without_password("by-provider@example.org", "Ben")
            registering.create(session, other, clock())
        return client

    return with_mail


def database(client: TestClient) -> Database:
    found: Database = client.app.state.database  # type: ignore[attr-defined]  # Starlette types it as ASGI
    return found


def wait(client: TestClient) -> None:
    mailer: Mailer = client.app.state.mailer  # type: ignore[attr-defined]  # Starlette types it as ASGI
    mailer.wait()


def test_a_link_comes_and_sets_the_password(begin: Begin, mails: tuple[int, list[bytes]]) -> None:
    client = begin(mails[0])
    answer = client.post("/forgot", data={"email": "Ada@Example.org"})
    assert answer.status_code == 200
    wait(client)
    message = message_from_bytes(mails[1][0], policy=policy.default)
    assert (message["To"], message["From"]) == (ADA, "ridgeway@example.org")
    link = re.search(r"http://127\.0\.0\.1:8000(/reset/\S+)", message.get_content())
    assert link is not None
    assert client.post(link[1], data={"password": "gravel-otter-lamp-3"}).status_code == 303


def test_the_answer_is_one_whoever_is_asked_for(
    begin: Begin, mails: tuple[int, list[bytes]], clock: FakeClock
) -> None:
    client = begin(mails[0])
    asked = (ADA, "nobody@example.org", "by-provider@example.org")
    texts = {client.post("/forgot", data={"email": email}).text.replace(email, "") for email in asked}
    wait(client)
    assert len(texts) == 1
    assert len(mails[1]) == 1
    with database(client).session() as session:
        ada = people.by_login(session, ADA)
        assert ada is not None
        people.disable(session, ada, clock())
    client.post("/forgot", data={"email": ADA})
    wait(client)
    assert len(mails[1]) == 1


def test_a_mail_server_that_is_away_holds_up_nobody(
    begin: Begin, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It takes connections and says nothing."""
    monkeypatch.setattr(mail, "TIMEOUT", 0.6)
    with socketserver.TCPServer(("127.0.0.1", 0), _Smtp) as silent:
        client = begin(silent.server_address[1])
        started = time.monotonic()
        assert client.post("/forgot", data={"email": ADA}).status_code == 200
        assert time.monotonic() - started < 0.6
        wait(client)
    assert "could not be mailed" in caplog.text
    assert ADA not in caplog.text


def test_one_can_ask_only_so_often(begin: Begin, mails: tuple[int, list[bytes]]) -> None:
    client = begin(mails[0])
    answers = [client.post("/forgot", data={"email": ADA}) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert f'value="{ADA}"' in answers[-1].text
    wait(client)


def test_what_is_no_address_is_said(begin: Begin, mails: tuple[int, list[bytes]]) -> None:
    answer = begin(mails[0]).post("/forgot", data={"email": "ada\r\nBcc: eve@example.org"})
    assert answer.status_code == 422


def test_no_password_is_sent_to_a_mail_server_without_tls(
    start: Start, mails: tuple[int, list[bytes]], clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    client = start(smtp_url=f"smtp://me:pw@127.0.0.1:{mails[0]}", mail_from="ridgeway@example.org")
    with database(client).session() as session:
        account = registering.prepare(ADA, "Ada", password="tulip-anvil-moss-77")
        registering.create(session, account, clock())
    client.post("/forgot", data={"email": ADA})
    wait(client)
    assert mails[1] == []
    assert "no STARTTLS" in caplog.text
