"""/account: how the user wants to practise, and the deletion of everything that is theirs."""

from collections.abc import Mapping
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.datastructures import FormData

from app.accounts import browser_sessions, people, users
from app.accounts.people import StillNeeded
from app.accounts.users import User
from app.accounts.zones import UnknownZone, zone_named, zone_names
from app.dependencies import CurrentUser, SessionDep
from app.pages.visit import FormDep
from app.practice import preferences
from app.practice.schedule import MAX_RETENTION, MIN_RETENTION
from app.rendering import render
from calculators import quantities

router = APIRouter(prefix="/account")
CONFIRMATION: Final = "delete"


@router.get("")
def account(request: Request, user: CurrentUser) -> HTMLResponse:
    return page(request, user)


@router.post("/settings")
def change(request: Request, session: SessionDep, user: CurrentUser, form: FormDep) -> Response:
    errors: dict[str, str] = {}
    zone = str(form.get("zone") or "").strip()[:80]
    retention = _retention(form, errors)
    goal = _goal(form, errors)
    try:
        zone_named(zone)
    except UnknownZone as error:
        errors["zone"] = f"{str(error)[:1].upper()}{str(error)[1:]}."
    if errors:
        return page(request, user, errors=errors, given=form, status=422)
    changed = users.change_settings(
        *(session, user),
        zone=zone,
        retention=retention,
        daily_goal=goal,
        single_keys=form.get("single_keys") == "1",
    )
    request.state.user = changed
    return RedirectResponse("/account?saved=1", status_code=303)


@router.post("/delete")
def delete(request: Request, session: SessionDep, user: CurrentUser, form: FormDep) -> Response:
    """Everything, once the word was typed; the browser's own copies go too (drafts.js, Clear-Site-Data)."""
    if str(form.get("confirmation") or "").strip().lower() != CONFIRMATION:
        told = {"confirmation": f"Nothing was deleted. Type “{CONFIRMATION}” to delete everything."}
        return page(request, user, errors=told, status=422)
    try:
        people.delete(session, user)
    except StillNeeded as needed:
        return page(request, user, errors={"confirmation": str(needed)}, status=409)
    request.state.user = request.state.person = None
    request.state.teams = ()
    response = render(
        request,
        "account/deleted.html",
        headers={"Clear-Site-Data": '"storage"'},
    )
    response.delete_cookie(browser_sessions.COOKIE, path="/")
    return response


def page(
    request: Request,
    user: User,
    *,
    errors: Mapping[str, str] | None = None,
    given: FormData | None = None,
    status: int = 200,
) -> HTMLResponse:
    percent = quantities.format_quantity(user.retention, "ratio", unit="%", figures=3)
    shown = {"retention": percent, "daily_goal": str(user.daily_goal), "zone": user.zone}
    if given is not None:
        shown = {name: str(given.get(name) or "")[:80] for name in shown}
    return render(
        request,
        "account/account.html",
        status=status,
        shown=shown,
        errors=errors or {},
        saved=request.query_params.get("saved") == "1" and not errors,
        imported=request.query_params.get("imported") == "1" and not errors,
        single_keys=user.single_keys,
        zones=zone_names(),
        least=f"{MIN_RETENTION:.0%}",
        most=f"{MAX_RETENTION:.0%}",
        most_goal=preferences.MAX_GOAL,
        confirmation=CONFIRMATION,
    )


def _retention(form: FormData, errors: dict[str, str]) -> float:
    """A percentage, within what a schedule can honour."""
    text = str(form.get("retention") or "").strip()
    allowed = f"a percentage from {MIN_RETENTION:.0%} to {MAX_RETENTION:.0%}"
    try:
        value = float(quantities.parse(text, "ratio", unit="%").value)
    except quantities.QuantityError:
        value = -1.0
    if not MIN_RETENTION <= value <= MAX_RETENTION:
        errors["retention"] = f"The retention is “{text[:40]}”: allowed is {allowed}, such as 90%."
    return value


def _goal(form: FormData, errors: dict[str, str]) -> int:
    text = str(form.get("daily_goal") or "").strip()
    usable = text.isascii() and text.isdigit() and len(text) <= 4
    value = int(text) if usable else 0
    if not 1 <= value <= preferences.MAX_GOAL:
        allowed = f"a whole number from 1 to {preferences.MAX_GOAL}"
        errors["daily_goal"] = f"The daily goal is “{text[:40]}”: allowed is {allowed}."
    return value
