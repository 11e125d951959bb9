"""/join/{token}: into a team by a link, with the account that one has or with a new one."""

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app.accounts import invites
from app.accounts.invites import InviteOver
from app.dependencies import CallerDep, Now, SessionDep
from app.errors import sign_in_address
from app.rendering import render

router = APIRouter(prefix="/join/{token}")
# The address is the secret: nobody is told of it.
_SECRET = {"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}


@router.get("")
def offer(request: Request, token: str, session: SessionDep, caller: CallerDep, now: Now) -> HTMLResponse:
    invitation = invites.offered(session, token, now)
    if invitation is None:
        raise HTTPException(404, f"{InviteOver()}. Ask for another one.", headers=_SECRET)
    return render(
        request,
        "team/join.html",
        headers=_SECRET,
        invitation=invitation,
        here=f"/join/{token}",
        visitor=caller.user.is_visitor,
        who=caller.user.shown,
        sign_in=sign_in_address(f"/join/{token}"),
    )


@router.post("")
def join(token: str, session: SessionDep, caller: CallerDep, now: Now) -> Response:
    try:
        team = invites.accept(session, caller.user, token, now)
    except InviteOver as over:
        raise HTTPException(404, f"{over}. Ask for another one.", headers=_SECRET) from over
    return RedirectResponse(f"/team/{team.slug}", status_code=303)
