"""Signing in by e-mail address and password.

Whether an account is there, has a password or is disabled: the answer is one, and takes as long.
"""

from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, select

from app.accounts import passwords, rates
from app.accounts.rates import Rate
from app.accounts.registering import read_email
from app.accounts.users import User, from_row
from app.database import writing
from app.models import UserRow

PER_ACCOUNT: Final = Rate("sign-in account", 10, timedelta(minutes=1))
PER_CLIENT: Final = Rate("sign-in client", 30, timedelta(seconds=20))


class WrongPassword(Exception):  # noqa: N818 (reads as what it is)
    """Nobody who may sign in has this address and this password."""


def by_password(session: Session, email: str, password: str, client: str, now: datetime) -> User:
    """Who it is. Raises `WrongPassword`, `TooOften` and `Busy`."""
    login = read_email(email) or ""
    rates.take(session, now, (PER_ACCOUNT, login), (PER_CLIENT, client))
    found = _checked(session, login, password)
    if found is None:
        raise WrongPassword
    rates.clear(session, PER_ACCOUNT, login)
    rates.give_back(session, PER_CLIENT, client)
    return found


def confirm(session: Session, user: User, password: str, now: datetime) -> None:
    """That it is the user's own password. Raises `WrongPassword`, `TooOften` and `Busy`."""
    rates.take(session, now, (PER_ACCOUNT, user.login))
    if _checked(session, user.login, password) is None:
        raise WrongPassword
    rates.clear(session, PER_ACCOUNT, user.login)


def has_password(session: Session, user: User) -> bool:
    return session.get_one(UserRow, user.id).password_hash is not None


def _checked(session: Session, login: str, password: str) -> User | None:
    row = session.exec(select(UserRow).where(UserRow.login == login)).one_or_none()
    known = row.password_hash if row is not None else None
    session.commit()  # a connection is nothing to hold while a hash is made
    right, newer = passwords.verify(password, known)
    if not right or row is None or row.disabled_at is not None:
        return None
    if newer is not None:
        with writing(session):
            row.password_hash = newer
    return from_row(row)
