"""From a sheet of answers to verdicts that are stored, and from a sitting to the rating that it suggests."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from markupsafe import Markup
from sqlmodel import Session

from app import grading
from app.accounts.browser_sessions import BrowserSession
from app.accounts.users import User
from app.bank.graded import PartPoint
from app.bank.sections import KeyPoint
from app.bank.variants import Variant
from app.practice import attempts, sittings
from app.practice.attempts import FORMAT, Graded, Submission
from app.practice.judging import Judged, judge, said
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
    earlier = _earlier(session, user, browser, sheet, now) if sheet.variant.parts else {}
    graded, errors = grade(sheet.variant, said, sheet.working, earlier)
    for part, each in graded.items():
        submission = Submission(sheet.key, part, said[part])
        attempts.submit(session, user, browser, sheet.taken, submission, each, now)
    return errors


def grade(
    variant: Variant, texts: Mapping[str, str], working: str, earlier: Mapping[str, str]
) -> tuple[dict[str, Graded], dict[str, str]]:
    """The verdict on each text as it is stored, and messages by part for what could not be read."""
    graded: dict[str, Graded] = {}
    errors: dict[str, str] = {}
    for part, judged in judge(variant, texts, earlier).items():
        verdict = judged.verdict
        if verdict is not None and verdict.outcome == FORMAT:
            errors[part] = verdict.message
        else:
            graded[part] = _graded(judged, working)
    return graded, errors


def _earlier(
    session: Session, user: User, browser: BrowserSession, sheet: Sheet, now: datetime
) -> dict[str, str]:
    """What this sitting was told before, the last of each part."""
    taken = sheet.taken
    sitting = sittings.find_open(session, user, browser, taken.question, taken.seed, taken.version, now)
    given = attempts.answers(session, user, sitting.id) if sitting else ()
    return {answer.part: answer.text for answer in given}


@dataclass(frozen=True, slots=True)
class TakenChoice:
    """A choice that was taken, as the page told of it then."""

    text: Markup
    right: bool
    say: Markup


def message(answer: attempts.Answer) -> Markup:
    """What the verdict says, as it was said then."""
    return _markup(_kept(answer).get("html"))


def taken_choices(answer: attempts.Answer) -> tuple[TakenChoice, ...]:
    """What the verdict says of each choice that was taken."""
    return tuple(
        TakenChoice(_markup(each.get("text")), bool(each.get("right")), _markup(each.get("say")))
        for each in _kept(answer).get("taken", ())
    )


def own_parts(answer: attempts.Answer) -> tuple[str, ...]:
    """The learner's own earlier parts that the verdict stands on; none where it stands on the truth."""
    return tuple(_kept(answer).get("own_parts", ()))


def working(answer: attempts.Answer) -> str:
    """The note that came with the answer."""
    return str(_kept(answer).get("working", ""))


def suggest(variant: Variant, state: QuestionState, ticked: Collection[str]) -> Suggestion | None:
    """The rating that the first graded answers suggest, or of an answer in words its ticked key points."""
    hinted = state.hints_used > 0
    first: dict[str, attempts.Answer] = {}
    for answer in state.answers:
        if answer.counts and answer.graded.credit is not None:
            first.setdefault(answer.part, answer)
    if variant.parts:
        return _parts(variant, first, ticked, hinted=hinted)
    if first:
        [answer] = first.values()
        outcome = cast("grading.Outcome", answer.graded.outcome)
        rating = grading.suggest_rating(outcome, hint_used=hinted)
        return None if rating is None else Suggestion(RATINGS[rating], _reason(outcome, hinted=hinted))
    if variant.answer is not None or variant.choices:
        return Suggestion(Rating.AGAIN, "Again is suggested: you looked before you answered.")
    return _rubric(key_points(variant), ticked)


def _parts(
    variant: Variant, first: Mapping[str, attempts.Answer], ticked: Collection[str], *, hinted: bool
) -> Suggestion | None:
    """Of the parts that are graded and of those in words, whichever suggests the lower rating."""
    suggestions = []
    graded = [part.id for part in variant.parts if not part.key_points]
    if graded:
        credits = [(first[part].graded.credit or 0) if part in first else 0 for part in graded]
        rating = RATINGS[grading.suggest_over_parts(credits, hint_used=hinted)]
        right = sum(credit == 1 for credit in credits)
        told = f"{right} of {len(graded)} {'part' if len(graded) == 1 else 'parts'} right at once"
        hint = ", with a hint" if hinted else ""
        suggestions.append(Suggestion(rating, f"{rating.name.capitalize()} is suggested: {told}{hint}."))
    in_words = [point for part in variant.parts for point in part.key_points]
    suggestions += filter(None, [_rubric(in_words if graded else key_points(variant), ticked)])
    return min(suggestions, key=lambda each: each.rating, default=None)


def _rubric(points: Sequence[KeyPoint | PartPoint], ticked: Collection[str]) -> Suggestion | None:
    weighed = [grading.KeyPoint(each.id, each.weight, each.must) for each in points]
    suggested = grading.suggest(weighed, ticked)
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


def _graded(judged: Judged, note: str) -> Graded:
    verdict = judged.verdict
    if verdict is None:
        return Graded(WRITTEN, verdict={"html": "", "working": note})
    kept: dict[str, Any] = {"html": str(said(verdict)), "working": note}
    if judged.taken:
        kept["taken"] = [
            {"text": str(each.text), "right": each.right, "say": str(each.say)} for each in judged.taken
        ]
    if verdict.value is not None:
        kept["value"] = str(verdict.value)
    if verdict.decades is not None:
        kept["decades"] = verdict.decades
    if verdict.own_parts:
        kept["own_parts"] = list(verdict.own_parts)
    if judged.against is not None:
        kept["carried"] = judged.against
    return Graded(verdict.outcome, verdict.credit, verdict.reading, verdict.mistake_id, kept)


def _kept(answer: attempts.Answer) -> Mapping[str, Any]:
    kept = answer.graded.verdict
    return kept if isinstance(kept, Mapping) else {}


def _markup(stored: object) -> Markup:
    return Markup(stored or "")  # noqa: S704 - stored by _graded, which escapes plain text
