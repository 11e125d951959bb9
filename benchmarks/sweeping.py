"""A sweep of a million points, beside the formulas of the calculator's page, evaluated by bare numpy."""

import time
from collections.abc import Iterator, Mapping
from functools import partial, reduce
from types import CodeType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import calculators
from benchmarks.comparing import Compared, in_turns, timed
from calculators.spec import Calculator, Output, Result, Term
from calculators.spec.explaining import formula_text

GOAL: Final = 6.0
ROUNDS: Final = 5
POINTS: Final = 1_000_000
OVER: Final = {
    "amdahl": "speedup",
    "roofline": "bytes",
    "kv-cache": "seq_len",
    "transformer-params": "layers",
    "fine-tune-memory": "rank",
    "training-memory": "params",
}  # else the first number
# A simulation, a sum over servers and a geometric series have no formula that numpy could evaluate.
WITHOUT_FORMULA: Final = ("batching", "queue", "speculative-decoding")

Array = NDArray[Any]


def _named(before: np.ufunc, times: Mapping[str, Array]) -> Array:
    """The name of the time that comes before every other; the first named on a tie."""
    (name, first), *others = times.items()
    word: Any = name
    for other, time_ in others:
        word = np.where(before(time_, first), other, word)
        first = np.maximum(first, time_) if before is np.greater else np.minimum(first, time_)
    return np.asarray(word)


FUNCTIONS: Final = {
    "min": lambda *values: reduce(np.minimum, values),
    "max": lambda *values: reduce(np.maximum, values),
    "floor": np.floor,
    "ceil": np.ceil,
    "sqrt": np.sqrt,
    "longest": lambda **times: _named(np.greater, times),
    "smallest": lambda **times: _named(np.less, times),
}


def run() -> Iterator[Compared]:
    """By the processor time of this thread. Both give the same numbers, which is seen to first."""
    for calculator in calculators.all():
        if calculator.slug not in WITHOUT_FORMULA:
            name = OVER.get(calculator.slug) or next(each.name for each in calculator.inputs if each.numeric)
            yield _compared(calculator, name)


def _compared(calculator: Calculator, name: str) -> Compared:
    declared = calculator.input_names[name]
    points = np.arange(1, POINTS + 1, dtype=np.float64)
    if declared.maximum is not None:
        points *= declared.maximum / POINTS
    result = calculator.evaluate()
    known = {
        each: value if value is None or isinstance(value, str | bool) else float(value)
        for each, value in {**result.exact_inputs, **result.terms}.items()
    }
    numbers = [each for each, value in result.outputs.items() if value is not None]
    bare = partial(_bare, _formulas(calculator, result), {**known, name: points}, numbers, points)
    ours = partial(calculator.sweep, name, points)
    swept = ours()
    for output, column in bare().items():
        if column.dtype.kind == "f":
            np.testing.assert_allclose(
                swept[output], column, rtol=1e-9, err_msg=f"{calculator.slug} {output}"
            )
        else:
            assert (swept[output] == column).all(), f"{calculator.slug} {output}"
    times = in_turns(timed(bare, time.thread_time), timed(ours, time.thread_time), ROUNDS)
    return Compared(f"sweep {calculator.slug} over {name}", *times, "ratio", GOAL)


def _formulas(calculator: Calculator, result: Result) -> dict[str, CodeType]:
    """Of the terms that have one, and of the outputs."""
    declared: list[Term | Output] = [*calculator.terms, *calculator.outputs]
    texts = {each.name: formula_text(each.formula, result) for each in declared}
    return {name: compile(text, name, "eval") for name, text in texts.items() if text}


class _Names(dict[str, Any]):
    """What a formula can name; what is a formula itself is evaluated when it is first named."""

    def __init__(self, formulas: Mapping[str, CodeType], known: Mapping[str, Any]) -> None:
        super().__init__((name, value) for name, value in known.items() if name not in formulas)
        self.formulas = formulas

    def __missing__(self, name: str) -> Any:
        if name not in self.formulas:
            raise KeyError(name)
        self[name] = eval(self.formulas[name], FUNCTIONS, self)  # noqa: S307 (formulas of ours)
        return self[name]


def _bare(
    formulas: Mapping[str, CodeType], known: Mapping[str, Any], outputs: list[str], points: Array
) -> dict[str, Array]:
    values = _Names(formulas, known)
    columns = {name: np.asarray(values[name]) for name in outputs}
    return {name: each if each.shape else np.full(points.shape, each) for name, each in columns.items()}
