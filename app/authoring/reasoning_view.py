"""What the preview says of an answer: the verdict, and each test that led to it."""

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from app.bank.graded import Answer, MistakeValue
from app.bank.variants import Variant
from app.grading.reasoning import Tried, reason
from app.grading.tolerance import Number
from app.practice import judging
from app.practice.judging import Judged, TakenChoice
from calculators.quantities import format_exact, format_quantity

FIGURES = 6  # as many as tell the ends of neighbouring bands apart


@dataclass(frozen=True, slots=True)
class Test:
    """One test, in words: what was looked for, its value, and from where to where an answer meets it."""

    what: str
    value: str
    band: str
    met: bool
    decides: bool


@dataclass(frozen=True, slots=True)
class JudgedView:
    """One part, or the whole where there are no parts."""

    part: str
    outcome: str
    credit: str
    reading: str
    exact: str
    message: Markup
    tests: tuple[Test, ...]
    taken: tuple[TakenChoice, ...]
    carried: tuple[str, ...]  # what followed from the learner's own parts, a sentence each


def judged(variant: Variant, texts: Mapping[str, str]) -> tuple[JudgedView, ...]:
    """How the texts are judged: by the code that judges a learner's."""
    given = {part: text for part, text in texts.items() if text.strip()}
    views = []
    for part, found in judging.judge(variant, given, {}).items():
        owner = next((each for each in variant.parts if each.id == part), variant)
        views.append(_view(part, given[part], owner.answer, owner.mistakes, found))
    return tuple(views)


def _view(
    part: str, text: str, answer: Answer | None, mistakes: tuple[MistakeValue, ...], found: Judged
) -> JudgedView:
    verdict = found.verdict
    if verdict is None:
        message = Markup("Words are not graded: the learner reveals the answer and ticks the key points.")
        return JudgedView(part, "written", "", "", "", message, (), (), ())
    tests: tuple[Test, ...] = ()
    reading = exact = ""
    if answer is not None:
        reasoning = reason(text, judging.truth(answer), judging.named(mistakes), found.carried)
        reading, exact = reasoning.reading, reasoning.exact
        tests = tuple(
            _test(tried, answer, decides=number == reasoning.decisive)
            for number, tried in enumerate(reasoning.tried)
        )
    return JudgedView(
        part=part,
        outcome=verdict.outcome + (" by the learner's own parts" if verdict.own_parts else ""),
        credit="" if verdict.credit is None else format_quantity(verdict.credit, "ratio"),
        reading=reading,
        exact=exact,
        message=judging.said(verdict),
        tests=tests,
        taken=found.taken,
        carried=tuple(_carried(found)),
    )


def _test(tried: Tried, answer: Answer, *, decides: bool) -> Test:
    def shown(value: Number) -> str:
        return format_quantity(value, answer.family, unit=answer.unit, figures=FIGURES)

    what = f"{tried.what}, from the learner's own parts" if tried.own else tried.what
    band = shown(tried.low) if tried.low == tried.high else f"{shown(tried.low)} to {shown(tried.high)}"
    return Test(what, shown(tried.value), band, tried.met, decides)


def _carried(found: Judged) -> list[str]:
    if found.own is None or not found.own_values:
        return []
    used = ", ".join(f"{part} = {format_exact(value)}" for part, value in found.own_values.items())
    if found.own.answer is not None:
        return [f"With {used} in base units, {found.own.answer.display} would follow."]
    right = ", ".join(choice.id for choice in found.own.choices if choice.right)
    return [f"With {used} in base units, the right choice would be {right}."]
