"""Answers with the verdicts they got: stored once however often they are sent, and never changed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from app.accounts.browser_sessions import BrowserSession
from app.accounts.users import User
from app.database import clean_text, writing
from app.models import AnswerRow
from app.practice.records import (
    Json,
    QuestionKey,
    VariantSnapshot,
    checked_text,
    digest,
    idempotency_key,
)
from app.practice.sittings import Sitting, by_id, open_or_get

FORMAT: Final = "format"  # the outcome of a text that could not be read; it costs nothing


@dataclass(frozen=True, slots=True)
class Submission:
    """What was sent: `key` is fresh with each rendering, `part` empty where there are no parts."""

    key: str
    part: str
    text: str


@dataclass(frozen=True, slots=True)
class Graded:
    """The verdict on it: `outcome` is the grader's word, `verdict` whatever else the page will show again."""

    outcome: str
    credit: float | None = None
    reading: str | None = None
    mistake_id: str | None = None
    verdict: Json = None


@dataclass(frozen=True, slots=True)
class Answer:
    id: int
    sitting_id: int
    part: str
    text: str
    graded: Graded
    given_at: datetime
    repeat_of: int | None

    @property
    def counts(self) -> bool:
        """Whether it is a try: a text that cannot be read, or the same one again, costs nothing."""
        return self.graded.outcome != FORMAT and self.repeat_of is None


@dataclass(frozen=True, slots=True)
class Submitted:
    answer: Answer
    sitting: Sitting
    was_stored: bool
    """True where this very submission had been stored before, by a double click or a reload."""


def submit(
    session: Session,
    user: User,
    browser: BrowserSession,
    variant: VariantSnapshot,
    submission: Submission,
    graded: Graded,
    now: datetime,
) -> Submitted:
    """Stores an answer in the open sitting (opening one if need be), or finds it stored.

    The same key with the same body is the same submission and gets the verdict it got then; with another body
    it is a new answer. Raises `TextTooLong`.
    """
    with writing(session):
        stored = _find(session, user, *_identity(submission, variant.question, variant.seed))
        if stored is not None:
            return _submitted(session, user, stored, was_stored=True)
        sitting = open_or_get(session, user, browser, variant, now)
        return submit_to(session, user, sitting, submission, graded, now)


def submit_to(
    session: Session, user: User, sitting: Sitting, submission: Submission, graded: Graded, now: datetime
) -> Submitted:
    """Stores an answer in the sitting, as `submit` does in the open one."""
    text = clean_text(checked_text(submission.text))
    key, body = _identity(submission, sitting.question, sitting.seed)
    with writing(session):
        stored = _find(session, user, key, body)
        if stored is not None:
            return _submitted(session, user, stored, was_stored=True)
        try:
            with session.begin_nested():
                row = AnswerRow(
                    user_id=user.id,
                    sitting_id=sitting.id,
                    part=submission.part,
                    idempotency_key=key,
                    body_hash=body,
                    text=text,
                    outcome=graded.outcome,
                    credit=graded.credit,
                    reading=graded.reading,
                    mistake_id=graded.mistake_id,
                    verdict=graded.verdict,
                    repeat_of=_first_with(session, sitting, submission.part, text),
                    given_at=now,
                )
                session.add(row)
        except IntegrityError:
            # The same submission, by another process, between the look and the insert.
            stored = _find(session, user, key, body)
            if stored is None:
                raise
            return _submitted(session, user, stored, was_stored=True)
        return Submitted(answer_of(row), sitting, was_stored=False)


def answers(session: Session, user: User, sitting_id: int) -> tuple[Answer, ...]:
    """All answers of one of the user's sittings, oldest first."""
    rows = session.exec(
        select(AnswerRow)
        .where(AnswerRow.user_id == user.id, AnswerRow.sitting_id == sitting_id)
        .order_by(col(AnswerRow.id))
    )
    return tuple(map(answer_of, rows))


def tries(given: Iterable[Answer], part: str = "") -> int:
    """How many of the answers count as a try at the part."""
    return sum(answer.counts for answer in given if answer.part == part)


def _identity(submission: Submission, question: QuestionKey, seed: int) -> tuple[str, str]:
    """The key of a submission and the hash of its body, which together are stored once."""
    text = clean_text(checked_text(submission.text))
    return idempotency_key(submission.key), digest(*question, seed, submission.part, text)


def _find(session: Session, user: User, key: str, body: str) -> AnswerRow | None:
    return session.exec(
        select(AnswerRow).where(
            AnswerRow.user_id == user.id, AnswerRow.idempotency_key == key, AnswerRow.body_hash == body
        )
    ).one_or_none()


def _first_with(session: Session, sitting: Sitting, part: str, text: str) -> int | None:
    """The first answer of the sitting with the same text, spacing aside (case is not: Gb is no GB)."""
    rows = session.exec(
        select(AnswerRow.id, AnswerRow.text)
        .where(AnswerRow.sitting_id == sitting.id, AnswerRow.part == part)
        .order_by(col(AnswerRow.id))
    )
    same = " ".join(text.split())
    return next((number for number, earlier in rows if " ".join(earlier.split()) == same), None)


def _submitted(session: Session, user: User, row: AnswerRow, *, was_stored: bool) -> Submitted:
    sitting = by_id(session, user, row.sitting_id)
    assert sitting is not None
    return Submitted(answer_of(row), sitting, was_stored)


def answer_of(row: AnswerRow) -> Answer:
    assert row.id is not None
    return Answer(
        id=row.id,
        sitting_id=row.sitting_id,
        part=row.part,
        text=row.text,
        graded=Graded(
            outcome=row.outcome,
            credit=row.credit,
            reading=row.reading,
            mistake_id=row.mistake_id,
            verdict=row.verdict,
        ),
        given_at=row.given_at,
        repeat_of=row.repeat_of,
    )
