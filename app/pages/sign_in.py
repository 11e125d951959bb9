"""/sign-in and /sign-out, and /forgot: a link for a new password by mail."""

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app.accounts import browser_sessions, rates, resetting, signing_in
from app.accounts.gate import Busy
from app.accounts.mail import Mailer
from app.accounts.provider import Provider
from app.accounts.rates import TooOften
from app.accounts.registering import MAX_EMAIL, read_email
from app.accounts.signing_in import WrongPassword
from app.dependencies import Now, SessionDep
from app.pages.entering import BUSY, client_of, let_in, local_path
from app.pages.visit import FormDep
from app.rendering import render

router = APIRouter()
WRONG = "This address and this password do not belong together."


@router.get("/sign-in")
def show(request: Request, session: SessionDep, now: Now, next: str = "/") -> Response:
    token = request.cookies.get(browser_sessions.COOKIE)
    if token and browser_sessions.signed_in(session, token, now):
        return RedirectResponse(local_path(next), 303, headers={"Cache-Control": "no-store"})
    return _page(request, go_on=next)


@router.post("/sign-in")
def sign_in(request: Request, session: SessionDep, form: FormDep, now: Now) -> Response:
    email, go_on = str(form.get("email") or ""), str(form.get("next") or "/")
    password = str(form.get("password") or "")
    try:
        user = signing_in.by_password(session, email, password, client_of(request), now)
    except WrongPassword:
        return _page(request, go_on=go_on, email=email, error=WRONG, status=422)
    except TooOften as often:
        return _page(request, go_on=go_on, email=email, often=often, status=429)
    except Busy:
        return _page(request, go_on=go_on, email=email, error=BUSY, status=503)
    return let_in(request, session, user, go_on, now)


@router.post("/sign-out")
def sign_out(request: Request, session: SessionDep) -> Response:
    if token := request.cookies.get(browser_sessions.COOKIE):
        browser_sessions.close_by_token(session, token)
    response = RedirectResponse("/", 303, headers={"Cache-Control": "no-store"})
    response.delete_cookie(browser_sessions.COOKIE, path="/")
    return response


def _page(
    request: Request,
    *,
    go_on: str,
    email: str = "",
    error: str = "",
    often: TooOften | None = None,
    status: int = 200,
) -> HTMLResponse:
    provider: Provider | None = request.app.state.provider
    return render(
        request,
        "sign_in/sign_in.html",
        status=status,
        headers=_retry(often, status),
        go_on=local_path(go_on),
        email=email[:MAX_EMAIL],
        error=too_often(often) if often else error,
        provider=provider.name if provider else "",
        mails=mailer_of(request) is not None,
    )


def mailer_of(request: Request) -> Mailer | None:
    mailer: Mailer | None = request.app.state.mailer
    return mailer


@router.get("/forgot")
def forgot(request: Request) -> HTMLResponse:
    return _forgot(request)


@router.post("/forgot")
def send_link(request: Request, session: SessionDep, form: FormDep, now: Now) -> HTMLResponse:
    """The same answer, as quickly, whether there is such an account or not."""
    mailer = mailer_of(request)
    if mailer is None:
        raise HTTPException(404, "This server sends no mail. Ask whoever runs it for a link.")
    given = str(form.get("email") or "")
    login = read_email(given)
    if login is None:
        error = f"The e-mail address is “{given.strip()[:80]}”: allowed is one such as ada@example.org."
        return _forgot(request, email=given, error=error, status=422)
    try:
        rates.take(
            session,
            now,
            (resetting.MAILS_PER_ACCOUNT, login),
            (resetting.MAILS_PER_CLIENT, client_of(request)),
        )
    except TooOften as often:
        return _forgot(request, email=given, often=often, status=429)
    mailer.ask_reset(login)
    return _forgot(request, email=login, sent=True)


def _forgot(
    request: Request,
    *,
    email: str = "",
    error: str = "",
    often: TooOften | None = None,
    sent: bool = False,
    status: int = 200,
) -> HTMLResponse:
    return render(
        request,
        "sign_in/forgot.html",
        status=status,
        headers=_retry(often, status),
        email=email[:MAX_EMAIL],
        error=too_often(often) if often else error,
        sent=sent,
        mails=mailer_of(request) is not None,
    )


def too_often(often: TooOften) -> str:
    minutes = -(-often.seconds // 60)
    wait = f"{often.seconds} seconds" if often.seconds < 90 else f"{minutes} minutes"
    return f"There were too many tries. Wait {wait}, then try again."


def _retry(often: TooOften | None, status: int) -> dict[str, str]:
    if often is not None:
        return {"Retry-After": str(often.seconds)}
    return {"Retry-After": "5"} if status == 503 else {}
