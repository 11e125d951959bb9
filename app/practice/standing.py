"""Where a learner stands with each question: new, due or scheduled, the last result, how well it is known."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from sqlmodel import Session, col, func, select

from app.accounts.users import User
from app.models import AnswerRow, CardRow, SittingRow
from app.practice.attempts import FORMAT
from app.practice.effective import counted
from app.practice.records import QuestionKey
from app.practice.schedule import Rating, recall
from app.practice.study_day import study_day

LATELY: Final = timedelta(days=14)
WRONG: Final = ("wrong", "mistake")


@dataclass(frozen=True, slots=True)
class Standing:
    """Before the first rating `due_day`, `rating`, `recall` and `difficulty` are None.

    `recall` is how likely that is today, `difficulty` is FSRS's, from 1 to 10.
    """

    due_day: date | None = None
    rating: Rating | None = None
    recall: float | None = None
    outcome: str | None = None  # of the last answer that could be read
    answered_on: date | None = None
    rated_on: date | None = None
    difficulty: float | None = None
    lapses: int = 0

    def wrong_lately(self, today: date) -> bool:
        """Whether the last answer was not right, or the last rating Again, in the last two weeks."""
        answered = self.outcome in WRONG and self.answered_on is not None
        rated = self.rating == Rating.AGAIN and self.rated_on is not None
        return (answered and today - (self.answered_on or today) <= LATELY) or (
            rated and today - (self.rated_on or today) <= LATELY
        )

    @property
    def new(self) -> bool:
        """Neither answered nor rated yet."""
        return self.due_day is None and self.outcome is None


NEW = Standing()


@dataclass(frozen=True, slots=True)
class TopicMastery:
    """A topic's questions, how many have been met, and what is remembered now of those that were rated."""

    topic: str
    questions: int
    seen: int
    remembered: float | None
    """None before the first rating."""


def standings(
    session: Session, user: User, questions: Iterable[QuestionKey], now: datetime
) -> dict[QuestionKey, Standing]:
    """Of each of the questions."""
    today = study_day(now, user.zone)
    answered = _last_answers(session, user)
    cards = session.exec(select(CardRow).where(CardRow.user_id == user.id))
    by_question = {QuestionKey(card.pack, card.slug): card for card in cards}
    return {
        question: _standing(by_question.get(question), answered.get(question), today)
        for question in questions
    }


def upcoming(known: Mapping[QuestionKey, Standing]) -> list[tuple[QuestionKey, Standing]]:
    """The questions with a review to come, the earliest first."""
    scheduled = [(question, standing) for question, standing in known.items() if standing.due_day is not None]
    return sorted(scheduled, key=lambda pair: (pair[1].due_day or date.max, pair[0]))


def mastery_by_topic(
    known: Mapping[QuestionKey, Standing], topics: Mapping[str, Sequence[QuestionKey]]
) -> tuple[TopicMastery, ...]:
    """Of each topic that has questions: FSRS's mean recall today over those of them that have been rated."""
    return tuple(
        _mastery(topic, [known[each] for each in questions])
        for topic, questions in topics.items()
        if questions
    )


def _mastery(topic: str, standings_there: Sequence[Standing]) -> TopicMastery:
    recalls = [standing.recall for standing in standings_there if standing.recall is not None]
    return TopicMastery(
        topic=topic,
        questions=len(standings_there),
        seen=sum(not standing.new for standing in standings_there),
        remembered=sum(recalls) / len(recalls) if recalls else None,
    )


def _standing(card: CardRow | None, answered: tuple[str, date] | None, today: date) -> Standing:
    outcome, answered_on = answered or (None, None)
    if card is None:
        return Standing(outcome=outcome, answered_on=answered_on)
    return Standing(
        due_day=card.due_day,
        rating=Rating(card.last_rating),
        recall=recall(card.stability, card.last_day, today),
        outcome=outcome,
        answered_on=answered_on,
        rated_on=card.last_day,
        difficulty=card.difficulty,
        lapses=card.lapses,
    )


def _last_answers(session: Session, user: User) -> dict[QuestionKey, tuple[str, date]]:
    """The outcome of the last answer to each question, and the study day that its sitting began in."""
    last = (
        select(func.max(col(AnswerRow.id)))
        .join(SittingRow, col(SittingRow.id) == col(AnswerRow.sitting_id))
        .where(AnswerRow.user_id == user.id, AnswerRow.outcome != FORMAT, counted(user.id))
        .group_by(col(SittingRow.pack), col(SittingRow.slug))
    )
    rows = session.exec(
        select(col(SittingRow.pack), col(SittingRow.slug), col(AnswerRow.outcome), col(SittingRow.study_day))
        .join(SittingRow, col(SittingRow.id) == col(AnswerRow.sitting_id))
        .where(col(AnswerRow.id).in_(last))
    )
    return {QuestionKey(pack, slug): (outcome, day) for pack, slug, outcome, day in rows}
