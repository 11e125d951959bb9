"""The attempts, newest first, and how many reviews are to come on which day."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from sqlmodel import Session, col, select

from app.accounts.users import User
from app.models import AnswerRow, InterviewItemRow, InterviewRow, RatingRow, SittingRow
from app.practice.attempts import Answer, answer_of
from app.practice.effective import effective_ratings, told
from app.practice.marks import NONE, Marks
from app.practice.records import QuestionKey
from app.practice.schedule import Rating
from app.practice.sittings import Sitting, sitting_of
from app.practice.standing import Standing

MAX_PAGE: Final = 100


@dataclass(frozen=True, slots=True)
class Attempt:
    """A sitting with what came of it; `abandoned` says of an interview's how that ended, None without one."""

    sitting: Sitting
    answers: tuple[Answer, ...]
    rating: Rating | None
    abandoned: bool | None = None


@dataclass(frozen=True, slots=True)
class AttemptPage:
    attempts: tuple[Attempt, ...]
    before: int | None
    """Where the next page begins; None on the last one."""


@dataclass(frozen=True, slots=True)
class DayForecast:
    day: date
    due: int


@dataclass(frozen=True, slots=True)
class Forecast:
    days: tuple[DayForecast, ...]
    """Today first, with what is overdue: it is served today."""
    overdue: int
    later: int
    """Reviews after the last of the days."""


def attempts(
    session: Session, user: User, *, before: int | None = None, limit: int = 50, all_told: bool = False
) -> AttemptPage:
    """A page of attempts, newest first, beginning below the sitting with the number `before`.

    Those of an interview that runs are told with its report, unless `all_told`.
    """
    limit = max(1, min(limit, MAX_PAGE))
    query = select(SittingRow).where(SittingRow.user_id == user.id).order_by(col(SittingRow.id).desc())
    if not all_told:
        query = query.where(told(user.id))
    if before is not None:
        query = query.where(col(SittingRow.id) < min(before, 2**31 - 1))
    rows = session.exec(query.limit(limit + 1)).all()
    page = [sitting_of(row) for row in rows[:limit]]
    numbers = [sitting.id for sitting in page]
    answers: dict[int, list[Answer]] = defaultdict(list)
    for row in session.exec(
        select(AnswerRow).where(col(AnswerRow.sitting_id).in_(numbers)).order_by(col(AnswerRow.id))
    ):
        answers[row.sitting_id].append(answer_of(row))
    rated = session.exec(effective_ratings(user.id).where(col(RatingRow.sitting_id).in_(numbers)))
    ratings = {row.sitting_id: Rating(row.rating) for row in rated if row.rating is not None}
    held = session.exec(
        select(col(InterviewItemRow.sitting_id), col(InterviewRow.abandoned))
        .join(InterviewRow, col(InterviewRow.id) == col(InterviewItemRow.interview_id))
        .where(col(InterviewItemRow.sitting_id).in_(numbers))
    )
    interviews = {number: abandoned for number, abandoned in held if number is not None}
    return AttemptPage(
        attempts=tuple(
            Attempt(sitting, tuple(answers[sitting.id]), ratings.get(sitting.id), interviews.get(sitting.id))
            for sitting in page
        ),
        before=numbers[-1] if len(rows) > limit else None,
    )


def forecast(
    known: Mapping[QuestionKey, Standing], marked: Mapping[QuestionKey, Marks], today: date, days: int = 30
) -> Forecast:
    """How many reviews fall due on each of the coming study days; a suspended question has none."""
    due = [
        standing.due_day
        for question, standing in known.items()
        if standing.due_day is not None and not marked.get(question, NONE).suspended
    ]
    on_day = Counter(max(day, today) for day in due)
    coming = [today + timedelta(days=ahead) for ahead in range(days)]
    return Forecast(
        days=tuple(DayForecast(day, on_day[day]) for day in coming),
        overdue=sum(day < today for day in due),
        later=sum(day > coming[-1] for day in due),
    )
