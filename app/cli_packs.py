"""`ridgeway packs`: questions of a team's own, added and listed by whoever runs the server."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli_exit import fail

if TYPE_CHECKING:
    from sqlmodel import Session

    from app.accounts.teams import Team
    from app.bank.load import Bank

packs = typer.Typer(help="Questions of a team's own.", no_args_is_help=True)

TeamSlug = Annotated[str, typer.Argument(metavar="TEAM", help="The team's name in its address.")]


@packs.command("add")
def add(
    slug: TeamSlug,
    path: Annotated[Path, typer.Argument(help="A .zip, a .tar.gz or a folder.")],
    name: Annotated[str, typer.Option(help="The pack's name, instead of the file's.")] = "",
) -> None:
    """Check a pack and serve it to the team; exit code 1 when it is refused, and then nothing changes."""
    from app.dependencies import utc_now
    from app.packs import adding, store
    from app.packs.archives import read_archive, read_folder
    from app.packs.contents import PackRefused

    with _team(slug) as (session, team, bank):
        wanted = name or store.suggested_name(path.resolve().name)
        try:
            contents = read_folder(path) if path.is_dir() else read_archive(path.read_bytes())
            source = adding.Source(path.name)
            added = adding.add(session, bank, team, wanted, contents, source, utc_now())
        except OSError as error:
            fail(f"{path} cannot be read: {error.strerror or error}")
        except store.PackError as error:
            fail(f"{error}.")
        except PackRefused as refused:
            for finding in refused.findings:
                hint = f" ({finding.hint})" if finding.hint else ""
                typer.echo(f"{finding.path}:{finding.line}: {finding.severity}: {finding.message}{hint}")
            fail(f"{path} was not taken in, and nothing was changed.")
    done = "is served from now on" if added.new else "was served already"
    typer.echo(f"Version {added.version} of {wanted} {done}.")


@packs.command("list")
def show(slug: TeamSlug) -> None:
    """The packs of a team, with the version that is served."""
    from app.packs import store

    with _team(slug) as (session, team, _):
        for pack in store.of_team(session, team):
            state = "taken out" if pack.removed else f"version {pack.current} of {len(pack.versions)}"
            count = len(pack.served.questions)
            typer.echo(f"{pack.name}: {count} {'question' if count == 1 else 'questions'}, {state}")


@contextmanager
def _team(slug: str) -> "Iterator[tuple[Session, Team, Bank]]":
    """The team in the migrated database, and the questions that it sees."""
    from app.accounts import teams
    from app.bank.load import Bank
    from app.database import Database, DatabaseError
    from app.migrate import migrate
    from app.packs.shelf import Shelf
    from app.paths import QUESTIONS
    from app.settings import SettingsError, load_settings

    try:
        settings = load_settings()
        database = Database.from_settings(settings)
        migrate(database)
    except (SettingsError, DatabaseError) as error:
        fail(str(error))
    try:
        with database.session() as session:
            team = teams.by_slug(session, slug)
            if team is None:
                known = ", ".join(each.slug for each, _ in teams.every(session)[:20])
                fail(
                    f"There is no team {slug!r}; there {f'are: {known}' if known else 'is none yet'}.", code=2
                )
            server_bank = Bank.load([QUESTIONS, *settings.bank_paths], settings.data_dir / "bank-cache.json")
            shelf = Shelf(database, settings.data_dir / "packs")
            yield session, team, shelf.bank(session, server_bank, team)
    finally:
        database.close()
