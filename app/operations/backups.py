"""A backup: one file with all rows, the schema's revision and how many rows each table has.

It is a zip of `manifest.json`, of `database.sqlite3` or, made by pg_dump, `database.dump`, and of the
measured machines of the data folder. A SQLite database also goes into PostgreSQL; a dump goes there alone.
"""

import json
import os
import re
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError
from sqlalchemy.exc import SQLAlchemyError

from app.database import Database, parse_url
from app.measuring.machines import FOLDER as MACHINES
from app.migrate import current_revision, revisions
from app.operations import postgres_tools
from app.operations.copying import CopyError, Counts, copy_database, count, reason, snapshot
from app.operations.postgres_tools import ToolError

MANIFEST: Final = "manifest.json"
SQLITE_FILE: Final = "database.sqlite3"
DUMP_FILE: Final = "database.dump"
_MACHINE: Final = re.compile(rf"{MACHINES}/[a-z0-9-]+\.json")
_FORMAT: Final = "ridgeway-backup-1"
_MOST_OF_A_MANIFEST: Final = 1024 * 1024  # bytes


class BackupError(Exception):
    """No backup was made, or this one cannot be used. `str()` is one line, fit to be shown as it is."""


class Manifest(BaseModel):
    """What a backup says of itself."""

    model_config = ConfigDict(extra="ignore")

    format: str
    ridgeway: str
    made_at: datetime
    revision: str
    counts: dict[str, int]

    @property
    def rows(self) -> int:
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class Made:
    """A backup that was made. `by_pg_dump` tells whether it goes into PostgreSQL alone."""

    manifest: Manifest
    by_pg_dump: bool


def back_up(database: Database, data_dir: Path, path: Path, now: datetime) -> Made:
    """Writes the backup, whole or not at all, while others read and write; never over another file."""
    if path.exists():
        raise BackupError(f"{path} is there already: give the backup a name of its own")
    if database.file and not database.file.is_file():
        raise BackupError(f"there is no database {database.shown} to back up")
    try:
        revision = current_revision(database)
        if revision is None:
            raise BackupError(f"{database.shown} is empty: there is nothing to back up")
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}-") as folder:
            content, counts = _copied(database, Path(folder))
            manifest = Manifest(
                format=_FORMAT,
                ridgeway=version("ridgeway"),
                made_at=now,
                revision=revision,
                counts=dict(counts),
            )
            packed = Path(folder) / "packed"
            _pack(packed, manifest, content, data_dir)
            packed.rename(path)
    except OSError as error:
        raise BackupError(f"{path} cannot be written: {error.strerror or error}") from error
    except SQLAlchemyError as error:
        raise BackupError(f"{database.shown} cannot be backed up: {reason(error)}") from error
    except (sqlite3.Error, CopyError, ToolError) as error:
        raise BackupError(f"{database.shown} cannot be backed up: {error}") from error
    return Made(manifest, content.name == DUMP_FILE)


@contextmanager
def unpacked(path: Path, beside: Path) -> Iterator[tuple[Manifest, Path]]:
    """The backup's manifest and its files, in a folder beside what it is for, gone afterwards."""
    with ExitStack() as stack:
        try:
            folder = Path(
                stack.enter_context(tempfile.TemporaryDirectory(dir=beside, prefix=".ridgeway-restore-"))
            )
            with zipfile.ZipFile(path) as archive:
                manifest = _manifest(path, archive)
                for name in archive.namelist():
                    if name in (SQLITE_FILE, DUMP_FILE) or _MACHINE.fullmatch(name):
                        archive.extract(name, folder)
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise BackupError(f"{path} is no backup of Ridgeway, or not a whole one: {error}") from error
        except OSError as error:
            raise BackupError(f"{path} cannot be read: {error.strerror or error}") from error
        yield manifest, folder


def check_sqlite(file: Path) -> Counts:
    """How many rows each table of a whole SQLite file has; `BackupError` where it is damaged."""
    with closing(sqlite3.connect(file)) as connection:
        [found] = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise BackupError(f"{file.name} is damaged: {found}")
    database = Database(parse_url(f"sqlite:///{file}"))
    try:
        with snapshot(database) as connection:
            return count(connection)
    finally:
        database.close()


def copy_sqlite(source: Path, target: Path) -> None:
    """All of one SQLite file in the place of another's content, in one transaction."""
    with closing(sqlite3.connect(source)) as reading, closing(sqlite3.connect(target)) as writing:
        reading.backup(writing)


def _copied(database: Database, folder: Path) -> tuple[Path, Counts]:
    """A copy of the database in the folder, and what is in it."""
    copy = folder / SQLITE_FILE
    if database.file:
        copy_sqlite(database.file, copy)
        with closing(sqlite3.connect(copy)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")  # so that it is one file
        return copy, check_sqlite(copy)
    dump = folder / DUMP_FILE
    with snapshot(database) as connection:
        if postgres_tools.dump(database.url, connection, dump):
            return dump, count(connection)
    return copy, _portable(database, copy)


def _portable(database: Database, copy: Path) -> Counts:
    portable = Database(parse_url(f"sqlite:///{copy}"))
    try:
        return copy_database(database, portable)
    finally:
        portable.close()


def _pack(path: Path, manifest: Manifest, content: Path, data_dir: Path) -> None:
    # It holds everybody's answers and the hashes of passwords: for its owner alone.
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    with os.fdopen(handle, "w+b") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr(MANIFEST, manifest.model_dump_json(indent=2))
            archive.write(content, content.name)
            for machine in sorted((data_dir / MACHINES).glob("*.json")):
                archive.write(machine, f"{MACHINES}/{machine.name}")
        file.flush()
        os.fsync(file.fileno())


def _manifest(path: Path, archive: zipfile.ZipFile) -> Manifest:
    names = archive.namelist()
    if MANIFEST not in names or archive.getinfo(MANIFEST).file_size > _MOST_OF_A_MANIFEST:
        raise BackupError(f"{path} is no backup of Ridgeway: it has no {MANIFEST}")
    try:
        manifest = Manifest.model_validate(json.loads(archive.read(MANIFEST)))
    except ValidationError as error:
        raise BackupError(f"{path} is no backup of Ridgeway: its {MANIFEST} says too little") from error
    if manifest.format != _FORMAT:
        raise BackupError(f"{path} is a backup of the form {manifest.format}; known is {_FORMAT}")
    if manifest.revision not in revisions():
        raise BackupError(
            f"{path} is at revision {manifest.revision}, and this version knows none after "
            f"{revisions()[-1]}: Ridgeway {manifest.ridgeway} made it; install that one or a newer one"
        )
    if not {SQLITE_FILE, DUMP_FILE} & set(names):
        raise BackupError(f"{path} is no backup of Ridgeway: there is no database in it")
    return manifest
