"""Users. In local mode there is one, without a password, and all progress belongs to it.

In team mode a user is a person with a sign-in of their own, and a visitor is somebody without one.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import delete
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from app.accounts.zones import is_zone, server_zone, zone_named
from app.database import erasing, writing
from app.models import UserRow

LOCAL_LOGIN: Final = "local"
DEFAULT_RETENTION: Final = 0.9
DEFAULT_DAILY_GOAL: Final = 10


@dataclass(frozen=True, slots=True)
class User:
    """A person who practises. `zone` is always a usable name; `zone_known` tells whether anybody gave it."""

    id: int
    login: str
    zone: str
    zone_known: bool
    retention: float
    daily_goal: int
    single_keys: bool = True
    name: str = ""
    operator: bool = False

    @property
    def shown(self) -> str:
        """What to call them."""
        return self.name or self.login

    @property
    def is_visitor(self) -> bool:
        return self.id == _NOBODY


_NOBODY: Final = 0  # no row has this key, so whatever is asked for by it is empty


def visitor() -> User:
    """Somebody who only looks: nothing belongs to them and nothing is kept of them."""
    return User(
        id=_NOBODY,
        login="",
        zone=server_zone(),
        zone_known=False,
        retention=DEFAULT_RETENTION,
        daily_goal=DEFAULT_DAILY_GOAL,
    )


def local_user(session: Session, now: datetime) -> User:
    """The one user of local mode, made when first asked for."""
    row = _by_login(session, LOCAL_LOGIN)
    return from_row(row or _create_local(session, now))


def remember_zone(session: Session, user: User, zone: str) -> User:
    """The zone that a browser reports, kept if none is known yet; `UnknownZone` if it is no zone."""
    return user if user.zone_known else set_zone(session, user, zone)


def set_zone(session: Session, user: User, zone: str) -> User:
    """The zone that the person chose; study days from now on follow it. `UnknownZone` if it is no zone."""
    zone_named(zone)
    with writing(session):
        row = session.get_one(UserRow, user.id)
        row.zone = zone
    return from_row(row)


def change_settings(
    session: Session, user: User, *, zone: str, retention: float, daily_goal: int, single_keys: bool
) -> User:
    """What the person has set; the retention counts from the next review on. `UnknownZone` if it is none."""
    zone_named(zone)
    with writing(session):
        row = session.get_one(UserRow, user.id)
        row.zone = zone
        row.retention = retention
        row.daily_goal = daily_goal
        row.single_keys = single_keys
    return from_row(row)


def refreshed(session: Session, user: User) -> User:
    """The user as the database has them now."""
    return from_row(session.get_one(UserRow, user.id))


def by_id(session: Session, number: int) -> User:
    """Somebody whom a row of theirs names."""
    return from_row(session.get_one(UserRow, number))


def delete_everything(session: Session, user: User) -> None:
    """Deletes the user with all that is theirs, for good: every table that names a user follows."""
    with erasing(session):
        session.exec(delete(UserRow).where(col(UserRow.id) == user.id))


def _by_login(session: Session, login: str) -> UserRow | None:
    return session.exec(select(UserRow).where(UserRow.login == login)).one_or_none()


def _create_local(session: Session, now: datetime) -> UserRow:
    with writing(session):
        try:
            with session.begin_nested():
                row = UserRow(
                    login=LOCAL_LOGIN,
                    retention=DEFAULT_RETENTION,
                    daily_goal=DEFAULT_DAILY_GOAL,
                    created_at=now,
                )
                session.add(row)
        except IntegrityError:  # another request was first
            return session.exec(select(UserRow).where(UserRow.login == LOCAL_LOGIN)).one()
        return row


def from_row(row: UserRow) -> User:
    """The frozen value that everybody else gets."""
    assert row.id is not None
    known = is_zone(row.zone)  # the row may come from a machine that knows more zones than this one
    return User(
        id=row.id,
        login=row.login,
        zone=row.zone if known else server_zone(),
        zone_known=known,
        retention=row.retention,
        daily_goal=row.daily_goal,
        single_keys=row.single_keys,
        name=row.name,
        operator=row.operator,
    )
