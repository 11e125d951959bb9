"""The calculators as JSON: the list, one evaluation, a sweep, solving for an input, what flips a verdict."""

from collections.abc import Iterable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Path, Request
from fastapi.responses import Response

import calculators
from app import calculating, flipping
from app.calculating import Pairs
from app.errors import PROBLEM_RESPONSES, FieldProblem, error_response
from app.ranges import MAX_POINTS
from calculators.spec import Calculator, FieldError, InvalidInputs

router = APIRouter(prefix="/api/v1/calculators", tags=["calculators"])


Slug = Annotated[str, Path(json_schema_extra={"enum": list(calculators.slugs())})]


def _find(slug: str) -> Calculator:
    try:
        return calculators.get(slug)
    except calculators.UnknownCalculator as error:
        raise HTTPException(404, str(error)) from error


async def _calculator(slug: Slug) -> Calculator:
    return _find(slug)


CalculatorDep = Annotated[Calculator, Depends(_calculator)]

# The inputs differ from one calculator to the next, so OpenAPI sees them as one exploded object of text.
_INPUTS = {
    "name": "inputs",
    "in": "query",
    "style": "form",
    "explode": True,
    "description": (
        "Inputs by name, as the list of calculators has them. A quantity may carry a unit (bytes=1GiB, "
        "seq_len=8k); what is not given takes its default. v is the version of the calculator that a link "
        "was made with: what was corrected since is in the notes."
    ),
    "schema": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 64}},
}
_SCORES = "/api/v1/calculators/attention-scores"


def _parameter(name: str, description: str, *, required: bool = True, **schema: Any) -> dict[str, Any]:
    return {
        "name": name,
        "in": "query",
        "required": required,
        "description": description,
        "schema": {"type": "string", **schema},
    }


# Described here and read by hand, so that what is wrong with them is said together with all the rest.
_SWEEP = (
    _parameter("over", "The numeric input to vary"),
    _parameter("from", "The first value, with or without a unit"),
    _parameter("to", "The last value"),
    _parameter(
        "points", "How many", required=False, type="integer", minimum=2, maximum=MAX_POINTS, default=50
    ),
    _parameter("scale", "How they lie", required=False, enum=["linear", "log"], default="linear"),
)
_SOLVE = (
    _parameter("for", "The numeric input to find"),
    _parameter("output", "The output that has a target"),
    _parameter("equals", "The target, with or without a unit"),
)


def _described(example: str, *parameters: dict[str, Any]) -> dict[str, Any]:
    return {"parameters": [*parameters, _INPUTS], "x-example": example}


def _asked(request: Request, parameters: Iterable[dict[str, Any]]) -> tuple[dict[str, str], Pairs]:
    """The question by its parameters, and the inputs beside it."""
    names = [parameter["name"] for parameter in parameters]
    query = request.query_params
    repeated = [name for name in names if len(query.getlist(name)) > 1]
    if repeated:
        raise InvalidInputs(
            FieldError(name, "", "one value", f"{name} is given more than once.") for name in repeated
        )
    asked = {name: query[name] for name in names if name in query}
    return asked, [(name, text) for name, text in query.multi_items() if name not in names]


def invalid_inputs(request: Request, error: Exception) -> Response:
    """422 with one message a field."""
    assert isinstance(error, InvalidInputs)
    problems = [
        FieldProblem(field=each.field, message=each.message, given=each.given, allowed=each.allowed)
        for each in error.errors
    ]
    return error_response(request, 422, detail=str(error), errors=problems)


@router.get("", summary="All calculators with their inputs and outputs")
def list_calculators() -> calculating.Catalogue:
    return calculating.Catalogue(calculators=[calculating.declaration(each) for each in calculators.all()])


@router.get(
    "/{slug}",
    summary="Evaluate a calculator",
    responses=PROBLEM_RESPONSES,
    openapi_extra=_described(f"{_SCORES}?batch=32&heads=16"),
)
async def evaluate(slug: Slug, request: Request) -> calculating.Evaluation:
    calculator = _find(slug)  # by itself: to solve a dependency takes as long as to evaluate
    pairs = request.query_params.multi_items()
    return calculating.evaluation(calculator.evaluate(calculator.parse_query(pairs)), calculator.news(pairs))


@router.get(
    "/{slug}/sweep",
    summary="All outputs over a range of one input",
    responses=PROBLEM_RESPONSES,
    openapi_extra=_described(f"{_SCORES}/sweep?over=seq_len&from=1024&to=131072&points=8&scale=log", *_SWEEP),
)
def sweep(calculator: CalculatorDep, request: Request) -> calculating.Sweep:
    asked, pairs = _asked(request, _SWEEP)
    return calculating.sweep(calculator, pairs, asked)


@router.get(
    "/{slug}/solve",
    summary="The value of one input at which an output is reached",
    responses=PROBLEM_RESPONSES,
    openapi_extra=_described(f"{_SCORES}/solve?for=seq_len&output=score_bytes&equals=80GB", *_SOLVE),
)
def solve(calculator: CalculatorDep, request: Request) -> calculating.Solve:
    asked, pairs = _asked(request, _SOLVE)
    return calculating.solve(calculator, pairs, asked)


@router.get(
    "/{slug}/flips",
    summary="Which single change of an input flips what binds, fits, hides or is faster",
    responses=PROBLEM_RESPONSES,
    openapi_extra=_described("/api/v1/calculators/decode/flips?model=llama-3-8b&batch=8"),
)
def flips(calculator: CalculatorDep, request: Request) -> flipping.Flips:
    return flipping.flips(calculator, request.query_params.multi_items())
