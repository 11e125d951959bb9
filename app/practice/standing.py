"""Where a learner stands with each question: new, due or scheduled, the last result, how well it is known."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

import fsrs
from sqlmodel import Session, col, func, select

from app.accounts.users import User
from app.models import AnswerRow, CardRow, SittingRow
from app.practice.attempts import FORMAT
from app.practice.records import QuestionKey
from app.practice.schedule import Rating
from app.practice.study_day import study_day

LATELY: Final = timedelta(days=14)
WRONG: Final = ("wrong", "mistake")
_CURVE = fsrs.Scheduler()  # the forgetting curve; FSRS has the same one whatever retention is wanted


@dataclass(frozen=True, slots=True)
class Standing:
    """Before the first rating `due_day`, `rating` and `recall` (how likely that is today) are None."""

    due_day: date | None = None
    rating: Rating | None = None
    recall: float | None = None
    outcome: str | None = None  # of the last answer that could be read
    answered_on: date | None = None
    rated_on: date | None = None

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
    """A topic's questions, how many have been practised, and the mean recall over all of them."""

    topic: str
    questions: int
    seen: int
    mastery: float


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
    """Over each topic's questions; one that has not been practised counts as not known."""
    return tuple(
        TopicMastery(
            topic=topic,
            questions=len(questions),
            seen=sum(not known[question].new for question in questions),
            mastery=sum(known[question].recall or 0.0 for question in questions) / len(questions),
        )
        for topic, questions in topics.items()
        if questions
    )


def _standing(card: CardRow | None, answered: tuple[str, date] | None, today: date) -> Standing:
    outcome, answered_on = answered or (None, None)
    if card is None:
        return Standing(outcome=outcome, answered_on=answered_on)
    return Standing(
        due_day=card.due_day,
        rating=Rating(card.last_rating),
        recall=_recall(card, today),
        outcome=outcome,
        answered_on=answered_on,
        rated_on=card.last_day,
    )


def _recall(card: CardRow, today: date) -> float:
    studied = fsrs.Card(
        card_id=1,  # given, because finding one costs a wait
        state=fsrs.State.Review,
        stability=card.stability,
        difficulty=card.difficulty,
        last_review=_noon(card.last_day),
    )
    return float(_CURVE.get_card_retrievability(studied, _noon(max(today, card.last_day))))


def _noon(day: date) -> datetime:
    return datetime.combine(day, time(12), UTC)


def _last_answers(session: Session, user: User) -> dict[QuestionKey, tuple[str, date]]:
    """The outcome of the last answer to each question, and the study day that its sitting began in."""
    last = (
        select(func.max(col(AnswerRow.id)))
        .join(SittingRow, col(SittingRow.id) == col(AnswerRow.sitting_id))
        .where(AnswerRow.user_id == user.id, AnswerRow.outcome != FORMAT)
        .group_by(col(SittingRow.pack), col(SittingRow.slug))
    )
    rows = session.exec(
        select(col(SittingRow.pack), col(SittingRow.slug), col(AnswerRow.outcome), col(SittingRow.study_day))
        .join(SittingRow, col(SittingRow.id) == col(AnswerRow.sitting_id))
        .where(col(AnswerRow.id).in_(last))
    )
    return {QuestionKey(pack, slug): (outcome, day) for pack, slug, outcome, day in rows}
