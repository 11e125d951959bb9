"""Drafts: what is being typed, kept from one request to the next and from one browser to another."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, func, select

from app.accounts.users import User
from app.database import clean_text, writing
from app.models import DraftRow, RatingRow
from app.practice import kept_text
from app.practice.effective import counting
from app.practice.kept_text import Stamp
from app.practice.records import MAX_SEED, QuestionKey, checked_text
from app.practice.study_day import study_day


@dataclass(frozen=True, slots=True)
class Draft:
    """What is kept; `set_aside` is the other text where two were typed at once, for the page to offer."""

    part: str
    text: str
    stamp: Stamp
    updated_at: datetime
    set_aside: str | None = None


def load(session: Session, user: User, question: QuestionKey, seed: int, now: datetime) -> dict[str, Draft]:
    """The drafts of a variant by part. What was typed for a review that is rated and past is left out."""
    if not 0 <= seed <= MAX_SEED:
        return {}
    rows = session.exec(
        select(DraftRow).where(
            DraftRow.user_id == user.id,
            DraftRow.pack == question.pack,
            DraftRow.slug == question.slug,
            DraftRow.seed == seed,
        )
    ).all()
    if not rows:
        return {}
    past = _last_past_rating(session, user, question, now)
    return {row.part: _draft(row) for row in rows if past is None or row.updated_at > past}


def save(
    session: Session,
    user: User,
    question: QuestionKey,
    seed: int,
    part: str,
    text: str,
    *,
    stamp: Stamp,
    now: datetime,
    typed_at: datetime | None = None,
) -> Draft:
    """Keeps a text that was typed as `stamp` says; what is kept then.

    Where another window saved meanwhile, the text typed later is kept and the other one set aside.
    `typed_at` is the browser's word for a text that it could not send at once. Raises `TextTooLong`.
    """
    text = clean_text(checked_text(text))
    typed_at = min(typed_at, now) if typed_at else now
    with writing(session):
        row = _row(session, user, question, seed, part)
        if row is None:
            try:
                with session.begin_nested():
                    row = DraftRow(
                        user_id=user.id,
                        pack=question.pack,
                        slug=question.slug,
                        seed=seed,
                        part=part,
                        **kept_text.begin(text, stamp, typed_at),
                    )
                    session.add(row)
                return _draft(row)
            except IntegrityError:
                row = _row(session, user, question, seed, part)
                if row is None:
                    raise
        past = _last_past_rating(session, user, question, now)
        if past is not None and row.updated_at <= past:
            row.text, row.set_aside = "", None  # of an earlier review: nothing that this text could meet
        kept_text.take(row, text, stamp, typed_at)
        return _draft(row)


def dismiss(session: Session, user: User, question: QuestionKey, seed: int, part: str) -> None:
    """Drops the text that was set aside, which the learner does not want."""
    with writing(session):
        row = _row(session, user, question, seed, part)
        if row is not None:
            row.set_aside = None


def _last_past_rating(session: Session, user: User, question: QuestionKey, now: datetime) -> datetime | None:
    """When the question was rated last on a study day before today's."""
    return session.exec(
        select(func.max(col(RatingRow.rated_at))).where(
            *counting(user.id),
            RatingRow.pack == question.pack,
            RatingRow.slug == question.slug,
            RatingRow.study_day < study_day(now, user.zone),
        )
    ).one()


def _row(session: Session, user: User, question: QuestionKey, seed: int, part: str) -> DraftRow | None:
    # Locked where the database locks rows, so that of two saves at once one sees the other.
    return session.exec(
        select(DraftRow)
        .where(
            DraftRow.user_id == user.id,
            DraftRow.pack == question.pack,
            DraftRow.slug == question.slug,
            DraftRow.seed == seed,
            DraftRow.part == part,
        )
        .with_for_update()
    ).one_or_none()


def _draft(row: DraftRow) -> Draft:
    return Draft(
        part=row.part,
        text=row.text,
        stamp=kept_text.stamp_of(row),
        updated_at=row.updated_at,
        set_aside=kept_text.other_of(row),
    )
