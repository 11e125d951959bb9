"""A variant: a question with its numbers, drawn by a seed and, after the reveal, edited by the reader."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from markupsafe import Markup

import calculators
from app.bank import document, drawing, graded, passages, printing
from app.bank.document import Document, Shown
from app.bank.expressions import Expression, ExpressionError, Names
from app.bank.graded import Answer, Choice, MistakeValue, Part
from app.bank.params import MAX_SEED, Param, Setting, Value, display, seed_error
from app.bank.problems import BrokenQuestionError, VariantError, did_you_mean
from app.bank.program import Program
from app.bank.question import Question
from app.bank.substitutions import Substitution
from calculators.spec import FieldError, Result
from calculators.spec.reading import quoted, shown


class Chosen(NamedTuple):
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


class Calculation(NamedTuple):
    """One calculator of the question, evaluated, and the page where it stands in this state."""

    name: str
    result: Result

    @property
    def query(self) -> list[tuple[str, str]]:
        return self.result.calculator.link_query(self.result.resolved)


def made_with(version: int) -> str:
    """What a link says that it was made with: the question's version, and the cost library's after a dot.

    As long as that has never been corrected, it is left out.
    """
    library = calculators.LIBRARY_VERSION
    return str(version) if library == "1" else f"{version}.{library}"


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
        """The query that restores this variant, with the question's version as v; what is at the seed's value
        stays out.
        """
        edits = [(chosen.name, chosen.text) for chosen in self.params.values() if chosen.edited]
        return [("v", made_with(self.question.meta.version)), ("seed", str(self.seed)), *edits]

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
            right = {"parts": {part.id: _part_json(part) for part in self.parts if not part.key_points}}
        drawn = {chosen.name: chosen.text for chosen in self.params.values()}
        return {"seed": self.seed, "try": self.try_number, "params": drawn, "right": right}

    # Below: what a document asks of the variant that it is rendered with.

    def holds(self, condition: Expression) -> bool:
        value = condition.evaluate(self.names)
        if not isinstance(value, bool):
            raise ExpressionError("::: if needs a condition", condition.source, hint="as in ::: if batch > 1")
        return value

    def shown(self, substitution: Substitution) -> Shown:
        return printing.shown(substitution, self)


def _part_json(part: Part) -> dict[str, Any]:
    if part.answer is not None:
        return _truth_json(part.answer, part.mistakes)
    return {"choices": [choice.id for choice in part.choices if choice.right], "mode": part.mode}


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
    drawn = drawing.draw(question.program, question.slug, seed) if seed else question.as_written
    edits, errors = _read_edits(question.program, given or {})
    try:
        variant = _edited(question, seed, drawn, edits) if edits else unedited(question, seed, drawn)
    except VariantError as error:
        fallback = unedited(question, seed, drawn)
        raise VariantError([*errors, *error.errors], fallback, error.broken) from error
    if errors:
        raise VariantError(errors, variant)
    return variant


def unedited(question: Question, seed: int, drawn: drawing.Draw) -> Variant:
    """The variant of what a seed has drawn."""
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
            variant = _assemble(question, seed, drawn, settings, outcome)
            for passage in question.passages:  # one may divide by what these values make zero
                failure = passages.failure(passage, variant)
                if failure is not None:
                    raise failure
            return variant
        raise VariantError(_together(program, edits, changed, f"together they must satisfy {unmet.source}"))
    except BrokenQuestionError as error:
        errors = [field for field in error.fields if field.field in changed]
        raise VariantError(errors or _together(program, edits, changed, str(error)), broken=error) from error


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
        answer = graded.answer_to(program.target, names)
        names = {**names, "answer": answer.value}
    part_answers: dict[str, Answer] = {}
    for part in program.parts:
        if part.target is not None:
            part_answers[part.id] = graded.answer_to(part.target, names)
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
        mistakes=graded.mistakes(bare, program.mistakes, question.meta.mistakes, ""),
        choices=graded.choices(bare, question.meta, program.right, ""),
        parts=tuple(graded.part(bare, number) for number in range(len(program.parts))),
    )
