"""`ridgeway export` and `ridgeway import`: what one has, taken along and brought in."""

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli_exit import fail

if TYPE_CHECKING:
    from sqlmodel import Session

    from app.accounts.users import User
    from app.bank.load import Bank
    from app.settings import Settings

exporting = typer.Typer(help="Take along questions, attempts or everything.", no_args_is_help=True)
importing = typer.Typer(help="Bring in what was exported.", no_args_is_help=True)

Target = Annotated[Path, typer.Argument(help="The file to write.")]


@exporting.command("anki")
def export_anki(path: Target) -> None:
    """The bank as an Anki deck; importing it again doubles nothing."""
    from app.bank.problems import BrokenQuestionError
    from app.exchange.anki import write_deck

    settings = _settings()
    questions = _bank(settings).questions.values()
    with _replacing(path) as file, _bar(len(questions), "Cards") as progress:
        try:
            count = write_deck(questions, file, settings.public_url, progress)
        except BrokenQuestionError as error:
            fail(str(error))
    typer.echo(f"{count} cards written to {path}.")


@exporting.command("csv")
def export_csv(path: Target) -> None:
    """The attempts, a line for each answer."""
    from app.exchange.csv_file import lines
    from app.practice.question_state import key_of

    settings = _settings()
    titles = {key_of(question): question.title for question in _bank(settings).questions.values()}
    with _practice(settings) as (session, user), _replacing(path) as file:
        file.write_text("".join(lines(session, user, titles)), encoding="utf-8", newline="")
    typer.echo(f"The attempts were written to {path}.")


@exporting.command("archive")
def export_archive(path: Target) -> None:
    """Everything, as JSON that another server can read."""
    from app.dependencies import utc_now
    from app.exchange import archive

    with _practice(_settings()) as (session, user), _replacing(path) as file:
        total = archive.count(session, user)
        with _bar(total, "Rows") as progress:
            document = archive.export(session, user, utc_now(), progress)
        file.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    typer.echo(f"{total} rows written to {path}.")


@importing.command("archive")
def import_archive(
    path: Annotated[Path, typer.Argument(help="An archive.")],
    replace: Annotated[bool, typer.Option("--replace", help="Delete what is here before.")] = False,
) -> None:
    """Read an archive into a server where nothing was practised yet, or with --replace into any."""
    from app.exchange import archive

    try:
        document = archive.read(path.read_bytes())
    except OSError as error:
        fail(f"{path} cannot be read: {error.strerror or error}")
    except archive.ArchiveError as error:
        fail(f"{path}: {error}")
    with _practice(_settings()) as (session, user):
        try:
            with _bar(archive.rows_in(document), "Rows") as progress:
                imported = archive.restore(session, user, document, replace=replace, progress=progress)
        except archive.ArchiveError as error:
            fail(f"{path}: {error}")
    typer.echo(f"{imported.total} rows imported.")


@contextlib.contextmanager
def _bar(length: int, label: str) -> Iterator[Callable[[int, int], None]]:
    with typer.progressbar(length=max(length, 1), label=label, hidden=not sys.stdout.isatty()) as bar:
        yield lambda done, _total: bar.update(done - bar.pos)


@contextlib.contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """A file beside the path that takes its place at the end, so that a failed export leaves the old one."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        os.close(handle)
    except OSError as error:
        fail(f"{path} cannot be written: {error.strerror or error}")
    file = Path(name)
    try:
        yield file
        file.replace(path)
    except OSError as error:
        fail(f"{path} cannot be written: {error.strerror or error}")
    finally:
        file.unlink(missing_ok=True)


def _settings() -> "Settings":
    from app.settings import SettingsError, load_settings

    try:
        return load_settings()
    except SettingsError as error:
        fail(str(error))


def _bank(settings: "Settings") -> "Bank":
    from app.bank.load import Bank
    from app.paths import QUESTIONS

    return Bank.load([QUESTIONS, *settings.bank_paths])


@contextlib.contextmanager
def _practice(settings: "Settings") -> "Iterator[tuple[Session, User]]":
    """The local user in the migrated database."""
    from app.accounts.users import local_user
    from app.database import Database, DatabaseError
    from app.dependencies import utc_now
    from app.migrate import migrate

    try:
        database = Database.from_settings(settings)
        migrate(database)
    except DatabaseError as error:
        fail(str(error))
    try:
        with database.session() as session:
            yield session, local_user(session, utc_now())
    finally:
        database.close()
