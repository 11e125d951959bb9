"""Links that work once: to become the first owner, or to set a password. Making one voids those before."""

from datetime import datetime, timedelta
from typing import Final, Literal

from sqlalchemy import CursorResult, update
from sqlmodel import Session, col, select

from app.accounts.tokens import new_token, token_hash
from app.database import writing
from app.models import OneTimeLinkRow

Purpose = Literal["first-owner", "password"]
FIRST_OWNER: Final = "first-owner"
PASSWORD: Final = "password"  # noqa: S105 (the name of a purpose)


class LinkOver(ValueError):  # noqa: N818 (reads as what it is)
    """There is no such link, or it was used, has expired, or another one has taken its place."""


def make(
    session: Session, purpose: Purpose, now: datetime, *, lasts: timedelta, user_id: int | None = None
) -> str:
    """The token of a new link; it exists nowhere else."""
    token = new_token()
    with writing(session):
        void(session, purpose, now, user_id=user_id)
        session.add(
            OneTimeLinkRow(
                purpose=purpose,
                user_id=user_id,
                token_hash=token_hash(token),
                created_at=now,
                expires_at=now + lasts,
            )
        )
    return token


def void(session: Session, purpose: Purpose, now: datetime, *, user_id: int | None = None) -> None:
    """The links of this purpose, and of this user, work no more."""
    with writing(session):
        open_ones = update(OneTimeLinkRow).where(
            col(OneTimeLinkRow.purpose) == purpose, col(OneTimeLinkRow.used_at).is_(None)
        )
        if user_id is not None:
            open_ones = open_ones.where(col(OneTimeLinkRow.user_id) == user_id)
        session.exec(open_ones.values(used_at=now).execution_options(synchronize_session=False))


def of(session: Session, purpose: Purpose, token: str, now: datetime) -> int | None:
    """Whom an open link names, None where its purpose names nobody. Raises `LinkOver`."""
    row = session.exec(
        select(OneTimeLinkRow).where(
            OneTimeLinkRow.token_hash == token_hash(token), OneTimeLinkRow.purpose == purpose
        )
    ).one_or_none()
    if row is None or row.used_at is not None or row.expires_at <= now:
        raise LinkOver
    return row.user_id


def use(session: Session, purpose: Purpose, token: str, now: datetime) -> None:
    """Uses it up, in one statement: of two who come at once one gets `LinkOver`."""
    with writing(session):
        used = session.exec(
            update(OneTimeLinkRow)
            .where(
                col(OneTimeLinkRow.token_hash) == token_hash(token),
                col(OneTimeLinkRow.purpose) == purpose,
                col(OneTimeLinkRow.used_at).is_(None),
                col(OneTimeLinkRow.expires_at) > now,
            )
            .values(used_at=now)
            .execution_options(synchronize_session=False)
        )
        assert isinstance(used, CursorResult)
        if used.rowcount != 1:
            raise LinkOver
