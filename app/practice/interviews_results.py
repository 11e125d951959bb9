"""How an interview went: the credit of each question, by topic, against earlier ones, and what is weak."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlmodel import Session

from app import grading
from app.accounts.users import User
from app.bank.graded import PartPoint
from app.bank.load import Bank
from app.bank.problems import BrokenQuestionError, VariantError
from app.bank.sections import KeyPoint
from app.bank.variants import Variant, make_variant
from app.practice import answering, ratings
from app.practice.interviews import Interview, Item, Summary, mean, summaries
from app.practice.question_state import QuestionState
from app.practice.schedule import Rating

WEAK_BELOW: Final = 0.7  # of the credit


@dataclass(frozen=True, slots=True)
class TopicResult:
    """A topic in an interview: `credit` is None where nothing was judged, `earlier` where nothing was."""

    topic: str
    asked: int
    credit: float | None
    seconds: int
    earlier: float | None


def variant_of(bank: Bank, item: Item) -> Variant | None:
    """The question with the numbers that were asked; None where the bank has it no more."""
    begun = item.sitting.content_hash if item.sitting else ""
    question = bank.as_begun(item.question, begun)
    if question is None:
        return None
    kept = item.sitting.params if item.sitting else None
    asked = {str(name): str(text) for name, text in kept.items()} if isinstance(kept, Mapping) else {}
    try:
        return make_variant(question, item.seed, asked)
    except VariantError as error:  # the question has been edited since
        return error.fallback
    except BrokenQuestionError:
        return None


def judged_by_points(variant: Variant) -> bool:
    """Whether the learner judges the answer, or a part of it, by its key points."""
    in_words = variant.answer is None and not variant.choices and not variant.parts
    return bool(answering.key_points(variant)) and (
        in_words or any(part.key_points for part in variant.parts)
    )


def credit_of(
    variant: Variant, credits_by_part: Mapping[str, float | None], ticked: Collection[str] | None
) -> float | None:
    """From 0 to 1: the mean over what is graded and, once ticked, what is judged by its key points.

    A graded part without an answer counts as 0. None where nothing of it can be judged yet.
    """
    if not variant.parts:
        if variant.answer is not None or variant.choices:
            return credits_by_part.get("") or 0.0
        return _share(answering.key_points(variant), ticked)
    shares = [
        _share(part.key_points, ticked) if part.key_points else credits_by_part.get(part.id) or 0.0
        for part in variant.parts
    ]
    return mean(share for share in shares if share is not None)


def _share(points: Collection[KeyPoint | PartPoint], ticked: Collection[str] | None) -> float | None:
    if ticked is None:
        return None
    found = grading.suggest([grading.KeyPoint(each.id, each.weight, each.must) for each in points], ticked)
    return found.score if found else None


def first_credits(item: Item) -> dict[str, float | None]:
    """The credit of the first answer to each part that counts as a try."""
    found: dict[str, float | None] = {}
    for answer in item.answers:
        if answer.counts:
            found.setdefault(answer.part, answer.graded.credit)
    return found


def rate(session: Session, user: User, interview: Interview, item: Item, bank: Bank, now: datetime) -> None:
    """Gives the question the rating that its result suggests, once there is a result."""
    variant = variant_of(bank, item)
    if variant is None or item.sitting is None or not (item.answered or item.passed):
        return
    points = item.points or ()
    suggested: Rating | None = Rating.AGAIN
    if not item.passed:
        if item.points is None and judged_by_points(variant):
            return
        state = QuestionState(item.sitting, item.answers, {})
        suggestion = answering.suggest(variant, state, points)
        suggested = suggestion.rating if suggestion else None
    if suggested is not None:
        key = f"interview-{interview.id}-{item.place}"
        ratings.rate(session, user, item.sitting.id, suggested, points, key=key, now=now)


def earlier(session: Session, user: User, interview: Interview) -> tuple[Summary, ...]:
    """The finished interviews before this one, the newest first."""
    return tuple(
        each
        for each in summaries(session, user)
        if each.id < interview.id and each.ended_at is not None and not each.abandoned
    )


def by_topic(interview: Interview, before: Collection[Summary], now: datetime) -> tuple[TopicResult, ...]:
    """In the order in which the topics came up."""
    topics: dict[str, list[Item]] = {}
    for item in interview.items:
        topics.setdefault(item.topic, []).append(item)
    return tuple(
        TopicResult(
            topic=topic,
            asked=len(items),
            credit=mean(item.credit for item in items if item.credit is not None),
            seconds=sum(item.seconds(now) for item in items) // len(items),
            earlier=mean(credit for each in before for credit in each.by_topic.get(topic, ())),
        )
        for topic, items in topics.items()
    )


def overall(interview: Interview) -> float | None:
    """The mean credit of what was judged."""
    return mean(item.credit for item in interview.items if item.credit is not None)


def weak_questions(interview: Interview) -> tuple[Item, ...]:
    """Those that did not go well, or were not answered."""
    return tuple(
        item
        for item in interview.items
        if not item.answered or (item.credit is not None and item.credit < WEAK_BELOW)
    )


def weak_topics(topics: Collection[TopicResult]) -> tuple[str, ...]:
    return tuple(each.topic for each in topics if each.credit is not None and each.credit < WEAK_BELOW)
