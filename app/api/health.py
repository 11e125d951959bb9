"""Whether this process can serve."""

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel

from app.dependencies import DatabaseDep
from app.errors import error_response
from app.migrate import is_migrated

router = APIRouter(tags=["health"])


class Health(BaseModel):
    status: str


@router.get("/healthz", summary="Whether the server is ready", response_model=Health)
def healthz(request: Request, database: DatabaseDep) -> Health | Response:
    if not is_migrated(database):
        return error_response(request, 503, detail="The database is away or not migrated yet.")
    return Health(status="ok")
