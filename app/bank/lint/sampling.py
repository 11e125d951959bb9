"""Variants: 200 seeds and the ends of every range compute, print, and differ enough to be worth a review."""

from collections.abc import Iterator
from math import prod

from app.bank import drawing, passages
from app.bank.lint.subject import Sample, Subject
from app.bank.params import Param, Setting
from app.bank.problems import BrokenQuestionError, Fault, VariantError
from app.bank.variants import make_variant, unedited

SEEDS = 200
LEAST_DIFFERENT = 10
_KEEP_OUT = "keep such values out under require, or leave them out of the choices"


def check(subject: Subject) -> Iterator[Fault]:
    """Fills `subject.drawn` and `subject.edges`, and reports the first seed or end that fails."""
    question = subject.question
    draws = drawing.Draws(question.program, question.slug)
    for seed in range(SEEDS):
        label = f"seed {seed}" if seed else "the written values"
        try:
            drawn = draws.new(seed)
            if drawn is not None:
                subject.drawn.append(Sample(label, unedited(question, seed, drawn)))
        except BrokenQuestionError as error:
            yield Fault(
                error.line or subject.line("require"), f"with {label}: {error}", error.hint or _KEEP_OUT
            )
            return
    yield from _prose(subject)
    yield from _different(subject)
    yield from _ends(subject)


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
    varying = _varying(subject)
    for passage in subject.question.passages:
        changes = not passages.names(passage).isdisjoint(varying)
        for sample in subject.drawn if changes else subject.drawn[:1]:
            broken = passages.failure(passage, sample.variant)
            if broken is not None:
                yield Fault(broken.line, f"with {sample.label}: {broken}", broken.hint or _KEEP_OUT)
                break


def _varying(subject: Subject) -> set[str]:
    """The names whose values differ from variant to variant."""
    program = subject.question.program
    found = {name for name, param in program.params.items() if len(param.choices) > 1}
    for step in program.steps:  # each after those that it reads
        if not found.isdisjoint((*step.fed, *(name for each in step.expressions for name in each.names))):
            found.add(step.name)
    return found | {"answer"}
