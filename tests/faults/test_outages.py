"""What goes wrong around a server: it is told, loses nothing that was typed, and is over by itself."""

import re
from collections.abc import Callable
from datetime import timedelta

import psycopg
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import event, text
from sqlalchemy.engine.interfaces import DBAPIConnection

from app.bank.load import Bank
from app.database import Database, parse_url
from app.main import create_app
from app.settings import Settings
from tests.conftest import FakeClock

QUESTION = "how-flash-attention-stays-exact"
TYPED = "the running maximum rescales what was summed"


def answer(client: TestClient, seed: int = 1) -> tuple[int, str]:
    """The status of the answer to a form that was sent, and its page."""
    sent = {"key": f"key-of-form-{seed}", "answer": TYPED}
    got = client.post(f"/questions/{QUESTION}/answer?seed={seed}", data=sent, follow_redirects=False)
    return got.status_code, got.text


def stored(database: Database) -> int:
    with database.engine.connect() as connection:
        return int(connection.scalar(text("SELECT count(*) FROM answers")) or 0)


@pytest.mark.postgres
def test_postgresql_that_goes_and_comes_back(
    app_settings: Settings, bank: Bank, postgres_server: str, postgres_url: str
) -> None:
    name = parse_url(postgres_url).database
    app = create_app(app_settings.model_copy(update={"database_url": postgres_url}), bank=bank)
    with TestClient(app, base_url="http://127.0.0.1") as client:
        assert answer(client, 1)[0] == 303
        with psycopg.connect(postgres_server, autocommit=True) as server:
            server.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
            server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
            )
            for _ in range(2):
                status, page = answer(client, 2)
                assert status == 503
                assert TYPED in page
            assert client.get("/readyz").status_code == 503
            assert client.get("/healthz").status_code == 200
            assert client.get("/calculators/roofline").status_code == 200
            server.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())
        assert answer(client, 2)[0] == 303
        assert client.get("/readyz").status_code == 200
        assert stored(app.state.database) == 2


def full(connection: DBAPIConnection) -> None:
    connection.cursor().execute("PRAGMA max_page_count = 1")  # as small as it is: it cannot grow


def read_only(connection: DBAPIConnection) -> None:
    connection.cursor().execute("PRAGMA query_only = ON")


@pytest.mark.parametrize(
    ("fault", "told"), [(full, "The server&#39;s disk is full"), (read_only, "may not write its database")]
)
def test_a_file_that_cannot_be_written(
    app_settings: Settings, bank: Bank, fault: Callable[[DBAPIConnection], None], told: str
) -> None:
    app = create_app(app_settings, bank=bank)
    database: Database = app.state.database
    with TestClient(app, base_url="http://127.0.0.1") as client:
        assert answer(client, 1)[0] == 303

        def break_it(connection: DBAPIConnection, *_: object) -> None:
            fault(connection)

        database.close()
        event.listen(database.engine, "connect", break_it)
        statuses = set()
        for seed in range(2, 200):
            status, page = answer(client, seed)
            statuses.add(status)
            if status == 503:
                assert told in page
                assert TYPED in page
                break
        assert statuses <= {303, 503}
        assert 503 in statuses
        kept = stored(database)
        assert client.get("/progress").status_code == 200, "what is there can be read"

        database.close()
        event.remove(database.engine, "connect", break_it)
        assert answer(client, seed)[0] == 303
        assert stored(database) == kept + 1


@pytest.mark.parametrize("days", [-400, -1, 1, 4000])
def test_a_clock_that_jumps(client: TestClient, clock: FakeClock, days: int) -> None:
    """Backwards or far ahead: a question is answered and rated, and the pages show it."""
    for seed in (1, 2):
        assert answer(client, seed)[0] == 303
        address = f"/questions/{QUESTION}"
        page = client.post(f"{address}/reveal?seed={seed}", data={"key": f"key-of-reveal-{seed}"})
        assert page.status_code == 200
        rated = {"key": f"key-of-rating-{seed}", "rating": "3"}
        assert client.post(f"{address}/rating?seed={seed}", data=rated).status_code == 200
        for shown in ("/", "/practice", "/progress", "/account", f"{address}?seed={seed}"):
            assert client.get(shown).status_code == 200
        clock.now += timedelta(days=days)
    found = re.findall(r"\d{4}-\d{2}-\d{2}", client.get("/progress").text)
    assert found
