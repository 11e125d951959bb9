"""Tokens that a person's own programs bear at the API: named, scoped, expiring, shown once."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import CursorResult, delete, func, update
from sqlmodel import Session, col, select

from app.accounts.registering import read_name
from app.accounts.tokens import token_hash
from app.accounts.users import User, from_row
from app.database import writing
from app.models import ApiTokenRow, UserRow

# What a token can be good for, in the words of the form that makes one.
SCOPES: Final = {
    "read": "Read: calculators, and your progress and attempts",
    "team": "Team: what your role in your teams may do",
}
PREFIX: Final = "rdg_"  # so that a scanner for lost secrets knows one
MAX_NAME: Final = 80
MAX_DAYS: Final = 365
MOST: Final = 50  # of one person
_TOKEN: Final = re.compile(f"{PREFIX}[A-Za-z0-9_-]{{43}}")
_TOUCH_EVERY: Final = timedelta(minutes=10)


class TokenRefused(ValueError):  # noqa: N818 (reads as what it is)
    """No such token can be made; `str()` is a whole sentence. `field` names what to change."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True, slots=True)
class ApiToken:
    id: int
    name: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None


def usable(token: str) -> bool:
    """Whether it is a token of the length of ours, which nobody can guess."""
    return _TOKEN.fullmatch(token) is not None


def make(
    session: Session, user: User, token: str, name: str, scopes: tuple[str, ...], days: int, now: datetime
) -> None:
    """Makes the token good, which the form that asks for it brings, so that sent twice it makes one.

    Raises `TokenRefused`.
    """
    name = read_name(name)
    if not 1 <= len(name) <= MAX_NAME:
        raise TokenRefused("name", f"Give the token a name of 1 to {MAX_NAME} characters.")
    if not scopes or not set(scopes) <= set(SCOPES):
        raise TokenRefused("scopes", f"Say what the token is good for: allowed are {', '.join(SCOPES)}.")
    if not 1 <= days <= MAX_DAYS:
        raise TokenRefused("days", f"The number of days is a whole number from 1 to {MAX_DAYS}.")
    with writing(session):
        if _by_token(session, token) is not None:
            return
        session.exec(
            delete(ApiTokenRow).where(
                col(ApiTokenRow.user_id) == user.id, col(ApiTokenRow.expires_at) <= now - timedelta(days=30)
            )
        )
        count = select(func.count(col(ApiTokenRow.id))).where(ApiTokenRow.user_id == user.id)
        if session.exec(count).one() >= MOST:
            raise TokenRefused("name", f"There are {MOST} tokens already. Revoke one first.")
        session.add(
            ApiTokenRow(
                user_id=user.id,
                name=name,
                token_hash=token_hash(token),
                scopes=[scope for scope in SCOPES if scope in scopes],
                created_at=now,
                expires_at=now + timedelta(days=days),
            )
        )


def of_user(session: Session, user: User) -> tuple[ApiToken, ...]:
    """The newest first."""
    rows = session.exec(
        select(ApiTokenRow).where(ApiTokenRow.user_id == user.id).order_by(col(ApiTokenRow.id).desc())
    )
    return tuple(_api_token(row) for row in rows)


def revoke(session: Session, user: User, number: int) -> bool:
    """From now on it opens nothing; whether the user has such a token."""
    if not 0 < number < 2**31:
        return False
    with writing(session):
        gone = session.exec(
            delete(ApiTokenRow).where(col(ApiTokenRow.id) == number, col(ApiTokenRow.user_id) == user.id)
        )
    assert isinstance(gone, CursorResult)
    return gone.rowcount == 1


def bearer(session: Session, token: str, now: datetime) -> tuple[User, ApiToken] | None:
    """Whose token it is and what it is good for; None where it opens nothing."""
    row = _by_token(session, token)
    if row is None or row.expires_at <= now:
        return None
    person = session.get_one(UserRow, row.user_id)
    if person.disabled_at is not None:
        return None
    found = from_row(person), _api_token(row)
    if row.last_used_at is None or now - row.last_used_at >= _TOUCH_EVERY:
        with writing(session):
            used = update(ApiTokenRow).where(col(ApiTokenRow.id) == found[1].id)
            session.exec(used.values(last_used_at=now))
    return found


def _by_token(session: Session, token: str) -> ApiTokenRow | None:
    return session.exec(select(ApiTokenRow).where(ApiTokenRow.token_hash == token_hash(token))).one_or_none()


def _api_token(row: ApiTokenRow) -> ApiToken:
    assert row.id is not None
    return ApiToken(row.id, row.name, tuple(row.scopes), row.created_at, row.expires_at, row.last_used_at)
