"""What has been practised and how it went: the attempts, the results by topic, the reviews to come."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from sqlmodel import Session, col, select

from app.accounts.users import User
from app.models import AnswerRow, CardRow, RatingRow, SittingRow
from app.practice.attempts import FORMAT, Answer, answer_of
from app.practice.effective import effective_ratings
from app.practice.records import QuestionKey
from app.practice.schedule import Rating
from app.practice.sittings import Sitting, sitting_of
from app.practice.study_day import study_day

MAX_PAGE: Final = 100


@dataclass(frozen=True, slots=True)
class Attempt:
    """A sitting with what came of it."""

    sitting: Sitting
    answers: tuple[Answer, ...]
    rating: Rating | None

    @property
    def best(self) -> Answer | None:
        """The answer with the most credit, the earliest of these."""
        counting = [answer for answer in self.answers if answer.counts]
        return max(counting, key=lambda answer: answer.graded.credit or 0.0, default=None)


@dataclass(frozen=True, slots=True)
class AttemptPage:
    attempts: tuple[Attempt, ...]
    before: int | None
    """Where the next page begins; None on the last one."""


@dataclass(frozen=True, slots=True)
class TopicResult:
    topic: str
    questions: int
    """Questions answered or rated, each counted once."""
    graded: int
    """Sittings with an answer that was graded."""
    right_at_once: int
    """Of these, those whose first answers were all right."""
    credit: float | None
    """Mean credit of the first answers; None where none was graded."""
    ratings: Mapping[Rating, int]


@dataclass(frozen=True, slots=True)
class DayForecast:
    day: date
    due: int


@dataclass(frozen=True, slots=True)
class Forecast:
    overdue: int
    """Reviews whose day has passed."""
    days: tuple[DayForecast, ...]
    """Today first."""


def attempts(session: Session, user: User, *, before: int | None = None, limit: int = 50) -> AttemptPage:
    """A page of attempts, newest first, beginning below the sitting with the number `before`."""
    limit = max(1, min(limit, MAX_PAGE))
    query = select(SittingRow).where(SittingRow.user_id == user.id).order_by(col(SittingRow.id).desc())
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
    return AttemptPage(
        attempts=tuple(
            Attempt(sitting, tuple(answers[sitting.id]), ratings.get(sitting.id)) for sitting in page
        ),
        before=numbers[-1] if len(rows) > limit else None,
    )


def results_by_topic(
    session: Session, user: User, topics: Mapping[QuestionKey, str]
) -> tuple[TopicResult, ...]:
    """How it went by topic, in the order in which `topics` names them; other questions are left out."""
    tried: dict[str, set[QuestionKey]] = defaultdict(set)
    first_credits: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    ratings: dict[str, Counter[Rating]] = defaultdict(Counter)
    for question, sitting_id, credit in _first_answers(session, user):
        if question in topics:
            topic = topics[question]
            tried[topic].add(question)
            if credit is not None:
                first_credits[topic][sitting_id].append(credit)
    for row in session.exec(effective_ratings(user.id)):
        question = QuestionKey(row.pack, row.slug)
        if question in topics and row.rating is not None:
            tried[topics[question]].add(question)
            ratings[topics[question]][Rating(row.rating)] += 1
    return tuple(
        _topic_result(topic, tried[topic], list(first_credits[topic].values()), ratings[topic])
        for topic in dict.fromkeys(topics.values())
        if tried[topic]
    )


def forecast(
    session: Session, user: User, bank: Sequence[QuestionKey], now: datetime, days: int = 14
) -> Forecast:
    """How many reviews of the bank's questions fall due on each of the coming study days, today first."""
    today = study_day(now, user.zone)
    last = today + timedelta(days=days - 1)
    known = set(bank)
    cards = session.exec(
        select(col(CardRow.pack), col(CardRow.slug), col(CardRow.due_day)).where(
            CardRow.user_id == user.id, CardRow.due_day <= last
        )
    )
    due = Counter(due_day for pack, slug, due_day in cards if QuestionKey(pack, slug) in known)
    coming = (today + timedelta(days=ahead) for ahead in range(days))
    return Forecast(
        overdue=sum(count for day, count in due.items() if day < today),
        days=tuple(DayForecast(day, due[day]) for day in coming),
    )


def _first_answers(session: Session, user: User) -> list[tuple[QuestionKey, int, float | None]]:
    """Of each part of each sitting the first answer that counts: its question, its sitting, its credit."""
    sittings = session.exec(
        select(col(SittingRow.id), col(SittingRow.pack), col(SittingRow.slug)).where(
            SittingRow.user_id == user.id
        )
    )
    questions = {number: QuestionKey(pack, slug) for number, pack, slug in sittings}
    rows = session.exec(
        select(col(AnswerRow.sitting_id), col(AnswerRow.part), col(AnswerRow.credit))
        .where(AnswerRow.user_id == user.id, AnswerRow.outcome != FORMAT, col(AnswerRow.repeat_of).is_(None))
        .order_by(col(AnswerRow.id))
    )
    first: dict[tuple[int, str], tuple[QuestionKey, int, float | None]] = {}
    for sitting_id, part, credit in rows:
        first.setdefault((sitting_id, part), (questions[sitting_id], sitting_id, credit))
    return list(first.values())


def _topic_result(
    topic: str, tried: set[QuestionKey], sittings: list[list[float]], ratings: Mapping[Rating, int]
) -> TopicResult:
    credits_given = [credit for sitting in sittings for credit in sitting]
    return TopicResult(
        topic=topic,
        questions=len(tried),
        graded=len(sittings),
        right_at_once=sum(min(sitting) == 1 for sitting in sittings),
        credit=sum(credits_given) / len(credits_given) if credits_given else None,
        ratings=dict(ratings),
    )
