"""A variant: a question with its numbers, drawn by a seed and, after the reveal, edited by the reader."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from typing import Any

from markupsafe import Markup

from app.bank import document, drawing, printing
from app.bank.document import EMPTY, Document, Shown
from app.bank.expressions import Expression, ExpressionError, Names
from app.bank.params import MAX_SEED, Param, Setting, Value, display, seed_error
from app.bank.problems import BrokenQuestionError, VariantError, did_you_mean
from app.bank.program import MistakeRule, Program, Target
from app.bank.question import Question
from app.bank.schema import Mistake, Tolerance
from app.bank.substitutions import Substitution
from calculators import quantities
from calculators.spec import FieldError, Result
from calculators.spec.reading import quoted, shown

Number = int | Fraction


@dataclass(frozen=True, slots=True)
class Chosen:
    """A parameter of a variant: its value here, and the value that the seed drew."""

    param: Param
    setting: Setting
    drawn: Setting

    @property
    def name(self) -> str:
        return self.param.name

    @property
    def value(self) -> Value:
        return self.setting.value

    @property
    def text(self) -> str:
        """As a form field or a link holds it."""
        return self.setting.text

    @property
    def edited(self) -> bool:
        return self.setting.value != self.drawn.value

    @property
    def display(self) -> str:
        return display(self.setting.value, self.param.input.family)


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


@dataclass(frozen=True, slots=True)
class MistakeValue:
    """The value that a named mistake leads to, the credit that it keeps, and what to say about it."""

    id: str
    value: Number
    credit: Fraction
    say: Markup


@dataclass(frozen=True, slots=True)
class Choice:
    id: str
    text: Markup
    right: bool
    say: Markup


@dataclass(frozen=True, slots=True)
class PartPoint:
    """A key point of an open part."""

    id: str
    weight: int
    must: bool
    text: Markup


@dataclass(frozen=True, slots=True)
class Part:
    id: str
    prompt: Markup
    answer: Answer | None
    mistakes: tuple[MistakeValue, ...]
    key_points: tuple[PartPoint, ...]
    uses: tuple[str, ...]  # earlier parts whose answer a learner may carry forward


@dataclass(frozen=True, slots=True)
class Calculation:
    """One calculator of the question, evaluated, and the page where it stands in this state."""

    name: str
    result: Result

    @property
    def query(self) -> list[tuple[str, str]]:
        return self.result.calculator.link_query(self.result.resolved)


@dataclass(frozen=True, slots=True)
class Variant:
    question: Question
    seed: int
    try_number: int
    params: Mapping[str, Chosen]
    calculators: Mapping[str, Calculation]
    names: Names
    answer: Answer | None
    part_answers: Mapping[str, Answer]
    mistakes: tuple[MistakeValue, ...] = ()
    choices: tuple[Choice, ...] = ()  # in the order of the page
    parts: tuple[Part, ...] = ()

    @property
    def edited(self) -> bool:
        """Whether a parameter is not at the seed's value, so that no answer is given to this variant."""
        return any(chosen.edited for chosen in self.params.values())

    @property
    def right_choices(self) -> tuple[str, ...]:
        return tuple(choice.id for choice in self.choices if choice.right)

    @property
    def query(self) -> list[tuple[str, str]]:
        """The query that restores this variant; parameters at the seed's value stay out."""
        edits = [(chosen.name, chosen.text) for chosen in self.params.values() if chosen.edited]
        return [("v", "1"), ("seed", str(self.seed)), *edits]

    def render(self, prose: Document) -> Markup:
        """The HTML of one of the question's documents, with this variant's numbers."""
        return document.render(prose, self)

    def to_json(self) -> dict[str, Any]:
        """What an attempt keeps, so that no later edit of the question changes a verdict."""
        right: dict[str, Any] = {}
        if self.answer is not None:
            right = _truth_json(self.answer, self.mistakes)
        elif self.choices:
            right = {"choices": list(self.right_choices), "mode": self.question.meta.mode}
        elif self.parts:
            graded = {part.id: _truth_json(part.answer, part.mistakes) for part in self.parts if part.answer}
            right = {"parts": graded}
        drawn = {chosen.name: chosen.text for chosen in self.params.values()}
        return {"seed": self.seed, "try": self.try_number, "params": drawn, "right": right}

    # Below: what a document asks of the variant that it is rendered with.

    def holds(self, condition: Expression) -> bool:
        value = condition.evaluate(self.names)
        if not isinstance(value, bool):
            raise ExpressionError("::: if needs a condition, not a number or a text", condition.source)
        return value

    def shown(self, substitution: Substitution) -> Shown:
        return printing.shown(substitution, self)


def _truth_json(answer: Answer, mistakes: tuple[MistakeValue, ...]) -> dict[str, Any]:
    tolerance = {"form": answer.tolerance.form, "size": str(answer.tolerance.size)}
    wrong = [{"id": each.id, "value": str(each.value), "credit": str(each.credit)} for each in mistakes]
    value = {"value": str(answer.value), "family": answer.family, "unit": answer.unit, "tolerance": tolerance}
    return {"answer": value, "mistakes": wrong}


def make_variant(question: Question, seed: int = 0, given: Mapping[str, str] | None = None) -> Variant:
    """The variant of a seed, with the parameters that a reader gave in place of those drawn.

    A VariantError names every field that is refused and what is allowed there. A BrokenQuestionError means
    that the question does not compute with values of its own, which the lint reports.
    """
    if not 0 <= seed <= MAX_SEED:
        raise VariantError([seed_error(str(seed))])
    drawn = drawing.draw(question.program, question.slug, seed)
    edits, errors = _read_edits(question.program, given or {})
    try:
        variant = _edited(question, seed, drawn, edits) if edits else _unedited(question, seed, drawn)
    except VariantError as error:
        raise VariantError([*errors, *error.errors], _unedited(question, seed, drawn)) from error
    if errors:
        raise VariantError(errors, variant)
    return variant


def _unedited(question: Question, seed: int, drawn: drawing.Draw) -> Variant:
    return _assemble(question, seed, drawn, drawn.settings, drawn.run)


def _read_edits(program: Program, given: Mapping[str, str]) -> tuple[dict[str, Setting], list[FieldError]]:
    edits: dict[str, Setting] = {}
    errors: list[FieldError] = []
    for name, text in given.items():
        if name not in program.params:
            allowed = "one of " + ", ".join(program.params) if program.params else "no parameter"
            hint = did_you_mean(name, program.params)
            message = f"{shown(name)} is not a parameter of this question." + (f" ({hint})" if hint else "")
            errors.append(FieldError(shown(name), shown(text), allowed, message))
        elif text.strip():
            outcome = program.params[name].read(text)
            if isinstance(outcome, FieldError):
                errors.append(outcome)
            else:
                edits[name] = outcome
    return edits, errors


def _edited(question: Question, seed: int, drawn: drawing.Draw, edits: Mapping[str, Setting]) -> Variant:
    program = question.program
    settings = {**drawn.settings, **edits}
    changed = [name for name in edits if edits[name].value != drawn.settings[name].value]
    try:
        outcome = drawing.run(program, settings)
        unmet = drawing.unmet(program, outcome.names)
        if unmet is None:
            return _assemble(question, seed, drawn, settings, outcome)
        errors = _together(program, edits, changed, f"together they must satisfy {unmet.source}")
    except BrokenQuestionError as error:
        errors = [field for field in error.fields if field.field in changed]
        errors = errors or _together(program, edits, changed, str(error))
    raise VariantError(errors)


def _together(
    program: Program, edits: Mapping[str, Setting], changed: Sequence[str], reason: str
) -> list[FieldError]:
    """The same refusal at every field that was changed: none of them is wrong alone."""
    return [
        FieldError(
            name,
            edits[name].text,
            program.params[name].allowed,
            f"{name} is {quoted(edits[name].text)}, with which the question does not work: {reason}.",
        )
        for name in changed
    ]


def _assemble(
    question: Question, seed: int, drawn: drawing.Draw, settings: Mapping[str, Setting], outcome: drawing.Run
) -> Variant:
    program, names = question.program, outcome.names
    chosen = {
        name: Chosen(program.params[name], setting, drawn.settings[name])
        for name, setting in settings.items()
    }
    answer = None
    if program.target is not None:
        answer = _answer(program.target, names)
        names = {**names, "answer": answer.value}
    part_answers: dict[str, Answer] = {}
    for part in program.parts:
        if part.target is not None:
            part_answers[part.id] = _answer(part.target, names)
            names = {**names, "answer": {id_: each.value for id_, each in part_answers.items()}}
    bare = Variant(
        question=question,
        seed=seed,
        try_number=drawn.try_number,
        params=chosen,
        calculators={name: Calculation(name, result) for name, result in outcome.results.items()},
        names=names,
        answer=answer,
        part_answers=part_answers,
    )
    return replace(
        bare,
        mistakes=_mistakes(bare, program.mistakes, question.meta.mistakes, "mistakes"),
        choices=_choices(bare),
        parts=_parts(bare),
    )


def _answer(target: Target, names: Names) -> Answer:
    value = drawing.number(target.value, names, "answer")
    return Answer(value, target.family, target.unit, target.tolerance)


def _mistakes(
    variant: Variant, rules: Sequence[MistakeRule], specs: Sequence[Mistake], place: str
) -> tuple[MistakeValue, ...]:
    texts = variant.question.texts
    return tuple(
        MistakeValue(
            rule.id,
            drawing.number(rule.value, variant.names, f"mistake `{rule.id}`"),
            spec.credit,
            variant.render(texts[f"{place}.{rule.id}.say"]),
        )
        for rule, spec in zip(rules, specs, strict=True)
    )


def _choices(variant: Variant) -> tuple[Choice, ...]:
    meta, texts, program = variant.question.meta, variant.question.texts, variant.question.program
    choices = []
    for spec in meta.choices:
        right = drawing.evaluate(program.right[spec.id], variant.names)
        if not isinstance(right, bool):
            raise BrokenQuestionError(
                f"choice `{spec.id}`: right is not true or false", line=program.right[spec.id].line
            )
        say = texts.get(f"choices.{spec.id}.say", EMPTY)
        choices.append(
            Choice(spec.id, variant.render(texts[f"choices.{spec.id}.text"]), right, variant.render(say))
        )
    right_ones = sum(choice.right for choice in choices)
    if choices and (right_ones == 0 or (meta.mode == "single" and right_ones > 1)):
        wanted = "one right choice" if meta.mode == "single" else "a right choice or more"
        line = min(formula.line for formula in program.right.values())
        raise BrokenQuestionError(f"needs {wanted}, and has {right_ones}", line=line)
    return tuple(sorted(choices, key=lambda choice: _position(variant, choice.id)))


def _position(variant: Variant, choice: str) -> tuple[int, bytes | int]:
    """Seed 0 has the written order; other seeds shuffle, except for those that `last` pins to the end."""
    meta = variant.question.meta
    if choice in meta.last:
        return len(meta.last) + 1, meta.last.index(choice)
    if variant.seed == 0:
        return 0, [spec.id for spec in meta.choices].index(choice)
    return 0, sha256(f"{variant.question.slug}|{variant.seed}|choice|{choice}".encode()).digest()


def _parts(variant: Variant) -> tuple[Part, ...]:
    question = variant.question
    parts = []
    for spec, program in zip(question.meta.parts, question.program.parts, strict=True):
        place = f"parts.{spec.id}"
        points = tuple(
            PartPoint(
                point.id,
                point.weight,
                point.must,
                variant.render(question.texts[f"{place}.key_points.{point.id}"]),
            )
            for point in spec.key_points
        )
        prompt = variant.render(question.texts[f"{place}.prompt"])
        mistakes = _mistakes(variant, program.mistakes, spec.mistakes, f"{place}.mistakes")
        parts.append(Part(spec.id, prompt, variant.part_answers.get(spec.id), mistakes, points, spec.uses))
    return tuple(parts)
