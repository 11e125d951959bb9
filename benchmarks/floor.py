"""The least that a server can be: a bare JSON route, and a page on which htmx shows one multiplication.

A process of its own, with the same server and settings as the app.
"""

import json
import socket
import sys
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from fastapi.responses import FileResponse, HTMLResponse

from app.paths import STATIC

PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Product</title><script src="/htmx.min.js" defer></script></head>
<body>
<form hx-get="/product" hx-trigger="input" hx-target="#product" hx-swap="innerHTML">
<input name="a" id="a" value="2"><input name="b" value="3">
</form>
<output id="product">6</output>
</body>
</html>"""


def create_app(answers: dict[str, dict[str, Any]]) -> FastAPI:
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    @app.get("/answers/{slug}")
    async def answer(slug: str) -> dict[str, Any]:
        return answers[slug]

    @app.get("/", response_class=HTMLResponse)
    async def page() -> str:
        return PAGE

    @app.get("/product", response_class=HTMLResponse)
    async def product(a: int, b: int) -> str:
        return str(a * b)

    @app.get("/htmx.min.js")
    async def htmx() -> FileResponse:
        return FileResponse(STATIC / "vendor" / "htmx.min.js")

    return app


def main() -> None:
    answers = json.loads(Path(sys.argv[1]).read_text())
    # Named as TCP, since asyncio sends at once (TCP_NODELAY) only on sockets that say so.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    print(f"The floor is at http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    config = uvicorn.Config(
        create_app(answers), log_config=None, log_level="warning", access_log=False, server_header=False
    )
    uvicorn.Server(config).run(sockets=[listening])
