"""The one place where errors become answers: an HTML page, or problem details (RFC 9457) for the API."""

import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode, urlsplit

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from pydantic import BaseModel, Field
from sqlalchemy.exc import InterfaceError, InternalError, OperationalError, TimeoutError
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.accounts.access import SignInNeeded, TokenRefused
from app.bank.problems import BrokenQuestionError
from app.operations.away import UNREACHABLE, causes, explain, sent_form
from app.operations.observing import route_of
from app.rendering import render

log = logging.getLogger(__name__)
_BEARER = 'Bearer realm="Ridgeway"'
_PHRASES = {status.value: status.phrase for status in HTTPStatus}

DETAILS = {
    400: "The request could not be understood.",
    401: "Sign in first.",
    403: "This is not allowed.",
    404: "There is nothing at this address. It may have been mistyped, or what it named may be gone.",
    405: "This address does not answer to that method.",
    413: "What was sent is too large.",
    414: "The address is too long.",
    422: "Something that was given cannot be used.",
    500: "Something went wrong on the server. It has been written to the log; nothing of yours was lost.",
    503: UNREACHABLE,
}


class FieldProblem(BaseModel):
    """What is wrong with one field."""

    field: str = Field(description="The name of the parameter")
    message: str = Field(description="A whole sentence that says what to change")
    given: str | None = Field(default=None, description="What was given, cut where it is long")
    allowed: str | None = Field(default=None, description="What is allowed")


class Problem(BaseModel):
    """Problem details as in RFC 9457, with one message a field where fields are at fault."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    errors: list[FieldProblem] = Field(default_factory=list)
    request_id: str | None = Field(default=None, description="Names the entry in the server's log")


def wants_json(request: Request) -> bool:
    """Whether the client reads JSON: all of the API, and whoever accepts JSON but no HTML elsewhere."""
    path = request.url.path
    if path.startswith("/api/") and path != "/api/docs":
        return True
    accept = request.headers.get("accept", "")
    return "json" in accept and "html" not in accept


def error_response(
    request: Request,
    status: int,
    *,
    detail: str = "",
    title: str = "",
    errors: Sequence[FieldProblem] = (),
    headers: Mapping[str, str] | None = None,
    request_id: str | None = None,
) -> Response:
    """The answer to an error, in the form that the client reads."""
    title = title or _title(status)
    detail = detail or DETAILS.get(status, "")
    if wants_json(request):
        problem = Problem(
            title=title, status=status, detail=detail, errors=list(errors), request_id=request_id
        )
        return JSONResponse(
            problem.model_dump(exclude_none=True),
            status_code=status,
            headers={"Cache-Control": "no-store", **(headers or {})},
            media_type="application/problem+json",
        )
    return render(
        request,
        "errors/error.html",
        status=status,
        headers=dict(headers or {}),
        code=status,
        title=title,
        detail=detail,
        errors=errors,
        request_id=request_id,
    )


def _title(status: int) -> str:
    return _PHRASES.get(status, "Error")


def shorten(given: object, limit: int = 80) -> str:
    """What was given, fit to be repeated in a message."""
    text = str(given)
    return text if len(text) <= limit else text[: limit - 1] + "…"


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    plain = error.detail if error.detail != _title(error.status_code) else ""
    return error_response(request, error.status_code, detail=plain, headers=error.headers)


async def _sign_in_needed(request: Request, error: Exception) -> Response:
    """To the page where one signs in, and back to what was asked for; a form comes back, to be sent again."""
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    if wants_json(request):
        return error_response(request, 401, headers={"WWW-Authenticate": _BEARER})
    if request.headers.get("HX-Request") == "true":
        current = urlsplit(request.headers.get("HX-Current-URL", ""))
        here = current.path + (f"?{current.query}" if current.query else "")
        return Response(status_code=401, headers={"HX-Redirect": sign_in_address(here)})
    if request.method in ("GET", "HEAD"):
        return RedirectResponse(sign_in_address(wanted), 303, headers={"Cache-Control": "no-store"})
    return render(
        request,
        "errors/sign_in_needed.html",
        status=401,
        headers={"WWW-Authenticate": _BEARER},
        sent=await sent_form(request),
        sign_in=sign_in_address("/"),
    )


def _token_refused(request: Request, error: Exception) -> Response:
    """As RFC 6750 has it: 401 for a token that is not good, 403 for one that is not good for this."""
    assert isinstance(error, TokenRefused)
    if error.needed:
        return error_response(
            request,
            403,
            detail=f"The token is not good for this: it lacks the scope “{error.needed}”.",
            headers={"WWW-Authenticate": f'{_BEARER}, error="insufficient_scope", scope="{error.needed}"'},
        )
    return error_response(
        request,
        401,
        detail="The token is not good: it is mistyped, expired or revoked.",
        headers={"WWW-Authenticate": f'{_BEARER}, error="invalid_token"'},
    )


def sign_in_address(back: str) -> str:
    """Where one signs in; `back` is where to go on then."""
    return f"/sign-in?{urlencode({'next': back})}" if back not in ("", "/") else "/sign-in"


async def _invalid_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    problems = [
        FieldProblem(
            field=".".join(str(part) for part in detail["loc"][1:]) or str(detail["loc"][0]),
            message=str(detail["msg"]).removeprefix("Value error, "),
            given=shorten(detail["input"]) if isinstance(detail.get("input"), str | int | float) else None,
        )
        for detail in error.errors()
    ]
    return error_response(request, 422, errors=problems)


async def _database_away(request: Request, error: Exception) -> Response:
    log.error("The database cannot be used: %s", " / ".join(dict.fromkeys(causes(error))))
    detail, headers = explain(error), {"Retry-After": "5"}
    if wants_json(request):
        return error_response(request, 503, detail=detail, headers=headers)
    return render(
        request,
        "errors/away.html",
        status=503,
        headers=headers,
        code=503,
        title=_title(503),
        detail=detail,
        sent=await sent_form(request),
        again=str(request.url.replace(scheme="", netloc="")),
    )


async def _internal_error(request: Request, error: Exception) -> Response:
    """Of a database that has become read-only, as a standby is; anything else is a fault of ours."""
    if explain(error) == UNREACHABLE:
        raise error
    return await _database_away(request, error)


def install(app: FastAPI) -> None:
    """Register the handlers."""
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(SignInNeeded, _sign_in_needed)
    app.add_exception_handler(TokenRefused, _token_refused)
    app.add_exception_handler(RequestValidationError, _invalid_request)
    app.add_exception_handler(BrokenQuestionError, _broken_question)
    app.add_exception_handler(OperationalError, _database_away)
    app.add_exception_handler(InterfaceError, _database_away)
    app.add_exception_handler(InternalError, _internal_error)
    app.add_exception_handler(TimeoutError, _database_away)  # no connection was free for too long


def _broken_question(request: Request, error: Exception) -> Response:
    """A question of a pack that was not linted, and which some seed breaks."""
    return error_response(
        request, 422, detail=f"This question cannot be computed with these numbers: {error}"
    )


class LastResort:
    """Turns whatever nothing else caught into a clean 500 whose request id is the log's.

    A middleware of our own, because Starlette's answers outside of all middleware: its page would miss the
    security headers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def send_noting(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, send_noting)
        except Exception:
            if scope["type"] != "http":
                raise
            request_id = scope["state"]["request_id"]
            log.exception("Request %s failed: %s %s", request_id, scope["method"], route_of(scope))
            if started:
                raise
            response = error_response(Request(scope), 500, request_id=request_id)
            await response(scope, receive, send)


# What the routes of the API declare. FastAPI's `model` would describe it as plain application/json.
PROBLEM_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {
        "description": _PHRASES[status],
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for status in (404, 422)
}
