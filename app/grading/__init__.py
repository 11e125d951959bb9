"""Verdicts on answers and suggested ratings: pure functions over small values, knowing nothing of the web."""

from app.grading.choice import Choice, ChoiceFeedback, ChoiceVerdict, grade_choice
from app.grading.numeric import CARRIED, NamedMistake, NumericTruth, Standard, following, grade_numeric
from app.grading.rating import Suggested, suggest_over_parts, suggest_rating
from app.grading.rubric import KeyPoint, Suggestion, suggest
from app.grading.tolerance import Tolerance
from app.grading.verdict import Outcome, Verdict

__all__ = [
    "CARRIED",
    "Choice",
    "ChoiceFeedback",
    "ChoiceVerdict",
    "KeyPoint",
    "NamedMistake",
    "NumericTruth",
    "Outcome",
    "Standard",
    "Suggested",
    "Suggestion",
    "Tolerance",
    "Verdict",
    "following",
    "grade_choice",
    "grade_numeric",
    "suggest",
    "suggest_over_parts",
    "suggest_rating",
]
