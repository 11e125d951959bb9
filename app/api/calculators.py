"""The calculators as JSON: the list, one evaluation, a sweep over an input, and solving for one."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Path, Query, Request
from fastapi.responses import Response

import calculators
from app import calculating
from app.errors import PROBLEM_RESPONSES, FieldProblem, error_response
from calculators.spec import Calculator, FieldError, InvalidInputs, SolveError

router = APIRouter(prefix="/api/v1/calculators", tags=["calculators"])


def _calculator(
    slug: Annotated[str, Path(json_schema_extra={"enum": [each.slug for each in calculators.all()]})],
) -> Calculator:
    try:
        return calculators.get(slug)
    except calculators.UnknownCalculator as error:
        raise HTTPException(404, str(error)) from error


CalculatorDep = Annotated[Calculator, Depends(_calculator)]

# The inputs differ from one calculator to the next, so OpenAPI sees them as one exploded object of text.
_INPUTS = {
    "name": "inputs",
    "in": "query",
    "style": "form",
    "explode": True,
    "description": (
        "Inputs by name, as the list of calculators has them. A quantity may carry a unit (bytes=1GiB, "
        "seq_len=8k); what is not given takes its default."
    ),
    "schema": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 64}},
}
_SCORES = "/api/v1/calculators/attention-scores"


def _described(example: str) -> dict[str, Any]:
    return {"parameters": [_INPUTS], "x-example": example}


def _inputs(calculator: Calculator, request: Request, *reserved: str) -> dict[str, str]:
    pairs = request.query_params.multi_items()
    repeated = [name for name in reserved if len(request.query_params.getlist(name)) > 1]
    if repeated:
        raise InvalidInputs(
            FieldError(name, "", "one value", f"{name} is given more than once.") for name in repeated
        )
    return calculator.parse_query((name, text) for name, text in pairs if name not in reserved)


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
def evaluate(calculator: CalculatorDep, request: Request) -> calculating.Evaluation:
    return calculating.evaluation(calculator.evaluate(_inputs(calculator, request)))


@router.get(
    "/{slug}/sweep",
    summary="All outputs over a range of one input",
    responses=PROBLEM_RESPONSES,
    openapi_extra=_described(f"{_SCORES}/sweep?over=seq_len&from=1024&to=131072&points=8&scale=log"),
)
def sweep(
    calculator: CalculatorDep,
    request: Request,
    over: Annotated[str, Query(description="The numeric input to vary")],
    start: Annotated[str, Query(alias="from", description="The first value, with or without a unit")],
    stop: Annotated[str, Query(alias="to", description="The last value")],
    points: Annotated[int, Query(description="How many", ge=2, le=calculating.MAX_POINTS)] = 50,
    scale: Annotated[str, Query(json_schema_extra={"enum": ["linear", "log"]})] = "linear",
) -> calculating.Sweep:
    raw = _inputs(calculator, request, "over", "from", "to", "points", "scale")
    return calculating.sweep(calculator, raw, over=over, start=start, stop=stop, points=points, scale=scale)


@router.get(
    "/{slug}/solve",
    summary="The value of one input at which an output is reached",
    responses=PROBLEM_RESPONSES,
    openapi_extra=_described(f"{_SCORES}/solve?for=seq_len&output=score_bytes&equals=80GB"),
)
def solve(
    calculator: CalculatorDep,
    request: Request,
    solved_for: Annotated[str, Query(alias="for", description="The numeric input to find")],
    output: Annotated[str, Query(description="The output that has a target")],
    equals: Annotated[str, Query(description="The target, with or without a unit")],
) -> calculating.Solve:
    raw = _inputs(calculator, request, "for", "output", "equals")
    return calculating.solve(calculator, raw, solved_for=solved_for, output=output, equals=equals)


def solve_error(request: Request, error: Exception) -> Response:
    """422 at the parameter that carries the part of the question that has no meaning."""
    assert isinstance(error, SolveError)
    field = {"name": "for", "target": "equals"}.get(error.field, error.field)
    return error_response(
        request, 422, detail=str(error), errors=[FieldProblem(field=field, message=str(error))]
    )
