"""/people: the accounts of the server, for its operator."""

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app.accounts import people, resetting
from app.accounts.people import StillNeeded
from app.accounts.users import User
from app.dependencies import Caller, CallerDep, Now, SessionDep, SettingsDep
from app.pages.interviews import read_number
from app.pages.progress import moment_text
from app.rendering import render

router = APIRouter(prefix="/people")


def operator(caller: CallerDep) -> Caller:
    if not caller.user.operator:
        raise HTTPException(403, "Only the operator of this server sees its accounts.")
    return caller


OperatorDep = Annotated[Caller, Depends(operator)]


def read_person(person: str, _caller: OperatorDep, session: SessionDep) -> User:
    found = people.by_id(session, read_number(person))
    if found is None:
        raise HTTPException(404, "There is no such account.")
    return found


PersonDep = Annotated[User, Depends(read_person)]


@router.get("")
def show(request: Request, session: SessionDep, caller: OperatorDep, now: Now) -> HTMLResponse:
    return _page(request, session, caller, now)


@router.post("/{person}/reset")
def reset(
    request: Request,
    person: PersonDep,
    session: SessionDep,
    caller: OperatorDep,
    settings: SettingsDep,
    now: Now,
) -> HTMLResponse:
    """A link for a new password, shown this once."""
    base_url = settings.base_url or str(request.base_url).rstrip("/")
    link = resetting.make_link(session, person, base_url, now)
    return _page(request, session, caller, now, link=link, whose=person)


@router.post("/{person}/disable")
def disable(
    request: Request, person: PersonDep, session: SessionDep, caller: OperatorDep, now: Now
) -> Response:
    try:
        people.disable(session, person, now)
    except StillNeeded as needed:
        return _page(request, session, caller, now, error=str(needed), status=409)
    return RedirectResponse("/people", status_code=303)


@router.post("/{person}/enable")
def enable(person: PersonDep, session: SessionDep) -> Response:
    people.enable(session, person)
    return RedirectResponse("/people", status_code=303)


def _page(
    request: Request,
    session: SessionDep,
    caller: Caller,
    now: Now,
    *,
    link: str = "",
    whose: User | None = None,
    error: str = "",
    status: int = 200,
) -> HTMLResponse:
    zone = caller.user.zone
    return render(
        request,
        "account/people.html",
        status=status,
        people=[
            (each, moment_text(each.seen_at, zone, now) if each.seen_at else "")
            for each in people.every(session)
        ],
        me=caller.user.id,
        link=link,
        whose=whose,
        error=error,
    )
