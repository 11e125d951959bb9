"""Nothing unused: a name that nobody reads is a slip, or what is left of an earlier version."""

from collections.abc import Iterator

from app.bank.lint.subject import Subject
from app.bank.problems import Fault

_GROUPS = {
    "params": "the parameter",
    "constants": "the constant",
    "calculators": "the calculator",
    "let": "the name under let",
}


def check(subject: Subject) -> Iterator[Fault]:
    meta = subject.question.meta
    read = set(_read(subject))
    for group, kind in _GROUPS.items():
        for name in getattr(meta, group):
            if name not in read:
                yield Fault(
                    subject.line(group, name), f"{kind} `{name}` is used nowhere", "use it or take it out"
                )
    for number, part in enumerate(subject.question.program.parts):
        answers = {read for expression in part.expressions for read in expression.attributes}
        for used in part.uses:
            if ("answer", used) not in answers:
                message = f"part `{part.id}` uses `{used}`, and nothing in it reads answer.{used}"
                yield Fault(subject.line("parts", number, "uses"), message, "compute with it, or take it out")


def _read(subject: Subject) -> Iterator[str]:
    """Every name that an expression or the plot reads, and every parameter that feeds a calculator."""
    program = subject.question.program
    if subject.question.meta.plot is not None:
        yield from subject.question.meta.plot.lines
    for step in program.steps:
        yield from step.fed
    for _, expression in subject.expressions:
        yield from expression.names
