"""The API's description of itself: /openapi.json, and the page that shows it."""

from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import HTMLResponse
from pydantic.json_schema import models_json_schema

from app.errors import FieldProblem, Problem
from app.rendering import render

router = APIRouter(include_in_schema=False)

DESCRIPTION = """\
Every calculator as JSON: evaluate it, sweep it over an input, or solve it for one. Values are in base units.
Errors are problem details (RFC 9457) with one message a field.
"""


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, with the schemas of problem details that no route returns as its model."""
    if app.openapi_schema is None:
        document = get_openapi(
            title="Ridgeway", version="1", description=DESCRIPTION, routes=app.routes, openapi_version="3.1.0"
        )
        _, problems = models_json_schema(
            [(Problem, "serialization"), (FieldProblem, "serialization")],
            ref_template="#/components/schemas/{model}",
        )
        document["components"]["schemas"].update(problems["$defs"])
        app.openapi_schema = document
    return app.openapi_schema


@router.get("/api/docs")
def docs(request: Request) -> HTMLResponse:
    return render(request, "api/docs.html")
