"""For whoever watches the server: is it alive, can it serve, what has it done."""

import hmac

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response
from pydantic import BaseModel

from app.dependencies import BankDep, DatabaseDep, SettingsDep
from app.errors import FieldProblem, error_response
from app.operations.readiness import checks
from app.settings import Settings, is_loopback

router = APIRouter(tags=["health"])


def answered_by_any_name(settings: Settings) -> frozenset[str]:
    """The paths that machines ask for by a container's or a pod's address, whatever readers type."""
    return frozenset({"/healthz", "/readyz", *(["/metrics"] if settings.metrics_token else [])})


class Health(BaseModel):
    status: str


@router.get("/healthz", summary="Whether the process answers", response_model=Health)
async def healthz() -> Health:
    return Health(status="ok")


@router.get("/readyz", summary="Whether the server can serve", response_model=Health)
def readyz(request: Request, database: DatabaseDep, bank: BankDep) -> Health | Response:
    """Its database answers and is migrated, and its questions are loaded; else 503 with what is not."""
    failing = [check for check in checks(database, bank) if check.problem]
    if not failing:
        return Health(status="ready")
    errors = [FieldProblem(field=check.name, message=check.problem) for check in failing]
    return error_response(request, 503, detail=failing[0].problem, errors=errors)


@router.get("/metrics", include_in_schema=False)
def metrics(request: Request, settings: SettingsDep, database: DatabaseDep, bank: BankDep) -> Response:
    if settings.metrics_token:
        given = request.headers.get("authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bearer {settings.metrics_token}".encode()):
            raise HTTPException(401, headers={"WWW-Authenticate": "Bearer"})
    elif not _from_this_machine(request):
        raise HTTPException(
            403, "Metrics are for this machine alone, or for who bears RIDGEWAY_METRICS_TOKEN."
        )
    from app.operations.metrics import CONTENT_TYPE, ServerState

    state = ServerState(checks(database, bank), len(bank.questions), len(bank.problems))
    text = request.state.observed.metrics.exposition(state)
    return Response(text, media_type=CONTENT_TYPE, headers={"Cache-Control": "no-store"})


def _from_this_machine(request: Request) -> bool:
    """Straight from it: what a proxy on this machine passes on comes from loopback too."""
    passed_on = any(name in request.headers for name in ("x-forwarded-for", "forwarded", "via"))
    return request.client is not None and is_loopback(request.client.host) and not passed_on
