"""The accounts of a server, for whoever runs it: listed, disabled, enabled, deleted."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func
from sqlmodel import Session, col, select

from app.accounts import browser_sessions, teams, users
from app.accounts.users import User, from_row
from app.database import writing
from app.models import SessionRow, UserRow


class StillNeeded(ValueError):  # noqa: N818 (reads as what it is)
    """Without this account nobody would run the server, or own a team; `str()` is a whole sentence."""


@dataclass(frozen=True, slots=True)
class Person:
    user: User
    created_at: datetime
    seen_at: datetime | None
    disabled_at: datetime | None
    has_password: bool


def every(session: Session) -> tuple[Person, ...]:
    """By name."""
    seen = (
        select(SessionRow.user_id, func.max(SessionRow.last_seen_at).label("seen_at"))
        .group_by(col(SessionRow.user_id))
        .subquery()
    )
    rows = session.exec(
        select(UserRow, seen.c.seen_at).join(seen, seen.c.user_id == col(UserRow.id), isouter=True)
    )
    found = [
        Person(from_row(row), row.created_at, seen_at, row.disabled_at, row.password_hash is not None)
        for row, seen_at in rows
    ]
    return tuple(sorted(found, key=lambda each: (each.user.shown.casefold(), each.user.id)))


def by_login(session: Session, login: str) -> User | None:
    row = session.exec(select(UserRow).where(UserRow.login == login)).one_or_none()
    return from_row(row) if row is not None else None


def by_id(session: Session, number: int) -> User | None:
    row = session.get(UserRow, number) if 0 < number < 2**31 else None
    return from_row(row) if row is not None else None


def disable(session: Session, user: User, now: datetime) -> None:
    """The person is out at once, in every browser and with every token. Raises `StillNeeded`."""
    with writing(session):
        _keep_an_operator(session, user)
        row = session.get_one(UserRow, user.id)
        row.disabled_at = row.disabled_at or now
        browser_sessions.close_all(session, user)


def enable(session: Session, user: User) -> None:
    with writing(session):
        session.get_one(UserRow, user.id).disabled_at = None


def delete(session: Session, user: User) -> None:
    """The account with all that is theirs, for good. Raises `StillNeeded`."""
    check_deletable(session, user)
    users.delete_everything(session, user)


def check_deletable(session: Session, user: User) -> None:
    """Raises `StillNeeded`."""
    _keep_an_operator(session, user)
    if owned := teams.owned_alone(session, user):
        names = " and ".join(f"“{team.name}”" for team in owned[:3])
        raise StillNeeded(
            f"The only owner of {names} cannot go: make somebody else an owner, or delete the team first."
        )


def change_name(session: Session, user: User, name: str) -> None:
    with writing(session):
        session.get_one(UserRow, user.id).name = name


def _keep_an_operator(session: Session, user: User) -> None:
    others = select(UserRow.id).where(
        col(UserRow.operator), col(UserRow.disabled_at).is_(None), col(UserRow.id) != user.id
    )
    if user.operator and session.exec(others).first() is None:
        raise StillNeeded("The only operator of the server cannot go: make somebody else one first.")
