"""Assignments in plain data: when they are due, how far somebody is, and the form that sets one."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from starlette.datastructures import FormData

from app.accounts.teams import Member
from app.bank.load import Bank
from app.bank.topics import TOPICS
from app.exchange.csv_file import safe_cell
from app.pages.interviews import read_number
from app.pages.interviews_view import percent
from app.practice.assignments import Assignment, Result, Task
from app.practice.question_state import key_of
from app.practice.records import QuestionKey

MAX_SENT: Final = 200  # questions and people that a form may name
USUAL_MINUTES: Final = "45"


@dataclass(frozen=True, slots=True)
class Row:
    """An assignment in a list, for somebody it concerns or for all of them."""

    id: int
    title: str
    what: str
    due: str
    closed: bool
    done: str
    finished: bool
    late: bool


def row(assignment: Assignment, found: Mapping[int, Result], today: date) -> Row:
    """With one person's result the list says how far they are, else how many have finished."""
    finished = sum(result.finished for result in found.values())
    [only] = found.values() if len(found) == 1 else [None]
    everybody = f"{finished} of {len(found)} done"
    return Row(
        id=assignment.id,
        title=assignment.task.title,
        what=what(assignment.task),
        due=due(assignment.task.due, today),
        closed=assignment.closed,
        done=far(only) if only is not None else everybody,
        finished=finished == len(found),
        late=not assignment.closed and finished < len(found) and _is_past(assignment.task.due, today),
    )


def what(task: Task) -> str:
    count = f"{len(task.questions)} {'question' if len(task.questions) == 1 else 'questions'}"
    return count if task.minutes is None else f"a mock interview of {task.minutes} minutes, {count}"


def far(result: Result) -> str:
    """How far somebody is, in words."""
    if not result.done:
        return "not begun"
    said = "done" if result.finished else f"{result.done} of {result.asked}"
    return said if result.credit is None else f"{said}, {percent(result.credit)}"


def due(day: date | None, today: date) -> str:
    if day is None:
        return "no due date"
    days = (day - today).days
    near = {-1: "yesterday", 0: "today", 1: "tomorrow"}.get(days)
    return f"due {near or f'{day:%a} {day.day} {day:%b %Y}'}"


def _is_past(day: date | None, today: date) -> bool:
    return day is not None and day < today


@dataclass(frozen=True, slots=True)
class Choice:
    """A question to tick."""

    value: str
    title: str
    level: str
    ticked: bool


def choices(bank: Bank, ticked: frozenset[str]) -> list[tuple[str, list[Choice], int]]:
    """By topic, with how many are ticked there."""
    by_topic: dict[str, list[Choice]] = {slug: [] for slug in TOPICS}
    for slug, question in bank.questions.items():
        choice = Choice(slug, question.title, question.meta.level, slug in ticked)
        by_topic[question.meta.topics[0]].append(choice)
    return [
        (TOPICS[topic].name, each, sum(choice.ticked for choice in each))
        for topic, each in by_topic.items()
        if each
    ]


def read_task(form: FormData, bank: Bank, members: Sequence[Member], errors: dict[str, str]) -> Task:
    """What a form asks for; what it says wrongly is in `errors`, what makes no sense the domain refuses."""
    slugs = dict.fromkeys(str(slug) for slug in form.getlist("question")[:MAX_SENT])
    questions = [key_of(found) for slug in slugs if (found := bank.get(slug)) is not None]
    sent = {read_number(str(number)) for number in form.getlist("person")[:MAX_SENT]}
    people = frozenset(member.user_id for member in members if member.user_id in sent)
    return Task(
        title=str(form.get("title") or "")[:400],
        questions=tuple(questions),
        minutes=_minutes(form, errors),
        note=str(form.get("note") or "")[:4_000],
        due=_day(str(form.get("due") or "").strip(), errors),
        people=people if form.get("for") == "some" else None,
    )


def _minutes(form: FormData, errors: dict[str, str]) -> int | None:
    if form.get("kind") != "interview":
        return None
    text = str(form.get("minutes") or "").strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        errors["minutes"] = f"The minutes are “{text[:40]}”: allowed is a whole number, such as 45."
        return 1
    return int(text)


def _day(text: str, errors: dict[str, str]) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        errors["due"] = f"The due date is “{text[:40]}”: allowed is a date such as 2026-03-31."
        return None


def title_of(bank: Bank, key: QuestionKey) -> tuple[str, bool]:
    """The question's title, and whether it is there to be opened."""
    question = bank.at(key)
    return (question.title, True) if question is not None else (key.slug, False)


CSV_COLUMNS: Final = ("name", "e-mail", "done", "asked", "finished", "credit", "last", "due", "assignment")


def as_csv(assignment: Assignment, members: Sequence[Member], found: Mapping[int, Result]) -> str:
    """A line for each person whom it concerns."""
    out = io.StringIO()
    write = csv.writer(out).writerow
    write(CSV_COLUMNS)
    for member in members:
        result = found[member.user_id]
        cells = (
            *(member.shown, member.login, result.done, result.asked, "yes" if result.finished else "no"),
            "" if result.credit is None else round(result.credit, 4),
            "" if result.last_at is None else result.last_at.isoformat(),
            "" if assignment.task.due is None else assignment.task.due.isoformat(),
            assignment.task.title,
        )
        write([safe_cell(cell) for cell in cells])
    return out.getvalue()
