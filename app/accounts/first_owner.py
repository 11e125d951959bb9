"""The first owner of a server: a link at its first start, and whoever opens it becomes the operator.

What was practised in local mode before becomes theirs.
"""

from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, col, select

from app.accounts import browser_sessions, one_time_links, registering, teams
from app.accounts.one_time_links import FIRST_OWNER, LinkOver
from app.accounts.registering import EMAIL_TAKEN, NewAccount, RegistrationRefused
from app.accounts.users import LOCAL_LOGIN, User, from_row
from app.database import writing
from app.models import UserRow

LASTS: Final = timedelta(days=3)


def needed(session: Session) -> bool:
    """Whether nobody who can sign in runs the server."""
    operators = select(UserRow.id).where(col(UserRow.operator), col(UserRow.disabled_at).is_(None))
    return session.exec(operators).first() is None


def make_link(session: Session, base_url: str, now: datetime) -> str | None:
    """A new link, the older ones void; None where there is an operator."""
    with writing(session):
        if not needed(session):
            return None
        token = one_time_links.make(session, FIRST_OWNER, now, lasts=LASTS)
    return f"{base_url}/first-owner/{token}"


def open_link(session: Session, token: str, now: datetime) -> None:
    """Raises `LinkOver`."""
    one_time_links.of(session, FIRST_OWNER, token, now)
    if not needed(session):
        raise LinkOver


def adopt(session: Session, token: str, account: NewAccount, team: str, now: datetime) -> User:
    """Makes the operator, owner of the first team, with what the local user practised.

    Raises `LinkOver`, `RegistrationRefused` and `NameRefused`; then nothing is changed and the link is good.
    """
    with writing(session):
        one_time_links.use(session, FIRST_OWNER, token, now)
        if not needed(session):
            raise LinkOver
        row = session.exec(select(UserRow).where(UserRow.login == LOCAL_LOGIN)).one_or_none()
        if row is None:
            user = registering.create(session, account, now, operator=True)
        else:
            if registering.is_taken(session, account.email):
                raise RegistrationRefused({"email": EMAIL_TAKEN})
            row.login, row.name = account.email, account.name
            row.password_hash, row.operator = account.password_hash, True
            session.flush()
            user = from_row(row)
            browser_sessions.close_all(session, user)
        teams.create(session, user, team, now)
    return user
