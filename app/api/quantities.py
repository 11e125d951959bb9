"""Reading a quantity as the pages do: the echo beside an answer, and for whoever wants the grammar."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel

from app.errors import PROBLEM_RESPONSES, FieldProblem, error_response, shorten
from calculators import quantities

router = APIRouter(prefix="/api/v1", tags=["quantities"], responses={422: PROBLEM_RESPONSES[422]})
FAMILIES = list(quantities.FAMILIES)


class Reading(BaseModel):
    value: int | float
    base_unit: str
    read_unit: str
    reading: str


@router.get(
    "/quantities",
    summary="Read a number with its unit",
    response_model=Reading,
    openapi_extra={"x-example": "/api/v1/quantities?text=34.4%20GB&family=bytes"},
)
def read_quantity(
    request: Request,
    text: Annotated[str, Query(description="What somebody typed, such as 34.4 GB")],
    family: Annotated[str, Query(description="The family of units", json_schema_extra={"enum": FAMILIES})],
    unit: Annotated[str | None, Query(description="What a bare number means")] = None,
) -> Reading | Response:
    if family not in FAMILIES:
        allowed = "one of " + ", ".join(FAMILIES)
        message = f"family is “{shorten(family)}”, but must be {allowed}."
        return _refused(
            request, FieldProblem(field="family", message=message, given=shorten(family), allowed=allowed)
        )
    try:
        reading = quantities.parse(text, family, unit=unit)
    except quantities.QuantityError as error:
        return _refused(request, FieldProblem(field="text", message=str(error), given=shorten(text)))
    return Reading(
        value=quantities.to_number(reading.value),
        base_unit=reading.base_unit,
        read_unit=reading.read_unit,
        reading=reading.reading,
    )


def _refused(request: Request, problem: FieldProblem) -> Response:
    return error_response(request, 422, detail=problem.message, errors=[problem])
