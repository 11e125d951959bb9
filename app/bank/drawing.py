"""From a seed to values: what a variant draws, and the program of a question run over it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from app.bank import expressions
from app.bank.exact_math import bounded
from app.bank.expressions import ExpressionError, Names
from app.bank.params import MAX_TRIES, Setting, Value
from app.bank.problems import BrokenQuestionError
from app.bank.program import Formula, Program, Step
from calculators.spec import Calculator, InvalidInputs, Result
from calculators.spec.evaluating import whole

Settings = Mapping[str, Setting]


class Readings(Mapping[str, expressions.Value]):
    """What expressions read of a calculator: its outputs, terms and resolved inputs, exactly.

    Each is looked up when it is read: a question reads few of them, and terms and inputs take time.
    """

    def __init__(self, result: Result) -> None:
        self._result = result

    def __getitem__(self, name: str) -> expressions.Value:
        result = self._result
        if name in result.exact:
            return result.exact[name]
        if name in result.outputs:
            return result.outputs[name]
        if name in result.calculator.term_names:
            return result.terms[name]
        if name not in result.calculator.input_names:
            raise KeyError(name)
        values = result.resolved.values
        return whole(getattr(values, name)) if values.has(name) else None

    def __iter__(self) -> Iterator[str]:
        calculator = self._result.calculator
        yield from dict.fromkeys((*calculator.output_names, *calculator.term_names, *calculator.input_names))

    def __len__(self) -> int:
        return sum(1 for _ in self)


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
    drawn = Draws(program, slug).new(seed)
    assert drawn is not None
    return drawn


class Draws:
    """Seed by seed what is drawn, each combination of values computed once."""

    def __init__(self, program: Program, slug: str) -> None:
        self._program = program
        self._slug = slug
        self._accepted: set[tuple[Value, ...]] = set()
        self._refused: set[tuple[Value, ...]] = set()

    def new(self, seed: int) -> Draw | None:
        """What a seed draws; None where an earlier seed has drawn the same."""
        program = self._program
        for attempt in range(1 if seed == 0 else MAX_TRIES):
            settings = {name: param.draw(self._slug, seed, attempt) for name, param in program.params.items()}
            combination = tuple(setting.value for setting in settings.values())
            if combination in self._refused:
                continue
            if combination in self._accepted:
                return None
            outcome = run(program, settings)
            if seed == 0 or unmet(program, outcome.names) is None:
                self._accepted.add(combination)
                return Draw(settings, attempt, outcome)
            self._refused.add(combination)
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
            names[step.name] = Readings(result)
    return Run(names, results)


def _calculate(step: Step, settings: Settings, names: Names) -> Result:
    assert step.calculator is not None
    raw: dict[str, Value] = {name: settings[name].value for name in step.fed}
    raw |= {name: evaluate(formula, names) for name, formula in step.set.items()}
    try:
        return _evaluated(step.calculator, tuple((name, type(value), value) for name, value in raw.items()))
    except InvalidInputs as error:
        message = f"calculator `{step.name}`: {error}"
        raise BrokenQuestionError(message, line=step.line, fields=error.errors) from error


@lru_cache(maxsize=2048)
def _evaluated(calculator: Calculator, raw: tuple[tuple[str, type, Value], ...]) -> Result:
    """The result for these inputs: variants of a question differ in few of them, and a page has them again.

    The types are there because Python takes 1 and True for the same key, and calculators do not.
    """
    return calculator.evaluate({name: value for name, _, value in raw})


def unmet(program: Program, names: Names) -> Formula | None:
    """The first condition of `require` that does not hold."""
    for formula in program.require:
        holds = evaluate(formula, names)
        if not isinstance(holds, bool):
            raise BrokenQuestionError(f"require: `{formula.source}` is not a condition", line=formula.line)
        if not holds:
            return formula
    return None


def evaluate(formula: Formula, names: Names) -> Value:
    """The value of a formula; an ExpressionError becomes the question's own error, with its line."""
    try:
        return formula.evaluate(names)
    except ExpressionError as error:
        raise error.broken(formula.line) from error


def number(formula: Formula, names: Names, what: str) -> int | Fraction:
    """The value of a formula that has to be a number."""
    value = evaluate(formula, names)
    if isinstance(value, bool | str):
        raise BrokenQuestionError(f"{what}: `{formula.source}` is not a number", line=formula.line)
    return bounded(value)
