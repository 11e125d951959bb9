"""What a route of a team asks for in its signature: the team, found and allowed in one step.

A team that the caller is not in answers like one that does not exist, 404; a role that is too low, 403.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final

from fastapi import Depends, HTTPException, Request
from sqlmodel import Session

from app.accounts.teams import Membership, Role, Team
from app.accounts.users import User
from app.bank.load import Bank
from app.dependencies import CallerDep, Now, SessionDep, get_server_bank, shelf_of

NO_TEAM: Final = "There is no such team, or you are not in it."
REFUSALS: Final = {
    "owner": "Only owners of the team may do this.",
    "editor": "Only owners and editors of the team may do this.",
}


@dataclass(frozen=True, slots=True)
class Place:
    """The caller's place in the team that the address names."""

    request: Request
    session: Session
    user: User
    membership: Membership
    now: datetime

    @property
    def team(self) -> Team:
        return self.membership.team

    @property
    def bank(self) -> Bank:
        """The questions that this team sees, which need not be the one that the caller is in now."""
        server_bank = get_server_bank(self.request)
        if not self.team.bank:
            return server_bank
        return shelf_of(self.request).bank(self.session, server_bank, self.team)

    def may(self, needed: Role) -> bool:
        return self.membership.may(needed)


def require(needed: Role) -> Callable[..., Place]:
    """A dependency: the caller's place in the team of the address, with at least this role."""

    def find(request: Request, team: str, session: SessionDep, caller: CallerDep, now: Now) -> Place:
        membership = next((each for each in caller.teams if each.team.slug == team), None)
        if membership is None:
            raise HTTPException(404, NO_TEAM)
        if not membership.may(needed):
            raise HTTPException(403, REFUSALS[needed])
        return Place(request, session, caller.user, membership, now)

    return find


AsMember = Annotated[Place, Depends(require("member"))]
AsEditor = Annotated[Place, Depends(require("editor"))]
AsOwner = Annotated[Place, Depends(require("owner"))]
