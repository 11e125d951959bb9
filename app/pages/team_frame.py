"""What every page of a team shows round its own part: the team's name and the pages that one may open."""

from typing import Any, Final

from fastapi.responses import HTMLResponse

from app.accounts.teams import Role
from app.accounts.zones import zone_named
from app.membership import Place
from app.pages.interviews_view import day
from app.rendering import render

_PAGES: Final[tuple[tuple[str, str, Role], ...]] = (
    ("", "Overview", "member"),
    ("/assignments", "Assignments", "member"),
    ("/members", "Members", "member"),
    ("/packs", "Packs", "member"),
    ("/invites", "Invites", "owner"),
    ("/settings", "Settings", "owner"),
)
ROLE_WORDS: Final = {
    "owner": "Owner: everything, with members, invites and the team itself",
    "editor": "Editor: packs and assignments",
    "member": "Member: practises",
}


def team_page(place: Place, template: str, tab: str, *, status: int = 200, **context: Any) -> HTMLResponse:
    """A page of the team; `tab` is the one of its pages that is current."""
    here = f"/team/{place.team.slug}"
    tabs = [
        (here + path, label, path == tab) for path, label, needed in _PAGES if place.membership.may(needed)
    ]
    return render(
        place.request,
        template,
        nav="team",
        status=status,
        team=place.team,
        role=place.membership.role,
        here=here,
        tabs=tabs,
        tab_is_here=place.request.url.path == here + tab,
        day=lambda moment: day(moment, place.user.zone),
        clock=lambda moment: f"{moment.astimezone(zone_named(place.user.zone)):%H:%M}",
        role_words=ROLE_WORDS,
        **context,
    )
