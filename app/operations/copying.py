"""All rows of one database into another, SQLite or PostgreSQL, in one transaction, and counted afterwards."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import Connection, Table, func, insert, inspect, select, table, text
from sqlalchemy.exc import SQLAlchemyError

from app import models
from app.database import WRITES, Database, DatabaseError
from app.migrate import VERSION_TABLE, current_revision, migrate, revisions

BATCH: Final = 500  # rows at a time
Counts = Mapping[str, int]
Progress = Callable[[int, int], object]  # rows that were just copied, rows there are


class CopyError(Exception):
    """Nothing was copied. `str()` is one line, fit to be shown as it is."""


@contextmanager
def snapshot(database: Database) -> Iterator[Connection]:
    """A connection that sees one moment of the database, whatever others write meanwhile."""
    options = (
        {} if database.is_sqlite else {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    )
    with database.engine.connect().execution_options(**options) as connection, connection.begin():
        yield connection


def count(connection: Connection) -> Counts:
    """How many rows each table has, of whatever version the database is."""
    names = sorted(set(inspect(connection).get_table_names()) - {VERSION_TABLE})
    return {name: connection.scalar(select(func.count()).select_from(table(name))) or 0 for name in names}


def copy_database(source: Database, target: Database, progress: Progress | None = None) -> Counts:
    """Copies everything; `CopyError` where the source is of another version or the target is not empty."""
    _refuse_other_version(source)
    if source.url == target.url:
        raise CopyError(f"{source.shown} cannot be copied onto itself")
    migrate(target)
    try:
        with snapshot(source) as reading, _writing(target) as writing:
            held = sum(count(writing).values())
            if held:
                raise CopyError(f"{target.shown} holds {held:,} rows: give an empty database to copy into")
            before = count(reading)
            for rows in copy_rows(reading, writing):
                if progress:
                    progress(rows, sum(before.values()))
            after = count(writing)
            differing = [name for name in before if before[name] != after.get(name)]
            if differing:
                raise CopyError(f"the copy would differ in {', '.join(differing)}, so it was taken back")
            return after
    except SQLAlchemyError as error:
        raise CopyError(f"{source.shown} cannot be copied to {target.shown}: {reason(error)}") from error


def copy_rows(reading: Connection, writing: Connection) -> Iterator[int]:
    """Every row, a table after those that it refers to; yields how many were copied, time and again."""
    for each in models.metadata.sorted_tables:
        # In the order of the keys a row of a table that refers to itself comes after the one it names.
        rows = reading.execute(
            select(each).order_by(*each.primary_key), execution_options={"yield_per": BATCH}
        )
        for batch in rows.mappings().partitions():
            writing.execute(insert(each), [dict(row) for row in batch])
            yield len(batch)
        if writing.dialect.name == "postgresql":
            _set_sequence(writing, each)


def reason(error: SQLAlchemyError) -> str:
    """The first line of what the database says."""
    lines = str(getattr(error, "orig", None) or error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


@contextmanager
def _writing(database: Database) -> Iterator[Connection]:
    with database.engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
        yield connection


def _refuse_other_version(database: Database) -> None:
    try:
        revision = current_revision(database)
    except SQLAlchemyError as error:
        raise DatabaseError(f"the database {database.shown} cannot be used: {reason(error)}") from error
    if revision != revisions()[-1]:
        found = f"at revision {revision}" if revision else "empty"
        raise CopyError(
            f"{database.shown} is {found}, and this version copies {revisions()[-1]}: "
            "a start of this version's server upgrades an older one"
        )


def _set_sequence(connection: Connection, table: Table) -> None:
    """So that the next row gets a number that none has."""
    for column in table.primary_key:
        name = {"table": table.name, "column": column.name}
        sequence = connection.scalar(text("SELECT pg_get_serial_sequence(:table, :column)"), name)
        if sequence:
            highest = connection.scalar(select(func.max(column)))
            set_to: dict[str, Any] = {
                "sequence": sequence,
                "value": highest or 1,
                "used": highest is not None,
            }
            connection.execute(text("SELECT setval(CAST(:sequence AS regclass), :value, :used)"), set_to)
