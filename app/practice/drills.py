"""Drills: so many questions in a row on what the learner chose, beside the queue.

A drill fixes its questions and their numbers when it starts. What came of each is in the sitting with these
numbers, so that a drill can be left and taken up again; its ratings leave the schedule alone unless asked.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, func, select

from app.accounts.users import User
from app.bank.question import Question
from app.database import writing
from app.models import AnswerRow, DrillItemRow, DrillRow, RatingRow, SittingRow
from app.practice.attempts import Answer, answer_of
from app.practice.effective import effective_ratings
from app.practice.fresh import fresh_seed
from app.practice.question_state import key_of
from app.practice.records import QuestionKey, idempotency_key
from app.practice.schedule import Rating

MAX_QUESTIONS: Final = 50
MAX_TITLE: Final = 80


@dataclass(frozen=True, slots=True)
class DrillItem:
    """One question of a drill, and what came of it: its answers, its rating, or that it was passed over."""

    place: int
    question: QuestionKey
    seed: int
    passed: bool
    answers: tuple[Answer, ...] = ()
    rating: Rating | None = None

    @property
    def done(self) -> bool:
        return self.passed or self.rating is not None

    @property
    def firsts(self) -> tuple[Answer, ...]:
        """The first answer to each part that counts as a try."""
        found: dict[str, Answer] = {}
        for answer in self.answers:
            if answer.counts:
                found.setdefault(answer.part, answer)
        return tuple(found.values())

    @property
    def credit(self) -> float | None:
        """Mean credit of the first answers; None where none was graded."""
        given = [answer.graded.credit for answer in self.firsts if answer.graded.credit is not None]
        return sum(given) / len(given) if given else None


@dataclass(frozen=True, slots=True)
class Drill:
    id: int
    title: str
    moves_schedule: bool
    started_at: datetime
    ended: bool
    items: tuple[DrillItem, ...]

    @property
    def done(self) -> int:
        return sum(item.done for item in self.items)

    @property
    def next(self) -> DrillItem | None:
        """The first question that is still open; None once the drill is over."""
        return None if self.ended else next((item for item in self.items if not item.done), None)

    def item(self, question: QuestionKey, seed: int) -> DrillItem | None:
        return next((item for item in self.items if (item.question, item.seed) == (question, seed)), None)


def choose(
    session: Session, user: User, questions: Iterable[Question], count: int, chance: random.Random
) -> list[Question]:
    """So many of the questions: those never met, in any order, then those not met for longest."""
    met = {
        QuestionKey(pack, slug): last or 0
        for pack, slug, last in session.exec(
            select(col(SittingRow.pack), col(SittingRow.slug), func.max(col(SittingRow.id)))
            .where(SittingRow.user_id == user.id)
            .group_by(col(SittingRow.pack), col(SittingRow.slug))
        )
    }
    mixed = list(questions)
    chance.shuffle(mixed)
    mixed.sort(key=lambda question: met.get(key_of(question), 0))
    return mixed[: min(count, MAX_QUESTIONS)]


def start(
    session: Session,
    user: User,
    questions: Sequence[Question],
    *,
    title: str,
    moves_schedule: bool,
    key: str,
    now: datetime,
) -> int:
    """A new drill over these questions, each with numbers not met before; its number.

    The same key is the same drill, asked for once more.
    """
    asked = idempotency_key(key)
    seeds = [fresh_seed(session, user, question) for question in questions[:MAX_QUESTIONS]]
    with writing(session):
        known = select(DrillRow.id).where(DrillRow.user_id == user.id, DrillRow.idempotency_key == asked)
        if (number := session.exec(known).one_or_none()) is not None:
            return number
        row = DrillRow(
            user_id=user.id,
            title=title[:MAX_TITLE],
            moves_schedule=moves_schedule,
            started_at=now,
            idempotency_key=asked,
        )
        try:
            with session.begin_nested():
                session.add(row)
        except IntegrityError:  # the same, by another process, in this moment
            if (number := session.exec(known).one_or_none()) is not None:
                return number
            raise
        assert row.id is not None
        for place, (question, seed) in enumerate(zip(questions, seeds, strict=False), 1):
            session.add(
                DrillItemRow(drill_id=row.id, place=place, pack=question.pack, slug=question.slug, seed=seed)
            )
        return row.id


def get(session: Session, user: User, drill_id: int) -> Drill | None:
    """A drill of the user's."""
    row = session.get(DrillRow, drill_id) if 0 < drill_id < 2**31 else None
    return _drill(session, row) if row is not None and row.user_id == user.id else None


def unfinished(session: Session, user: User) -> Drill | None:
    """The drill that was started last, while there is something left of it."""
    row = session.exec(
        select(DrillRow).where(DrillRow.user_id == user.id).order_by(col(DrillRow.id).desc()).limit(1)
    ).one_or_none()
    drill = _drill(session, row) if row is not None else None
    return drill if drill is not None and drill.next is not None else None


def pass_over(
    session: Session, user: User, drill_id: int, question: QuestionKey, seed: int, now: datetime
) -> None:
    """Goes on without the question."""
    with writing(session):
        row = session.get(DrillRow, drill_id)
        if row is None or row.user_id != user.id:
            return
        items = session.exec(
            select(DrillItemRow).where(
                DrillItemRow.drill_id == drill_id,
                DrillItemRow.pack == question.pack,
                DrillItemRow.slug == question.slug,
                DrillItemRow.seed == seed,
            )
        )
        for item in items:
            item.passed_at = item.passed_at or now


def end(session: Session, user: User, drill_id: int, now: datetime) -> None:
    """Leaves what remains of it."""
    with writing(session):
        row = session.get(DrillRow, drill_id)
        if row is not None and row.user_id == user.id:
            row.ended_at = row.ended_at or now


def _drill(session: Session, row: DrillRow) -> Drill:
    assert row.id is not None
    items = session.exec(
        select(DrillItemRow).where(DrillItemRow.drill_id == row.id).order_by(col(DrillItemRow.place))
    ).all()
    sittings = _sittings(session, row, items)
    numbers = [number for sitting_ids in sittings.values() for number in sitting_ids]
    answers: dict[int, list[Answer]] = {}
    for answer in session.exec(
        select(AnswerRow).where(col(AnswerRow.sitting_id).in_(numbers)).order_by(col(AnswerRow.id))
    ):
        answers.setdefault(answer.sitting_id, []).append(answer_of(answer))
    rated = session.exec(effective_ratings(row.user_id).where(col(RatingRow.sitting_id).in_(numbers)))
    ratings = {each.sitting_id: Rating(each.rating) for each in rated if each.rating is not None}
    return Drill(
        id=row.id,
        title=row.title,
        moves_schedule=row.moves_schedule,
        started_at=row.started_at,
        ended=row.ended_at is not None,
        items=tuple(_item(item, sittings, answers, ratings) for item in items),
    )


def _item(
    row: DrillItemRow,
    sittings: Mapping[tuple[QuestionKey, int], Sequence[int]],
    answers: Mapping[int, Sequence[Answer]],
    ratings: Mapping[int, Rating],
) -> DrillItem:
    """Over all sittings with these numbers, as the learner may have begun again: the last rating counts."""
    question = QuestionKey(row.pack, row.slug)
    own = sittings.get((question, row.seed), ())
    return DrillItem(
        place=row.place,
        question=question,
        seed=row.seed,
        passed=row.passed_at is not None,
        answers=tuple(answer for number in own for answer in answers.get(number, ())),
        rating=next((ratings[number] for number in reversed(own) if number in ratings), None),
    )


def _sittings(
    session: Session, row: DrillRow, items: Sequence[DrillItemRow]
) -> dict[tuple[QuestionKey, int], list[int]]:
    found: dict[tuple[QuestionKey, int], list[int]] = {}
    rows = session.exec(
        select(col(SittingRow.id), col(SittingRow.pack), col(SittingRow.slug), col(SittingRow.seed))
        .where(SittingRow.user_id == row.user_id, col(SittingRow.slug).in_({item.slug for item in items}))
        .order_by(col(SittingRow.id))
    )
    for number, pack, slug, seed in rows:
        if number is not None:
            found.setdefault((QuestionKey(pack, slug), seed), []).append(number)
    return found
