"""Pages behind links that work once: /first-owner/{token} and /reset/{token}."""

from collections.abc import Mapping

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

from app.accounts import first_owner, passwords, registering, resetting, teams
from app.accounts.gate import Busy
from app.accounts.one_time_links import LinkOver
from app.accounts.passwords import WeakPassword
from app.accounts.registering import RegistrationRefused
from app.accounts.teams import NameRefused
from app.dependencies import Now, SessionDep
from app.pages.entering import BUSY, SECRET_ADDRESS, let_in
from app.pages.visit import FormDep
from app.rendering import render

router = APIRouter()
_FIELDS = ("email", "name", "team")
_MOST_TYPED = 1000
NO_FIRST_OWNER = (
    "This link makes nobody the first owner: it was used, has expired, or a newer one took its place. "
    "Whoever runs the server gets another one by: ridgeway users owner-link"
)
NO_RESET = (
    "This link sets no password: it was used, has expired, or a newer one took its place. Ask for another."
)


@router.get("/first-owner/{token}")
def first(request: Request, token: str, session: SessionDep, now: Now) -> HTMLResponse:
    try:
        first_owner.open_link(session, token, now)
    except LinkOver:
        raise HTTPException(404, NO_FIRST_OWNER, headers=SECRET_ADDRESS) from None
    return _first(request, token)


@router.post("/first-owner/{token}")
def become_first(request: Request, token: str, session: SessionDep, form: FormDep, now: Now) -> Response:
    given = {name: str(form.get(name) or "")[:_MOST_TYPED] for name in _FIELDS}
    errors: dict[str, str] = {}
    status = 422
    try:
        # Before anything dear is done for whoever asks.
        first_owner.open_link(session, token, now)
        _check_team(given["team"], errors)
        account = _account(given, str(form.get("password") or ""), errors)
        if account is not None and not errors:
            user = first_owner.adopt(session, token, account, given["team"], now)
            return let_in(request, session, user, "/", now)
    except LinkOver:
        raise HTTPException(404, NO_FIRST_OWNER, headers=SECRET_ADDRESS) from None
    except RegistrationRefused as refused:
        errors |= refused.errors
    except Busy:
        errors["password"], status = BUSY, 503
    return _first(request, token, given=given, errors=errors, status=status)


def _check_team(name: str, errors: dict[str, str]) -> None:
    try:
        teams.checked_name(name)
    except NameRefused as refused:
        errors["team"] = f"{refused}."


def _account(
    given: Mapping[str, str], password: str, errors: dict[str, str]
) -> registering.NewAccount | None:
    try:
        return registering.prepare(given["email"], given["name"], password=password)
    except RegistrationRefused as refused:
        errors |= refused.errors
        return None


def _first(
    request: Request,
    token: str,
    *,
    given: Mapping[str, str] | None = None,
    errors: Mapping[str, str] | None = None,
    status: int = 200,
) -> HTMLResponse:
    return render(
        request,
        "sign_in/first_owner.html",
        status=status,
        headers=SECRET_ADDRESS,
        here=f"/first-owner/{token}",
        given=given or dict.fromkeys(_FIELDS, ""),
        errors=errors or {},
        shortest=passwords.SHORTEST,
    )


@router.get("/reset/{token}")
def reset(request: Request, token: str, session: SessionDep, now: Now) -> HTMLResponse:
    return _reset(request, session, token, now)


@router.post("/reset/{token}")
def set_password(request: Request, token: str, session: SessionDep, form: FormDep, now: Now) -> Response:
    password = str(form.get("password") or "")
    try:
        user = resetting.by_link(session, token, password, now)
    except LinkOver:
        raise HTTPException(404, NO_RESET, headers=SECRET_ADDRESS) from None
    except WeakPassword as weak:
        return _reset(request, session, token, now, error=f"{weak}.", status=422)
    except Busy:
        return _reset(request, session, token, now, error=BUSY, status=503)
    return let_in(request, session, user, "/", now)


def _reset(
    request: Request, session: SessionDep, token: str, now: Now, *, error: str = "", status: int = 200
) -> HTMLResponse:
    try:
        user = resetting.whose(session, token, now)
    except LinkOver:
        raise HTTPException(404, NO_RESET, headers=SECRET_ADDRESS) from None
    return render(
        request,
        "sign_in/reset.html",
        status=status,
        headers=SECRET_ADDRESS,
        here=f"/reset/{token}",
        whose=user.login,
        error=error,
        shortest=passwords.SHORTEST,
    )
