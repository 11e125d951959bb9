"""What an interview is set up with, and set-ups that were given a name to be used again."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlmodel import Session, col, func, select

from app.accounts.users import User
from app.database import clean_text, writing
from app.models import InterviewSetRow, UserRow
from app.practice.interviews import MAX_MINUTES, MAX_QUESTIONS
from app.practice.preferences import ANY, MAX_VALUES, Choice

MAX_SETS: Final = 50
MAX_NAME: Final = 80


class TooManySets(ValueError):  # noqa: N818 (reads as what it is)
    """The user has `MAX_SETS` already."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """`slugs` names the questions in their order; where it names none they are drawn by the choice."""

    minutes: int = 45
    questions: int = 6
    choice: Choice = ANY
    slugs: tuple[str, ...] = ()
    follow_ups: bool = True
    reveal_each: bool = False
    moves_schedule: bool = False


@dataclass(frozen=True, slots=True)
class SavedSet:
    id: int
    name: str
    set_up: SetUp


def saved(session: Session, user: User) -> tuple[SavedSet, ...]:
    """The user's, by name."""
    rows = session.exec(select(InterviewSetRow).where(InterviewSetRow.user_id == user.id)).all()
    return tuple(sorted(map(_saved, rows), key=lambda each: each.name.casefold()))


def get(session: Session, user: User, set_id: int) -> SavedSet | None:
    row = session.get(InterviewSetRow, set_id) if 0 < set_id < 2**31 else None
    return _saved(row) if row is not None and row.user_id == user.id else None


def save(session: Session, user: User, name: str, set_up: SetUp) -> None:
    """Keeps the set-up under the name, in the place of one that has it. Raises `TooManySets`."""
    name = clean_text(name)[:MAX_NAME]
    values: dict[str, Any] = {
        "minutes": set_up.minutes,
        "questions": set_up.questions,
        "choice": {
            each: sorted(getattr(set_up.choice, each))[:MAX_VALUES]
            for each in ("topics", "levels", "companies")
        },
        "slugs": list(set_up.slugs),
        "follow_ups": set_up.follow_ups,
        "reveal_each": set_up.reveal_each,
        "moves_schedule": set_up.moves_schedule,
    }
    with writing(session):
        session.exec(select(UserRow.id).where(UserRow.id == user.id).with_for_update())
        row = session.exec(
            select(InterviewSetRow).where(InterviewSetRow.user_id == user.id, InterviewSetRow.name == name)
        ).one_or_none()
        if row is not None:
            row.sqlmodel_update(values)
            return
        count = session.exec(select(func.count()).where(col(InterviewSetRow.user_id) == user.id)).one()
        if count >= MAX_SETS:
            raise TooManySets(f"there are {MAX_SETS} saved sets; delete one first")
        session.add(InterviewSetRow(user_id=user.id, name=name, **values))


def delete(session: Session, user: User, set_id: int) -> None:
    with writing(session):
        row = session.get(InterviewSetRow, set_id) if 0 < set_id < 2**31 else None
        if row is not None and row.user_id == user.id:
            session.delete(row)


def _saved(row: InterviewSetRow) -> SavedSet:
    assert row.id is not None
    choice = row.choice if isinstance(row.choice, Mapping) else {}
    return SavedSet(
        id=row.id,
        name=row.name,
        set_up=SetUp(
            minutes=max(1, min(row.minutes, MAX_MINUTES)),
            questions=max(1, min(row.questions, MAX_QUESTIONS)),
            choice=Choice(
                *(frozenset(_words(choice.get(name))) for name in ("topics", "levels", "companies"))
            ),
            slugs=_words(row.slugs),
            follow_ups=row.follow_ups,
            reveal_each=row.reveal_each,
            moves_schedule=row.moves_schedule,
        ),
    )


def _words(kept: Any) -> tuple[str, ...]:
    """An archive may have brought anything."""
    return tuple(map(str, kept)) if isinstance(kept, Iterable) and not isinstance(kept, str) else ()
