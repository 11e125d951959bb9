"""What to practise next: what is due, what came out as Again today, then what is new."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from sqlmodel import Session, col, func, select

from app.accounts.users import User
from app.models import CardRow, RatingRow
from app.practice.effective import counting, effective_ratings
from app.practice.records import QuestionKey
from app.practice.schedule import Rating
from app.practice.study_day import study_day


class State(StrEnum):
    DUE = "due"
    AGAIN = "again"  # rated Again today: comes back once, before tomorrow
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Item:
    """A question in the queue; `seed` is the variant that this user has not met yet."""

    question: QuestionKey
    state: State
    seed: int
    due_day: date | None


@dataclass(frozen=True, slots=True)
class Queue:
    items: tuple[Item, ...]
    done_today: int
    """Questions rated in this study day, each counted once."""
    daily_goal: int

    def count(self, state: State) -> int:
        return sum(item.state == state for item in self.items)

    @property
    def goal_reached(self) -> bool:
        return self.done_today >= self.daily_goal


def build(session: Session, user: User, bank: Sequence[QuestionKey], now: datetime) -> Queue:
    """The user's queue over the bank's questions, in the bank's order where nothing else decides.

    A question that has left the bank is not served; its card waits in case it returns.
    """
    today = study_day(now, user.zone)
    due_days = _due_days(session, user)
    seeds = _times_rated(session, user)
    today_ratings = _ratings_of(session, user, today)
    order = {question: place for place, question in enumerate(dict.fromkeys(bank))}

    due = [question for question in order if question in due_days and due_days[question] <= today]
    due.sort(key=lambda question: due_days[question])  # stable: the bank's order within a day
    again = [question for question in order if today_ratings.get(question) == [Rating.AGAIN]]
    new = [question for question in order if question not in due_days and question not in today_ratings]

    def items(questions: Sequence[QuestionKey], state: State) -> list[Item]:
        return [Item(q, state, seeds.get(q, 0), due_days.get(q)) for q in questions]

    return Queue(
        items=(*items(due, State.DUE), *items(again, State.AGAIN), *items(new, State.NEW)),
        done_today=len(today_ratings),
        daily_goal=user.daily_goal,
    )


def _due_days(session: Session, user: User) -> dict[QuestionKey, date]:
    cards = session.exec(
        select(col(CardRow.pack), col(CardRow.slug), col(CardRow.due_day)).where(CardRow.user_id == user.id)
    )
    return {QuestionKey(pack, slug): due_day for pack, slug, due_day in cards}


def _times_rated(session: Session, user: User) -> dict[QuestionKey, int]:
    rows = session.exec(
        select(col(RatingRow.pack), col(RatingRow.slug), func.count())
        .where(*counting(user.id))
        .group_by(col(RatingRow.pack), col(RatingRow.slug))
    )
    return {QuestionKey(pack, slug): times for pack, slug, times in rows}


def _ratings_of(session: Session, user: User, day: date) -> dict[QuestionKey, list[Rating]]:
    found: dict[QuestionKey, list[Rating]] = {}
    rows = session.exec(
        effective_ratings(user.id).where(col(RatingRow.study_day) == day).order_by(col(RatingRow.id))
    )
    for row in rows:
        assert row.rating is not None
        found.setdefault(QuestionKey(row.pack, row.slug), []).append(Rating(row.rating))
    return found
