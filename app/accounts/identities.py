"""From what a provider says of somebody to the account that is theirs here.

Found by the identity, else linked by an e-mail address that the provider has verified, else made, where that
is allowed: by a list of domains or groups, or by an invite.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from app.accounts import people, registering, teams
from app.accounts.provider import Claims
from app.accounts.registering import Identity, RegistrationRefused, read_email
from app.accounts.teams import LastOwner, Role, Team
from app.accounts.users import User, from_row
from app.database import writing
from app.models import IdentityRow, UserRow

if TYPE_CHECKING:
    from app.settings import Settings


class NotAllowed(Exception):  # noqa: N818 (reads as what it is)
    """The person may not sign in; `str()` is a sentence for them."""


def person(session: Session, claims: Claims, settings: "Settings", now: datetime, *, invited: bool) -> User:
    """Whose account it is. Raises `NotAllowed`."""
    email = read_email(claims.email) or ""
    _check_lists(claims, email, settings)
    with writing(session):
        user = _known(session, claims) or _linked_or_made(session, claims, email, settings, now, invited)
        if session.get_one(UserRow, user.id).disabled_at is not None:
            raise NotAllowed("This account cannot sign in any more. Ask whoever runs this server.")
        _give_roles(session, user, claims, settings, now)
    return user


def _check_lists(claims: Claims, email: str, settings: "Settings") -> None:
    domains, groups = settings.oidc_allowed_domains, settings.oidc_allowed_groups
    if domains and email.rpartition("@")[2] not in domains:
        raise NotAllowed(
            f"Only people whose verified e-mail address is at {_or(domains)} may sign in here; the provider "
            f"says {f'“{email}”' if email else 'that yours is not verified'}."
        )
    if groups and claims.listed(settings.oidc_groups_claim).isdisjoint(groups):
        raise NotAllowed(f"Only people of the provider's groups {_or(groups)} may sign in here.")


def _known(session: Session, claims: Claims) -> User | None:
    row = session.exec(
        select(UserRow)
        .join(IdentityRow)
        .where(IdentityRow.issuer == claims.issuer, IdentityRow.subject == claims.subject)
    ).one_or_none()
    return from_row(row) if row is not None else None


def _linked_or_made(
    session: Session, claims: Claims, email: str, settings: "Settings", now: datetime, invited: bool
) -> User:
    if not email:
        raise NotAllowed(
            "The provider does not say that your e-mail address is verified, and no account here is linked "
            "with you yet. Verify the address there, then sign in again."
        )
    identity = Identity(claims.issuer, claims.subject)
    try:
        with session.begin_nested():
            known = people.by_login(session, email)
            if known is not None:
                registering.link(session, known, identity, now)
                return known
            if not (invited or settings.oidc_allowed_domains or settings.oidc_allowed_groups):
                raise NotAllowed(f"There is no account for {email} here. Ask for an invite to a team.")
            return registering.create(
                session, registering.prepare_without_password(email, claims.name or email, identity), now
            )
    except (IntegrityError, RegistrationRefused) as error:
        known = _known(session, claims)
        if known is None:
            raise NotAllowed("No account could be made for you. Try again.") from error
        return known  # made in this moment by another request


def _give_roles(session: Session, user: User, claims: Claims, settings: "Settings", now: datetime) -> None:
    """In each team that the claim gives a role in, the highest of those; the other teams stay as they are."""
    if not settings.oidc_roles_claim:
        return
    values = claims.listed(settings.oidc_roles_claim)
    given: dict[Team, list[Role]] = {}
    for value, place in settings.oidc_roles.items():
        slug, _, role = place.rpartition("/")
        team = teams.by_slug(session, slug) if slug else _first_team(session)
        if value in values and team is not None and (named := teams.role_named(role)):
            given.setdefault(team, []).append(named)
    for team, roles in given.items():
        _give(session, user, team, min(roles, key=teams.ROLES.index), now)


def _give(session: Session, user: User, team: Team, role: Role, now: datetime) -> None:
    teams.add_or_raise(session, team.id, user, role, now)
    try:
        teams.change_role(session, team, user.id, role)
    except LastOwner:  # stays one, so that the team can be looked after
        return


def _first_team(session: Session) -> Team | None:
    return min((team for team, _ in teams.every(session)), key=lambda team: team.id, default=None)


def _or(names: tuple[str, ...]) -> str:
    return " or ".join(names)
