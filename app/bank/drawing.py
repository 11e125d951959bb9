"""From a seed to values: what a variant draws, and the program of a question run over it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

from app.bank import expressions
from app.bank.exact_math import bounded
from app.bank.expressions import ExpressionError, Names
from app.bank.params import MAX_TRIES, Setting, Value
from app.bank.problems import BrokenQuestionError
from app.bank.program import Formula, Program, Step
from calculators.spec import InvalidInputs, Result

Settings = Mapping[str, Setting]


@dataclass(frozen=True, slots=True)
class Run:
    """All names of a question with their values, and the result of each calculator."""

    names: dict[str, expressions.Value | Mapping[str, expressions.Value]]
    results: dict[str, Result]


@dataclass(frozen=True, slots=True)
class Draw:
    """What a seed gives: the first try whose values satisfy every `require`."""

    settings: dict[str, Setting]
    try_number: int
    run: Run


def draw(program: Program, slug: str, seed: int) -> Draw:
    """Draw all parameters, again with the next try while a `require` does not hold.

    Seed 0 is the written values; a question whose written values do not satisfy `require` is not loaded.
    """
    tried: set[tuple[Value, ...]] = set()
    for attempt in range(1 if seed == 0 else MAX_TRIES):
        settings = {name: param.draw(slug, seed, attempt) for name, param in program.params.items()}
        combination = tuple(setting.value for setting in settings.values())
        if combination in tried:
            continue
        tried.add(combination)
        outcome = run(program, settings)
        if seed == 0 or unmet(program, outcome.names) is None:
            return Draw(settings, attempt, outcome)
    raise BrokenQuestionError(f"seed {seed} draws no values that satisfy require in {MAX_TRIES} tries")


def run(program: Program, settings: Settings) -> Run:
    """Evaluate every calculator and `let` over these parameters."""
    names: dict[str, expressions.Value | Mapping[str, expressions.Value]] = {
        **{name: figure.value for name, figure in program.constants.items()},
        **{name: setting.value for name, setting in settings.items()},
    }
    results: dict[str, Result] = {}
    for step in program.steps:
        if step.formula is not None:
            names[step.name] = evaluate(step.formula, names)
        else:
            result = _calculate(step, settings, names)
            results[step.name] = result
            names[step.name] = {**result.exact_inputs, **result.terms, **result.outputs, **result.exact}
    return Run(names, results)


def _calculate(step: Step, settings: Settings, names: Names) -> Result:
    assert step.calculator is not None
    raw: dict[str, Value] = {name: settings[name].value for name in step.fed}
    raw |= {name: evaluate(formula, names) for name, formula in step.set.items()}
    try:
        return step.calculator.evaluate(raw)
    except InvalidInputs as error:
        message = f"calculator `{step.name}`: {error}"
        raise BrokenQuestionError(message, line=step.line, fields=error.errors) from error


def unmet(program: Program, names: Names) -> Formula | None:
    """The first condition of `require` that does not hold."""
    for formula in program.require:
        with located(formula.line):
            holds = formula.evaluate(names)
            if not isinstance(holds, bool):
                raise BrokenQuestionError(
                    f"require: `{formula.source}` is not a condition", line=formula.line
                )
        if not holds:
            return formula
    return None


def evaluate(formula: Formula, names: Names) -> Value:
    """The value of a formula; an ExpressionError becomes the question's own error, with its line."""
    with located(formula.line):
        return formula.evaluate(names)


def number(formula: Formula, names: Names, what: str) -> int | Fraction:
    """The value of a formula that has to be a number."""
    value = evaluate(formula, names)
    if isinstance(value, bool | str):
        raise BrokenQuestionError(f"{what}: `{formula.source}` is not a number", line=formula.line)
    return bounded(value)


@contextmanager
def located(line: int) -> Iterator[None]:
    try:
        yield
    except ExpressionError as error:
        raise BrokenQuestionError(str(error), line=line) from error
