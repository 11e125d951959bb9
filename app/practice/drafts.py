"""Drafts: what is being typed, kept from one request to the next and from one browser to another."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from app.accounts.users import User
from app.database import clean_text, writing
from app.models import DraftRow, RatingRow
from app.practice.effective import effective_ratings
from app.practice.records import MAX_SEED, QuestionKey, checked_text
from app.practice.study_day import study_day


@dataclass(frozen=True, slots=True)
class Draft:
    part: str
    text: str
    revision: int
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Saved:
    """What is kept now, and the other text where two were typed at once, for the page to offer."""

    draft: Draft
    other: str | None = None


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
    past = session.exec(
        effective_ratings(user.id)
        .where(
            RatingRow.pack == question.pack,
            RatingRow.slug == question.slug,
            RatingRow.study_day < study_day(now, user.zone),
        )
        .order_by(col(RatingRow.rated_at).desc())
        .limit(1)
    ).first()
    return {row.part: _draft(row) for row in rows if past is None or row.updated_at > past.rated_at}


def save(
    session: Session,
    user: User,
    question: QuestionKey,
    seed: int,
    part: str,
    text: str,
    *,
    revision: int,
    now: datetime,
    typed_at: datetime | None = None,
) -> Saved:
    """Keeps a text that was typed on top of `revision` (0: on top of nothing).

    Where another browser saved meanwhile, the text typed later is kept and the other one returned beside it.
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
                        text=text,
                        revision=1,
                        updated_at=typed_at,
                    )
                    session.add(row)
                return Saved(_draft(row))
            except IntegrityError:
                row = _row(session, user, question, seed, part)
                if row is None:
                    raise
        if row.text == text:
            return Saved(_draft(row))
        other = None
        if row.revision != revision:
            if row.updated_at > typed_at:
                return Saved(_draft(row), other=text)
            other = row.text or None
        row.text = text
        row.revision += 1
        row.updated_at = typed_at
        return Saved(_draft(row), other)


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
    return Draft(part=row.part, text=row.text, revision=row.revision, updated_at=row.updated_at)
