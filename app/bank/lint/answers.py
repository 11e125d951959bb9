"""Right values and mistakes as a learner would type them: what the Answer prints is graded right, in three
figures too; each mistake is recognised as itself; GiB written as GB is not right."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from app.bank.exact_math import Number
from app.bank.formatters import FORMATTERS
from app.bank.frontmatter import Place
from app.bank.graded import Answer, MistakeValue
from app.bank.lint.subject import Sample, Subject
from app.bank.problems import Fault
from app.grading import NamedMistake, NumericTruth, Tolerance, grade_numeric
from calculators import quantities

_LOOSE = frozenset({"factor", "decade"})
_PREFIXED_BYTES = re.compile(r" (k|K|M|G|T|P)(i?)B")


@dataclass(frozen=True, slots=True)
class Graded:
    """One right value of one variant, with its mistakes."""

    sample: Sample
    answer: Answer
    mistakes: Sequence[MistakeValue]

    @property
    def truth(self) -> NumericTruth:
        tolerance = Tolerance(self.answer.tolerance.form, self.answer.tolerance.size)
        return NumericTruth(self.answer.value, self.answer.family, self.answer.unit, tolerance)


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
    for text in (graded.answer.display, _three_figures(graded.answer)):
        verdict = grade_numeric(text, graded.truth)
        if verdict.outcome != "right":
            message = f"the answer, typed as “{text}”, is not graded right: {verdict.message}"
            yield ("answer", "tolerance"), message, "widen the tolerance, or choose another unit"


def _three_figures(answer: Answer) -> str:
    unit = quantities.FAMILIES[answer.family].by_spelling[answer.unit]
    return FORMATTERS["sci"](Fraction(answer.value) / unit.factor) + unit.after


def _binary_is_not_decimal(graded: Graded) -> Iterator[tuple[Place, str, str]]:
    answer = graded.answer
    if answer.family not in ("bytes", "byte/s") or answer.tolerance.form in _LOOSE:
        return
    text = answer.display
    if not _PREFIXED_BYTES.search(text):  # bytes as such: a learner writes them with a prefix
        text = quantities.format_quantity(answer.value, answer.family)
    other = _PREFIXED_BYTES.sub(_other_prefix, text)
    if other != text and grade_numeric(other, graded.truth).outcome == "right":
        message = f"“{other}” is graded right, though {text} is meant"
        yield ("answer", "tolerance"), message, "narrow the tolerance, or make it a factor"


def _other_prefix(match: re.Match[str]) -> str:
    prefix, binary = match.groups()
    return f" {prefix.lower() if prefix == 'K' else prefix}B" if binary else f" {prefix.upper()}iB"


def _mistakes(graded: Graded) -> Iterator[tuple[Place, str, str]]:
    named = [NamedMistake(each.id, each.value, each.credit, "") for each in graded.mistakes]
    answer = graded.answer
    for number, mistake in enumerate(named):
        text = quantities.format_quantity(mistake.value, answer.family, unit=answer.unit)
        verdict = grade_numeric(text, graded.truth, named)
        if verdict.mistake_id == mistake.id:
            continue
        if verdict.outcome == "right":
            message = f"the mistake `{mistake.id}` ({text}) is graded right"
        elif verdict.mistake_id is not None:
            message = f"the mistakes `{verdict.mistake_id}` and `{mistake.id}` cannot be told apart ({text})"
        else:
            message = f"the mistake `{mistake.id}`, typed as “{text}”, is not recognised"
        yield ("mistakes", number), message, "keep such values out under require, or merge the two"
