"""What a learner does with a question besides answering it: bookmark it, suspend it, put it off for a day."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from app.accounts.users import User
from app.database import writing
from app.models import QuestionMarkRow
from app.practice.records import QuestionKey
from app.practice.study_day import study_day


@dataclass(frozen=True, slots=True)
class Marks:
    bookmarked: bool = False
    suspended: bool = False
    skipped_day: date | None = None


NONE = Marks()


def of(session: Session, user: User, question: QuestionKey) -> Marks:
    row = _row(session, user, question)
    return _marks(row) if row else NONE


def all_of(session: Session, user: User) -> dict[QuestionKey, Marks]:
    """The marks of every question that has some."""
    rows = session.exec(select(QuestionMarkRow).where(QuestionMarkRow.user_id == user.id))
    return {QuestionKey(row.pack, row.slug): _marks(row) for row in rows}


def bookmark(session: Session, user: User, question: QuestionKey, now: datetime, *, on: bool) -> None:
    with writing(session):
        row = _row_to_change(session, user, question)
        row.bookmarked_at = (row.bookmarked_at or now) if on else None


def suspend(session: Session, user: User, question: QuestionKey, now: datetime, *, on: bool) -> None:
    """A suspended question is not served; its schedule waits as it is."""
    with writing(session):
        row = _row_to_change(session, user, question)
        row.suspended_at = (row.suspended_at or now) if on else None


def skip(session: Session, user: User, question: QuestionKey, now: datetime) -> None:
    """Not today: it comes again on the next study day."""
    with writing(session):
        _row_to_change(session, user, question).skipped_day = study_day(now, user.zone)


def bring_back(session: Session, user: User, questions: Iterable[QuestionKey]) -> None:
    """Takes back that these were skipped."""
    with writing(session):
        for question in questions:
            row = _row(session, user, question)
            if row is not None:
                row.skipped_day = None


def _row(session: Session, user: User, question: QuestionKey) -> QuestionMarkRow | None:
    return session.exec(
        select(QuestionMarkRow).where(
            QuestionMarkRow.user_id == user.id,
            QuestionMarkRow.pack == question.pack,
            QuestionMarkRow.slug == question.slug,
        )
    ).one_or_none()


def _row_to_change(session: Session, user: User, question: QuestionKey) -> QuestionMarkRow:
    row = _row(session, user, question)
    if row is not None:
        return row
    try:
        with session.begin_nested():
            row = QuestionMarkRow(user_id=user.id, pack=question.pack, slug=question.slug)
            session.add(row)
    except IntegrityError:  # another request was first
        row = _row(session, user, question)
        if row is None:
            raise
    return row


def _marks(row: QuestionMarkRow) -> Marks:
    return Marks(row.bookmarked_at is not None, row.suspended_at is not None, row.skipped_day)
