"""/practice/drill: so many questions in a row on what one chooses; set up, run, and a summary at the end."""

import random
import secrets
from collections.abc import Mapping, Sequence
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app.bank.load import Bank
from app.dependencies import BankDep, CurrentUser, Now, SessionDep
from app.pages import drill_view as view
from app.pages.choosing import choice_groups
from app.pages.course import Course
from app.pages.course_line import drill_line, last_rating
from app.pages.visit import FormDep
from app.practice import drills, marks
from app.practice.drills import Drill
from app.practice.fresh import computes
from app.practice.question_state import key_of
from app.practice.records import QuestionKey
from app.practice.standing import standings
from app.practice.states import by_state
from app.practice.study_day import study_day
from app.rendering import render

router = APIRouter(prefix="/practice/drill")


def read_states(
    session: SessionDep, user: CurrentUser, bank: BankDep, now: Now
) -> dict[str, list[QuestionKey]]:
    known = standings(session, user, [key_of(each) for each in bank.questions.values()], now)
    return by_state(known, marks.all_of(session, user), study_day(now, user.zone))


StatesDep = Annotated[dict[str, list[QuestionKey]], Depends(read_states)]


@router.get("")
def set_up(request: Request, bank: BankDep, states: StatesDep) -> HTMLResponse:
    return _set_up(request, bank, view.read_wanted(request.query_params), states)


@router.post("")
def start(
    request: Request,
    session: SessionDep,
    user: CurrentUser,
    bank: BankDep,
    states: StatesDep,
    form: FormDep,
    now: Now,
) -> Response:
    wanted = view.read_wanted(form)
    questions = view.named(bank, wanted.questions)
    if not wanted.questions:
        admitted = view.admitted(bank, wanted, states)
        questions = drills.choose(session, user, admitted, wanted.count, random.SystemRandom())
    if not questions:
        error = "No question is all of this. Tick less, or other things."
        return _set_up(request, bank, wanted, states, status=422, error=error)
    number = drills.start(
        *(session, user, questions),
        title=wanted.title or view.title(wanted),
        moves_schedule=wanted.moves_schedule,
        key=str(form.get("key") or ""),
        now=now,
    )
    return RedirectResponse(f"/practice/drill/{number}/next", status_code=303)


def read_drill(session: SessionDep, user: CurrentUser, number: str) -> Drill:
    usable = number.isascii() and number.isdigit() and len(number) <= 9
    drill = drills.get(session, user, int(number)) if usable else None
    if drill is None:
        raise HTTPException(404, "There is no such drill. It may belong to somebody else.")
    return drill


DrillDep = Annotated[Drill, Depends(read_drill)]


@router.get("/{number}/next")
def next_question(drill: DrillDep, bank: BankDep) -> Response:
    """On to the first question that is still open; the summary where none is."""
    for item in drill.items:
        question = bank.at(item.question)
        if drill.ended or item.done or question is None:
            continue
        if computes(question, item.seed):
            return RedirectResponse(view.address(question, item, drill), status_code=303)
    return RedirectResponse(f"/practice/drill/{drill.id}", status_code=303)


@router.post("/{number}/end")
def end(drill: DrillDep, session: SessionDep, user: CurrentUser, now: Now) -> Response:
    drills.end(session, user, drill.id, now)
    return RedirectResponse(f"/practice/drill/{drill.id}", status_code=303)


@router.get("/{number}")
def summary(
    request: Request, drill: DrillDep, session: SessionDep, user: CurrentUser, bank: BankDep, now: Now
) -> HTMLResponse:
    rows = [view.row(item, drill, bank) for item in drill.items]
    again = [item.question.slug for item in drill.items if item.done and view.went_wrong(item)]
    return render(
        request,
        "practice/drill.html",
        nav="practice",
        drill=drill,
        line=drill_line(drill),
        undo=last_rating(session, user, bank, now),
        course=Course(drill=drill.id),
        rows=rows,
        over=drill.next is None,
        result=view.result(drill),
        key=secrets.token_urlsafe(12),
        again=[slug for slug in again if bank.get(slug) is not None],
    )


def _set_up(
    request: Request,
    bank: Bank,
    wanted: view.Wanted,
    states: Mapping[str, Sequence[QuestionKey]],
    *,
    status: int = 200,
    error: str = "",
) -> HTMLResponse:
    return render(
        request,
        "practice/drill_set_up.html",
        nav="practice",
        status=status,
        wanted=wanted,
        named=view.named(bank, wanted.questions),
        groups=(*choice_groups(bank, wanted.choice), view.state_group(wanted, states)),
        most=drills.MAX_QUESTIONS,
        error=error,
        key=secrets.token_urlsafe(12),
    )
