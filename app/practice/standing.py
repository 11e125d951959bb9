"""Where a learner stands with each question: new, due or scheduled, the last result, how well it is known."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

import fsrs
from sqlmodel import Session, col, func, select

from app.accounts.users import User
from app.models import AnswerRow, CardRow, SittingRow
from app.practice.attempts import FORMAT
from app.practice.records import QuestionKey
from app.practice.schedule import Rating
from app.practice.study_day import study_day

_CURVE = fsrs.Scheduler()  # the forgetting curve; FSRS has the same one whatever retention is wanted


@dataclass(frozen=True, slots=True)
class Standing:
    """Before the first rating `due_day`, `rating` and `recall` (how likely that is today) are None."""

    due_day: date | None = None
    rating: Rating | None = None
    recall: float | None = None
    outcome: str | None = None  # of the last answer that could be read

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
    outcomes = _last_outcomes(session, user)
    cards = session.exec(select(CardRow).where(CardRow.user_id == user.id))
    by_question = {QuestionKey(card.pack, card.slug): card for card in cards}
    return {
        question: _standing(by_question.get(question), outcomes.get(question), today)
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


def _standing(card: CardRow | None, outcome: str | None, today: date) -> Standing:
    if card is None:
        return Standing(outcome=outcome)
    return Standing(
        due_day=card.due_day, rating=Rating(card.last_rating), recall=_recall(card, today), outcome=outcome
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


def _last_outcomes(session: Session, user: User) -> dict[QuestionKey, str]:
    last = (
        select(func.max(col(AnswerRow.id)))
        .join(SittingRow, col(SittingRow.id) == col(AnswerRow.sitting_id))
        .where(AnswerRow.user_id == user.id, AnswerRow.outcome != FORMAT)
        .group_by(col(SittingRow.pack), col(SittingRow.slug))
    )
    rows = session.exec(
        select(col(SittingRow.pack), col(SittingRow.slug), col(AnswerRow.outcome))
        .join(SittingRow, col(SittingRow.id) == col(AnswerRow.sitting_id))
        .where(col(AnswerRow.id).in_(last))
    )
    return {QuestionKey(pack, slug): outcome for pack, slug, outcome in rows}
