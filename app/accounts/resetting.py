"""A new password by a link that works once. Setting one signs the person out everywhere else."""

from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, select

from app.accounts import browser_sessions, one_time_links, passwords, rates
from app.accounts.browser_sessions import BrowserSession
from app.accounts.one_time_links import PASSWORD, LinkOver
from app.accounts.rates import Rate
from app.accounts.signing_in import PER_ACCOUNT
from app.accounts.users import User, from_row
from app.database import writing
from app.models import UserRow

LASTS: Final = timedelta(days=1)
LASTS_BY_MAIL: Final = timedelta(hours=1)
MAILS_PER_ACCOUNT: Final = Rate("reset account", 3, timedelta(minutes=20))
MAILS_PER_CLIENT: Final = Rate("reset client", 10, timedelta(minutes=2))


def make_link(session: Session, user: User, base_url: str, now: datetime, *, lasts: timedelta = LASTS) -> str:
    """The address at which the person sets a new password; the ones made for them before are void."""
    token = one_time_links.make(session, PASSWORD, now, lasts=lasts, user_id=user.id)
    return f"{base_url}/reset/{token}"


def whose(session: Session, token: str, now: datetime) -> User:
    """Whose password the link sets. Raises `LinkOver`."""
    row = session.get(UserRow, one_time_links.of(session, PASSWORD, token, now))
    if row is None or row.disabled_at is not None:
        raise LinkOver
    return from_row(row)


def by_link(session: Session, token: str, password: str, now: datetime) -> User:
    """Sets the password and signs the person out everywhere. Raises `LinkOver`, `WeakPassword` and `Busy`."""
    user = whose(session, token, now)
    passwords.check(password, user.login, user.name)
    session.commit()  # a connection is nothing to hold while a hash is made
    hashed = passwords.hash_password(password)
    with writing(session):
        one_time_links.use(session, PASSWORD, token, now)
        _set(session, user, hashed, now)
        rates.clear(session, PER_ACCOUNT, user.login)
    return user


def change(
    session: Session, user: User, password: str, now: datetime, *, here: BrowserSession | None
) -> None:
    """Sets the password and signs the person out everywhere else. Raises `WeakPassword` and `Busy`."""
    passwords.check(password, user.login, user.name)
    session.commit()
    hashed = passwords.hash_password(password)
    with writing(session):
        _set(session, user, hashed, now, here=here)


def account_to_mail(session: Session, login: str) -> User | None:
    """Who gets a link by mail: only somebody who has a password to forget, and may sign in."""
    row = session.exec(select(UserRow).where(UserRow.login == login)).one_or_none()
    if row is None or row.disabled_at is not None or row.password_hash is None:
        return None
    return from_row(row)


def _set(
    session: Session, user: User, hashed: str, now: datetime, *, here: BrowserSession | None = None
) -> None:
    session.get_one(UserRow, user.id).password_hash = hashed
    one_time_links.void(session, PASSWORD, now, user_id=user.id)
    browser_sessions.close_all(session, user, but=here)
