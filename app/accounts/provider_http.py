"""How the provider is asked: briefly, and for little."""

import time
from functools import cache
from typing import Final

import httpx2

TIMEOUT: Final = httpx2.Timeout(5, connect=3, pool=2)  # s for each step
DEADLINE: Final = 8  # s for the whole answer, which may come drop by drop
MOST: Final = 1024 * 1024  # bytes


class _Brief(httpx2.BaseTransport):
    def __init__(self) -> None:
        self._inner = httpx2.HTTPTransport()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        until = time.monotonic() + DEADLINE
        request.headers["Accept-Encoding"] = "identity"
        answer = self._inner.handle_request(request)
        content = bytearray()
        try:
            for piece in answer.iter_raw():
                content += piece
                if len(content) > MOST or time.monotonic() > until:
                    raise httpx2.ReadTimeout("too long an answer", request=request)
        finally:
            answer.close()
        return httpx2.Response(answer.status_code, headers=answer.headers, content=bytes(content))


@cache
def transport() -> httpx2.BaseTransport:
    """One for the process: it keeps connections, and reading the certificates takes a moment."""
    return _Brief()
