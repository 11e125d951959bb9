"""Every request has an id, is counted and can be logged: pure ASGI, just inside of `TrustedProxies`."""

import logging
import re
import secrets
import time
from functools import cached_property
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.operations.logs import FIELDS, REQUEST_ID

if TYPE_CHECKING:
    from app.operations.metrics import RequestMetrics

UNMATCHED: Final = "unmatched"
HEADER: Final = "X-Request-Id"
SHARED_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"  # the library's name: set, it counts into files there
_log = logging.getLogger("ridgeway.requests")
_ACCEPTED_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_GONE: Final = 499  # the client went before there was an answer, as nginx counts it
# Asked for by machines, several times a minute.
_WATCHED: Final = frozenset({"/healthz", "/readyz", "/metrics", "/static"})


class Observed:
    """Takes the request's id from `X-Request-Id` where it can be one, answers with it, counts and logs."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    @cached_property
    def metrics(self) -> "RequestMetrics":
        # With the first request, because importing its library would take a tenth of the time of a start.
        from app.operations.metrics import RequestMetrics

        return RequestMetrics()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = time.perf_counter()
        given = Headers(scope=scope).get(HEADER, "")
        request_id = given if _ACCEPTED_ID.fullmatch(given) else secrets.token_hex(8)
        state = scope.setdefault("state", {})
        state["request_id"] = request_id
        state["observed"] = self
        status = _GONE

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", request_id.encode())]
            await send(message)

        previous = REQUEST_ID.set(request_id)
        try:
            await self.app(scope, receive, send_with_id)
        except Exception:
            status = 500
            raise
        finally:
            self._note(scope, status, time.perf_counter() - begun)
            REQUEST_ID.reset(previous)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in _METHODS else "OTHER"
        route = route_of(scope)
        self.metrics.count(method, route, status, seconds)
        level = logging.DEBUG if route in _WATCHED else logging.INFO
        if _log.isEnabledFor(level):
            client = scope["client"][0] if scope.get("client") else ""
            fields = {
                "method": method,
                "route": route,
                "status": status,
                "seconds": round(seconds, 4),
                "client": client,
            }
            _log.log(level, "%s %s %d in %.4f s", method, route, status, seconds, extra={FIELDS: fields})


def route_of(scope: Scope) -> str:
    """The template of the route that answered, such as /questions/{slug}: no value of the address."""
    path: str = getattr(scope.get("route"), "path", "")
    return path or scope.get("root_path") or UNMATCHED  # of what is mounted, only where
