"""Bringing the database to the tables of this code, before anything else touches it.

A migration's revision is its file's name, so that listing the folder tells the newest, and a database that is
there already is recognised without loading Alembic. Several processes may start at once: one migrates, the
others wait for it, on SQLite at its own write lock. The whole upgrade is one transaction on either database.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, select
from sqlalchemy import column as sql_column
from sqlalchemy import table as sql_table
from sqlalchemy.exc import DatabaseError as SqlDatabaseError
from sqlalchemy.exc import OperationalError

from app.database import WRITES, Database, DatabaseError

MIGRATIONS: Final = Path(__file__).resolve().parent.parent / "migrations"
_MIGRATION_TIMEOUT: Final = 3_600_000  # ms that a process waits for one that migrates a SQLite file
_ADVISORY_LOCK: Final = 0x52_49_44_47_45  # "RIDGE": any number that no other program on the server uses
VERSION_TABLE: Final = "alembic_version"
_REVISION: Final = sql_table(VERSION_TABLE, sql_column("version_num"))


def revisions() -> tuple[str, ...]:
    """The names of the migrations, oldest first."""
    names = sorted(path.stem for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))
    if not names:
        raise DatabaseError(f"there are no migrations in {MIGRATIONS}: the installation is not complete")
    return tuple(names)


def current_revision(database: Database) -> str | None:
    """Which migration the database is at, None for one that is empty; SQLAlchemy's error if it is away."""
    with database.engine.connect() as connection:
        return _revision(connection)


def is_migrated(database: Database) -> bool:
    """Whether the database answers and has the tables of this code."""
    try:
        return current_revision(database) == revisions()[-1]
    except SqlDatabaseError:
        return False


def migrate(database: Database, now: datetime | None = None) -> Path | None:
    """Upgrades the database if it is older than the code; returns the copy made of a SQLite file before that.

    Raises `DatabaseError` if the database cannot be reached, is not one of ours, or is newer than the code.
    """
    if database.file:
        _make_folder(database.file.parent)
    try:
        if is_migrated(database):
            return None
        with _alone(database) as connection:
            return _migrate(database, connection, now or datetime.now(UTC))
    except OperationalError as error:
        raise DatabaseError(f"the database {database.shown} cannot be used: {_reason(error)}") from error
    except SqlDatabaseError as error:
        raise DatabaseError(f"{database.shown} cannot be upgraded: {_reason(error)}") from error


@contextmanager
def _alone(database: Database) -> Iterator[Connection]:
    """A transaction beside which no other process upgrades; whoever comes second waits for it to end."""
    with database.engine.connect().execution_options(**{WRITES: True}) as connection:
        if not database.is_sqlite:
            with connection.begin():
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})")
                yield connection
            return
        connection.detach()  # what is set here is not for who would get it from the pool
        raw = connection.connection.cursor()
        raw.execute(f"PRAGMA busy_timeout = {_MIGRATION_TIMEOUT}")
        # A table that is made anew is dropped first, and would take along every row that refers to it.
        raw.execute("PRAGMA foreign_keys = OFF")
        with connection.begin():
            yield connection
            if broken := connection.exec_driver_sql("PRAGMA foreign_key_check").first():
                raise DatabaseError(
                    f"{database.shown} was not upgraded: "
                    f"a row of {broken[0]} would refer to none of {broken[2]}"
                )


def _migrate(database: Database, connection: Connection, now: datetime) -> Path | None:
    revision = _revision(connection)  # again, now that no other process can be at it
    if revision == revisions()[-1]:
        return None
    if revision is None:
        foreign = inspect(connection).get_table_names()
        if foreign:
            raise DatabaseError(
                f"{database.shown} holds tables that are not Ridgeway's ({', '.join(foreign[:3])}): "
                "give it a database of its own"
            )
    elif revision not in revisions():
        raise DatabaseError(
            f"{database.shown} is at revision {revision}, and this version knows none after "
            f"{revisions()[-1]}: a newer Ridgeway upgraded it. Install that one, or use a copy from before"
        )
    copy = _copy(database.file, revision, now) if database.file and revision else None
    _upgrade(connection)
    return copy


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table(_REVISION.name):
        return None
    return connection.execute(select(_REVISION.c.version_num)).scalar()


def _upgrade(connection: Connection) -> None:
    # Not at the top: a start with nothing to upgrade does without.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _copy(file: Path, revision: str, now: datetime) -> Path:
    """A copy beside the file, by SQLite's own means, so that it is whole while others read and write."""
    copy = file.with_name(f"{file.stem}-{revision}-{now:%Y%m%dT%H%M%SZ}{file.suffix}")
    try:
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
    except sqlite3.Error as error:
        raise DatabaseError(f"not upgraded, for {file} could not be copied to {copy}: {error}") from error
    return copy


def _reason(error: SqlDatabaseError) -> str:
    lines = str(error.orig).strip().splitlines()
    return lines[0] if lines else type(error.orig).__name__


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseError(f"the folder {folder} cannot be made: {error.strerror or error}") from error
