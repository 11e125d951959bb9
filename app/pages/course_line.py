"""The line above a question in the queue or in a drill: how far it is, and the last rating to undo."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from app.accounts.users import User
from app.bank.load import Bank
from app.pages.question_view import RATINGS
from app.practice import preferences, queue, ratings
from app.practice.drills import Drill
from app.practice.question_state import key_of
from app.practice.queue import Queue


@dataclass(frozen=True, slots=True)
class Line:
    """`counts` are numbers with their words; the bar stands at `done` of `of`."""

    label: str
    address: str
    counts: Sequence[tuple[int, str]]
    done: int
    of: int
    text: str


@dataclass(frozen=True, slots=True)
class Undo:
    """The last rating of the day, which can be taken back."""

    rating: int
    text: str


def build_queue(session: Session, user: User, bank: Bank, now: datetime) -> Queue:
    """The user's queue over the bank, new questions as they chose them."""
    choice = preferences.new_choice(session, user)
    chosen = (
        {key_of(question) for question in bank.questions.values() if choice.admits(question)}
        if choice
        else None
    )
    order = queue.serving_order(bank.questions.values())
    return queue.build(session, user, order, now, new_from=chosen)


def queue_line(waiting: Queue) -> Line:
    of = max(waiting.goal, waiting.done_today)
    return Line(
        label="Today",
        address="/practice",
        counts=(
            (waiting.done_today, "done today"),
            (waiting.due + waiting.again, "due"),
            (waiting.new, "new"),
        ),
        done=waiting.done_today,
        of=of,
        text=f"{waiting.done_today} of {waiting.goal} today",
    )


def drill_line(drill: Drill) -> Line:
    return Line(
        label=f"Drill: {drill.title}",
        address=f"/practice/drill/{drill.id}",
        counts=(),
        done=drill.done,
        of=max(len(drill.items), 1),
        text=f"{drill.done} of {len(drill.items)} done",
    )


def last_rating(
    session: Session, user: User, bank: Bank, now: datetime, *, sitting_id: int = 0
) -> Undo | None:
    """What there is to undo, unless it is the rating of the sitting on the page, which has its own button."""
    rated = ratings.last_today(session, user, now)
    if rated is None or rated.sitting_id == sitting_id:
        return None
    question = bank.at(rated.question)
    title = question.title if question else rated.question.slug
    return Undo(rated.id, f"the last rating: {RATINGS[rated.rating]}, “{title}”")
