"""Right values and mistakes as a learner would type them: what the Answer prints is graded right, in three
figures too; each mistake is recognised as itself; GiB written as GB is not right."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from app.bank.exact_math import Number
from app.bank.formatters import FORMATTERS
from app.bank.frontmatter import Place
from app.bank.graded import Answer, MistakeValue
from app.bank.lint.subject import Sample, Subject
from app.bank.problems import Fault
from app.grading import NamedMistake, NumericTruth, Outcome, Tolerance, grade_numeric
from app.grading.numeric import is_recognised
from app.grading.tolerance import ESTIMATES
from calculators.quantities import FAMILIES, Unit, format_quantity

_THREE_FIGURES = Fraction(1, 200)  # rounding to three figures takes no more than this share of a number
_NO_BINARY = Fraction(15, 1000)  # 1 kB is 2.3% less than 1 KiB, of which printing takes half a percent
_PREFIXED_BYTES = re.compile(r" (k|K|M|G|T|P)(i?)B")


@dataclass(frozen=True)
class Graded:
    """One right value of one variant, with its mistakes."""

    sample: Sample
    answer: Answer
    mistakes: Sequence[MistakeValue]

    @cached_property
    def truth(self) -> NumericTruth:
        tolerance = Tolerance(self.answer.tolerance.form, self.answer.tolerance.size)
        return NumericTruth(self.answer.value, self.answer.family, self.answer.unit, tolerance)

    @property
    def unit(self) -> Unit:
        return FAMILIES[self.answer.family].by_spelling[self.answer.unit]

    def typed(self, value: Number) -> str:
        """A value as a learner would write it in the answer's unit."""
        return format_quantity(value, self.answer.family, unit=self.answer.unit)


Check = Callable[[Graded], Iterator[tuple[Place, str, str]]]  # place below the answer's own, message, hint


def check(subject: Subject) -> Iterator[Fault]:
    """The first variant in which each of these fails."""
    for place in _places(subject):
        reported: set[Place] = set()
        for graded in _graded(subject, place):
            for check_one in (_reads_back, _binary_is_not_decimal, _mistakes):
                for key, message, hint in check_one(graded):
                    if key not in reported:
                        reported.add(key)
                        yield Fault(subject.line(*place, *key), f"with {graded.sample.label} {message}", hint)


def _places(subject: Subject) -> Iterator[Place]:
    """Where answers are: at the top of the front matter, or in its parts."""
    if subject.question.meta.answer is not None:
        yield ()
    for number, part in enumerate(subject.question.meta.parts):
        if part.answer is not None:
            yield ("parts", number)


def _graded(subject: Subject, place: Place) -> Iterator[Graded]:
    """Each right value with its mistakes once; other parameters may draw the same again."""
    seen: set[tuple[Number, ...]] = set()
    for sample in subject.drawn:
        owner = sample.variant.parts[int(place[1])] if place else sample.variant
        if owner.answer is not None:
            values = (owner.answer.value, *(mistake.value for mistake in owner.mistakes))
            if values not in seen:
                seen.add(values)
                yield Graded(sample, owner.answer, owner.mistakes)


def _reads_back(graded: Graded) -> Iterator[tuple[Place, str, str]]:
    texts = [graded.answer.display]
    if graded.truth.tolerance.widest < _THREE_FIGURES:
        texts.append(_three_figures(graded))
    for text in texts:
        verdict = grade_numeric(text, graded.truth)
        if verdict.outcome != "right":
            message = f"the answer, typed as “{text}”, is not graded right: {verdict.message}"
            yield ("answer", "tolerance"), message, "widen the tolerance, or choose another unit"


def _three_figures(graded: Graded) -> str:
    return FORMATTERS["sci"](Fraction(graded.answer.value) / graded.unit.factor) + graded.unit.after


def _binary_is_not_decimal(graded: Graded) -> Iterator[tuple[Place, str, str]]:
    answer = graded.answer
    tolerance = graded.truth.tolerance
    if answer.family not in ("bytes", "byte/s") or tolerance.form in ESTIMATES:
        return
    if tolerance.widest < _NO_BINARY:
        return
    text = answer.display
    if not _PREFIXED_BYTES.search(text):  # bytes as such: a learner writes them with a prefix
        text = format_quantity(answer.value, answer.family)
    other = _PREFIXED_BYTES.sub(_other_prefix, text)
    if other != text and grade_numeric(other, graded.truth).outcome == "right":
        message = f"“{other}” is graded right, though {text} is meant"
        yield ("answer", "tolerance"), message, "narrow the tolerance, or make it a factor"


def _other_prefix(match: re.Match[str]) -> str:
    prefix, binary = match.groups()
    return f" {prefix.lower() if prefix == 'K' else prefix}B" if binary else f" {prefix.upper()}iB"


def _mistakes(graded: Graded) -> Iterator[tuple[Place, str, str]]:
    named = [NamedMistake(each.id, each.value, each.credit, "") for each in graded.mistakes]
    for number, mistake in enumerate(named):
        outcome, recognised = _judged(graded, named, mistake)
        if recognised == mistake.id:
            continue
        text = graded.typed(mistake.value)
        if outcome == "right":
            message = f"the mistake `{mistake.id}` ({text}) is graded right"
        elif recognised is not None:
            message = f"the mistakes `{recognised}` and `{mistake.id}` cannot be told apart ({text})"
        else:
            message = f"the mistake `{mistake.id}`, typed as “{text}”, is not recognised"
        yield ("mistakes", number), message, "keep such values out under require, or merge the two"


def _judged(
    graded: Graded, named: Sequence[NamedMistake], mistake: NamedMistake
) -> tuple[Outcome, str | None]:
    """The verdict on a mistake, and as which one it is recognised.

    It is typed out only where rounding may decide: near the truth, or where a mistake must be exact.
    """
    truth = graded.truth
    tolerance, unit = truth.tolerance, graded.unit.factor
    if not tolerance.widest or tolerance.is_near(mistake.value, truth.value, unit):
        verdict = grade_numeric(graded.typed(mistake.value), truth, named)
        return verdict.outcome, verdict.mistake_id
    return "mistake", next(each.id for each in named if is_recognised(mistake.value, each, tolerance))
