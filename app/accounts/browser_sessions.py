"""Browser sessions: a random token in a cookie, of which the database holds only the SHA-256.

A session is opened when there is first something to remember of a browser, and lasts `LIFETIME` from when it
was last seen; that moment is written at most once in `TOUCH_EVERY`.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import CursorResult, delete, update
from sqlmodel import Session, col, select

from app.accounts.tokens import new_token, token_hash
from app.accounts.users import User, from_row
from app.database import writing
from app.models import SessionRow, UserRow

COOKIE: Final = "ridgeway_session"
LIFETIME: Final = timedelta(days=90)
TOUCH_EVERY: Final = timedelta(hours=1)
LISTED: Final = 100


@dataclass(frozen=True, slots=True)
class BrowserSession:
    id: int
    user_id: int
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class SeenBrowser:
    """A browser as its user recognises it."""

    browser: BrowserSession
    agent: str
    opened_at: datetime
    seen_at: datetime


def open_session(
    session: Session, user: User, now: datetime, *, agent: str = ""
) -> tuple[str, BrowserSession]:
    """A new session for a browser and its token, which exists nowhere else; expired ones are cleared away.

    `agent` says which browser it is, for the list on the account's page.
    """
    token = new_token()
    with writing(session):
        prune(session, now)
        row = SessionRow(
            user_id=user.id,
            token_hash=token_hash(token),
            created_at=now,
            last_seen_at=now,
            expires_at=now + LIFETIME,
            agent=agent,
        )
        session.add(row)
        session.flush()
    return token, _browser_session(row)


def resume(session: Session, user: User, token: str, now: datetime) -> BrowserSession | None:
    """The user's session with this token, None if there is none or its time is over."""
    row = _find(session, token, now)
    return _touch(session, row, now) if row is not None and row.user_id == user.id else None


def signed_in(session: Session, token: str, now: datetime) -> tuple[User, BrowserSession] | None:
    """Whose session has this token, None if nobody's, or if they may not sign in any more."""
    row = _find(session, token, now)
    if row is None:
        return None
    person = session.get_one(UserRow, row.user_id)
    return None if person.disabled_at else (from_row(person), _touch(session, row, now))


def _find(session: Session, token: str, now: datetime) -> SessionRow | None:
    row = session.exec(select(SessionRow).where(SessionRow.token_hash == token_hash(token))).one_or_none()
    return None if row is None or row.expires_at <= now else row


def _touch(session: Session, row: SessionRow, now: datetime) -> BrowserSession:
    found = _browser_session(row)
    if now - row.last_seen_at < TOUCH_EVERY:
        return found
    with writing(session):
        seen = update(SessionRow).where(col(SessionRow.id) == found.id)
        session.exec(seen.values(last_seen_at=now, expires_at=now + LIFETIME))
    return replace(found, expires_at=now + LIFETIME)


def close_session(session: Session, browser: BrowserSession) -> None:
    """Forgets the browser; what it practised stays."""
    with writing(session):
        session.exec(delete(SessionRow).where(col(SessionRow.id) == browser.id))


def close_all(session: Session, user: User, *, but: BrowserSession | None = None) -> None:
    """Signs the user out everywhere, or everywhere else."""
    with writing(session):
        theirs = delete(SessionRow).where(col(SessionRow.user_id) == user.id)
        session.exec(theirs if but is None else theirs.where(col(SessionRow.id) != but.id))


def close_by_token(session: Session, token: str) -> None:
    """Forgets the browser that bears the token, if there is one."""
    with writing(session):
        session.exec(delete(SessionRow).where(col(SessionRow.token_hash) == token_hash(token)))


def close_by_id(session: Session, user: User, number: int) -> bool:
    """Signs one browser of the user out; whether there was such a one."""
    if not 0 < number < 2**31:
        return False
    with writing(session):
        closed = session.exec(
            delete(SessionRow).where(col(SessionRow.id) == number, col(SessionRow.user_id) == user.id)
        )
    assert isinstance(closed, CursorResult)
    return closed.rowcount == 1


def of_user(session: Session, user: User, now: datetime) -> tuple[SeenBrowser, ...]:
    """Where the user is signed in, the one seen last first."""
    rows = session.exec(
        select(SessionRow)
        .where(SessionRow.user_id == user.id, col(SessionRow.expires_at) > now)
        .order_by(col(SessionRow.last_seen_at).desc(), col(SessionRow.id).desc())
        .limit(LISTED)
    )
    return tuple(
        SeenBrowser(_browser_session(row), row.agent, row.created_at, row.last_seen_at) for row in rows
    )


def prune(session: Session, now: datetime) -> int:
    """Forgets the browsers whose time is over; how many they were."""
    with writing(session):
        result = session.exec(delete(SessionRow).where(col(SessionRow.expires_at) <= now))
    assert isinstance(result, CursorResult)
    return result.rowcount


def _browser_session(row: SessionRow) -> BrowserSession:
    assert row.id is not None
    return BrowserSession(id=row.id, user_id=row.user_id, expires_at=row.expires_at)
