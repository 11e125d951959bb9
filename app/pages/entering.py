"""Letting a browser in, and where it goes on."""

from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from fastapi import Request
from fastapi.responses import RedirectResponse, Response
from sqlmodel import Session

from app.accounts import agents, browser_sessions, rates
from app.accounts.cookie import NEW_TOKEN
from app.accounts.users import User

# The address of such a page is a secret: nobody is told of it.
SECRET_ADDRESS: Final = {"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}
MOST_OF_A_PATH: Final = 2000
BUSY: Final = "Too many people are signing in at this moment. Try again in a few seconds."


def let_in(request: Request, session: Session, user: User, go_on: str, now: datetime) -> Response:
    """Signs the browser in by a new session; the one that it had, whoever gave it that, is over."""
    if old := request.cookies.get(browser_sessions.COOKIE):
        browser_sessions.close_by_token(session, old)
    agent = agents.describe(request.headers.get("user-agent", ""))
    token, _ = browser_sessions.open_session(session, user, now, agent=agent)
    setattr(request.state, NEW_TOKEN, token)
    return RedirectResponse(local_path(go_on), 303, headers={"Cache-Control": "no-store"})


def local_path(text: str) -> str:
    """An address of this server to go on to; anything that could lead elsewhere is the home page."""
    usable = (
        len(text) <= MOST_OF_A_PATH
        and text.startswith("/")
        and not text.startswith("//")
        and "\\" not in text
        and text.isprintable()
    )
    if not usable:
        return "/"
    try:
        parts = urlsplit(text)
    except ValueError:
        return "/"
    return "/" if parts.scheme or parts.netloc else text


def client_of(request: Request) -> str:
    """Whose tries are counted together."""
    return rates.client_key(request.client.host if request.client else None)
