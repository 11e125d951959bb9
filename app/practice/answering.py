"""From a sheet of answers to verdicts that are stored, and from a sitting to the rating that it suggests."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from markupsafe import Markup, escape
from sqlmodel import Session

from app import grading
from app.accounts.browser_sessions import BrowserSession
from app.accounts.users import User
from app.bank.sections import KeyPoint
from app.bank.variants import Answer, MistakeValue, PartPoint, Variant
from app.practice import attempts
from app.practice.attempts import FORMAT, Graded, Submission
from app.practice.question_state import QuestionState
from app.practice.records import VariantSnapshot
from app.practice.schedule import Rating
from calculators import quantities

WRITTEN = "written"  # the outcome of an answer in words, which the learner judges
NOTHING = "Give an answer first, or reveal the model answer."
RATINGS: Mapping[grading.Suggested, Rating] = {
    "again": Rating.AGAIN,
    "hard": Rating.HARD,
    "good": Rating.GOOD,
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """What was sent: the text of each part, a note on how it came about, and the form's idempotency key."""

    variant: Variant
    taken: VariantSnapshot
    texts: Mapping[str, str]
    working: str
    key: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    rating: Rating
    reason: str


def submit(
    session: Session, user: User, browser: BrowserSession, sheet: Sheet, now: datetime
) -> dict[str, str]:
    """Grades and stores each part that says something; messages by part for what could not be read.

    A text that cannot be read costs nothing, so it is no attempt and nothing of it is stored.
    """
    said = {part: text for part, text in sheet.texts.items() if text.strip()}
    if not said:
        return {next(iter(sheet.texts), ""): NOTHING}
    errors: dict[str, str] = {}
    for part, text in said.items():
        outcome = _grade(sheet.variant, part, text)
        if outcome is not None and outcome.verdict.outcome == FORMAT:
            errors[part] = outcome.verdict.message
            continue
        graded = _graded(outcome, sheet.working)
        attempts.submit(session, user, browser, sheet.taken, Submission(sheet.key, part, text), graded, now)
    return errors


def message(answer: attempts.Answer) -> Markup:
    """What the verdict says, as it was said then."""
    return Markup(_kept(answer).get("html", ""))  # noqa: S704 - stored by _graded, which escapes plain text


def working(answer: attempts.Answer) -> str:
    """The note that came with the answer."""
    return str(_kept(answer).get("working", ""))


def suggest(variant: Variant, state: QuestionState, ticked: Collection[str]) -> Suggestion | None:
    """The rating that the first graded answer suggests, or of an answer in words its ticked key points."""
    graded = next(
        (answer for answer in state.answers if answer.counts and answer.graded.credit is not None), None
    )
    if graded is not None:
        outcome = cast("grading.Outcome", graded.graded.outcome)
        hinted = state.hints_used > 0
        rating = grading.suggest_rating(outcome, hint_used=hinted)
        return None if rating is None else Suggestion(RATINGS[rating], _reason(outcome, hinted=hinted))
    if variant.answer is not None or variant.choices:
        return Suggestion(Rating.AGAIN, "Again is suggested: you looked before you answered.")
    points = [grading.KeyPoint(each.id, each.weight, each.must) for each in key_points(variant)]
    suggested = grading.suggest(points, ticked)
    if suggested is None:
        return None
    label = suggested.rating.capitalize()
    missing = len(suggested.missing)
    lacking = f", {missing} must-have{'s' if missing > 1 else ''} missing" if missing else ""
    share = quantities.format_quantity(suggested.score, "ratio", figures=2)
    reason = f"{label} is suggested: {share} of the key points' weight{lacking}. You decide."
    return Suggestion(RATINGS[suggested.rating], reason)


def key_points(variant: Variant) -> tuple[KeyPoint | PartPoint, ...]:
    """The key points of the question and of its parts."""
    of_parts = (point for part in variant.parts for point in part.key_points)
    return (*variant.question.sections.key_points, *of_parts)


def _reason(outcome: grading.Outcome, *, hinted: bool) -> str:
    if outcome == "right":
        return "Hard is suggested: right, with a hint." if hinted else "Good is suggested: right at once."
    if outcome == "near":
        return "Hard is suggested: your first answer was near."
    return "Again is suggested: your first answer was not right. You decide."


@dataclass(frozen=True, slots=True)
class _Outcome:
    verdict: grading.Verdict
    said: tuple[str, ...] = ()


def _grade(variant: Variant, part: str, text: str) -> _Outcome | None:
    """The verdict on one part, None where the learner is the judge."""
    if variant.choices:
        choices = [grading.Choice(each.id, each.right, each.say) for each in variant.choices]
        taken = [word for word in text.split(",") if word]
        found = grading.grade_choice(taken, choices, variant.question.meta.mode)
        return _Outcome(found.verdict, tuple(each.say for each in found.feedback if each.say))
    if not part and variant.answer is not None:
        return _Outcome(_numeric(text, variant.answer, variant.mistakes))
    for each in variant.parts:
        if each.id == part and each.answer is not None:
            return _Outcome(_numeric(text, each.answer, each.mistakes))
    return None


def _numeric(text: str, answer: Answer, mistakes: Collection[MistakeValue]) -> grading.Verdict:
    tolerance = grading.Tolerance(answer.tolerance.form, answer.tolerance.size)
    truth = grading.NumericTruth(answer.value, answer.family, answer.unit, tolerance)
    named = [grading.NamedMistake(each.id, each.value, each.credit, each.say) for each in mistakes]
    return grading.grade_numeric(text, truth, named)


def _graded(outcome: _Outcome | None, note: str) -> Graded:
    if outcome is None:
        return Graded(WRITTEN, verdict={"html": "", "working": note})
    verdict = outcome.verdict
    # What a question says is Markup already, and escape leaves that as it is.
    html = Markup(" ").join([escape(verdict.message), *(escape(each) for each in outcome.said)])
    kept = {"html": str(html), "working": note}
    return Graded(verdict.outcome, verdict.credit, verdict.reading, verdict.mistake_id, kept)


def _kept(answer: attempts.Answer) -> Mapping[str, Any]:
    kept = answer.graded.verdict
    return kept if isinstance(kept, Mapping) else {}
