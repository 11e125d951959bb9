"""The session cookie, sent by a pure ASGI layer that touches no database."""

from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.accounts.browser_sessions import COOKIE, LIFETIME

NEW_TOKEN: Final = "new_session_token"  # noqa: S105 (the name on request.state, not a secret)


class SessionCookie:
    """Sends the token that `app.dependencies.open_browser_session` left on the request's state."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self.app = app
        self.secure = secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        secure = self.secure or scope.get("scheme") == "https"

        async def send_with_cookie(message: Message) -> None:
            token = state.get(NEW_TOKEN)
            if token is not None and message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("set-cookie", _cookie(token, secure=secure))
            await send(message)

        await self.app(scope, receive, send_with_cookie)


def _cookie(token: str, *, secure: bool) -> str:
    response = Response()
    response.set_cookie(
        COOKIE,
        token,
        max_age=int(LIFETIME.total_seconds()),
        path="/",
        secure=secure,
        httponly=True,
        samesite="lax",
    )
    return response.headers["set-cookie"]
