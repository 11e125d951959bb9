"""Sittings: one go at one variant in one browser, holding what it has seen of the hints and of the answer.

A sitting lasts through the study day after the one it began in, so that one left at night can be finished.
Once rated it ends with the day of the rating: the next review starts with everything hidden again.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from app.accounts.browser_sessions import BrowserSession
from app.accounts.users import User
from app.database import writing
from app.models import DraftRow, RatingRow, SittingRow
from app.practice.effective import effective_ratings
from app.practice.records import MAX_SEED, Json, QuestionKey, VariantSnapshot
from app.practice.study_day import study_day

MAX_HINTS: Final = 100


@dataclass(frozen=True, slots=True)
class Sitting:
    id: int
    question: QuestionKey
    seed: int
    version: int
    content_hash: str
    params: Json
    right: Json
    study_day: date
    started_at: datetime
    ended_at: datetime | None
    revealed_at: datetime | None
    hints_used: int

    @property
    def revealed(self) -> bool:
        return self.revealed_at is not None


def find_open(
    session: Session,
    user: User,
    browser: BrowserSession | None,
    question: QuestionKey,
    seed: int,
    version: int,
    now: datetime,
) -> Sitting | None:
    """The sitting that this browser has open, without opening one: for pages that only read."""
    row = _open_row(session, user, browser, question, seed)
    if row is None or row.version != version or _is_over(session, row, user, now):
        return None
    return sitting_of(row)


def begun_with(
    session: Session, user: User, browser: BrowserSession | None, slug: str, seed: int, now: datetime
) -> tuple[QuestionKey, str] | None:
    """Which question under this slug the browser has a sitting open with, and the hash of its text then."""
    if browser is None or not 0 <= seed <= MAX_SEED:
        return None
    rows = session.exec(
        select(SittingRow)
        .where(
            SittingRow.user_id == user.id,
            SittingRow.session_id == browser.id,
            SittingRow.slug == slug,
            SittingRow.seed == seed,
            col(SittingRow.ended_at).is_(None),
        )
        .order_by(col(SittingRow.id).desc())
    )
    newest = next((row for row in rows if not _is_over(session, row, user, now)), None)
    return None if newest is None else (QuestionKey(newest.pack, newest.slug), newest.content_hash)


def by_id(session: Session, user: User, sitting_id: int) -> Sitting | None:
    """A sitting of the user's, open or not."""
    row = session.get(SittingRow, sitting_id) if 0 < sitting_id < 2**31 else None
    return sitting_of(row) if row and row.user_id == user.id else None


def open_or_get(
    session: Session, user: User, browser: BrowserSession, variant: VariantSnapshot, now: datetime
) -> Sitting:
    """The open sitting with exactly this variant, opened if there is none.

    After an edit of the question that leaves its version, what was seen of it stays seen.
    """
    with writing(session):
        return sitting_of(_open_or_get(session, user, browser, variant, now))


def open_apart(session: Session, user: User, variant: VariantSnapshot, now: datetime) -> Sitting:
    """A new sitting that belongs to no browser, so that no page of a question goes on with it."""
    with writing(session):
        row = _new_row(user, None, variant, now)
        session.add(row)
        session.flush()
        return sitting_of(row)


def reveal(
    session: Session, user: User, browser: BrowserSession, variant: VariantSnapshot, now: datetime
) -> Sitting:
    """Shows the answer to this browser until the sitting is over."""
    with writing(session):
        row = _open_or_get(session, user, browser, variant, now)
        if row.revealed_at is None:
            row.revealed_at = now
        return sitting_of(row)


def take_hint(
    session: Session,
    user: User,
    browser: BrowserSession,
    variant: VariantSnapshot,
    number: int,
    now: datetime,
) -> Sitting:
    """Shows the hints up to `number` (1 is the first); asking twice for the same one shows no further one.

    The caller knows how many hints there are.
    """
    with writing(session):
        row = _open_or_get(session, user, browser, variant, now)
        row.hints_used = max(row.hints_used, min(number, MAX_HINTS))
        return sitting_of(row)


def start_again(
    session: Session, user: User, browser: BrowserSession, question: QuestionKey, seed: int, now: datetime
) -> None:
    """Ends the open sitting, if any, and forgets what was being typed; the next act opens a new one."""
    with writing(session):
        row = _open_row(session, user, browser, question, seed)
        if row is not None:
            row.ended_at = max(now, row.started_at)
        for draft in session.exec(
            select(DraftRow).where(
                DraftRow.user_id == user.id,
                DraftRow.pack == question.pack,
                DraftRow.slug == question.slug,
                DraftRow.seed == seed,
            )
        ):
            session.delete(draft)


def _open_row(
    session: Session, user: User, browser: BrowserSession | None, question: QuestionKey, seed: int
) -> SittingRow | None:
    if browser is None or not 0 <= seed <= MAX_SEED:
        return None
    return session.exec(
        select(SittingRow).where(
            SittingRow.user_id == user.id,
            SittingRow.session_id == browser.id,
            SittingRow.pack == question.pack,
            SittingRow.slug == question.slug,
            SittingRow.seed == seed,
            col(SittingRow.ended_at).is_(None),
        )
    ).one_or_none()


def _is_over(session: Session, row: SittingRow, user: User, now: datetime) -> bool:
    today = study_day(now, user.zone)
    if today <= row.study_day:
        return False
    if today > row.study_day + timedelta(days=1):
        return True
    rated = effective_ratings(user.id).where(
        col(RatingRow.sitting_id) == row.id, col(RatingRow.study_day) < today
    )
    return session.exec(rated.limit(1)).first() is not None


def _open_or_get(
    session: Session, user: User, browser: BrowserSession, variant: VariantSnapshot, now: datetime
) -> SittingRow:
    row = _open_row(session, user, browser, variant.question, variant.seed)
    seen: SittingRow | None = None
    if row is not None:
        over = row.version != variant.version or _is_over(session, row, user, now)
        if not over and row.content_hash == variant.content_hash:
            return row
        row.ended_at = max(now, row.started_at)
        session.flush()  # frees the place of the open one
        seen = None if over else row
    try:
        with session.begin_nested():
            opened = _new_row(user, browser, variant, now)
            if seen is not None:
                opened.revealed_at, opened.hints_used = seen.revealed_at, seen.hints_used
            session.add(opened)
    except IntegrityError:
        # Another request of this browser opened it in this moment.
        other = _open_row(session, user, browser, variant.question, variant.seed)
        if other is None:
            raise
        return other
    return opened


def _new_row(
    user: User, browser: BrowserSession | None, variant: VariantSnapshot, now: datetime
) -> SittingRow:
    return SittingRow(
        user_id=user.id,
        session_id=browser.id if browser else None,
        pack=variant.question.pack,
        slug=variant.question.slug,
        version=variant.version,
        content_hash=variant.content_hash,
        library_version=variant.library_version,
        seed=variant.seed,
        params=variant.params,
        right=variant.right,
        zone=user.zone,
        study_day=study_day(now, user.zone),
        started_at=now,
    )


def sitting_of(row: SittingRow) -> Sitting:
    assert row.id is not None
    return Sitting(
        id=row.id,
        question=QuestionKey(row.pack, row.slug),
        seed=row.seed,
        version=row.version,
        content_hash=row.content_hash,
        params=row.params,
        right=row.right,
        study_day=row.study_day,
        started_at=row.started_at,
        ended_at=row.ended_at,
        revealed_at=row.revealed_at,
        hints_used=row.hints_used,
    )
