"""The API's description of itself: /openapi.json, and a page made from that document."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import HTMLResponse
from pydantic.json_schema import models_json_schema

import calculators
from app.errors import FieldProblem, Problem
from app.rendering import render

router = APIRouter(include_in_schema=False)

DESCRIPTION = """\
Every calculator as JSON: evaluate it, sweep it over an input, or solve it for one. Values are in base units.
Your progress as JSON, under /api/v1/me. On a server where one signs in, programs send a token of yours in the
header Authorization: Bearer. Errors are problem details (RFC 9457) with one message a field.
"""


@dataclass(frozen=True, slots=True)
class Property:
    """A parameter of an operation, or a property of a schema."""

    name: str
    type: str
    required: bool
    default: str
    description: str


@dataclass(frozen=True, slots=True)
class Operation:
    method: str
    path: str
    summary: str
    example: str
    parameters: tuple[Property, ...]
    answers: tuple[tuple[str, str], ...]  # status, and the name of the schema


@dataclass(frozen=True, slots=True)
class Schema:
    name: str
    description: str
    properties: tuple[Property, ...]


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
        document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        document["security"] = [{}, {"token": []}]  # one user alone has none, and a browser its cookie
        app.openapi_schema = document
    return app.openapi_schema


@router.get("/api/docs")
def docs(request: Request) -> HTMLResponse:
    document = request.app.openapi()
    return render(
        request,
        "api/docs.html",
        description=DESCRIPTION,
        operations=_operations(document),
        schemas=_schemas(document),
        calculators=calculators.all(),
    )


def _operations(document: Mapping[str, Any]) -> list[Operation]:
    return [
        Operation(
            method=method.upper(),
            path=path,
            summary=operation["summary"],
            example=operation.get("x-example", path),
            parameters=tuple(
                Property(
                    name=parameter["name"],
                    type=_type(parameter["schema"]),
                    required=parameter.get("required", False),
                    default=str(parameter["schema"].get("default", "")),
                    description=parameter.get("description", ""),
                )
                for parameter in operation.get("parameters", ())
            ),
            answers=tuple((status, _answer(answer)) for status, answer in operation["responses"].items()),
        )
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def _answer(answer: Mapping[str, Any]) -> str:
    return " or ".join(_type(body["schema"]) for body in answer.get("content", {}).values())


def _schemas(document: Mapping[str, Any]) -> list[Schema]:
    return [
        Schema(
            name=name,
            description=schema.get("description", ""),
            properties=tuple(
                Property(
                    name=property_name,
                    type=_type(property_schema),
                    required=property_name in schema.get("required", ()),
                    default="",
                    description=property_schema.get("description", ""),
                )
                for property_name, property_schema in schema["properties"].items()
            ),
        )
        for name, schema in sorted(document["components"]["schemas"].items())
    ]


def _type(schema: Mapping[str, Any]) -> str:
    """A JSON schema in words: "list of Value", "integer, 2 to 10000", "linear or log"."""
    match schema:
        case {"$ref": str(reference)}:
            return reference.rpartition("/")[2]
        case {"enum": list(words)}:
            return " or ".join(words)
        case {"anyOf": list(options)}:
            return " or ".join(_type(option) for option in options)
        case {"type": "array", "items": dict(items)}:
            return f"list of {_type(items)}"
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"object of {_type(values)}"
        case {"minimum": least, "maximum": most, "type": kind}:
            return f"{kind}, {least} to {most}"
        case {"type": list(kinds)}:
            return " or ".join(kinds)
    return str(schema.get("type", "anything"))
