"""Ratings of sittings, from which the cards follow.

A rating is never changed: a later row corrects it or takes it back, and the card is what the rest leads to.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime

from sqlmodel import Session, col, select

from app.accounts.users import User
from app.database import writing
from app.models import CardRow, RatingRow, SittingRow, UserRow
from app.practice import schedule
from app.practice.effective import effective_ratings
from app.practice.records import QuestionKey, digest, idempotency_key
from app.practice.schedule import Card, Rating, Review
from app.practice.study_day import study_day


class NoSuchSitting(LookupError):  # noqa: N818 (reads as what it is)
    """The user has no sitting, or no rating, of this number."""


@dataclass(frozen=True, slots=True)
class Rated:
    """A rating of a sitting. `counts` until it is corrected or undone."""

    id: int
    sitting_id: int
    question: QuestionKey
    rating: Rating
    key_points: tuple[str, ...]
    moves_schedule: bool
    study_day: date
    rated_at: datetime
    may_move: bool = True
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Choice:
    """What a button for rating would do: when the question comes back, and in how many days from today.

    Both are None where it does not come back by itself: new, and rated in a drill that leaves that so.
    """

    rating: Rating
    due_day: date | None
    days: int | None
    moves_schedule: bool


def rate(
    session: Session,
    user: User,
    sitting_id: int,
    rating: Rating,
    key_points: Sequence[str],
    *,
    key: str,
    now: datetime,
    may_move: bool = True,
) -> Rated:
    """Rates a sitting; a second rating of the same sitting corrects the first, in its place and on its day.

    The first rating of a question in a study day moves its schedule; what comes back after Again is practice.
    One that may not move it, as in a drill, leaves it alone, and so does what corrects that.
    The same key with the same body is stored once. Raises `NoSuchSitting`.
    """
    key = idempotency_key(key)
    body = digest("rate", sitting_id, int(rating), *key_points)
    with writing(session):
        _lock(session, user)
        sitting = _sitting(session, user, sitting_id)
        question = QuestionKey(sitting.pack, sitting.slug)
        known = _rows(session, user, question)
        stored = next((row for row in known if (row.idempotency_key, row.body_hash) == (key, body)), None)
        if stored is not None:
            return _rated(stored, counts=stored in _in_place(known))
        places = _in_place(known)
        corrected = next((row for row in places if row.sitting_id == sitting_id), None)
        today = study_day(now, user.zone)
        row = RatingRow(
            user_id=user.id,
            sitting_id=sitting_id,
            pack=question.pack,
            slug=question.slug,
            rating=int(rating),
            key_points=list(key_points),
            moves_schedule=_would_move(places, corrected, today, may_move=may_move),
            may_move=corrected.may_move if corrected else may_move,
            undoes_id=corrected.id if corrected else None,
            retention=corrected.retention if corrected else schedule.limited(user.retention),
            idempotency_key=key,
            body_hash=body,
            zone=corrected.zone if corrected else user.zone,
            study_day=corrected.study_day if corrected else today,
            rated_at=now,
        )
        session.add(row)
        session.flush()
        _store_card(session, user, question, [*known, row])
        return _rated(row)


def undo(session: Session, user: User, rating_id: int, now: datetime) -> None:
    """Takes a rating back as if it had not been given, once. Raises `NoSuchSitting`."""
    with writing(session):
        _lock(session, user)
        row = session.get(RatingRow, rating_id) if 0 < rating_id < 2**31 else None
        if row is None or row.user_id != user.id or row.rating is None:
            raise NoSuchSitting(f"there is no rating {rating_id} to take back")
        question = QuestionKey(row.pack, row.slug)
        known = _rows(session, user, question)
        if any(later.undoes_id == rating_id for later in known):
            return
        undoing = RatingRow(
            user_id=user.id,
            sitting_id=row.sitting_id,
            pack=row.pack,
            slug=row.slug,
            rating=None,
            key_points=[],
            moves_schedule=False,
            undoes_id=rating_id,
            retention=row.retention,
            idempotency_key="undo",
            body_hash=digest("undo", rating_id),
            zone=user.zone,
            study_day=study_day(now, user.zone),
            rated_at=now,
            may_move=row.may_move,
        )
        session.add(undoing)
        session.flush()
        _store_card(session, user, question, [*known, undoing])


def current(session: Session, user: User, sitting_id: int) -> Rated | None:
    """The rating of a sitting that counts, if it has one."""
    query = effective_ratings(user.id).where(col(RatingRow.sitting_id) == sitting_id)
    row = session.exec(query).one_or_none()
    return _rated(row) if row else None


def find(session: Session, user: User, rating_id: int) -> Rated | None:
    """A rating of the user's, whether it still counts or not."""
    row = session.get(RatingRow, rating_id) if 0 < rating_id < 2**31 else None
    return _rated(row) if row is not None and row.user_id == user.id and row.rating is not None else None


def last_today(session: Session, user: User, now: datetime) -> Rated | None:
    """The rating of this study day that was given last and counts: the one to undo."""
    query = effective_ratings(user.id).where(RatingRow.study_day == study_day(now, user.zone))
    row = session.exec(query.order_by(col(RatingRow.id).desc()).limit(1)).one_or_none()
    return _rated(row) if row else None


def choices(
    session: Session,
    user: User,
    question: QuestionKey,
    now: datetime,
    sitting_id: int | None = None,
    *,
    may_move: bool = True,
) -> tuple[Choice, ...]:
    """What each rating would do now: of a new sitting, or of `sitting_id`, which may be rated already."""
    today = study_day(now, user.zone)
    places = _in_place(_rows(session, user, question))
    place = next((i for i, row in enumerate(places) if row.sitting_id == sitting_id), len(places))
    corrected = places[place] if place < len(places) else None
    moves = _would_move(places, corrected, today, may_move=may_move)
    day = corrected.study_day if corrected else today
    retention = corrected.retention if corrected else user.retention
    before, after = _reviews(places[:place]), _reviews(places[place + 1 :])
    seed = _fuzz_seed(user, question)
    offered = []
    for rating in Rating:
        given = [Review(rating, day, retention)] if moves else []
        card = schedule.replay([*before, *given, *after], seed)
        days = max((card.due_day - today).days, 0) if card else None
        offered.append(Choice(rating, card.due_day if card else None, days, moves))
    return tuple(offered)


def card_of(session: Session, user: User, question: QuestionKey) -> Card | None:
    """The card of a question, None before its first rating."""
    row = _card_row(session, user, question)
    return _card(row) if row else None


def rebuild_cards(session: Session, user: User) -> int:
    """Makes all of the user's cards anew from the ratings; how many there are then."""
    with writing(session):
        _lock(session, user)
        for stale in session.exec(select(CardRow).where(CardRow.user_id == user.id)):
            session.delete(stale)
        session.flush()
        asked = select(RatingRow.pack, RatingRow.slug).where(RatingRow.user_id == user.id).distinct()
        questions = [QuestionKey(pack, slug) for pack, slug in session.exec(asked)]
        return sum(
            _store_card(session, user, question, _rows(session, user, question)) for question in questions
        )


def _lock(session: Session, user: User) -> None:
    # One rating of a user at a time, where SQLite's single writer does not see to that already.
    session.exec(select(UserRow.id).where(UserRow.id == user.id).with_for_update())


def _sitting(session: Session, user: User, sitting_id: int) -> SittingRow:
    row = session.get(SittingRow, sitting_id) if 0 < sitting_id < 2**31 else None
    if row is None or row.user_id != user.id:
        raise NoSuchSitting(f"there is no sitting {sitting_id}")
    return row


def _rows(session: Session, user: User, question: QuestionKey) -> list[RatingRow]:
    return list(
        session.exec(
            select(RatingRow)
            .where(
                RatingRow.user_id == user.id,
                RatingRow.pack == question.pack,
                RatingRow.slug == question.slug,
            )
            .order_by(col(RatingRow.id))
        )
    )


def _in_place(rows: Iterable[RatingRow]) -> list[RatingRow]:
    """The ratings that count, a correction standing in the place of what it corrects."""
    places: dict[int, RatingRow] = {}  # by the number of the first rating of each chain
    first_of: dict[int, int] = {}
    for row in rows:
        assert row.id is not None
        first = first_of[row.undoes_id] if row.undoes_id is not None else row.id
        first_of[row.id] = first
        places.pop(first, None)
        if row.rating is not None:
            places[first] = row
    return [places[first] for first in sorted(places)]


def _reviews(places: Iterable[RatingRow]) -> list[Review]:
    return [
        Review(Rating(row.rating), row.study_day, row.retention)
        for row in places
        if row.moves_schedule and row.rating is not None
    ]


def _would_move(
    places: Iterable[RatingRow], corrected: RatingRow | None, today: date, *, may_move: bool
) -> bool:
    """Whether a rating, new or in the place of another, is the one of its day that moves the schedule."""
    if not (corrected.may_move if corrected else may_move):
        return False
    day = corrected.study_day if corrected else today
    return not any(row.moves_schedule and row.study_day == day for row in places if row is not corrected)


def _fuzz_seed(user: User, question: QuestionKey) -> str:
    # By the login, which a copy of the data on another server keeps; the number there may be another.
    return f"{user.login}|{question.pack}|{question.slug}"


def _store_card(session: Session, user: User, question: QuestionKey, rows: Iterable[RatingRow]) -> bool:
    """Writes the card that the ratings lead to, or none; whether there is one."""
    card = schedule.replay(_reviews(_in_place(rows)), _fuzz_seed(user, question))
    row = _card_row(session, user, question)
    if card is None:
        if row is not None:
            session.delete(row)
        return False
    values = asdict(card) | {"last_rating": int(card.last_rating)}
    if row is None:
        session.add(CardRow(user_id=user.id, pack=question.pack, slug=question.slug, **values))
    else:
        row.sqlmodel_update(values)
    return True


def _card_row(session: Session, user: User, question: QuestionKey) -> CardRow | None:
    return session.exec(
        select(CardRow).where(
            CardRow.user_id == user.id, CardRow.pack == question.pack, CardRow.slug == question.slug
        )
    ).one_or_none()


def _card(row: CardRow) -> Card:
    return Card(
        due_day=row.due_day,
        last_day=row.last_day,
        last_rating=Rating(row.last_rating),
        stability=row.stability,
        difficulty=row.difficulty,
        reviews=row.reviews,
        lapses=row.lapses,
    )


def _rated(row: RatingRow, *, counts: bool = True) -> Rated:
    assert row.id is not None
    assert row.rating is not None
    return Rated(
        id=row.id,
        sitting_id=row.sitting_id,
        question=QuestionKey(row.pack, row.slug),
        rating=Rating(row.rating),
        key_points=tuple(row.key_points),
        moves_schedule=row.moves_schedule,
        study_day=row.study_day,
        rated_at=row.rated_at,
        may_move=row.may_move,
        counts=counts,
    )
