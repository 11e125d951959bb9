"""What a user wants of the queue: which new questions, how many today, and where it stood."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlmodel import Session

from app.accounts.users import User
from app.bank.question import Question
from app.database import writing
from app.models import Json, UserRow
from app.practice.records import MAX_SEED, QuestionKey
from app.practice.study_day import study_day

MAX_GOAL: Final = 500
MAX_VALUES: Final = 50  # of one kind of choice


@dataclass(frozen=True, slots=True)
class Choice:
    """Which questions: of any of these topics, levels and companies; all where it names none."""

    topics: frozenset[str] = frozenset()
    levels: frozenset[str] = frozenset()
    companies: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.topics or self.levels or self.companies)

    def admits(self, question: Question) -> bool:
        meta = question.meta
        return (
            (not self.topics or not self.topics.isdisjoint(meta.topics))
            and (not self.levels or meta.level in self.levels)
            and (not self.companies or not self.companies.isdisjoint(question.companies))
        )


ANY: Final = Choice()


@dataclass(frozen=True, slots=True)
class Served:
    """The question that the queue served last, with these numbers."""

    question: QuestionKey
    seed: int


def _row(session: Session, user: User) -> UserRow | None:
    return session.get(UserRow, user.id)  # a visitor has none


def new_choice(session: Session, user: User) -> Choice:
    """What new questions are drawn from."""
    row = _row(session, user)
    kept: Json = row.new_choice if row else None
    if not isinstance(kept, Mapping):
        return ANY
    return Choice(*(_words(kept.get(name)) for name in ("topics", "levels", "companies")))


def choose_new(session: Session, user: User, choice: Choice) -> None:
    with writing(session):
        session.get_one(UserRow, user.id).new_choice = {
            name: sorted(getattr(choice, name))[:MAX_VALUES] for name in ("topics", "levels", "companies")
        }


def goal_today(session: Session, user: User, now: datetime) -> int:
    """The daily goal, and what was added to it today."""
    row = _row(session, user)
    extra = row.extra_goal if row and row.extra_day == study_day(now, user.zone) else 0
    return min(user.daily_goal + extra, MAX_GOAL)


def go_on(session: Session, user: User, done: int, now: datetime) -> None:
    """Sets today's goal to another round of it after what is done; asking twice for one round adds one."""
    with writing(session):
        row = session.get_one(UserRow, user.id)
        row.extra_day = study_day(now, user.zone)
        row.extra_goal = min(done, MAX_GOAL)


def served(session: Session, user: User) -> Served | None:
    row = _row(session, user)
    kept: Json = row.served if row else None
    try:
        found = Served(QuestionKey(str(kept["pack"]), str(kept["slug"])), int(kept["seed"]))
    except (KeyError, TypeError, ValueError):
        return None
    return found if 0 <= found.seed <= MAX_SEED else None


def remember_served(session: Session, user: User, question: QuestionKey, seed: int) -> None:
    """Where the queue stands, so that it goes on there after the window was closed."""
    if served(session, user) == Served(question, seed):
        return
    with writing(session):
        row = session.get_one(UserRow, user.id)
        row.served = {"pack": question.pack, "slug": question.slug, "seed": seed}


def _words(kept: Any) -> frozenset[str]:
    return (
        frozenset(map(str, kept)) if isinstance(kept, Iterable) and not isinstance(kept, str) else frozenset()
    )
