"""Grading a choice of one, or of several."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from app.grading.verdict import Outcome, Verdict

Mode = Literal["single", "several"]

_NEAR_FROM = 0.5


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice, whether it is right, and what to tell whoever takes it."""

    id: str
    right: bool
    say: str = ""


@dataclass(frozen=True, slots=True)
class ChoiceFeedback:
    """What to say about one choice that was taken; of those not taken nothing is told."""

    id: str
    right: bool
    say: str


@dataclass(frozen=True, slots=True)
class ChoiceVerdict:
    verdict: Verdict
    feedback: tuple[ChoiceFeedback, ...]


def grade_choice(taken: Collection[str], choices: Sequence[Choice], mode: Mode = "single") -> ChoiceVerdict:
    """The verdict on the choices taken, with feedback on each of them in the order of the page.

    Of several, each right one taken earns its share and each wrong one loses as much, down to nothing; from
    half the credit on that is near.
    """
    wanted = frozenset(taken)
    if wanted - {choice.id for choice in choices}:
        return _not_understood("One of the choices taken is not of this question: choose again.")
    if mode == "single" and len(wanted) != 1:
        return _not_understood("Choose one.")
    if not wanted:
        return _not_understood("Choose at least one.")
    feedback = tuple(ChoiceFeedback(each.id, each.right, each.say) for each in choices if each.id in wanted)
    if mode == "single":
        right = feedback[0].right
        # The outcome says it all; what there is to add is the author's to say, of the choice that was taken.
        return ChoiceVerdict(Verdict("right" if right else "wrong", float(right), ""), feedback)
    return ChoiceVerdict(_several(feedback, rights=sum(each.right for each in choices)), feedback)


def _several(feedback: Sequence[ChoiceFeedback], rights: int) -> Verdict:
    hits = sum(each.right for each in feedback)
    misses = len(feedback) - hits
    if hits == rights and not misses:
        return Verdict("right", 1.0, "Right, and complete.")
    credit = max(0.0, (hits - misses) / rights) if rights else 0.0
    outcome: Outcome = "near" if credit >= _NEAR_FROM else "wrong"
    wrong_ones = f", and {misses} that {'is' if misses == 1 else 'are'} not right" if misses else ""
    return Verdict(outcome, credit, f"{hits} of {rights} right ones taken{wrong_ones}.")


def _not_understood(message: str) -> ChoiceVerdict:
    return ChoiceVerdict(Verdict("format", None, message), ())
