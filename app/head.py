"""HEAD requests: FastAPI's routes answer GET alone, and link checkers and monitors ask with HEAD."""

from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_MATCHED: Final = ("route", "root_path")  # what routing found, for the log, which stands outside


class HeadAsGet:
    """Answers HEAD as the same GET would be, without its body."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def send_without_body(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        as_get = {**scope, "method": "GET"}
        try:
            await self.app(as_get, receive, send_without_body)
        finally:
            scope.update({name: as_get[name] for name in _MATCHED if name in as_get})
