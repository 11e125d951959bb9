"""The rating that is suggested after a graded answer; the learner decides."""

from typing import Literal

from app.grading.verdict import Outcome

Suggested = Literal["again", "hard", "good"]


def suggest_rating(outcome: Outcome, *, hint_used: bool = False) -> Suggested | None:
    """Good when right, hard when near or when a hint was needed, else again; None for what was not read."""
    if outcome == "format":
        return None
    if outcome == "right":
        return "hard" if hint_used else "good"
    return "hard" if outcome == "near" else "again"
