"""/api/v1/me: who asks, and everything that their page of progress says."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from app.api import me_schema
from app.api.me_schema import Attempts, Due, Me, Progress
from app.dependencies import BankDep, CallerDep, CurrentUser, Now, SessionDep
from app.errors import PROBLEM_RESPONSES
from app.pages.course_line import build_queue
from app.pages.home import questions_by_topic
from app.practice import progress
from app.practice.progress_overview import Period, overview

router = APIRouter(prefix="/api/v1/me", tags=["me"], responses={422: PROBLEM_RESPONSES[422]})
_PAGE = 50


@router.get("", summary="Who the token's owner is, and their teams")
def show(caller: CallerDep) -> Me:
    return me_schema.me(caller.user, caller.teams)


@router.get("/progress", summary="What is remembered, what comes when, and how it went")
def read_progress(
    session: SessionDep,
    user: CurrentUser,
    bank: BankDep,
    now: Now,
    period: Annotated[
        Literal["4w", "12w", "all"], Query(description="How far back the results go, in weeks")
    ] = "12w",
) -> Progress:
    topics = {key: topic for topic, keys in questions_by_topic(bank).items() for key in keys}
    return me_schema.progress(bank, overview(session, user, topics, Period(period), now))


@router.get("/attempts", summary="The attempts one by one, the newest first")
def read_attempts(
    session: SessionDep,
    user: CurrentUser,
    bank: BankDep,
    before: Annotated[
        int | None, Query(ge=1, le=2**31 - 1, description="The page's first attempt is below this one")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=progress.MAX_PAGE, description="How many")] = _PAGE,
) -> Attempts:
    page = progress.attempts(session, user, before=before, limit=limit)
    return Attempts(attempts=[me_schema.attempt(bank, made) for made in page.attempts], before=page.before)


@router.get("/due", summary="What is left of today's plan")
def read_due(session: SessionDep, user: CurrentUser, bank: BankDep, now: Now) -> Due:
    return me_schema.due(bank, build_queue(session, user, bank, now))
