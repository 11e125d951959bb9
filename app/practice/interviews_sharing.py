"""Links to a report for people without an account: whoever has one reads it, until it is revoked.

The token is made with the form that asks for the link, so that a form which is sent twice makes one link.
Only its SHA-256 is stored: a link that was lost cannot be shown again.
"""

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlmodel import Session, col, select

from app.accounts.users import User
from app.database import writing
from app.models import InterviewLinkRow, InterviewRow
from app.practice.interviews import Interview, load, row_of

MAX_LINKS: Final = 20  # of one report, at a time
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")


class TooManyLinks(ValueError):  # noqa: N818 (reads as what it is)
    """The report has `MAX_LINKS` already."""


@dataclass(frozen=True, slots=True)
class Link:
    id: int
    with_notes: bool
    made_at: datetime


def new_token() -> str:
    return secrets.token_urlsafe(32)


def usable(token: str) -> bool:
    """Whether it is a token of the length of ours, which nobody can guess."""
    return _TOKEN.fullmatch(token) is not None


def share(
    session: Session, user: User, interview_id: int, token: str, *, with_notes: bool, now: datetime
) -> bool:
    """Makes a link with the token to a report; whether it leads there now. Raises `TooManyLinks`.

    A token that has been used once makes no other link, so that one which was revoked stays revoked.
    """
    if not usable(token):
        raise ValueError("a token has 43 characters, each a letter, a digit, - or _")
    with writing(session):
        row = row_of(session, user, interview_id)
        if row is None or row.ended_at is None:
            return False
        known = session.exec(
            select(InterviewLinkRow).where(InterviewLinkRow.token_hash == _hash(token))
        ).one_or_none()
        if known is not None:
            return known.interview_id == interview_id and known.revoked_at is None
        if len(_links(session, interview_id)) >= MAX_LINKS:
            raise TooManyLinks(f"there are {MAX_LINKS} links to this report; revoke one first")
        session.add(
            InterviewLinkRow(
                interview_id=interview_id, token_hash=_hash(token), with_notes=with_notes, made_at=now
            )
        )
        return True


def revoke(session: Session, user: User, interview_id: int, link_id: int, now: datetime) -> None:
    """From now on the link leads nowhere."""
    with writing(session):
        row = session.get(InterviewLinkRow, link_id) if 0 < link_id < 2**31 else None
        if row is None or row.interview_id != interview_id or row_of(session, user, interview_id) is None:
            return
        row.revoked_at = row.revoked_at or now


def links(session: Session, interview: Interview) -> tuple[Link, ...]:
    """Those that lead to the report, the newest first."""
    return tuple(Link(row.id or 0, row.with_notes, row.made_at) for row in _links(session, interview.id))


def find(session: Session, token: str) -> tuple[Interview, bool] | None:
    """The interview that a link leads to, and whether its notes are shown."""
    if not usable(token):
        return None
    link = session.exec(
        select(InterviewLinkRow).where(
            InterviewLinkRow.token_hash == _hash(token), col(InterviewLinkRow.revoked_at).is_(None)
        )
    ).one_or_none()
    row = session.get(InterviewRow, link.interview_id) if link is not None else None
    if link is None or row is None or row.ended_at is None:
        return None
    return load(session, row), link.with_notes


def _links(session: Session, interview_id: int) -> list[InterviewLinkRow]:
    return list(
        session.exec(
            select(InterviewLinkRow)
            .where(InterviewLinkRow.interview_id == interview_id, col(InterviewLinkRow.revoked_at).is_(None))
            .order_by(col(InterviewLinkRow.id).desc())
        )
    )


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
