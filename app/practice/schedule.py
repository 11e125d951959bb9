"""When to see a question again: FSRS over study days. Pure; the same reviews always give the same day.

FSRS counts whole days between moments. It is given study days, each as one fixed moment of UTC, so that an
evening's review and the next morning's are a day apart and no change of the clocks moves a due day.
"""

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import IntEnum
from functools import lru_cache
from typing import Final

import fsrs

MIN_RETENTION: Final = 0.70
MAX_RETENTION: Final = 0.97
MAX_INTERVAL: Final = 3650  # days
_MIN_FUZZED: Final = 3  # days: below it a day more or less would be most of the interval
_FUZZ: Final = ((2.5, 7.0, 0.15), (7.0, 20.0, 0.10), (20.0, float(MAX_INTERVAL), 0.05))  # from, to, share


class Rating(IntEnum):
    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


@dataclass(frozen=True, slots=True)
class Review:
    """A rating that moves the schedule, and the retention that was wanted then."""

    rating: Rating
    day: date
    retention: float


@dataclass(frozen=True, slots=True)
class Card:
    """What is known of somebody's memory of a question; `stability` is in days."""

    due_day: date
    last_day: date
    last_rating: Rating
    stability: float
    difficulty: float
    reviews: int
    lapses: int

    @property
    def interval(self) -> int:
        return (self.due_day - self.last_day).days


def review(card: Card | None, given: Review, seed: str) -> Card:
    """The card after one more review. A day before the last review counts as the day of that one.

    `seed` names whose card it is, so that the fuzz of its dates is its own.
    """
    day = max(given.day, card.last_day) if card else given.day
    before = _NEW if card is None else _as_fsrs(card)
    scheduler = _scheduler(limited(given.retention))
    after, _ = scheduler.review_card(before, fsrs.Rating(given.rating), _moment(day))
    assert after.stability is not None
    assert after.difficulty is not None
    reviews = card.reviews + 1 if card else 1
    lapsed = card is not None and given.rating == Rating.AGAIN
    days = fuzzed((after.due.date() - day).days, f"{seed}|{reviews}", sensible_days(after.stability))
    return Card(
        due_day=day + timedelta(days=days),
        last_day=day,
        last_rating=given.rating,
        stability=after.stability,
        difficulty=after.difficulty,
        reviews=reviews,
        lapses=(card.lapses if card else 0) + lapsed,
    )


def replay(reviews: Iterable[Review], seed: str) -> Card | None:
    """The card that these reviews, in their order, have led to."""
    card: Card | None = None
    for given in reviews:
        card = review(card, given, seed)
    return card


def preview(card: Card | None, day: date, retention: float, seed: str) -> dict[Rating, Card]:
    """What each of the four ratings would lead to on `day`: exactly what giving it then does."""
    return {rating: review(card, Review(rating, day, retention), seed) for rating in Rating}


def recall(stability: float, last_day: date, day: date) -> float:
    """How likely it is that a question last reviewed on `last_day` is recalled on `day`, by FSRS.

    A day before the last review counts as the day of that one. Which retention is wanted makes no difference.
    """
    studied = fsrs.Card(
        card_id=1,
        state=fsrs.State.Review,
        stability=stability,
        last_review=_moment(last_day),
        due=_moment(last_day),
    )
    return float(_scheduler(MAX_RETENTION).get_card_retrievability(studied, _moment(max(day, last_day))))


def limited(retention: float) -> float:
    """A retention within what a schedule can honour: near 1 the days between reviews shrink to nothing."""
    return min(max(retention, MIN_RETENTION), MAX_RETENTION)


def sensible_days(stability: float) -> tuple[int, int]:
    """From the first to the last whole day on which recall lies within the retentions that can be wanted.

    After t days recall is (1 + factor t / stability) ** decay, FSRS's forgetting curve, solved for t.
    """
    decay = -_scheduler(MAX_RETENTION).parameters[20]
    factor = 0.9 ** (1 / decay) - 1
    first, last = (
        stability / factor * (recall ** (1 / decay) - 1) for recall in (MAX_RETENTION, MIN_RETENTION)
    )
    return math.ceil(first), math.floor(last)


def fuzzed(days: int, seed: str, sensible: tuple[int, int] = (1, MAX_INTERVAL)) -> int:
    """An interval moved a little, so that questions learned together do not stay together.

    At most 15% of the days from 2.5 to 7, 10% of those to 20 and 5% of the rest, and one day, to either side,
    FSRS's own ranges; never out of `sensible`, nor beyond the longest interval. Longer intervals never come
    out shorter under the same seed, so that Easy stays no sooner than Good.
    """
    if days < _MIN_FUZZED:
        return days
    reach = 1 + sum(share * max(min(days, end) - start, 0.0) for start, end, share in _FUZZ)
    first, last = sensible
    # The interval itself is what the wanted retention asks for: it always may stay.
    earliest = max(round(days - reach), _MIN_FUZZED - 1, min(first, days))
    latest = min(round(days + reach), MAX_INTERVAL, max(last, days))
    fraction = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big") / 2**64
    return min(earliest + int(fraction * (latest - earliest + 1)), latest)


@lru_cache(maxsize=8)
def _scheduler(retention: float) -> fsrs.Scheduler:
    return fsrs.Scheduler(
        desired_retention=retention,
        learning_steps=(),
        relearning_steps=(),
        maximum_interval=MAX_INTERVAL,
        enable_fuzzing=False,
    )


def _moment(day: date) -> datetime:
    return datetime.combine(day, time(12), UTC)


def _as_fsrs(card: Card) -> fsrs.Card:
    return fsrs.Card(
        card_id=1,  # given, because finding one costs a wait of a millisecond
        state=fsrs.State.Review,
        stability=card.stability,
        difficulty=card.difficulty,
        due=_moment(card.due_day),
        last_review=_moment(card.last_day),
    )


_NEW: Final = fsrs.Card(card_id=1, due=datetime(2000, 1, 1, tzinfo=UTC))  # review_card copies it
