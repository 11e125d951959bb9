"""The Jinja environment, the addresses of static files, and the one way to answer with a page."""

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from app.paths import STATIC, TEMPLATES


@lru_cache(maxsize=256)
def _content_hash(path: Path, _modified_ns: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def static_hash(name: str) -> str | None:
    """A short hash of a static file's content, or None where there is no such file."""
    path = STATIC / name
    try:
        return _content_hash(path, path.stat().st_mtime_ns)
    except OSError:
        return None


def static_url(name: str) -> str:
    """The address of a static file, with its content's hash so that browsers may keep it for good."""
    content_hash = static_hash(name)
    if content_hash is None:
        raise FileNotFoundError(f"static/{name} is missing. Run: make setup")
    return f"/static/{name}?h={content_hash}"


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["static_url"] = static_url
    return environment


environment = _environment()


def render_text(request: Request, template: str, /, *, nav: str = "", **context: Any) -> str:
    """A template's text. Every template may rely on request, nav, user, person and teams.

    `person` is the user where they signed in, which in local mode nobody does.
    """
    context.setdefault("user", getattr(request.state, "user", None))
    context.setdefault("person", getattr(request.state, "person", None))
    context.setdefault("teams", getattr(request.state, "teams", ()))
    return environment.get_template(template).render(request=request, nav=nav, **context)


def render(
    request: Request,
    template: str,
    /,
    *,
    nav: str = "",
    status: int = 200,
    headers: dict[str, str] | None = None,
    **context: Any,
) -> HTMLResponse:
    """Answer with a page or a fragment (whose template's name begins with an underscore).

    nav names the item of the masthead that is current. Pages are a person's own: no cache keeps them.
    """
    text = render_text(request, template, nav=nav, **context)
    return HTMLResponse(text, status_code=status, headers={"Cache-Control": "no-store", **(headers or {})})
