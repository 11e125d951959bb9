"""What a server of teams has beside one user's own: their pages, and the banks of their own questions."""

from collections.abc import Sequence

from fastapi import FastAPI
from fastapi.params import Depends

from app.packs.shelf import Shelf
from app.pages import joining, team, team_invites, team_members
from app.settings import Settings

PAGES = (team, team_members, team_invites, joining)


def add_to(app: FastAPI, settings: Settings, guards: Sequence[Depends]) -> None:
    """Adds the routes, each behind the guards, and what they find on `app.state`."""
    app.state.shelf = Shelf(app.state.database, settings.data_dir / "packs")
    for page in PAGES:
        app.include_router(page.router, include_in_schema=False, dependencies=guards)
