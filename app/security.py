"""What guards every request and marks every response: pure ASGI, so it costs nothing and reads no database.

Outermost first: `SecurityHeaders` (on every response, errors too), `HostGuard` (DNS rebinding),
`CrossSiteGuard` (CSRF) and `SizeLimits`.
"""

import re
from collections.abc import Callable, Collection, Mapping

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import error_response


def content_security_policy(frame_ancestors: str = "'none'") -> str:
    """What a page may load and who may frame it: nobody, but for an answer that names others itself."""
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            f"frame-ancestors {frame_ancestors}",
        )
    )


CONTENT_SECURITY_POLICY = content_security_policy()
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_AS_SENT = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
MAX_BODY_BYTES = 1024 * 1024
MAX_QUERY_BYTES = 16 * 1024


class SecurityHeaders:
    """Adds the headers above to every response that has not set its own."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}
                message["headers"].extend(pair for pair in _AS_SENT if pair[0] not in own)
            await send(message)

        await self.app(scope, receive, send_with_headers)


class HostGuard:
    """Answers only to the host names of the settings: a foreign page cannot point a name of its own here."""

    def __init__(
        self, app: ASGIApp, allows_host: Callable[[str], bool], any_host: Collection[str] = ()
    ) -> None:
        """`any_host` are the paths that are answered by whatever name, because they tell nothing."""
        self.app = app
        self.allows_host = allows_host
        self.any_host = any_host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if (
            scope["type"] == "http"
            and not self.allows_host(Headers(scope=scope).get("host", ""))
            and scope["path"] not in self.any_host
        ):
            detail = (
                "This server does not answer to the host name of that address. Open it by the address "
                "that it printed at its start, or set RIDGEWAY_BASE_URL to the one that readers type."
            )
            response = error_response(Request(scope), 400, detail=detail, title="Unknown host")
            await response(scope, receive, send)
            return
        await self.app(scope, receive, send)


class CrossSiteGuard:
    """Refuses a change of state that another site's page asks for.

    Browsers say where a request comes from in Sec-Fetch-Site, over plain http to another machine only in
    Origin. A request with neither is no browser's, and carries no cookie that somebody could misuse.
    """

    def __init__(self, app: ASGIApp, base_url: str = "") -> None:
        self.app = app
        self.base_url = base_url

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] not in SAFE_METHODS:
            headers = Headers(scope=scope)
            if not self._same_site(headers):
                detail = (
                    "That came from another site's page, so nothing was changed. Send it from the page here."
                )
                response = error_response(Request(scope), 403, detail=detail)
                await response(scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _same_site(self, headers: Headers) -> bool:
        fetch_site = headers.get("sec-fetch-site")
        if fetch_site is not None:
            return fetch_site in ("same-origin", "none")
        origin = headers.get("origin")
        if origin is None:
            return True
        # Behind a proxy that ends TLS the scheme is not known, so the host and port decide.
        return origin == self.base_url or origin.partition("://")[2] == headers.get("host")


class SizeLimits:
    """Refuses a query that is longer than any link of ours, and a body that is larger than any form.

    Of our own, because FastAPI's max_body_size answers outside of all middleware: without our headers, and
    with an exception that passes through them.
    """

    def __init__(self, app: ASGIApp, *, larger_bodies: Mapping[str, int]) -> None:
        """`larger_bodies` names the routes that take a file by their templates, and how many bytes."""
        self.app = app
        self.larger_bodies = [
            (re.compile(re.sub(r"\{\w+\}", "[^/]+", template)), most)
            for template, most in larger_bodies.items()
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        most = self._most(scope["path"])
        if len(scope["query_string"]) > MAX_QUERY_BYTES:
            detail = f"What follows the question mark is limited to {MAX_QUERY_BYTES:,} characters."
            await error_response(Request(scope), 414, detail=detail)(scope, receive, send)
            return
        length = Headers(scope=scope).get("content-length", "")
        if length.isdecimal() and int(length) > most:
            await error_response(Request(scope), 413)(scope, receive, send)
            return
        read = 0

        async def receive_counting() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:  # sent in pieces, with no length ahead
                raise HTTPException(413)
            return message

        await self.app(scope, receive_counting, send)

    def _most(self, path: str) -> int:
        return next((most for taker, most in self.larger_bodies if taker.fullmatch(path)), MAX_BODY_BYTES)
