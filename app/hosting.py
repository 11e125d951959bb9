"""What a server of teams has beside one user's own: their pages, and the banks of their own questions."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from fastapi import FastAPI
from fastapi.params import Depends

from app.accounts.mail import Mailer
from app.accounts.provider import Provider
from app.api import team as api_team
from app.packs.adding import add_mounted
from app.packs.contents import MAX_PACKED
from app.packs.shelf import Shelf
from app.pages import (
    account_access,
    joining,
    one_time,
    people,
    provider,
    sign_in,
    team,
    team_assignments,
    team_invites,
    team_members,
    team_packs,
    team_questions,
)
from app.settings import Settings

ENTRANCES = (sign_in, one_time, provider)  # for who is not signed in
PAGES = (
    account_access,
    people,
    team,
    team_assignments,
    team_members,
    team_invites,
    team_packs,
    team_questions,
    joining,
)
_FORM: Final = 64 * 1024  # bytes of the rest of a form with a file
LARGER_BODIES: Final = {team_packs.PATH: MAX_PACKED + _FORM}


def add_to(app: FastAPI, settings: Settings, guards: Sequence[Depends]) -> None:
    """Adds the routes, each behind the guards, and what they find on `app.state`."""
    app.state.shelf = Shelf(app.state.database, settings.data_dir / "packs")
    app.state.begin_hosting = partial(_begin, app, settings)
    app.state.provider = Provider(settings, app.state.clock) if settings.oidc_issuer else None
    app.state.mailer = Mailer(settings, app.state.database, app.state.clock) if settings.smtp_url else None
    for entrance in ENTRANCES:
        app.include_router(entrance.router, include_in_schema=False)
    app.include_router(api_team.router, dependencies=guards)
    for page in PAGES:
        app.include_router(page.router, include_in_schema=False, dependencies=guards)


def _begin(app: FastAPI, settings: Settings) -> None:
    """Once the database is migrated."""
    if settings.packs:
        with app.state.database.session() as session:
            add_mounted(session, app.state.bank, settings.packs, app.state.clock())
