"""The engine, sessions that read and transactions that write, and the column types that every table shares.

SQLite and PostgreSQL behave alike: times are UTC and aware, foreign keys hold, and a write is one transaction
opened by `writing`. SQLite lets one connection write at a time and makes the others poll, so within a process
they queue at a lock instead, which cut the slowest writes more than tenfold when measured with 8 clients.
No error tells the values of a statement, because they end in logs.
"""

import contextlib
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import DateTime, Dialect, Text, TypeDecorator, create_engine, event, make_url
from sqlalchemy.engine import URL, Connection, Engine
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError
from sqlalchemy.orm import Session as OrmSession
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import Session, SQLModel

from app.settings import Settings

BUSY_TIMEOUT: Final = 10_000  # ms
CONNECT_TIMEOUT: Final = 5  # s
POOL_TIMEOUT: Final = 10  # s that a request waits for a free connection
_POSTGRES_DRIVER: Final = "postgresql+psycopg"
_POSTGRES_SCHEMES: Final = ("postgres", "postgresql", _POSTGRES_DRIVER)
_POSTGRES_OPTIONS: Final = {
    "connect_timeout": CONNECT_TIMEOUT,
    # A server that vanished without a word is noticed within half a minute, not after two hours.
    "keepalives_idle": 15,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,  # ms
    # JIT compilation costs more than any query here runs.
    "options": "-c jit=off -c timezone=UTC",
}
_WRITE_LOCK: Final = "ridgeway_write_lock"
WRITES: Final = "ridgeway_writes"

metadata = SQLModel.metadata
# Set here, which every module with tables imports, because a table takes its names when it is declared.
metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class DatabaseError(Exception):
    """The database cannot be used. `str()` is one line, fit to be shown as it is."""


class UtcDateTime(TypeDecorator[datetime]):
    """A moment: aware going in, in `datetime.UTC` coming out. A naive value is refused, never guessed at."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a naive time cannot be stored: {value!r}; give it a time zone")
        moment = value.astimezone(UTC)
        # SQLite has no type with a zone: the text there is UTC by this column's word.
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class CleanText(TypeDecorator[str]):
    """Text that somebody typed. What no database takes, NUL and lone surrogates, becomes U+FFFD."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else clean_text(value)


def clean_text(text: str) -> str:
    """The text as `CleanText` stores it."""
    return "".join("\ufffd" if char == "\0" or "\ud800" <= char <= "\udfff" else char for char in text)


def parse_url(text: str) -> URL:
    """The address of a database with the driver that is used for it; `ValueError` says what is allowed."""
    allowed = "sqlite:///PATH or postgresql://USER:PASSWORD@HOST:PORT/NAME"
    try:
        url = make_url(text.strip())
    except (ArgumentError, ValueError) as error:
        raise ValueError(allowed) from error
    if url.drivername in _POSTGRES_SCHEMES:
        if not url.database:
            raise ValueError(f"{allowed}, with the database's NAME")
        return url.set(drivername=_POSTGRES_DRIVER)
    if url.drivername != "sqlite" or url.host:
        raise ValueError(f"{allowed} (sqlite:/// takes three slashes, and four before an absolute path)")
    if url.database in (None, "", ":memory:") or url.query:
        raise ValueError(
            f"{allowed}; a SQLite database is a file here, so that progress outlives the process"
        )
    return url


class Database:
    """One engine and what belongs to it; made once per process, closed at its end."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self.is_sqlite = url.drivername == "sqlite"
        if self.is_sqlite:
            options: dict[str, Any] = {"isolation_level": None}
            self.engine = create_engine(url, connect_args=options, max_overflow=40, hide_parameters=True)
            event.listen(self.engine, "connect", _set_up_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)
        else:
            self.engine = create_engine(
                url,
                connect_args=_POSTGRES_OPTIONS,
                pool_pre_ping=True,
                pool_timeout=POOL_TIMEOUT,
                hide_parameters=True,
            )
        self._write_lock = threading.Lock()

    @classmethod
    def from_settings(cls, settings: Settings) -> "Database":
        return cls(parse_url(settings.effective_database_url))

    @property
    def file(self) -> Path | None:
        """The SQLite file, None for PostgreSQL."""
        return Path(self.url.database or "") if self.is_sqlite else None

    @property
    def shown(self) -> str:
        """What to call it in a message: the file, or the address without its password."""
        return str(self.file or self.url.render_as_string(hide_password=True))

    def session(self) -> Session:
        """A session that reads; to be closed by its user. Writing takes `writing(session)`."""
        info = {_WRITE_LOCK: self._write_lock if self.is_sqlite else contextlib.nullcontext()}
        return _GuardedSession(self.engine, expire_on_commit=False, info=info)

    def close(self) -> None:
        self.engine.dispose()


class _GuardedSession(Session):
    """A session whose changes can only be flushed inside `writing`, so that none is lost or half done."""


@contextlib.contextmanager
def writing(session: Session) -> Iterator[None]:
    """A transaction that writes: committed at the end, rolled back on an error.

    Inside another one it joins that one. Rows that the session read before are read again inside, because
    they belong to an earlier snapshot.
    """
    if session.info.get(WRITES):
        yield
        return
    session.commit()  # ends the snapshot that earlier reads opened; there is nothing to write in it
    with session.info[_WRITE_LOCK]:
        session.info[WRITES] = True
        try:
            session.connection(execution_options={WRITES: True})
            session.expire_all()
            yield
            session.commit()
        except BaseException:
            session.rollback()
            raise
        finally:
            session.info[WRITES] = False


@contextlib.contextmanager
def erasing(session: Session) -> Iterator[None]:
    """`writing`, with what is deleted overwritten in SQLite's file and gone from its log of changes.

    By itself SQLite leaves the bytes of deleted rows where they are until something needs the room.
    """
    engine = session.get_bind()
    assert isinstance(engine, Engine)
    sqlite = engine.dialect.name == "sqlite"
    with writing(session):
        if sqlite:
            session.connection().exec_driver_sql("PRAGMA secure_delete = ON")
        yield
        if sqlite:
            session.flush()
            session.connection().exec_driver_sql("PRAGMA secure_delete = OFF")
    if sqlite:
        # Outside of every transaction, so not by way of a session.
        with contextlib.closing(engine.raw_connection()) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")


@event.listens_for(_GuardedSession, "before_flush")
def _refuse_stray_write(session: OrmSession, _context: object, _instances: object) -> None:
    if not session.info.get(WRITES):
        raise RuntimeError("a change to the database outside of writing(session)")


def _set_up_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT}")
    cursor.execute("PRAGMA journal_mode = WAL")
    # With WAL a crash of the process loses nothing, and a power cut the last transactions, never the file.
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # One that begins by reading and then writes fails at once when another wrote between; IMMEDIATE waits.
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
