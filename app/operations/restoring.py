"""A backup put in the place of a database, which is copied first where it holds anything."""

import shutil
import sqlite3
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import Engine, MetaData
from sqlalchemy.exc import SQLAlchemyError

from app.database import Database, DatabaseError, parse_url
from app.measuring.machines import FOLDER as MACHINES
from app.migrate import current_revision, migrate
from app.operations import postgres_tools
from app.operations.backups import (
    DUMP_FILE,
    SQLITE_FILE,
    BackupError,
    Manifest,
    back_up,
    check_sqlite,
    copy_sqlite,
    unpacked,
)
from app.operations.copying import CopyError, Counts, copy_database, count, reason, snapshot
from app.operations.postgres_tools import ToolError


@dataclass(frozen=True, slots=True)
class Restored:
    """`kept` is the backup that was made of what was there before."""

    manifest: Manifest
    kept: Path | None


def restore(
    database: Database, data_dir: Path, path: Path, now: datetime, *, force: bool = False
) -> Restored:
    """Puts the backup in the database's place and upgrades it to this version.

    Raises `BackupError` where the backup is damaged, of a newer version or of a kind that does not go into
    this database, and where the database holds anything, unless it is forced.
    """
    data_dir.mkdir(parents=True, exist_ok=True)
    with unpacked(path, data_dir) as (manifest, folder):
        dump = folder / DUMP_FILE
        if not dump.exists():
            _compare(manifest, check_sqlite(folder / SQLITE_FILE), path.name)
        elif database.is_sqlite:
            raise BackupError(
                f"{path} was made by pg_dump and goes into PostgreSQL alone: restore it there, "
                "then ridgeway copy-database brings it into SQLite"
            )
        kept = _make_room(database, data_dir, now, force=force)
        try:
            if database.is_sqlite or dump.exists():
                _as_it_was(database, folder)
                with snapshot(database) as connection:
                    _compare(manifest, count(connection), database.shown)
                migrate(database, now)
            else:
                _into_postgres(folder / SQLITE_FILE, database)
        except SQLAlchemyError as error:
            raise BackupError(_failed(database, kept, reason(error))) from error
        except (sqlite3.Error, ToolError, CopyError, DatabaseError) as error:
            raise BackupError(_failed(database, kept, str(error))) from error
        _restore_machines(folder / MACHINES, data_dir / MACHINES)
    return Restored(manifest, kept)


def _make_room(database: Database, data_dir: Path, now: datetime, *, force: bool) -> Path | None:
    """Leaves the database without tables; where it held anything, a backup of that is returned."""
    try:
        held = _held(database)
        if not held:
            _drop_everything(database.engine)
            return None
        if not force:
            raise BackupError(
                f"{database.shown} holds {held:,} rows: --force replaces them, after a backup of them"
            )
        kept = data_dir / f"before-restore-{now:%Y%m%dT%H%M%SZ}.zip"
        back_up(database, data_dir, kept, now)
        if not database.is_sqlite:  # whose content is replaced in one go
            _drop_everything(database.engine)
    except SQLAlchemyError as error:
        raise BackupError(f"the database {database.shown} cannot be used: {reason(error)}") from error
    return kept


def _held(database: Database) -> int:
    with snapshot(database) as connection:
        counts = count(connection)
    if counts and current_revision(database) is None:
        raise BackupError(
            f"{database.shown} holds tables that are not Ridgeway's ({', '.join(list(counts)[:3])}): "
            "give it a database of its own"
        )
    return sum(counts.values())


def _drop_everything(engine: Engine) -> None:
    with engine.begin() as connection:
        found = MetaData()
        found.reflect(connection)
        found.drop_all(connection)


def _as_it_was(database: Database, folder: Path) -> None:
    if database.file:
        copy_sqlite(folder / SQLITE_FILE, database.file)
    else:
        postgres_tools.restore(database.url, folder / DUMP_FILE)


def _into_postgres(file: Path, database: Database) -> None:
    source = Database(parse_url(f"sqlite:///{file}"))
    try:
        migrate(source)
        copy_database(source, database)
    finally:
        source.close()


def _compare(manifest: Manifest, counts: Counts, where: str) -> None:
    differing = [name for name, rows in manifest.counts.items() if counts.get(name) != rows]
    if differing:
        told = ", ".join(
            f"{name} {counts.get(name)} instead of {manifest.counts[name]}" for name in differing[:3]
        )
        raise BackupError(f"{where} does not hold what the backup's manifest counts: {told}")


def _failed(database: Database, kept: Path | None, why: str) -> str:
    there = f"; what was there before is in {kept}" if kept else ""
    return f"{database.shown} could not be restored: {why}{there}"


def _restore_machines(found: Path, folder: Path) -> None:
    for file in sorted(found.glob("*.json")):
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, folder / file.name)
