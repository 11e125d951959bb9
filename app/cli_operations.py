"""`ridgeway backup`, `restore` and `copy-database`: what whoever runs a server does by hand or by a timer."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli_exit import fail

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

    from app.database import Database
    from app.settings import Settings

_ADDRESS = "sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME, or @FILE that holds it."


def backup(
    path: Annotated[Path, typer.Argument(help="The file to write, such as backups/monday.zip.")],
) -> None:
    """Write all rows of the database to one file, while the server runs."""
    from app.dependencies import utc_now
    from app.operations.backups import BackupError, back_up

    settings = _settings()
    with _open(settings) as database:
        try:
            made = back_up(database, settings.data_dir, path, utc_now())
        except BackupError as error:
            fail(str(error))
    manifest = made.manifest
    how = " by pg_dump" if made.by_pg_dump else ""
    typer.echo(
        f"Backed up{how} to {path}: {_rows(manifest.rows)} of {len(manifest.counts)} tables "
        f"at revision {manifest.revision}."
    )


def restore(
    path: Annotated[Path, typer.Argument(help="A file that ridgeway backup wrote.")],
    force: Annotated[
        bool, typer.Option("--force", help="Replace what the database holds, after a backup of that.")
    ] = False,
) -> None:
    """Put a backup in the place of the database. Stop the server first."""
    from app.dependencies import utc_now
    from app.operations.backups import BackupError
    from app.operations.restoring import restore as put_back

    settings = _settings()
    with _open(settings) as database:
        try:
            restored = put_back(database, settings.data_dir, path, utc_now(), force=force)
        except BackupError as error:
            fail(str(error))
        shown = database.shown
    if restored.kept:
        typer.echo(f"What was there before is in {restored.kept}.")
    typer.echo(f"Restored to {shown}: {_rows(restored.manifest.rows)}, in each table as many as were.")


def copying(
    source: Annotated[str, typer.Argument(metavar="FROM", help=_ADDRESS)],
    target: Annotated[str, typer.Argument(metavar="TO", help="An empty database: as FROM.")],
) -> None:
    """Copy everything into an empty database, such as from SQLite to PostgreSQL. Stop the server first."""
    from app.database import Database, DatabaseError
    from app.operations.copying import CopyError, copy_database

    reading, writing = Database(_url("FROM", source)), Database(_url("TO", target))
    try:
        with typer.progressbar(length=1, label="Rows", file=sys.stderr) as bar:

            def advance(rows: int, total: int) -> None:
                bar.length = total
                bar.update(rows)

            counts = copy_database(reading, writing, advance)
    except (CopyError, DatabaseError) as error:
        fail(str(error))
    finally:
        reading.close()
        writing.close()
    for name, rows in counts.items():
        typer.echo(f"{name:<24} {rows:>10,}")
    typer.echo(f"Copied to {writing.shown}: {_rows(sum(counts.values()))}, in each table as many as were.")


def _rows(number: int) -> str:
    return f"{number:,} {'row' if number == 1 else 'rows'}"


def _url(name: str, given: str) -> "URL":
    from app.database import parse_url

    try:
        address = Path(given[1:]).read_text().strip() if given.startswith("@") else given
        url = parse_url(address)
    except OSError as error:
        fail(f"{name}: {given[1:]} cannot be read: {error.strerror or error}", code=2)
    except ValueError as error:
        fail(f"{name} is not an address that can be used: allowed is {error}", code=2)
    if name == "FROM" and url.drivername == "sqlite" and not Path(url.database or "").is_file():
        fail(f"FROM: there is no file {url.database}", code=2)
    return url


def _settings() -> "Settings":
    from app.settings import SettingsError, load_settings

    try:
        return load_settings()
    except SettingsError as error:
        fail(str(error))


@contextmanager
def _open(settings: "Settings") -> "Iterator[Database]":
    from app.database import Database

    database = Database.from_settings(settings)
    try:
        yield database
    finally:
        database.close()
