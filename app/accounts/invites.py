"""Invites: links that let people into a team, a number of times, until they expire or are revoked.

The token is made with the form that asks for the link, so that a form which is sent twice makes one link.
Only its SHA-256 is stored: a link that was lost cannot be shown again.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import CursorResult, func, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from app.accounts import registering, teams
from app.accounts.registering import NewAccount
from app.accounts.teams import ROLES, Membership, Role, Team
from app.accounts.tokens import token_hash
from app.accounts.users import User
from app.database import writing
from app.models import InviteRow, TeamRow, UserRow

MAX_USES: Final = 500
MAX_DAYS: Final = 90
MAX_LABEL: Final = 80
MAX_OPEN: Final = 50  # of one team, at a time
LISTED: Final = 200
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")


class TooManyInvites(ValueError):  # noqa: N818 (reads as what it is)
    """The team has `MAX_OPEN` open ones already."""


class InviteOver(ValueError):  # noqa: N818 (reads as what it is)
    """The link lets nobody in: there is none such, or it has expired, is revoked or used up."""

    def __init__(self) -> None:
        super().__init__("This link lets nobody in any more: it has expired, was revoked, or is used up")


@dataclass(frozen=True, slots=True)
class Terms:
    """What a new link is good for."""

    role: Role
    days: int
    max_uses: int
    label: str = ""

    def __post_init__(self) -> None:
        if not 1 <= self.days <= MAX_DAYS:
            raise ValueError(f"days is {self.days}: allowed is a whole number from 1 to {MAX_DAYS}")
        if not 1 <= self.max_uses <= MAX_USES:
            raise ValueError(f"max_uses is {self.max_uses}: allowed is a whole number from 1 to {MAX_USES}")
        if len(self.label) > MAX_LABEL:
            raise ValueError(f"label has {len(self.label)} characters: allowed are at most {MAX_LABEL}")


@dataclass(frozen=True, slots=True)
class Invite:
    id: int
    role: Role
    label: str
    made_by: str  # empty where the person is gone
    created_at: datetime
    expires_at: datetime
    max_uses: int
    uses: int
    revoked_at: datetime | None

    def state(self, now: datetime) -> str:
        if self.revoked_at is not None:
            return "revoked"
        if self.expires_at <= now:
            return "expired"
        return "used up" if self.uses >= self.max_uses else "open"


@dataclass(frozen=True, slots=True)
class Invitation:
    """What an open link offers to whoever has it."""

    team: Team
    role: Role


def usable(token: str) -> bool:
    """Whether it is a token of the length of ours, which nobody can guess."""
    return _TOKEN.fullmatch(token) is not None


def make(session: Session, team: Team, maker: User, terms: Terms, token: str, now: datetime) -> bool:
    """Makes a link with the token; whether it leads into the team now. Raises `TooManyInvites`.

    A token that has been used once makes no other link, so that one which was revoked stays revoked.
    """
    if not usable(token):
        raise ValueError("a token has 43 characters, each a letter, a digit, - or _")
    with writing(session):
        known = _by_token(session, token)
        if known is not None:
            return known.team_id == team.id and _is_open(known, now)
        open_ones = select(func.count(col(InviteRow.id))).where(
            InviteRow.team_id == team.id,
            col(InviteRow.revoked_at).is_(None),
            col(InviteRow.expires_at) > now,
            col(InviteRow.uses) < col(InviteRow.max_uses),
        )
        if session.exec(open_ones).one() >= MAX_OPEN:
            raise TooManyInvites(f"there are {MAX_OPEN} open invites; revoke one first")
        session.add(
            InviteRow(
                team_id=team.id,
                role=terms.role,
                label=terms.label,
                token_hash=token_hash(token),
                made_by=maker.id,
                created_at=now,
                expires_at=now + timedelta(days=terms.days),
                max_uses=terms.max_uses,
            )
        )
        return True


def of_team(session: Session, team: Team) -> tuple[Invite, ...]:
    """The newest first."""
    rows = session.exec(
        select(InviteRow, UserRow)
        .join(UserRow, col(UserRow.id) == col(InviteRow.made_by), isouter=True)
        .where(InviteRow.team_id == team.id)
        .order_by(col(InviteRow.id).desc())
        .limit(LISTED)
    )
    return tuple(_invite(row, maker) for row, maker in rows)


def revoke(session: Session, team: Team, invite_id: int, now: datetime) -> bool:
    """From now on the link lets nobody in; whether the team has such an invite."""
    with writing(session):
        row = session.get(InviteRow, invite_id) if 0 < invite_id < 2**31 else None
        if row is None or row.team_id != team.id:
            return False
        row.revoked_at = row.revoked_at or now
        return True


def offered(session: Session, token: str, now: datetime) -> Invitation | None:
    """What the link offers; None where it lets nobody in."""
    row = _by_token(session, token) if usable(token) else None
    if row is None or not _is_open(row, now):
        return None
    return Invitation(teams.team_of(session.get_one(TeamRow, row.team_id)), _role(row))


def accept(session: Session, user: User, token: str, now: datetime) -> Team:
    """Lets the person in, counting one use, and into that team from now on. Raises `InviteOver`.

    Whoever is in the team keeps their role where the invite's is not above it, and that counts no use.
    """
    with writing(session):
        row = _by_token(session, token) if usable(token) else None
        if row is None:
            raise InviteOver
        team = teams.team_of(session.get_one(TeamRow, row.team_id))
        if not _has_as_much(teams.of(session, user), team, _role(row)):
            try:
                with session.begin_nested():
                    _count_use(session, row, now)
                    teams.add_or_raise(session, team.id, user, _role(row), now)
            except IntegrityError:  # the same person, twice in this moment: the other request counted
                pass
        teams.choose(session, user, team, now)
        return team


def register(session: Session, account: NewAccount, token: str, now: datetime) -> tuple[User, Team]:
    """A new account, and into the team with it: both or neither.

    Raises `InviteOver` and `RegistrationRefused`.
    """
    with writing(session):
        user = registering.create(session, account, now)
        return user, accept(session, user, token, now)


def _has_as_much(known: tuple[Membership, ...], team: Team, role: Role) -> bool:
    return any(each.team.id == team.id and each.may(role) for each in known)


def _count_use(session: Session, row: InviteRow, now: datetime) -> None:
    """In one statement, so that two who come at once cannot both be the last."""
    counted = session.exec(
        update(InviteRow)
        .where(
            col(InviteRow.id) == row.id,
            col(InviteRow.revoked_at).is_(None),
            col(InviteRow.expires_at) > now,
            col(InviteRow.uses) < col(InviteRow.max_uses),
        )
        .values(uses=col(InviteRow.uses) + 1)
        .execution_options(synchronize_session=False)
    )
    assert isinstance(counted, CursorResult)
    if counted.rowcount != 1:
        raise InviteOver


def _is_open(row: InviteRow, now: datetime) -> bool:
    return row.revoked_at is None and row.expires_at > now and row.uses < row.max_uses


def _by_token(session: Session, token: str) -> InviteRow | None:
    return session.exec(select(InviteRow).where(InviteRow.token_hash == token_hash(token))).one_or_none()


def _invite(row: InviteRow, maker: UserRow | None) -> Invite:
    assert row.id is not None
    return Invite(
        id=row.id,
        role=_role(row),
        label=row.label,
        made_by=(maker.name or maker.login) if maker else "",
        created_at=row.created_at,
        expires_at=row.expires_at,
        max_uses=row.max_uses,
        uses=row.uses,
        revoked_at=row.revoked_at,
    )


def _role(row: InviteRow) -> Role:
    return next(role for role in ROLES if role == row.role)
