"""What of a variant is graded: right values, mistakes, choices and parts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from app.bank import drawing
from app.bank.document import EMPTY, Document
from app.bank.expressions import Names
from app.bank.problems import BrokenQuestionError
from app.bank.program import Formula, MistakeRule, Target
from app.bank.schema import ChoiceSpec, FrontMatter, Mistake, Mode, PartSpec, Tolerance
from calculators import quantities

if TYPE_CHECKING:
    from app.bank.variants import Variant

Number = int | Fraction


class Text(NamedTuple):
    """A text of the front matter, rendered when somebody reads it: most variants are only computed."""

    document: Document
    variant: "Variant"

    def html(self) -> Markup:
        return self.variant.render(self.document)


@dataclass(frozen=True, slots=True)
class Answer:
    """A right value, in the family's base unit, and how close an answer must come."""

    value: Number
    family: str
    unit: str
    tolerance: Tolerance

    @property
    def display(self) -> str:
        return quantities.format_quantity(self.value, self.family, unit=self.unit)


class MistakeValue(NamedTuple):
    """The value that a named mistake leads to, the credit that it keeps, and what to say about it."""

    id: str
    value: Number
    credit: Fraction
    text: Text

    @property
    def say(self) -> Markup:
        return self.text.html()


class Choice(NamedTuple):
    """One choice, whether it is right here, and what to tell whoever takes it."""

    id: str
    right: bool
    label: Text
    comment: Text

    @property
    def text(self) -> Markup:
        return self.label.html()

    @property
    def say(self) -> Markup:
        return self.comment.html()


@dataclass(frozen=True, slots=True)
class PartPoint:
    """A key point of an open part."""

    id: str
    weight: int
    must: bool
    label: Text

    @property
    def text(self) -> Markup:
        return self.label.html()


@dataclass(frozen=True, slots=True)
class Part:
    """One part: a number, a choice, or words judged by key points."""

    id: str
    question: Text
    answer: Answer | None
    mistakes: tuple[MistakeValue, ...]
    choices: tuple[Choice, ...]  # in the order of the page
    mode: Mode
    key_points: tuple[PartPoint, ...]
    uses: tuple[str, ...]  # earlier parts whose answer a learner may carry forward

    @property
    def prompt(self) -> Markup:
        return self.question.html()


def answer_to(target: Target, names: Names) -> Answer:
    value = drawing.number(target.value, names, "answer")
    return Answer(value, target.family, target.unit, target.tolerance)


def mistakes(
    variant: "Variant", rules: Sequence[MistakeRule], specs: Sequence[Mistake], place: str
) -> tuple[MistakeValue, ...]:
    texts = variant.question.texts
    return tuple(
        MistakeValue(
            rule.id,
            drawing.number(rule.value, variant.names, f"mistake `{rule.id}`"),
            spec.credit,
            Text(texts[f"{place}mistakes.{rule.id}.say"], variant),
        )
        for rule, spec in zip(rules, specs, strict=True)
    )


def choices(
    variant: "Variant", owner: FrontMatter | PartSpec, right: Mapping[str, Formula], place: str
) -> tuple[Choice, ...]:
    """The choices of a question or of a part, in the order of the page."""
    texts = variant.question.texts
    made = [
        Choice(
            spec.id,
            _is_right(spec, right[spec.id], variant.names),
            Text(texts[f"{place}choices.{spec.id}.text"], variant),
            Text(texts.get(f"{place}choices.{spec.id}.say", EMPTY), variant),
        )
        for spec in owner.choices
    ]
    right_ones = sum(choice.right for choice in made)
    if made and (right_ones == 0 or (owner.mode == "single" and right_ones > 1)):
        wanted = "one right choice" if owner.mode == "single" else "a right choice or more"
        line = min(formula.line for formula in right.values())
        raise BrokenQuestionError(f"needs {wanted}, and has {right_ones}", line=line)
    written = [spec.id for spec in owner.choices]
    key = f"{variant.question.slug}|{variant.seed}|choice|{place}"
    return tuple(
        sorted(
            made, key=lambda choice: _position(choice.id, owner.last, written, key if variant.seed else "")
        )
    )


def _is_right(spec: ChoiceSpec, formula: Formula, names: Names) -> bool:
    right = drawing.evaluate(formula, names)
    if not isinstance(right, bool):
        raise BrokenQuestionError(f"choice `{spec.id}`: right is not true or false", line=formula.line)
    return right


def _position(choice: str, last: Sequence[str], written: Sequence[str], key: str) -> tuple[bool, bytes | int]:
    """Without a key the written order, with one shuffled by it; what `last` names stays at the end."""
    if choice in last:
        return True, last.index(choice)
    return False, sha256((key + choice).encode()).digest() if key else written.index(choice)


def part(variant: "Variant", number: int) -> Part:
    """A part of a variant whose names hold the answers of all parts that are numbers."""
    question = variant.question
    spec, program = question.meta.parts[number], question.program.parts[number]
    place = f"parts.{spec.id}."
    return Part(
        id=spec.id,
        question=Text(question.texts[f"{place}prompt"], variant),
        answer=variant.part_answers.get(spec.id),
        mistakes=mistakes(variant, program.mistakes, spec.mistakes, place),
        choices=choices(variant, spec, program.right, place),
        mode=spec.mode,
        key_points=tuple(
            PartPoint(
                point.id,
                point.weight,
                point.must,
                Text(question.texts[f"{place}key_points.{point.id}"], variant),
            )
            for point in spec.key_points
        ),
        uses=spec.uses,
    )
