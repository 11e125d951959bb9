"""The rating that is suggested after a graded answer; the learner decides."""

from collections.abc import Sequence
from typing import Literal

from app.grading.verdict import Outcome

Suggested = Literal["again", "hard", "good"]

_HARD_FROM = 0.5


def suggest_rating(outcome: Outcome, *, hint_used: bool = False) -> Suggested | None:
    """Good when right, hard when near or when a hint was needed, else again; None for what was not read."""
    if outcome == "format":
        return None
    if outcome == "right":
        return "hard" if hint_used else "good"
    return "hard" if outcome == "near" else "again"


def suggest_over_parts(credits: Sequence[float], *, hint_used: bool = False) -> Suggested:
    """As for one answer: right in every part, near from half of the credit on. No answer earns nothing."""
    share = sum(credits) / len(credits)
    if min(credits) == 1:
        return "hard" if hint_used else "good"
    return "hard" if share >= _HARD_FROM else "again"
