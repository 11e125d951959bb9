"""/account/access: by what one signs in, in which browsers one is, and the tokens of one's programs."""

from collections.abc import Mapping
from typing import Any, Final

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.datastructures import FormData

from app.accounts import api_tokens, browser_sessions, passwords, people, registering, resetting, signing_in
from app.accounts.api_tokens import MAX_DAYS, SCOPES, TokenRefused
from app.accounts.gate import Busy
from app.accounts.passwords import WeakPassword
from app.accounts.rates import TooOften
from app.accounts.signing_in import WrongPassword
from app.accounts.tokens import new_token
from app.dependencies import Caller, CallerDep, Now, SessionDep
from app.pages.entering import BUSY
from app.pages.interviews import read_number
from app.pages.progress import moment_text
from app.pages.sign_in import too_often
from app.pages.visit import FormDep
from app.rendering import render

router = APIRouter(prefix="/account/access")
HERE: Final = "/account/access"
USUAL_DAYS: Final = "90"
_MOST_TYPED: Final = 200


@router.get("")
def show(request: Request, session: SessionDep, caller: CallerDep, now: Now) -> HTMLResponse:
    return _page(request, session, caller, now)


@router.post("/name")
def change_name(
    request: Request, session: SessionDep, caller: CallerDep, form: FormDep, now: Now
) -> Response:
    name = registering.read_name(str(form.get("name") or ""))
    if error := registering.name_error(name):
        return _page(
            request, session, caller, now, errors={"name": error}, name=name[:_MOST_TYPED], status=422
        )
    people.change_name(session, caller.user, name)
    return _back("saved")


@router.post("/password")
def change_password(
    request: Request, session: SessionDep, caller: CallerDep, form: FormDep, now: Now
) -> Response:
    """The old password is asked for, so that a browser that was left open does not give the account away."""
    old, new = str(form.get("old-password") or ""), str(form.get("password") or "")
    try:
        passwords.check(new, caller.user.login, caller.user.name)
        signing_in.confirm(session, caller.user, old, now)
        resetting.change(session, caller.user, new, now, here=caller.browser)
    except WeakPassword as weak:
        return _page(request, session, caller, now, errors={"password": f"{weak}."}, status=422)
    except WrongPassword:
        told = {"old-password": "This is not your password."}
        return _page(request, session, caller, now, errors=told, status=422)
    except TooOften as often:
        told = {"old-password": too_often(often)}
        retry = {"Retry-After": str(often.seconds)}
        return _page(request, session, caller, now, errors=told, status=429, headers=retry)
    except Busy:
        return _page(request, session, caller, now, errors={"password": BUSY}, status=503)
    return _back("changed")


@router.post("/browsers/end-others")
def end_others(session: SessionDep, caller: CallerDep) -> Response:
    browser_sessions.close_all(session, caller.user, but=caller.browser)
    return _back("ended")


@router.post("/browsers/{browser}/end")
def end(browser: str, session: SessionDep, caller: CallerDep) -> Response:
    if not browser_sessions.close_by_id(session, caller.user, read_number(browser)):
        raise HTTPException(404, "You are not signed in in such a browser.")
    return _back("ended")


@router.post("/tokens")
def make_token(request: Request, session: SessionDep, caller: CallerDep, form: FormDep, now: Now) -> Response:
    """Makes a token and shows it, this once: only its hash is kept."""
    token = str(form.get("token") or "")
    if not api_tokens.usable(token):
        raise HTTPException(422, "The form has no token. Open the page again.")
    scopes = tuple(str(value) for value in form.getlist("scopes"))
    try:
        api_tokens.make(
            session, caller.user, token, str(form.get("name") or "")[:_MOST_TYPED], scopes, _days(form), now
        )
    except TokenRefused as refused:
        errors = {f"token-{refused.field}": str(refused)}
        return _page(request, session, caller, now, errors=errors, given=form, status=422)
    return _page(request, session, caller, now, made=token)


@router.post("/tokens/{program}/revoke")
def revoke_token(program: str, session: SessionDep, caller: CallerDep) -> Response:
    if not api_tokens.revoke(session, caller.user, read_number(program)):
        raise HTTPException(404, "You have no such token.")
    return _back("revoked")


def _days(form: FormData) -> int:
    text = str(form.get("days") or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else 0


def _back(done: str) -> Response:
    return RedirectResponse(f"{HERE}?done={done}", status_code=303)


_DONE: Final = {
    "saved": "Saved.",
    "changed": "The password is changed, and you are signed out everywhere else.",
    "ended": "Signed out there.",
    "revoked": "The token is revoked.",
}


def _page(
    request: Request,
    session: SessionDep,
    caller: Caller,
    now: Now,
    *,
    errors: Mapping[str, str] | None = None,
    name: str | None = None,
    given: FormData | None = None,
    made: str = "",
    status: int = 200,
    headers: dict[str, str] | None = None,
) -> HTMLResponse:
    def when(moment: Any) -> str:
        return moment_text(moment, caller.user.zone, now) if moment else ""

    here = caller.browser.id if caller.browser else None
    return render(
        request,
        "account/access.html",
        status=status,
        headers=headers,
        errors=errors or {},
        done="" if errors or made else _DONE.get(request.query_params.get("done", ""), ""),
        login=caller.user.login,
        name=caller.user.name if name is None else name,
        has_password=signing_in.has_password(session, caller.user),
        shortest=passwords.SHORTEST,
        browsers=[
            (each, when(each.seen_at), each.browser.id == here)
            for each in browser_sessions.of_user(session, caller.user, now)
        ],
        tokens=[
            (each, when(each.expires_at), when(each.last_used_at), each.expires_at <= now)
            for each in api_tokens.of_user(session, caller.user)
        ],
        scopes=SCOPES,
        chosen=set(given.getlist("scopes")) if given is not None else {"read"},
        token_name=str(given.get("name") or "")[:_MOST_TYPED] if given is not None else "",
        token_days=str(given.get("days") or "")[:8] if given is not None else USUAL_DAYS,
        most_days=MAX_DAYS,
        made=made,
        token=api_tokens.PREFIX + new_token(),
    )
