"""/team/{team}/invites: links that let people in, made, counted and revoked by owners."""

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.datastructures import FormData

from app.accounts import invites, teams
from app.accounts.invites import MAX_DAYS, MAX_LABEL, MAX_USES, Terms, TooManyInvites
from app.accounts.teams import ROLES
from app.accounts.tokens import new_token
from app.dependencies import SettingsDep
from app.membership import AsOwner, Place
from app.pages.interviews import read_number
from app.pages.team_frame import team_page
from app.pages.visit import FormDep

router = APIRouter(prefix="/team/{team}/invites")
USUAL = {"role": "member", "days": "7", "uses": "1", "label": ""}


@router.get("")
def show(place: AsOwner, settings: SettingsDep) -> HTMLResponse:
    return _page(place, settings)


@router.post("")
def make(place: AsOwner, settings: SettingsDep, form: FormDep) -> Response:
    """Makes a link and shows it, this once: only its hash is kept."""
    token = str(form.get("token") or "")
    if not invites.usable(token):
        raise HTTPException(422, "The form has no token for a link. Open the page again.")
    errors: dict[str, str] = {}
    terms = _read(form, errors)
    made = False
    if terms is not None:
        try:
            made = invites.make(place.session, place.team, place.user, terms, token, place.now)
        except TooManyInvites as refused:
            errors["label"] = f"No link was made: {refused}."
    if errors:
        return _page(place, settings, given=form, errors=errors, status=422)
    return _page(place, settings, made=token if made else "")


@router.post("/{invite}/revoke")
def revoke(place: AsOwner, invite: str) -> Response:
    if not invites.revoke(place.session, place.team, read_number(invite), place.now):
        raise HTTPException(404, "The team has no such invite.")
    return RedirectResponse(f"/team/{place.team.slug}/invites", status_code=303)


def _read(form: FormData, errors: dict[str, str]) -> Terms | None:
    role = teams.role_named(str(form.get("role") or ""))
    if role is None:
        errors["role"] = f"A role is {', '.join(ROLES[:-1])} or {ROLES[-1]}."
    days = _whole(form, "days", "The number of days", MAX_DAYS, errors)
    uses = _whole(form, "uses", "The number of people", MAX_USES, errors)
    label = " ".join(str(form.get("label") or "").split())
    if len(label) > MAX_LABEL:
        errors["label"] = f"The label has {len(label):,} characters: allowed are at most {MAX_LABEL}."
    return None if errors or role is None else Terms(role, days, uses, label)


def _whole(form: FormData, name: str, label: str, most: int, errors: dict[str, str]) -> int:
    text = str(form.get(name) or "").strip()
    if text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= most:
        return int(text)
    errors[name] = f"{label} is “{text[:40]}”: allowed is a whole number from 1 to {most}."
    return 0


def _page(
    place: Place,
    settings: SettingsDep,
    *,
    made: str = "",
    given: FormData | None = None,
    errors: dict[str, str] | None = None,
    status: int = 200,
) -> HTMLResponse:
    base_url = (settings.base_url or str(place.request.base_url)).rstrip("/")
    return team_page(
        place,
        "team/invites.html",
        "/invites",
        status=status,
        invites=[(each, each.state(place.now)) for each in invites.of_team(place.session, place.team)],
        made=f"{base_url}/join/{made}" if made else "",
        shown=USUAL if given is None else {name: str(given.get(name) or "")[:200] for name in USUAL},
        errors=errors or {},
        token=new_token(),
        roles=ROLES,
        most={"days": MAX_DAYS, "uses": MAX_USES, "label": MAX_LABEL},
    )
