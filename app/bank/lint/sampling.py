"""Variants: 200 seeds and the ends of every range compute, print, and differ enough to be worth a review."""

from collections.abc import Iterator
from math import prod

from app.bank import passages
from app.bank.lint.subject import Sample, Subject
from app.bank.params import MAX_TRIES, Param, Setting, Value
from app.bank.problems import BrokenQuestionError, Fault, VariantError
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
    yield from _prose(subject)
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
            except VariantError as error:
                broken = error.broken
                if broken is not None and not broken.fields:  # else the reader is told why not
                    hint = "narrow min and max, or say under require what it needs"
                    line = broken.line or subject.line("params", param.name)
                    yield Fault(line, f"with {label}: {broken}", hint)
                continue
            subject.edges.append(Sample(label, variant))


def _ends_of(param: Param) -> tuple[Setting, ...]:
    if param.minimum is None or param.maximum is None:
        return param.choices
    return (param.minimum, param.maximum) if param.minimum.value != param.maximum.value else ()


def _prose(subject: Subject) -> Iterator[Fault]:
    """Each passage that fails, once, with the first variant in which it does."""
    left = list(subject.question.passages)
    for sample in subject.drawn:
        for passage in tuple(left):
            broken = passages.failure(passage, sample.variant)
            if broken is not None:
                left.remove(passage)
                yield Fault(broken.line, f"with {sample.label}: {broken}", broken.hint or _KEEP_OUT)
