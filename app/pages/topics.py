"""/topics/{slug}: where a topic begins; /numbers: the numbers of all topics on one sheet."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse

import calculators
from app.bank.openings import Opening, Openings
from app.bank.question import Question
from app.bank.schema import LEVELS
from app.bank.topics import TOPICS, Topic
from app.dependencies import BankDep, CurrentUser, Now, SessionDep
from app.pages.questions import Row, row, state_text
from app.practice import marks
from app.practice.question_state import key_of
from app.practice.standing import Standing, standings
from app.practice.study_day import study_day
from app.rendering import render
from calculators.spec import Calculator

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Rest:
    """A part of the topic's questions, and where they are listed."""

    label: str
    count: int
    address: str


@router.get("/topics/{slug}")
def topic(
    request: Request, slug: str, session: SessionDep, user: CurrentUser, bank: BankDep, now: Now
) -> HTMLResponse:
    found = TOPICS.get(slug)
    if found is None:
        raise HTTPException(404, f"There is no topic {slug[:80]!r}; /questions lists them all.")
    opening = openings(request).get(slug)
    questions = [each for each in bank.questions.values() if found in each.topics]
    known = standings(session, user, [key_of(each) for each in questions], now)
    marked = marks.all_of(session, user)
    today = study_day(now, user.zone)

    def rows(some: Iterable[Question]) -> list[Row]:
        return [
            row(
                each,
                state_text(known.get(key_of(each), Standing()), today, marked.get(key_of(each), marks.NONE)),
            )
            for each in some
        ]

    first, others = in_order(questions, opening)
    return render(
        request,
        "topics/topic.html",
        nav="questions",
        topic=found,
        opening=opening,
        first=rows(first),
        others=rows(others),
        count=len(questions),
        of=len(bank.questions),
        by_level=_by_level(found, questions),
        by_company=_by_company(found, questions),
        calculators=_calculators(found, opening),
        neighbours=_neighbours(slug),
    )


@router.get("/numbers")
def numbers(request: Request) -> HTMLResponse:
    return render(
        request, "topics/numbers.html", nav="questions", openings=list(openings(request).all().values())
    )


def openings(request: Request) -> Openings:
    kept: Openings = request.app.state.openings
    return kept


def in_order(questions: Sequence[Question], opening: Opening | None) -> tuple[list[Question], list[Question]]:
    """Those that the opening page begins with, and the rest from the junior ones on."""
    by_slug = {each.slug: each for each in questions}
    first = [by_slug[slug] for slug in (opening.order if opening else ()) if slug in by_slug]
    rest = [each for each in questions if each not in first]
    return first, sorted(rest, key=lambda each: (LEVELS.index(each.meta.level), each.title))


def _by_level(topic: Topic, questions: Sequence[Question]) -> list[Rest]:
    counts = Counter[str](each.meta.level for each in questions)
    return [Rest(level, counts[level], _address(topic, "level", level)) for level in LEVELS if counts[level]]


def _by_company(topic: Topic, questions: Sequence[Question]) -> list[Rest]:
    counts = Counter(company for each in questions for company in each.companies)
    return [Rest(name, count, _address(topic, "company", name)) for name, count in sorted(counts.items())]


def _address(topic: Topic, name: str, value: str) -> str:
    return f"/questions?{urlencode([('topic', topic.slug), (name, value)])}"


def _calculators(topic: Topic, opening: Opening | None) -> list[Calculator]:
    """Those of the topic, and those that its numbers are computed with."""
    used = opening.calculators if opening else ()
    return [each for each in calculators.all() if each.topic == topic.slug or each.slug in used]


def _neighbours(slug: str) -> tuple[Topic | None, Topic | None]:
    order = list(TOPICS)
    place = order.index(slug)
    before = TOPICS[order[place - 1]] if place else None
    return before, TOPICS[order[place + 1]] if place + 1 < len(order) else None
