"""From what somebody wrote to verdicts: pure, so that a preview judges exactly as practice does.

Parts are judged together. Each is judged by the truth, and then, where it uses other parts, by what follows
from the learner's own answers to those.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup, escape

from app import grading
from app.bank import carrying
from app.bank.graded import Answer, Choice, MistakeValue, Number, Part
from app.bank.schema import Mode
from app.bank.variants import Variant
from calculators import quantities


@dataclass(frozen=True, slots=True)
class TakenChoice:
    """A choice that was taken: what it reads, whether it is right, and what its author says of it."""

    text: Markup
    right: bool
    say: Markup


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on one text, and the values that it was reached with; without a verdict the learner judges.

    `carried` is the standard that a number was held against besides the truth. `own` is the part as it
    follows from the learner's own earlier ones, where that is another than the truth.
    """

    verdict: grading.Verdict | None
    taken: tuple[TakenChoice, ...] = ()
    carried: grading.Standard | None = None
    own: Part | None = None
    own_values: Mapping[str, Number] | None = None

    @property
    def against(self) -> dict[str, Any] | None:
        """What was carried forward, as a stored verdict keeps it."""
        if self.own is None or self.own_values is None:
            return None
        kept: dict[str, Any] = {"uses": {part: str(value) for part, value in self.own_values.items()}}
        if self.own.answer is not None:
            kept["value"] = str(self.own.answer.value)
        else:
            kept["choices"] = [choice.id for choice in self.own.choices if choice.right]
        return kept


def judge(variant: Variant, texts: Mapping[str, str], earlier: Mapping[str, str]) -> dict[str, Judged]:
    """Each text by its part, which is empty where the question has none.

    `earlier` are texts that were given to parts before; those of `texts` count instead.
    """
    if not variant.parts:
        return {part: _whole(variant, text) for part, text in texts.items()}
    own = carrying.own_values(variant, _given(variant, {**earlier, **texts}))
    return {part.id: _part(variant, part, texts[part.id], own) for part in variant.parts if part.id in texts}


def _whole(variant: Variant, text: str) -> Judged:
    if variant.answer is not None:
        return Judged(grading.grade_numeric(text, truth(variant.answer), named(variant.mistakes)))
    if variant.choices:
        return _choices(text, variant.choices, variant.question.meta.mode)
    return Judged(None)


def _given(variant: Variant, texts: Mapping[str, str]) -> dict[str, Number]:
    """The number that stands in the text of each part, where one can be read."""
    given: dict[str, Number] = {}
    for part in variant.parts:
        if part.answer is not None and part.id in texts:
            try:
                reading = quantities.parse(texts[part.id], part.answer.family, unit=part.answer.unit)
            except quantities.QuantityError:
                continue
            given[part.id] = reading.value
    return given


def _part(variant: Variant, part: Part, text: str, own: Mapping[str, Number]) -> Judged:
    if part.key_points:
        return Judged(None)
    followed = carrying.follow(variant, part.id, own)
    used = {name: own[name] for name in part.uses if name in own}
    if part.answer is None:
        judged = _choices(text, part.choices, part.mode)
        if followed is not None:
            judged = _better(judged, _choices(text, followed.choices, part.mode), tuple(used))
        return replace(judged, own=followed, own_values=used)
    carried = None
    if followed is not None and followed.answer is not None:
        carried = grading.Standard(truth(followed.answer), named(followed.mistakes), tuple(used))
    verdict = grading.grade_numeric(text, truth(part.answer), named(part.mistakes), carried)
    return Judged(verdict, carried=carried, own=followed, own_values=used)


def _choices(text: str, choices: Sequence[Choice], mode: Mode) -> Judged:
    taken = [word for word in text.split(",") if word]
    found = grading.grade_choice(taken, [grading.Choice(each.id, each.right) for each in choices], mode)
    told = {each.id for each in found.feedback}
    return Judged(
        found.verdict,
        tuple(TakenChoice(each.text, each.right, each.say) for each in choices if each.id in told),
    )


def _better(by_truth: Judged, by_own: Judged, parts: tuple[str, ...]) -> Judged:
    assert by_truth.verdict is not None
    assert by_own.verdict is not None
    if (by_own.verdict.credit or 0) <= (by_truth.verdict.credit or 0):
        return by_truth
    message = grading.CARRIED if by_own.verdict.outcome == "right" else by_own.verdict.message
    return replace(by_own, verdict=replace(by_own.verdict, message=message, own_parts=parts))


def said(verdict: grading.Verdict) -> Markup:
    """What a verdict says; one that stands on the learner's own parts names them, but for a right one."""
    stands_on = verdict.own_parts if verdict.outcome != "right" else ()
    # What a question says is Markup already, and escape leaves that as it is.
    return escape(f"{grading.following(stands_on)}: " if stands_on else "") + escape(verdict.message)


def truth(answer: Answer) -> grading.NumericTruth:
    tolerance = grading.Tolerance(answer.tolerance.form, answer.tolerance.size)
    return grading.NumericTruth(answer.value, answer.family, answer.unit, tolerance)


def named(mistakes: Sequence[MistakeValue]) -> list[grading.NamedMistake]:
    return [grading.NamedMistake(each.id, each.value, each.credit, each.say) for each in mistakes]
