"""Variants: 200 seeds and the ends of every range compute, print, and differ enough to be worth a review."""

from collections.abc import Iterator, Sequence
from math import prod

from markdown_it.token import Token

from app.bank import conditions, drawing
from app.bank.expressions import ExpressionError
from app.bank.lint.subject import Sample, Subject
from app.bank.params import MAX_TRIES, Param, Setting, Value
from app.bank.problems import BrokenQuestionError, Fault, VariantError
from app.bank.substitutions import (
    FormattedSubstitution,
    NameSubstitution,
    Substitution,
    WordingSubstitution,
)
from app.bank.variants import Variant, make_variant

SEEDS = 200
LEAST_DIFFERENT = 10
_KEEP_OUT = "keep such values out under require, or leave them out of the choices"

Combination = tuple[Value, ...]


def check(subject: Subject) -> Iterator[Fault]:
    """Fills `subject.drawn` and `subject.edges`, and reports the first seed or end that fails."""
    draws = _Draws(subject)
    for seed in range(SEEDS):
        label = f"seed {seed}" if seed else "the written values"
        if draws.seen(seed):
            continue
        try:
            variant = make_variant(subject.question, seed)
        except BrokenQuestionError as error:
            yield Fault(
                error.line or subject.line("require"), f"with {label}: {error}", error.hint or _KEEP_OUT
            )
            return
        if draws.note(variant):
            subject.drawn.append(Sample(label, variant))
    yield from _prose(subject, subject.drawn)
    yield from _different(subject)
    yield from _ends(subject)


class _Draws:
    """Which combinations of values `require` has let through or refused, so that each is computed once."""

    def __init__(self, subject: Subject) -> None:
        self._slug = subject.question.slug
        self._params = tuple(subject.question.program.params.values())
        self._accepted: set[Combination] = set()
        self._refused: set[Combination] = set()

    def seen(self, seed: int) -> bool:
        """Whether a seed is known to give the values of an earlier one."""
        if seed == 0:
            return False
        for attempt in range(MAX_TRIES):
            combination = self._combination(seed, attempt)
            if combination not in self._refused:
                return combination in self._accepted
        return False

    def note(self, variant: Variant) -> bool:
        """Take in what a seed drew; whether it is new."""
        tries = range(variant.try_number if variant.seed else 0)
        self._refused |= {self._combination(variant.seed, attempt) for attempt in tries}
        drawn = tuple(chosen.drawn.value for chosen in variant.params.values())
        new = drawn not in self._accepted
        self._accepted.add(drawn)
        return new

    def _combination(self, seed: int, attempt: int) -> Combination:
        return tuple(param.draw(self._slug, seed, attempt).value for param in self._params)


def _different(subject: Subject) -> Iterator[Fault]:
    found = len(subject.drawn)
    varying = [param for param in subject.question.program.params.values() if len(param.choices) > 1]
    possible = prod(len(param.choices) for param in varying)
    wanted = min(LEAST_DIFFERENT, possible)
    if varying and found < wanted:
        message = f"{SEEDS} seeds give {found} different variants, of {possible} combinations of choices"
        yield Fault(subject.line("params"), message, f"at least {wanted}: loosen require, or add choices")
    answers = {sample.variant.answer.value for sample in subject.drawn if sample.variant.answer}
    if found > 1 and len(answers) == 1:
        message = "the answer is the same for every variant"
        yield Fault(subject.line("answer"), message, "vary a parameter that it depends on", "warning")


def _ends(subject: Subject) -> Iterator[Fault]:
    for param in subject.question.program.params.values():
        for end in _ends_of(param):
            label = f"{param.name} at {end.text}"
            try:
                variant = make_variant(subject.question, 0, {param.name: end.text})
            except VariantError:
                fault = _refused_end(subject, param, end)
                if fault is not None:
                    hint = "narrow min and max, or say under require what it needs"
                    line = fault.line or subject.line("params", param.name)
                    yield Fault(line, f"with {label}: {fault}", hint)
                continue
            subject.edges.append(Sample(label, variant))
    yield from _prose(subject, subject.edges)


def _refused_end(subject: Subject, param: Param, end: Setting) -> BrokenQuestionError | None:
    """Why an end does not compute; None where a `require` or a calculator tells the reader why not."""
    program = subject.question.program
    settings = {chosen.name: chosen.setting for chosen in subject.drawn[0].variant.params.values()}
    settings[param.name] = end
    try:
        outcome = drawing.run(program, settings)
        if drawing.unmet(program, outcome.names) is not None:
            return None
        return BrokenQuestionError("the answer, a mistake or a choice has no value")
    except BrokenQuestionError as error:
        return None if error.fields else error


def _ends_of(param: Param) -> tuple[Setting, ...]:
    if param.minimum is None or param.maximum is None:
        return param.choices
    return (param.minimum, param.maximum) if param.minimum.value != param.maximum.value else ()


def _prose(subject: Subject, samples: list[Sample]) -> Iterator[Fault]:
    """Each passage that fails, once, with the first variant in which it does."""
    failed: set[int] = set()
    for sample in samples:
        for number, passage in enumerate(subject.passages):
            if number not in failed:
                fault = _failure(passage, sample)
                if fault is not None:
                    failed.add(number)
                    yield fault


def _failure(passage: Sequence[Token], sample: Sample) -> Fault | None:
    line = 1
    try:
        for token in passage if len(passage) == 1 else conditions.select(passage, sample.variant):
            line = token.meta["line"]
            _evaluate(token.meta["substitution"], sample.variant)
    except BrokenQuestionError as error:
        broken = error
    except ExpressionError as error:
        broken = error.broken(line)
    else:
        return None
    return Fault(broken.line, f"with {sample.label}: {broken}", broken.hint or _KEEP_OUT)


def _evaluate(substitution: Substitution, variant: Variant) -> None:
    """Whether a substitution has a value. It is not printed: every number prints, and that takes longer."""
    match substitution:
        case FormattedSubstitution(formatter=formatter):
            value = substitution.expression.evaluate(variant.names)
            if isinstance(value, bool | str):
                message, hint = f"{formatter.name} prints a number", "a bare name prints a word"
                raise ExpressionError(message, substitution.source, hint=hint)
        case WordingSubstitution():
            substitution.text(variant.names)
        case NameSubstitution():
            substitution.expression.evaluate(variant.names)
