"""The rating that is suggested by the key points that a learner finds in their own answer."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from app.grading.rating import Suggested

_AGAIN_BELOW = Fraction(4, 10)
_HARD_BELOW = Fraction(7, 10)


@dataclass(frozen=True, slots=True)
class KeyPoint:
    """A point and its weight, below 0 for a claim that is wrong; an answer without a must-have fails."""

    id: str
    weight: int
    must: bool = False


@dataclass(frozen=True, slots=True)
class Suggestion:
    """`score` is the share of the weights that was earned; `missing` are the must-haves not ticked."""

    rating: Suggested
    score: float
    missing: tuple[str, ...]


def suggest(points: Sequence[KeyPoint], ticked: Collection[str]) -> Suggestion | None:
    """The rating for the points ticked, None where no point earns anything.

    score = (weights of all ticked points, negative ones included) / (all positive weights), from 0 to 1.
    """
    most = sum(point.weight for point in points if point.weight > 0)
    if most == 0:
        return None
    earned = sum(point.weight for point in points if point.id in ticked)
    score = max(Fraction(0), Fraction(earned, most))
    missing = tuple(point.id for point in points if point.must and point.id not in ticked)
    rating: Suggested = "good"
    if missing or score < _AGAIN_BELOW:
        rating = "again"
    elif score < _HARD_BELOW:
        rating = "hard"
    return Suggestion(rating, float(score), missing)
