"""Everything that a user has, as one JSON document, and back into a server.

The document names tables and columns as the database does. Reading it gives rows new numbers and works cards
out from the ratings, so that any server of the same version or a newer one can take it.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Final

from sqlalchemy import Column, Table, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from app.accounts.users import User, refreshed
from app.database import erasing, metadata, writing
from app.exchange.tables import USER_COLUMNS, USERS, belongs_to, owned_tables, python_type, target
from app.migrate import revisions
from app.models import UserRow
from app.practice.progress import MAX_PAGE, attempts
from app.practice.ratings import rebuild_cards

FORMAT: Final = "ridgeway-archive"
MAX_BYTES: Final = 64 * 1024 * 1024
BATCH: Final = 500

Json = Any  # whatever JSON can hold
Progress = Callable[[int, int], None]
"""Told how many rows are done, and of how many."""


class ArchiveError(ValueError):
    """The document cannot be read into this server; `str()` says what is wrong with it and where."""


@dataclass(frozen=True, slots=True)
class Imported:
    """How many rows of each table there were."""

    rows: Mapping[str, int]

    @property
    def total(self) -> int:
        return sum(self.rows.values())


def _unwatched(_done: int, _total: int) -> None:
    pass


def export(session: Session, user: User, now: datetime, progress: Progress = _unwatched) -> dict[str, Json]:
    """The archive of a user."""
    row = session.get_one(UserRow, user.id)
    rows: dict[str, list[dict[str, Json]]] = {}
    total, done = count(session, user), 0
    for table in owned_tables():
        stored = session.execute(
            select(table).where(belongs_to(table, user.id)).order_by(table.columns["id"])
        )
        rows[table.name] = [_plain(table, dict(found)) for found in stored.mappings()]
        done += len(rows[table.name])
        progress(done, total)
    return {
        "format": FORMAT,
        "revision": revisions()[-1],
        "made_at": now.astimezone(UTC).isoformat(),
        "settings": {name: getattr(row, name) for name in USER_COLUMNS},
        "tables": rows,
    }


def count(session: Session, user: User) -> int:
    """How many rows are the user's."""
    counts = (
        session.execute(
            select(func.count()).select_from(table).where(belongs_to(table, user.id))
        ).scalar_one()
        for table in owned_tables()
    )
    return sum(int(found) for found in counts)


def read(content: bytes) -> dict[str, Json]:
    """The document in a file, or `ArchiveError`. What it holds is checked by `restore`."""
    if len(content) > MAX_BYTES:
        raise ArchiveError(f"the file has {len(content):,} bytes; at most {MAX_BYTES:,} are read")
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ArchiveError(
            "the file is not JSON: export an archive and import that file unchanged"
        ) from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ArchiveError(f"the file is no archive of Ridgeway: its format is not “{FORMAT}”")
    if document.get("revision") not in revisions():
        given = str(document.get("revision"))[:60]
        raise ArchiveError(f"a newer Ridgeway made the file (revision {given}): upgrade this server first")
    return document


def rows_in(document: Mapping[str, Json]) -> int:
    """How many rows a document claims to hold."""
    tables = document.get("tables")
    rows = tables.values() if isinstance(tables, dict) else ()
    return sum(len(each) for each in rows if isinstance(each, list))


def restore(
    session: Session,
    user: User,
    document: Mapping[str, Json],
    *,
    replace: bool = False,
    progress: Progress = _unwatched,
) -> Imported:
    """Reads an archive into a user who has nothing yet, or whose things it is to `replace`.

    All of it or nothing: raises `ArchiveError`.
    """
    if not replace and count(session, user):
        raise ArchiveError(
            "there is practice here already, which an import would mix up: choose to replace it, or import "
            "into a server where nothing was practised yet"
        )
    try:
        with erasing(session) if replace else writing(session):
            if replace:
                for table in reversed(owned_tables()):
                    session.execute(table.delete().where(belongs_to(table, user.id)))
            _restore_settings(session, user, document)
            imported = _Restoring(session, user, document, progress).run()
            session.expire_all()
            _check(session, user)
    except SQLAlchemyError as error:
        raise ArchiveError("rows of the archive contradict each other, so nothing was imported") from error
    return imported


def _check(session: Session, user: User) -> None:
    """Reads what was imported as the pages will, so that what they could not show never comes in."""
    try:
        rebuild_cards(session, refreshed(session, user))
        before = None
        while True:
            page = attempts(session, user, before=before, limit=MAX_PAGE, all_told=True)
            if page.before is None:
                break
            before = page.before
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ArchiveError("what the archive says of an attempt cannot be read") from error


def _plain(table: Table, row: Mapping[str, Any]) -> dict[str, Json]:
    """A row without its owner and without the browser it came from."""
    return {
        column.name: value.isoformat() if isinstance(value := row[column.name], date) else value
        for column in table.columns
        if target(column) not in (USERS, "sessions")
    }


def _restore_settings(session: Session, user: User, document: Mapping[str, Json]) -> None:
    given = document.get("settings")
    if not isinstance(given, dict):
        raise ArchiveError("settings: missing")
    columns = metadata.tables[USERS].columns
    values = {
        name: _value(columns[name], given[name], f"settings: {name}")
        for name in USER_COLUMNS
        if name in given
    }
    session.execute(update(metadata.tables[USERS]).where(columns["id"] == user.id).values(values))


class _Restoring:
    def __init__(
        self, session: Session, user: User, document: Mapping[str, Json], progress: Progress
    ) -> None:
        tables = document.get("tables")
        if not isinstance(tables, dict) or not all(isinstance(rows, list) for rows in tables.values()):
            raise ArchiveError("tables: missing, or not lists of rows")
        unknown = sorted(set(tables) - {table.name for table in owned_tables()})
        if unknown:
            raise ArchiveError(f"tables: {unknown[0][:60]} is not known here")
        self.session = session
        self.user = user
        self.tables: Mapping[str, list[Json]] = tables
        self.progress = progress
        self.total = rows_in(document)
        self.done = 0
        self.new_ids: dict[str, dict[int, int]] = {}

    def run(self) -> Imported:
        for table in owned_tables():
            self.new_ids[table.name] = {}
            for place, row in enumerate(self.tables.get(table.name, ()), start=1):
                where = f"{table.name}, row {place}"
                if not isinstance(row, dict) or type(row.get("id")) is not int:
                    raise ArchiveError(f"{where}: not a row with a number")
                values = self._values(table, row, where)
                inserted = self.session.execute(insert(table).values(values).returning(table.columns["id"]))
                self.new_ids[table.name][row["id"]] = inserted.scalar_one()
                self.done += 1
                if self.done % BATCH == 0:
                    self.progress(self.done, self.total)
        self.progress(self.total, self.total)
        return Imported({name: len(rows) for name, rows in self.tables.items()})

    def _values(self, table: Table, row: Mapping[str, Json], where: str) -> dict[str, Any]:
        unknown = sorted(set(row) - {column.name for column in table.columns})
        if unknown:
            raise ArchiveError(f"{where}: {str(unknown[0])[:60]} is no column here")
        values: dict[str, Any] = {}
        for column in table.columns:
            of = target(column)
            if column.name == "id" or of == "sessions":
                continue
            if of == USERS:
                values[column.name] = self.user.id
            elif column.name in row:
                value = _value(column, row[column.name], f"{where}: {column.name}")
                values[column.name] = value if of is None or value is None else self._row(of, value, where)
            elif not column.nullable and column.default is None and column.server_default is None:
                raise ArchiveError(f"{where}: {column.name} is missing")
        return values

    def _row(self, table: str, number: int, where: str) -> int:
        if number not in self.new_ids.get(table, {}):
            raise ArchiveError(f"{where}: there is no row {number} of {table} before it")
        return self.new_ids[table][number]


def _value(column: Column[Any], given: Json, where: str) -> Any:
    """A value as the column takes it."""
    kind = python_type(column)
    if kind is None:  # JSON, which has a null of its own
        return given
    if given is None:
        if not column.nullable:
            raise ArchiveError(f"{where}: null is not allowed")
        return None
    try:
        if kind is datetime:
            moment = datetime.fromisoformat(given)
            if moment.tzinfo is None:
                raise ValueError
            return moment
        if kind is date:
            return date.fromisoformat(given)
        if kind is float and type(given) is int:
            return float(given)
        if type(given) is not kind:
            raise ValueError
    except (TypeError, ValueError, OverflowError) as error:
        raise ArchiveError(f"{where}: {json.dumps(given)[:60]} is not a {kind.__name__}") from error
    return given
