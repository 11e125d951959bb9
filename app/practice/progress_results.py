"""How it went: results by topic, own ratings against graded numbers, the hardest questions. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from app.practice.progress_history import History, PastSitting
from app.practice.records import QuestionKey
from app.practice.schedule import Rating
from app.practice.standing import NEW, Standing

Leaning = Literal["kind", "harsh"]

ENOUGH: Final = 5  # graded sittings from which something can be told of somebody's ratings
KIND_BELOW: Final = 0.7  # mean credit of what was rated Good or Easy
HARSH_ABOVE: Final = 0.8  # mean credit of what was rated Again
HARD_FROM: Final = 6.0  # FSRS's difficulty, from 1 to 10; a first rating of Again gives 6.4, of Hard 5.1
HARD_BELOW: Final = 0.5  # mean credit


@dataclass(frozen=True, slots=True)
class TopicResult:
    topic: str
    graded: int
    """Sittings with an answer that was graded."""
    right_at_once: int
    """Of these, those whose first answers were all right."""
    credit: float | None
    """Mean credit of the first answers; None where none was graded."""


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A rating against the numbers: how many graded sittings got it, and the mean credit of these."""

    rating: Rating
    sittings: int
    credit: float | None


@dataclass(frozen=True, slots=True)
class Calibration:
    ratings: tuple[Calibrated, ...]
    leaning: Leaning | None
    """Kind where much that was not right is rated Good or Easy, harsh where much that was right is Again."""


@dataclass(frozen=True, slots=True)
class HardQuestion:
    question: QuestionKey
    lapses: int
    difficulty: float | None
    credit: float | None
    sittings: int
    """Graded sittings that `credit` is the mean of."""


def results_by_topic(history: History, topics: Mapping[QuestionKey, str]) -> tuple[TopicResult, ...]:
    """In the order in which `topics` names them; other questions are left out."""
    found: dict[str, list[PastSitting]] = defaultdict(list)
    for sitting in history.sittings:
        if sitting.question in topics and (sitting.answered or sitting.rating is not None):
            found[topics[sitting.question]].append(sitting)
    return tuple(
        TopicResult(
            topic=topic,
            graded=sum(bool(sitting.credits) for sitting in found[topic]),
            right_at_once=sum(sitting.right_at_once for sitting in found[topic]),
            credit=_mean(credit for sitting in found[topic] for credit in sitting.credits),
        )
        for topic in dict.fromkeys(topics.values())
        if topic in found
    )


def calibration(history: History) -> Calibration:
    """The mean credit of the first answers in the sittings of each rating."""
    given: dict[Rating, list[float]] = {rating: [] for rating in Rating}
    for sitting in history.sittings:
        if sitting.rating is not None and sitting.credit is not None:
            given[sitting.rating].append(sitting.credit)
    return Calibration(
        ratings=tuple(Calibrated(rating, len(credits), _mean(credits)) for rating, credits in given.items()),
        leaning=_leaning(given),
    )


def hardest(
    history: History, known: Mapping[QuestionKey, Standing], limit: int = 10
) -> tuple[HardQuestion, ...]:
    """Of the known questions in the history those forgotten, found difficult or answered badly.

    The most lapses first, then the least credit, then the greatest difficulty.
    """
    credits: dict[QuestionKey, list[float]] = {}
    for sitting in history.sittings:
        given = credits.setdefault(sitting.question, [])
        if sitting.credit is not None:
            given.append(sitting.credit)
    met = [
        HardQuestion(
            question,
            lapses=known[question].lapses,
            difficulty=known[question].difficulty,
            credit=_mean(given),
            sittings=len(given),
        )
        for question, given in credits.items()
        if known.get(question, NEW) != NEW
    ]
    hard = [
        each
        for each in met
        if each.lapses
        or (each.credit is not None and each.credit < HARD_BELOW)
        or (each.difficulty or 0) >= HARD_FROM
    ]
    hard.sort(key=_hardness)
    return tuple(hard[:limit])


def _hardness(each: HardQuestion) -> tuple[int, float, float, QuestionKey]:
    return -each.lapses, 1.0 if each.credit is None else each.credit, -(each.difficulty or 0), each.question


def _leaning(given: Mapping[Rating, list[float]]) -> Leaning | None:
    known, forgotten = given[Rating.GOOD] + given[Rating.EASY], given[Rating.AGAIN]
    if len(known) >= ENOUGH and sum(known) < KIND_BELOW * len(known):
        return "kind"
    if len(forgotten) >= ENOUGH and sum(forgotten) > HARSH_ABOVE * len(forgotten):
        return "harsh"
    return None


def _mean(values: Iterable[float]) -> float | None:
    counted = list(values)
    return sum(counted) / len(counted) if counted else None
