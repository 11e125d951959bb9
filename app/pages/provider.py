"""/sign-in/provider: to the OpenID provider and back."""

import logging

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlmodel import Session

from app.accounts import identities, invites, provider_visits
from app.accounts.identities import NotAllowed
from app.accounts.provider import CALLBACK, Provider, ProviderAway, ProviderRefused
from app.accounts.provider_visits import LASTS, VisitOver
from app.accounts.rates import TooOften
from app.dependencies import Now, SessionDep, SettingsDep
from app.errors import sign_in_address
from app.pages.entering import client_of, let_in, local_path
from app.pages.sign_in import too_often
from app.rendering import render

log = logging.getLogger(__name__)
router = APIRouter(prefix="/sign-in/provider")
COOKIE = "ridgeway_provider"
AWAY = "The sign-in provider does not answer at the moment. Try again, or sign in with a password."
REFUSED = "The provider's answer could not be verified, so nobody was signed in. Try again."
OVER = "This way of signing in was begun in another browser, took too long, or was used already. Begin again."
CANCELLED = "The provider did not sign you in."


@router.get("")
def go(request: Request, session: SessionDep, settings: SettingsDep, now: Now, next: str = "/") -> Response:
    provider, go_on = _provider(request), local_path(next)
    try:
        made = provider_visits.begin(session, go_on, client_of(request), now)
        address = provider.address(
            _callback(request, settings), state=made.state, nonce=made.nonce, verifier=made.verifier
        )
    except TooOften as often:
        retry = {"Retry-After": str(often.seconds)}
        return _failed(request, go_on, too_often(often), status=429, headers=retry)
    except ProviderAway as away:
        return _away(request, go_on, away)
    response = RedirectResponse(address, 303, headers={"Cache-Control": "no-store"})
    response.set_cookie(
        COOKIE,
        made.browser,
        max_age=int(LASTS.total_seconds()),
        path=router.prefix,
        secure=settings.secure_cookies or request.url.scheme == "https",
        httponly=True,
        samesite="lax",  # it has to come along from the provider's page
    )
    return response


@router.get("/back")
def back(
    request: Request,
    session: SessionDep,
    settings: SettingsDep,
    now: Now,
    state: str = "",
    code: str = "",
    error: str = "",
) -> Response:
    provider = _provider(request)
    try:
        visit = provider_visits.end(session, state, request.cookies.get(COOKIE, ""), now)
    except VisitOver:
        return _failed(request, "/", OVER)
    if error or not code:
        return _failed(request, visit.next, CANCELLED)
    session.commit()  # a connection is nothing to hold while others are asked
    try:
        claims = provider.claims(
            code[:4000], _callback(request, settings), nonce=visit.nonce, verifier=visit.verifier
        )
        user = identities.person(
            session, claims, settings, now, invited=_is_invited(session, visit.next, now)
        )
    except ProviderAway as away:
        return _away(request, visit.next, away)
    except ProviderRefused as refused:
        log.warning("The OpenID provider's answer was refused: %s", refused)
        return _failed(request, visit.next, REFUSED)
    except NotAllowed as refused:
        return _failed(request, visit.next, str(refused), status=403)
    response = let_in(request, session, user, visit.next, now)
    response.delete_cookie(COOKIE, path=router.prefix)
    return response


def _provider(request: Request) -> Provider:
    provider: Provider | None = request.app.state.provider
    if provider is None:
        raise HTTPException(404, "This server has no sign-in provider.")
    return provider


def _callback(request: Request, settings: SettingsDep) -> str:
    return f"{settings.base_url or str(request.base_url).rstrip('/')}{CALLBACK}"


def _is_invited(session: Session, go_on: str, now: Now) -> bool:
    """Whether the person is on the way to an invite that is good, which lets them have an account."""
    path = go_on.partition("?")[0]
    return (
        path.startswith("/join/") and invites.offered(session, path.removeprefix("/join/"), now) is not None
    )


def _away(request: Request, go_on: str, away: ProviderAway) -> HTMLResponse:
    log.error("The OpenID provider cannot be used: %s", away)
    return _failed(request, go_on, AWAY, status=503, headers={"Retry-After": "10"})


def _failed(
    request: Request, go_on: str, detail: str, *, status: int = 400, headers: dict[str, str] | None = None
) -> HTMLResponse:
    return render(
        request,
        "sign_in/failed.html",
        status=status,
        headers=headers,
        detail=detail,
        again=sign_in_address(go_on),
    )
