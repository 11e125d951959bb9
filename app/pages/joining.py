"""/join/{token}: into a team by a link, with the account that one has or with a new one."""

from collections.abc import Mapping
from typing import Final

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlmodel import Session

from app.accounts import invites, passwords, registering
from app.accounts.gate import Busy
from app.accounts.invites import Invitation, InviteOver
from app.accounts.registering import RegistrationRefused
from app.dependencies import Caller, CallerDep, Now, SessionDep
from app.errors import sign_in_address
from app.pages.entering import let_in
from app.pages.visit import FormDep
from app.rendering import render

router = APIRouter(prefix="/join/{token}")
# The address is the secret: nobody is told of it.
_SECRET: Final = {"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}
BUSY: Final = "Many people are coming in at the moment. Nothing is lost: try again in a few seconds."


@router.get("")
def offer(request: Request, token: str, session: SessionDep, caller: CallerDep, now: Now) -> HTMLResponse:
    return _page(request, token, caller, _offered(session, token, now))


@router.post("")
def join(token: str, session: SessionDep, caller: CallerDep, now: Now) -> Response:
    try:
        team = invites.accept(session, caller.user, token, now)
    except InviteOver as over:
        raise _over(over) from over
    return RedirectResponse(f"/team/{team.slug}", status_code=303)


@router.get("/register")
def back(token: str) -> Response:
    """The form's address, reloaded."""
    return RedirectResponse(f"/join/{token}", status_code=303)


@router.post("/register")
def register(
    *, request: Request, token: str, session: SessionDep, caller: CallerDep, form: FormDep, now: Now
) -> Response:
    """A new account, in the team and signed in."""
    if not caller.user.is_visitor:
        return RedirectResponse(f"/join/{token}", status_code=303)
    invitation = _offered(session, token, now)
    given = {name: str(form.get(name) or "")[:400] for name in ("email", "name")}
    session.commit()  # a connection is nothing to hold while a hash is made
    try:
        account = registering.prepare(
            **given, password=str(form.get("password") or "")[: passwords.LONGEST + 1]
        )
        user, team = invites.register(session, account, token, now)
    except RegistrationRefused as refused:
        return _page(request, token, caller, invitation, given, refused.errors, status=422)
    except Busy:
        return _page(request, token, caller, invitation, given, {"password": BUSY}, status=503)
    except InviteOver as over:
        raise _over(over) from over
    return let_in(request, session, user, f"/team/{team.slug}", now)


def _offered(session: Session, token: str, now: Now) -> Invitation:
    invitation = invites.offered(session, token, now)
    if invitation is None:
        raise _over(InviteOver())
    return invitation


def _over(over: InviteOver) -> HTTPException:
    return HTTPException(404, f"{over}. Ask for another one.", headers=_SECRET)


def _page(
    request: Request,
    token: str,
    caller: Caller,
    invitation: Invitation,
    given: Mapping[str, str] | None = None,
    errors: Mapping[str, str] | None = None,
    *,
    status: int = 200,
) -> HTMLResponse:
    return render(
        request,
        "team/join.html",
        status=status,
        headers=_SECRET,
        invitation=invitation,
        here=f"/join/{token}",
        visitor=caller.user.is_visitor,
        who=caller.user.shown,
        sign_in=sign_in_address(f"/join/{token}"),
        given=given or {"email": "", "name": ""},
        errors=errors or {},
        shortest=passwords.SHORTEST,
    )
