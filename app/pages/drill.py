"""/practice/drill: so many questions in a row on what one chooses; set up, run, and a summary at the end."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.datastructures import FormData, QueryParams

from app.bank.load import Bank
from app.bank.question import Question
from app.bank.topics import TOPICS
from app.dependencies import BankDep, CurrentUser, Now, SessionDep
from app.errors import shorten
from app.pages.choosing import Group, Option, choice_groups, read_choice
from app.pages.course import Course, question_address
from app.pages.course_line import drill_line, last_rating
from app.pages.question_view import RATINGS
from app.pages.visit import FormDep
from app.practice import drills, marks
from app.practice.drills import Drill, DrillItem
from app.practice.fresh import computes
from app.practice.preferences import Choice
from app.practice.question_state import key_of
from app.practice.records import QuestionKey
from app.practice.schedule import Rating
from app.practice.standing import standings
from app.practice.states import STATES, by_state
from app.practice.study_day import study_day
from app.rendering import render

router = APIRouter(prefix="/practice/drill")
USUAL = 10
OFFERED = ("new", "due", "wrong", "bookmarked")  # of the states that a question may be in


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a form or a link asks for: `questions` names them, or they are drawn by the choice."""

    choice: Choice
    states: frozenset[str]
    questions: tuple[str, ...]
    count: int
    title: str
    moves_schedule: bool


@dataclass(frozen=True, slots=True)
class Row:
    place: int
    title: str
    address: str
    answered: str
    outcome: str
    rating: str


def read_wanted(given: FormData | QueryParams) -> Wanted:
    count = str(given.get("count") or "").strip()
    usable = count.isascii() and count.isdigit() and len(count) <= 4 and int(count) > 0
    slugs = [str(slug) for slug in given.getlist("question")[: drills.MAX_QUESTIONS]]
    return Wanted(
        choice=read_choice(given),
        states=frozenset(map(str, given.getlist("state"))) & frozenset(OFFERED),
        questions=tuple(dict.fromkeys(slugs)),
        count=min(int(count), drills.MAX_QUESTIONS) if usable else USUAL,
        title=" ".join(str(given.get("title") or "").split())[: drills.MAX_TITLE],
        moves_schedule=given.get("schedule") == "1",
    )


def read_states(
    session: SessionDep, user: CurrentUser, bank: BankDep, now: Now
) -> dict[str, list[QuestionKey]]:
    known = standings(session, user, [key_of(each) for each in bank.questions.values()], now)
    return by_state(known, marks.all_of(session, user), study_day(now, user.zone))


StatesDep = Annotated[dict[str, list[QuestionKey]], Depends(read_states)]


@router.get("")
def set_up(request: Request, bank: BankDep, states: StatesDep) -> HTMLResponse:
    return _set_up(request, bank, read_wanted(request.query_params), states)


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
    wanted = read_wanted(form)
    questions = _named(bank, wanted.questions)
    if not wanted.questions:
        admitted = _admitted(bank, wanted, states)
        questions = drills.choose(session, user, admitted, wanted.count, random.SystemRandom())
    if not questions:
        error = "No question is all of this. Tick less, or other things."
        return _set_up(request, bank, wanted, states, status=422, error=error)
    number = drills.start(
        *(session, user, questions),
        title=wanted.title or _title(wanted),
        moves_schedule=wanted.moves_schedule,
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
        question = bank.get(item.question.slug)
        if drill.ended or item.done or question is None:
            continue
        if computes(question, item.seed):
            return RedirectResponse(_address(question, item, drill), status_code=303)
    return RedirectResponse(f"/practice/drill/{drill.id}", status_code=303)


@router.post("/{number}/end")
def end(drill: DrillDep, session: SessionDep, user: CurrentUser, now: Now) -> Response:
    drills.end(session, user, drill.id, now)
    return RedirectResponse(f"/practice/drill/{drill.id}", status_code=303)


@router.get("/{number}")
def summary(
    request: Request, drill: DrillDep, session: SessionDep, user: CurrentUser, bank: BankDep, now: Now
) -> HTMLResponse:
    rows = [_row(item, drill, bank) for item in drill.items]
    again = [item.question.slug for item in drill.items if item.done and _went_wrong(item)]
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
        result=_result(drill),
        again=[slug for slug in again if bank.get(slug) is not None],
    )


def _set_up(
    request: Request,
    bank: Bank,
    wanted: Wanted,
    states: Mapping[str, Sequence[QuestionKey]],
    *,
    status: int = 200,
    error: str = "",
) -> HTMLResponse:
    offered = tuple(
        Option(state, STATES[state], len(states[state]), state in wanted.states) for state in OFFERED
    )
    return render(
        request,
        "practice/drill_set_up.html",
        nav="practice",
        status=status,
        wanted=wanted,
        named=_named(bank, wanted.questions),
        groups=(*choice_groups(bank, wanted.choice), Group("state", "State", offered)),
        most=drills.MAX_QUESTIONS,
        error=error,
    )


def _named(bank: Bank, slugs: tuple[str, ...]) -> list[Question]:
    return [question for slug in slugs if (question := bank.get(slug)) is not None]


def _admitted(bank: Bank, wanted: Wanted, states: Mapping[str, Sequence[QuestionKey]]) -> list[Question]:
    in_states = {key for state in wanted.states for key in states[state]}
    suspended = set(states["suspended"])
    return [
        question
        for question in bank.questions.values()
        if wanted.choice.admits(question)
        and (not wanted.states or key_of(question) in in_states)
        and key_of(question) not in suspended
    ]


def _title(wanted: Wanted) -> str:
    choice = wanted.choice
    topics = [TOPICS[slug].name for slug in TOPICS if slug in choice.topics]
    words = [" and ".join(topics) if len(topics) <= 2 else f"{len(topics)} topics"] if topics else []
    words += [", ".join(sorted(choice.levels))] if choice.levels else []
    words += [", ".join(sorted(choice.companies))] if choice.companies else []
    words += (
        [", ".join(STATES[state] for state in OFFERED if state in wanted.states)] if wanted.states else []
    )
    return ", ".join(words) or "All topics"


def _address(question: Question, item: DrillItem, drill: Drill) -> str:
    return question_address(question.slug, question.meta.version, item.seed, Course(drill=drill.id))


def _row(item: DrillItem, drill: Drill, bank: Bank) -> Row:
    question = bank.get(item.question.slug)
    in_words = [answer.text for answer in item.firsts if question and question.meta.kind != "choice"]
    return Row(
        place=item.place,
        title=question.title if question else item.question.slug,
        address=_address(question, item, drill) if question else "",
        answered=shorten("; ".join(in_words), 90),
        outcome=_outcome(item),
        rating=RATINGS[item.rating] if item.rating else "",
    )


def _outcome(item: DrillItem) -> str:
    """How the first answers did, in a word or two."""
    if not item.firsts:
        return "passed over" if item.passed else "not answered" if item.done else ""
    if item.credit is None:
        return "in words"
    if item.credit == 1:
        return "right"
    if all(answer.graded.outcome in ("right", "near") for answer in item.firsts):
        return "near"
    return "partly right" if len(item.firsts) > 1 and item.credit > 0 else "not right"


def _went_wrong(item: DrillItem) -> bool:
    return item.rating == Rating.AGAIN or _outcome(item) not in ("right", "in words")


def _result(drill: Drill) -> str:
    graded = [item.credit for item in drill.items if item.credit is not None]
    said = f"{drill.done} of {len(drill.items)} done"
    return f"{said}, {graded.count(1)} of {len(graded)} right at once." if graded else f"{said}."
