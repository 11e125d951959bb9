"""/team: the current team and the change to another; its overview, its name, its end. /teams: all of them."""

from typing import Final

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlmodel import Session

from app.accounts import teams
from app.accounts.teams import LastOwner, NameRefused
from app.dependencies import Caller, CallerDep, Now, SessionDep
from app.membership import AsMember, AsOwner, Place
from app.pages.team_assignments import rows
from app.pages.team_frame import team_page
from app.pages.visit import FormDep
from app.rendering import render

router = APIRouter()
MAX_TYPED: Final = 200


@router.get("/team")
def current(request: Request, caller: CallerDep) -> Response:
    if caller.team is not None:
        return RedirectResponse(f"/team/{caller.team.team.slug}", status_code=303)
    return render(request, "team/none.html", nav="team", operator=caller.user.operator)


@router.get("/teams")
def every(request: Request, session: SessionDep, caller: CallerDep) -> HTMLResponse:
    return _every(request, session, caller)


@router.post("/teams")
def create(request: Request, session: SessionDep, caller: CallerDep, form: FormDep, now: Now) -> Response:
    _operator_only(caller)
    name = str(form.get("name") or "")[:MAX_TYPED]
    try:
        team = teams.create(session, caller.user, name, now)
    except NameRefused as refused:
        return _every(request, session, caller, name=name, error=f"{refused}.", status=422)
    return RedirectResponse(f"/team/{team.slug}", status_code=303)


def _every(
    request: Request, session: Session, caller: Caller, *, name: str = "", error: str = "", status: int = 200
) -> HTMLResponse:
    _operator_only(caller)
    return render(
        request,
        "team/every.html",
        nav="team",
        status=status,
        every=teams.every(session),
        own={each.team.id for each in caller.teams},
        name=name,
        error=error,
        most=teams.MAX_NAME,
    )


def _operator_only(caller: Caller) -> None:
    if not caller.user.operator:
        raise HTTPException(403, "Only the operator of this server sees and makes all teams.")


@router.get("/team/{team}")
def overview(place: AsMember) -> HTMLResponse:
    return _overview(place)


@router.post("/team/{team}/choose")
def choose(place: AsMember) -> Response:
    teams.choose(place.session, place.user, place.team, place.now)
    return RedirectResponse(f"/team/{place.team.slug}", status_code=303)


@router.post("/team/{team}/leave")
def leave(place: AsMember) -> Response:
    try:
        teams.remove(place.session, place.team, place.user.id)
    except LastOwner as refused:
        return _overview(place, error=f"{refused}, or delete the team.", status=409)
    return RedirectResponse("/team", status_code=303)


def _overview(place: Place, *, error: str = "", status: int = 200) -> HTMLResponse:
    return team_page(
        place,
        "team/overview.html",
        "",
        status=status,
        members=teams.members(place.session, place.team),
        me=place.user.id,
        rows=[row for row in rows(place, place.user.id) if not row.closed],
        error=error,
    )


@router.get("/team/{team}/settings")
def settings(place: AsOwner) -> HTMLResponse:
    return _settings(place)


@router.post("/team/{team}/rename")
def rename(place: AsOwner, form: FormDep) -> Response:
    name = str(form.get("name") or "")[:MAX_TYPED]
    try:
        teams.rename(place.session, place.team, name)
    except NameRefused as refused:
        return _settings(place, name=name, errors={"name": f"{refused}."}, status=422)
    return RedirectResponse(f"/team/{place.team.slug}/settings?saved=1", status_code=303)


@router.post("/team/{team}/delete")
def delete(place: AsOwner, form: FormDep) -> Response:
    """Once the team's name in its address was typed."""
    if str(form.get("confirmation") or "").strip().lower() != place.team.slug:
        told = f"Nothing was deleted. Type “{place.team.slug}” to delete the team."
        return _settings(place, errors={"confirmation": told}, status=422)
    teams.delete(place.session, place.team)
    return RedirectResponse("/team", status_code=303)


def _settings(
    place: Place, *, name: str | None = None, errors: dict[str, str] | None = None, status: int = 200
) -> HTMLResponse:
    return team_page(
        place,
        "team/settings.html",
        "/settings",
        status=status,
        name=place.team.name if name is None else name,
        errors=errors or {},
        saved=place.request.query_params.get("saved") == "1" and not errors,
        most=teams.MAX_NAME,
    )
