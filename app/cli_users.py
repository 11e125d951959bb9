"""`ridgeway users`: the accounts of a server, for whoever runs it, on the machine where it runs."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli_exit import fail

if TYPE_CHECKING:
    from sqlmodel import Session

    from app.accounts.users import User
    from app.settings import Settings

users = typer.Typer(
    help="The accounts of a server of teams.",
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
)
Email = Annotated[str, typer.Argument(metavar="EMAIL", help="The address by which the person signs in.")]


@users.command("list", short_help="List the accounts.")
def listing() -> None:
    """List the accounts: address, name, when seen, and whether operator or disabled."""
    from app.accounts import people

    with _server() as (session, _):
        for each in people.every(session):
            marks = [
                *(["operator"] if each.user.operator else []),
                *(["disabled"] if each.disabled_at else []),
                *([] if each.has_password else ["no password"]),
            ]
            seen = f"seen {each.seen_at:%Y-%m-%d %H:%M} UTC" if each.seen_at else "not signed in"
            typer.echo("\t".join((each.user.login, each.user.name, seen, ", ".join(marks))))


@users.command(short_help="Make an account.")
def add(
    email: Email,
    name: Annotated[str, typer.Option(help="What to call the person.")] = "",
    operator: Annotated[bool, typer.Option("--operator", help="The person runs the server.")] = False,
) -> None:
    """Make an account and print the link at which the person sets a password."""
    from app.accounts import registering, resetting
    from app.accounts.registering import RegistrationRefused
    from app.dependencies import utc_now

    with _server() as (session, settings):
        try:
            account = registering.prepare_without_password(email, name or email.partition("@")[0])
            user = registering.create(session, account, utc_now(), operator=operator)
        except RegistrationRefused as refused:
            fail(*refused.errors.values(), code=2)
        link = resetting.make_link(session, user, settings.public_url, utc_now())
    typer.echo(f"There is an account for {user.login}. Its password is set once, within a day, at {link}")


@users.command(short_help="Make a link for a new password.")
def reset(email: Email) -> None:
    """Print a link at which the person sets a new password; it works once, for a day."""
    from app.accounts import resetting
    from app.dependencies import utc_now

    with _server() as (session, settings):
        link = resetting.make_link(session, _find(session, email), settings.public_url, utc_now())
    typer.echo(link)


@users.command(short_help="Shut somebody out.")
def disable(email: Email) -> None:
    """Sign the person out everywhere and let them in no more; what is theirs stays."""
    from app.accounts import people
    from app.accounts.people import StillNeeded
    from app.dependencies import utc_now

    with _server() as (session, _):
        user = _find(session, email)
        try:
            people.disable(session, user, utc_now())
        except StillNeeded as needed:
            fail(str(needed))
    typer.echo(f"{user.login} cannot sign in any more.")


@users.command(short_help="Let somebody in again.")
def enable(email: Email) -> None:
    """Let a person who was disabled sign in again."""
    from app.accounts import people

    with _server() as (session, _):
        user = _find(session, email)
        people.enable(session, user)
    typer.echo(f"{user.login} can sign in again.")


@users.command(short_help="Delete an account.")
def delete(
    email: Email,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete the account with every answer, rating, draft and note, for good."""
    from app.accounts import people
    from app.accounts.people import StillNeeded

    with _server() as (session, _):
        user = _find(session, email)
        if not yes:
            if not sys.stdin.isatty():
                fail("delete asks whether you are sure: answer ahead with --yes.", code=2)
            typer.confirm(f"Delete {user.login} and all that is theirs, for good?", abort=True)
        try:
            people.delete(session, user)
        except StillNeeded as needed:
            fail(str(needed))
    typer.echo(f"{user.login} and all that was theirs is deleted.")


@users.command("owner-link", short_help="Make a link for the first owner.")
def owner_link() -> None:
    """Print a link at which somebody becomes the first owner; the links before it work no more."""
    from app.accounts import first_owner
    from app.dependencies import utc_now

    with _server() as (session, settings):
        link = first_owner.make_link(session, settings.public_url, utc_now())
    if link is None:
        fail("There is an operator already. ridgeway users reset EMAIL makes a link for a new password.")
    typer.echo(link)


@contextmanager
def _server() -> "Iterator[tuple[Session, Settings]]":
    from app.database import Database, DatabaseError
    from app.migrate import migrate
    from app.settings import SettingsError, load_settings

    try:
        settings = load_settings()
        if settings.mode != "team":
            fail("RIDGEWAY_MODE is local, where nobody has an account: allowed is team.", code=2)
        database = Database.from_settings(settings)
        migrate(database)
    except (SettingsError, DatabaseError) as error:
        fail(str(error))
    try:
        with database.session() as session:
            yield session, settings
    finally:
        database.close()


def _find(session: "Session", email: str) -> "User":
    from app.accounts import people
    from app.accounts.registering import read_email

    user = people.by_login(session, read_email(email) or "")
    if user is None:
        fail(f"There is no account for “{email}”: ridgeway users list shows those that there are.", code=2)
    return user
