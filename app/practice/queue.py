"""What to practise today: what is due mixed with what is new, up to the day's goal, and what comes back.

The plan of a day is worked out anew each time, from what is stored. Each question has its place in the whole
day, done or not, so that the plan stays as it is while it is worked through.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Final, NamedTuple

from sqlmodel import Session, and_, col, select

from app.accounts.users import User
from app.bank.question import Question
from app.bank.schema import LEVELS
from app.bank.topics import TOPICS
from app.models import CardRow, RatingRow, SittingRow
from app.practice import marks, preferences
from app.practice.effective import counting, effective_ratings
from app.practice.preferences import Served
from app.practice.question_state import key_of
from app.practice.records import QuestionKey
from app.practice.schedule import Rating
from app.practice.study_day import study_day

AGAIN_AFTER: Final = 3  # other questions, where there are so many, before an Again comes back


class State(StrEnum):
    DUE = "due"
    AGAIN = "again"  # rated Again today: comes back once, before tomorrow
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Item:
    """A question of the plan; `seed` is set where it was served before and waits to be rated."""

    question: QuestionKey
    state: State
    due_day: date | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Queue:
    """`items` are what is left of today's plan, in order; `due` and `new` count what lies beyond it too."""

    items: tuple[Item, ...]
    due: int
    new: int
    done_today: int
    """Questions rated in this study day, each counted once."""
    goal: int
    skipped: tuple[QuestionKey, ...] = ()

    @property
    def again(self) -> int:
        return sum(item.state == State.AGAIN for item in self.items)

    @property
    def goal_reached(self) -> bool:
        return self.done_today >= self.goal


class _Card(NamedTuple):
    due_day: date
    met_today: bool
    """Whether its first review is today's."""


@dataclass(frozen=True, slots=True)
class _RatedToday:
    question: QuestionKey
    rating: Rating
    may_move: bool


def serving_order(questions: Iterable[Question]) -> list[QuestionKey]:
    """Topic by topic in turn, and within a topic from the junior level up: new questions come mixed."""
    topics, places = list(TOPICS), dict.fromkeys(TOPICS, 0)
    ordered: list[tuple[int, int, QuestionKey]] = []
    for question in sorted(questions, key=lambda each: (LEVELS.index(each.meta.level), each.slug)):
        topic = question.meta.topics[0]
        ordered.append((places[topic], topics.index(topic), key_of(question)))
        places[topic] += 1
    return [key for _, _, key in sorted(ordered)]


def build(
    session: Session,
    user: User,
    bank: Sequence[QuestionKey],
    now: datetime,
    *,
    new_from: Collection[QuestionKey] | None = None,
) -> Queue:
    """Today's plan over the bank's questions, in the bank's order where nothing else decides.

    New questions are taken from `new_from`, all where it is None. A question that has left the bank is not
    served; its card waits in case it returns. What is suspended, or skipped for the day, is left out.
    """
    today = study_day(now, user.zone)
    cards = _cards(session, user, today)
    rated = _rated_today(session, user, today)
    done = {each.question for each in rated}
    marked = marks.all_of(session, user)
    skipped = {question for question, each in marked.items() if each.skipped_day == today}
    left_out = skipped | {question for question, each in marked.items() if each.suspended}
    order = [question for question in dict.fromkeys(bank) if question not in left_out]

    due = [question for question in order if question in cards and cards[question].due_day <= today]
    due.sort(key=lambda question: cards[question].due_day)  # stable: the bank's order within a day
    new = [
        question
        for question in order
        if question not in cards and question not in done and (new_from is None or question in new_from)
    ]
    goal = preferences.goal_today(session, user, now)
    met_today = sum(question in cards and cards[question].met_today for question in done)
    room = max(goal - len(done), 0)
    items = _mixed(
        [Item(question, State.DUE, cards[question].due_day) for question in due[:room]],
        [Item(question, State.NEW) for question in new[: max(room - len(due), 0)]],
        reviewed=len(done) - met_today,
        met=met_today,
    )
    items = _with_agains(items, rated, frozenset(order))
    return Queue(
        items=tuple(_resumed(items, _waiting(session, user))),
        due=len(due),
        new=len(new),
        done_today=len(done),
        goal=goal,
        skipped=tuple(question for question in dict.fromkeys(bank) if question in skipped),
    )


def _mixed(due: list[Item], new: list[Item], *, reviewed: int, met: int) -> list[Item]:
    """Both spread evenly over the whole day, of which so many have been reviewed and met already."""
    reviews, firsts = reviewed + len(due), met + len(new)
    placed = [((reviewed + number + 0.5) / reviews, item) for number, item in enumerate(due)]
    placed += [((met + number + 0.5) / firsts, item) for number, item in enumerate(new)]
    return [item for _, item in sorted(placed, key=lambda pair: pair[0])]  # stable: due before new


def _with_agains(
    items: list[Item], rated: Sequence[_RatedToday], known: Collection[QuestionKey]
) -> list[Item]:
    """What came out as Again and has not come back yet, put where some other questions lie between."""
    plan = list(items)
    for place, again in enumerate(rated):
        times = sum(each.question == again.question and each.may_move for each in rated)
        if again.rating == Rating.AGAIN and again.may_move and times == 1 and again.question in known:
            since = len(rated) - 1 - place
            plan.insert(max(AGAIN_AFTER - since, 0), Item(again.question, State.AGAIN))
    return plan


def _resumed(items: list[Item], served: Served | None) -> list[Item]:
    """What was served last and is still to be rated comes first, with the numbers that it had."""
    place = next((i for i, item in enumerate(items) if served and item.question == served.question), None)
    if place is None or served is None:
        return items
    return [replace(items[place], seed=served.seed), *items[:place], *items[place + 1 :]]


def _waiting(session: Session, user: User) -> Served | None:
    """What was served last, unless it has been rated."""
    served = preferences.served(session, user)
    if served is None:
        return None
    rated = (
        select(RatingRow.id)
        .join(SittingRow, col(SittingRow.id) == col(RatingRow.sitting_id))
        .where(
            *counting(user.id),
            SittingRow.pack == served.question.pack,
            SittingRow.slug == served.question.slug,
            SittingRow.seed == served.seed,
        )
    )
    return None if session.exec(rated.limit(1)).first() else served


def _cards(session: Session, user: User, today: date) -> dict[QuestionKey, _Card]:
    first_today = and_(col(CardRow.reviews) == 1, col(CardRow.last_day) == today)
    rows = session.exec(
        select(col(CardRow.pack), col(CardRow.slug), col(CardRow.due_day), first_today).where(
            CardRow.user_id == user.id
        )
    )
    return {QuestionKey(pack, slug): _Card(due_day, bool(first)) for pack, slug, due_day, first in rows}


def _rated_today(session: Session, user: User, day: date) -> list[_RatedToday]:
    """The day's ratings that count, in the order in which they were given."""
    rows = session.exec(
        effective_ratings(user.id).where(RatingRow.study_day == day).order_by(col(RatingRow.id))
    )
    return [
        _RatedToday(QuestionKey(row.pack, row.slug), Rating(row.rating), row.may_move)
        for row in rows
        if row.rating is not None
    ]
