"""Teams: who is in them, as what, and which of their teams a person is in now.

A team always has an owner who can sign in, except where the operator of the server disabled the last one.
TeamError
├── LastOwner       the team would be left without an owner
└── NameRefused     the name of a team is empty or too long
"""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, get_args

from sqlalchemy import delete as sql_delete
from sqlalchemy import func
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from app.accounts.users import User
from app.database import erasing, writing
from app.models import MembershipRow, TeamRow, UserRow

Role = Literal["owner", "editor", "member"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)  # from who may do most to who may do least
MAX_NAME: Final = 80
_MAX_SLUG: Final = 40
_MAX_NUMBER: Final = 2**31 - 1


class TeamError(ValueError):
    """What was asked of a team is not done; `str()` is a sentence without its full stop."""


class LastOwner(TeamError):  # noqa: N818 (reads as what it is)
    """The team would be left without an owner."""


class NameRefused(TeamError):  # noqa: N818 (reads as what it is)
    """No team can be called so."""


@dataclass(frozen=True, slots=True)
class Team:
    """`bank` names what its bank adds and leaves out; it is empty where that is nothing."""

    id: int
    slug: str
    name: str
    bank: str = ""


@dataclass(frozen=True, slots=True)
class Membership:
    """A person's place in a team."""

    team: Team
    role: Role

    def may(self, needed: Role) -> bool:
        """Whether the role is the needed one or one above it."""
        return ROLES.index(self.role) <= ROLES.index(needed)


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody of a team, as the others see them."""

    user_id: int
    shown: str
    login: str
    role: Role
    joined_at: datetime
    disabled: bool


def role_named(text: str) -> Role | None:
    return next((role for role in ROLES if role == text), None)


def of(session: Session, user: User) -> tuple[Membership, ...]:
    """The person's teams, the one that they chose last first."""
    rows = session.exec(
        select(MembershipRow, TeamRow)
        .join(TeamRow, col(TeamRow.id) == col(MembershipRow.team_id))
        .where(MembershipRow.user_id == user.id)
        .order_by(col(MembershipRow.chosen_at).desc(), col(MembershipRow.id).desc())
    )
    return tuple(Membership(team_of(team), _role(membership)) for membership, team in rows)


def every(session: Session) -> list[tuple[Team, int]]:
    """All teams of the server with how many are in each, for its operator."""
    rows = session.exec(
        select(TeamRow, func.count(col(MembershipRow.id)))
        .join(MembershipRow, col(MembershipRow.team_id) == col(TeamRow.id), isouter=True)
        .group_by(col(TeamRow.id))
        .order_by(col(TeamRow.name), col(TeamRow.id))
    )
    return [(team_of(row), count) for row, count in rows]


def by_slug(session: Session, slug: str) -> Team | None:
    row = session.exec(select(TeamRow).where(TeamRow.slug == slug)).one_or_none()
    return team_of(row) if row is not None else None


def create(session: Session, owner: User, name: str, now: datetime) -> Team:
    """A new team, which its maker owns and is in from now on. Raises `NameRefused`."""
    name = checked_name(name)
    slug = _suggested_slug(name)
    with writing(session):
        taken = set(session.exec(select(TeamRow.slug).where(col(TeamRow.slug).startswith(slug))))
        number = 1
        while True:
            free = slug if number == 1 else f"{slug}-{number}"
            number += 1
            if free in taken:
                continue
            try:
                with session.begin_nested():
                    row = TeamRow(slug=free, name=name, created_at=now)
                    session.add(row)
                break
            except IntegrityError:  # somebody else took it in this moment
                taken.add(free)
        team = team_of(row)
        session.add(_new_membership(team.id, owner.id, "owner", now))
    return team


def rename(session: Session, team: Team, name: str) -> None:
    """Its address stays, so that links go on working. Raises `NameRefused`."""
    name = checked_name(name)
    with writing(session):
        session.get_one(TeamRow, team.id).name = name


def delete(session: Session, team: Team) -> None:
    """The team with its invites, packs and assignments, for good; what its people practised stays theirs."""
    with erasing(session):
        session.exec(sql_delete(TeamRow).where(col(TeamRow.id) == team.id))


def choose(session: Session, user: User, team: Team, now: datetime) -> None:
    """From now on the person is in this one of their teams."""
    with writing(session):
        row = _membership(session, team.id, user.id)
        if row is not None:
            row.chosen_at = now


def members(session: Session, team: Team) -> tuple[Member, ...]:
    """Owners first, then by name."""
    rows = session.exec(
        select(MembershipRow, UserRow)
        .join(UserRow, col(UserRow.id) == col(MembershipRow.user_id))
        .where(MembershipRow.team_id == team.id)
    )
    found = [
        Member(
            user_id=membership.user_id,
            shown=person.name or person.login,
            login=person.login,
            role=_role(membership),
            joined_at=membership.joined_at,
            disabled=person.disabled_at is not None,
        )
        for membership, person in rows
    ]
    return tuple(
        sorted(found, key=lambda each: (ROLES.index(each.role), each.shown.casefold(), each.user_id))
    )


def member(session: Session, team: Team, user_id: int) -> Member | None:
    return next((each for each in members(session, team) if each.user_id == user_id), None)


def change_role(session: Session, team: Team, user_id: int, role: Role) -> None:
    """Gives a member another role; nobody of that number is no error. Raises `LastOwner`."""
    with writing(session):
        _locked(session, team)
        row = _membership(session, team.id, user_id)
        if row is not None and row.role != role:
            _keep_an_owner(session, row)
            row.role = role


def remove(session: Session, team: Team, user_id: int) -> None:
    """Takes somebody out of the team; what they practised stays theirs. Raises `LastOwner`."""
    with writing(session):
        _locked(session, team)
        row = _membership(session, team.id, user_id)
        if row is not None:
            _keep_an_owner(session, row)
            session.delete(row)


def owned_alone(session: Session, user: User) -> tuple[Team, ...]:
    """The teams that would be left without an owner if the person went."""
    owned = [each.team for each in of(session, user) if each.role == "owner"]
    return tuple(team for team in owned if not _other_owners(session, team.id, user.id))


def checked_name(name: str) -> str:
    """The name on one line. Raises `NameRefused`."""
    name = " ".join(name.split())
    if not name:
        raise NameRefused("A team needs a name")
    if len(name) > MAX_NAME:
        raise NameRefused(f"The name has {len(name):,} characters; at most {MAX_NAME} are allowed")
    return name


def team_of(row: TeamRow) -> Team:
    assert row.id is not None
    return Team(row.id, row.slug, row.name, row.bank)


def add_or_raise(session: Session, team_id: int, user: User, role: Role, now: datetime) -> None:
    """Makes somebody a member, or raises their role, never lowers it; inside a transaction that writes."""
    row = _membership(session, team_id, user.id)
    if row is None:
        session.add(_new_membership(team_id, user.id, role, now))
    elif ROLES.index(role) < ROLES.index(_role(row)):
        row.role = role
    session.flush()


def _locked(session: Session, team: Team) -> None:
    """Two owners who demote each other at once come one after the other (SQLite's writers always do)."""
    session.exec(select(TeamRow.id).where(TeamRow.id == team.id).with_for_update()).one_or_none()


def _keep_an_owner(session: Session, row: MembershipRow) -> None:
    if row.role == "owner" and not _other_owners(session, row.team_id, row.user_id):
        raise LastOwner("A team needs an owner: make somebody else one first")


def _other_owners(session: Session, team_id: int, user_id: int) -> int:
    return session.exec(
        select(func.count(col(MembershipRow.id)))
        .join(UserRow, col(UserRow.id) == col(MembershipRow.user_id))
        .where(
            MembershipRow.team_id == team_id,
            MembershipRow.role == "owner",
            MembershipRow.user_id != user_id,
            col(UserRow.disabled_at).is_(None),
        )
    ).one()


def _membership(session: Session, team_id: int, user_id: int) -> MembershipRow | None:
    if not 0 < user_id <= _MAX_NUMBER:
        return None
    return session.exec(
        select(MembershipRow).where(MembershipRow.team_id == team_id, MembershipRow.user_id == user_id)
    ).one_or_none()


def _new_membership(team_id: int, user_id: int, role: Role, now: datetime) -> MembershipRow:
    return MembershipRow(team_id=team_id, user_id=user_id, role=role, joined_at=now, chosen_at=now)


def _role(row: MembershipRow) -> Role:
    role = role_named(row.role)
    assert role is not None  # the table's check allows no other
    return role


def _suggested_slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain)[:_MAX_SLUG].strip("-")
    return words or "team"
