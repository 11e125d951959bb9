"""The plot beside the answer: its names exist, and what they name can be drawn."""

from collections.abc import Iterator

from app.bank.lint.subject import Subject
from app.bank.plotted import movable
from app.bank.problems import Fault, did_you_mean
from app.bank.program import Program


def check(subject: Subject) -> Iterator[Fault]:
    spec = subject.question.meta.plot
    if spec is None:
        return
    program = subject.question.program
    numbers = list(_numbers(program))
    line = subject.line("plot", "output")
    if spec.output not in numbers:
        hint = did_you_mean(spec.output, numbers)
        yield Fault(line, f"plot: `{spec.output}` is no number of a calculator of this question", hint)
        return
    calculation, _, output = spec.output.partition(".")
    moving = movable(program, calculation)
    if spec.over not in moving:
        known = f"one of {', '.join(moving)}" if moving else "no parameter does"
        yield Fault(
            subject.line("plot", "over"), f"plot: `{spec.over}` does not move {calculation} alone", known
        )
    family = program.calculators[calculation].output_names[output].family
    for name in spec.lines:
        yield from _line(program, name, str(family), subject.line("plot", "lines"))


def _numbers(program: Program) -> Iterator[str]:
    for name, calculator in program.calculators.items():
        yield from (f"{name}.{output.name}" for output in calculator.outputs if output.family)


def _line(program: Program, name: str, family: str, line: int) -> Iterator[Fault]:
    """What is wrong with one of the levels; the family of a name under `let` is not known here."""
    found = _families(program)
    if name not in found:
        yield Fault(line, f"plot: the line `{name}` is not known here", did_you_mean(name, found))
    elif found[name] not in ("", family):
        yield Fault(
            line,
            f"plot: the line `{name}` is of the family {found[name]}, the output of {family}",
            "leave it out",
        )


def _families(program: Program) -> dict[str, str]:
    """Every name that a level may have, with the family of its number."""
    found = {name: figure.family for name, figure in program.constants.items()}
    found |= {step.name: "" for step in program.steps if step.calculator is None}
    for name, calculator in program.calculators.items():
        found |= {f"{name}.{each.name}": each.family for each in calculator.outputs if each.family}
        found |= {f"{name}.{each.name}": each.family for each in calculator.inputs if each.numeric}
    return found
