"""What can be plotted of a question: the parameters that alone move one of its calculators."""

from collections.abc import Mapping

from app.bank.program import Program, Step


def movable(program: Program, calculation: str) -> tuple[str, ...]:
    """The numeric parameters that feed a calculator as they are, and reach it in no other way.

    Over these a sweep of the calculator is what the question would say. A parameter that is also read by the
    calculator's `set` would move two of its inputs.
    """
    steps = {step.name: step for step in program.steps}
    step = steps[calculation]
    elsewhere = _read(step, steps)
    return tuple(
        name
        for name in step.fed
        if name not in elsewhere and (param := program.params[name]).input.numeric and not param.fixed
    )


def _read(step: Step, steps: Mapping[str, Step]) -> set[str]:
    """Every parameter that the expressions of a step read, by way of other steps too."""
    read: set[str] = set()
    waiting = [name for expression in step.expressions for name in expression.names]
    while waiting:
        name = waiting.pop()
        if name in read:
            continue
        read.add(name)
        if name in steps:
            waiting += steps[name].fed
            waiting += [inner for expression in steps[name].expressions for inner in expression.names]
    return read
