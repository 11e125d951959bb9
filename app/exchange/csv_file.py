"""Attempts as CSV, a line for each answer, and one for each attempt without any."""

import csv
import re
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Final

from sqlmodel import Session

from app.accounts.users import User
from app.practice.attempts import Answer
from app.practice.progress import MAX_PAGE, Attempt, attempts
from app.practice.records import QuestionKey

COLUMNS: Final = (
    *("attempt", "started_at", "study_day", "pack", "question", "title", "version", "seed"),
    *("hints_used", "revealed", "part", "given_at", "answer", "read_as", "outcome", "credit", "mistake"),
    *("rating",),
)
# A spreadsheet takes a text that begins so for a formula, unless the text is just a number.
_FORMULA: Final = re.compile(r"[=+\-@\t\r]")
_NUMBER: Final = re.compile(r"[+\-]?[0-9.,_ eE+\-]+\Z")


def lines(session: Session, user: User, titles: Mapping[QuestionKey, str]) -> Iterator[str]:
    """The file in pieces of text, its heading first; the newest attempt comes first."""
    yield _line(COLUMNS)
    before: int | None = None
    while True:
        page = attempts(session, user, before=before, limit=MAX_PAGE)
        for attempt in page.attempts:
            title = titles.get(attempt.sitting.question, "")
            for answer in attempt.answers or (None,):
                yield _line(_cells(attempt, answer, title))
        if page.before is None:
            return
        before = page.before


def _cells(attempt: Attempt, answer: Answer | None, title: str) -> tuple[object, ...]:
    sitting = attempt.sitting
    about = (
        *(sitting.id, sitting.started_at.isoformat(), sitting.study_day.isoformat()),
        *(sitting.question.pack, sitting.question.slug, title, sitting.version, sitting.seed),
        *(sitting.hints_used, "yes" if sitting.revealed else "no"),
    )
    rating = attempt.rating.name.title() if attempt.rating else ""
    if answer is None:
        return (*about, "", "", "", "", "", "", "", rating)
    graded = answer.graded
    credit = "" if graded.credit is None else graded.credit
    return (
        *(*about, answer.part, answer.given_at.isoformat(), answer.text, graded.reading or ""),
        *(graded.outcome, credit, graded.mistake_id or "", rating),
    )


def _line(cells: tuple[object, ...]) -> str:
    buffer = StringIO()
    csv.writer(buffer).writerow([safe_cell(cell) for cell in cells])
    return buffer.getvalue()


def safe_cell(cell: object) -> object:
    """The cell as a spreadsheet takes it for text and not for a formula."""
    if isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.match(cell):
        return f"'{cell}"
    return cell
