"""What would change a calculator's verdict: which limit binds, whether it fits or hides, which way is faster.

Each input is changed alone, the others held fast. A number is followed up and down to the nearest value that
gives another verdict; of a choice every other word is tried.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import floor, inf, log
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from calculators.spec import sweeping
from calculators.spec.declare import Input, Output
from calculators.spec.errors import InvalidInputs
from calculators.spec.results import Result
from calculators.spec.searching import Floats, first_change
from calculators.spec.values import to_float

if TYPE_CHECKING:
    from calculators.spec.calculator import Calculator

Verdict: TypeAlias = str | bool

REACH = 10**6  # a number is followed to a millionth and to a million times of its value
_POINTS = 480  # on each side, 3 % apart
_EACH = 4096  # whole numbers looked at one by one
_CLOSE = 1e-9  # relative; an amount is rounded from here, away from its value now
_FIGURES = (4, 6, 9, 12)
_FROM_ZERO = 1e-12, 1e18  # where an amount that is 0 now is looked into


class NumberFlip(NamedTuple):
    """The nearest value of a number, on one side, with another verdict.

    A count is exact (to the precision of a float beyond 2^53), an amount is rounded to 4 figures, away from
    its value now. Either way `result` is the evaluation at this value.
    """

    declared: Input
    now: int | Fraction
    value: int | Fraction
    verdict: Verdict
    result: Result

    @property
    def ratio(self) -> float:
        """The value over that of now, infinite where that is 0."""
        return to_float(Fraction(self.value) / Fraction(self.now)) if self.now else inf

    @property
    def distance(self) -> float:
        """How large the change is: the factor up or down, as a logarithm."""
        return abs(log(self.ratio)) if 0 < self.ratio < inf else inf


class ChoiceFlip(NamedTuple):
    """Another word of a choice, with another verdict."""

    declared: Input
    now: Verdict
    choice: Verdict
    verdict: Verdict
    result: Result


class Flips(NamedTuple):
    """Every single change that flips the verdict: numbers with the smallest change first, then choices.

    `steady` are the inputs that flip nothing, however far they are followed, a published model's own
    dimensions aside.
    """

    output: Output
    verdict: Verdict
    result: Result
    numbers: tuple[NumberFlip, ...]
    choices: tuple[ChoiceFlip, ...]
    steady: tuple[Input, ...]


def flips(calculator: "Calculator", raw: Mapping[str, Any]) -> Flips | None:
    """What flips the verdict beside these inputs; None for a calculator without one."""
    output = calculator.verdict
    if output is None:
        return None
    result = calculator.evaluate(raw)
    question = _Question(calculator, raw, result, output)
    numbers: list[NumberFlip] = []
    choices: list[ChoiceFlip] = []
    steady: list[Input] = []
    for declared in _in_use(calculator, result):
        before = len(numbers) + len(choices)
        if declared.numeric:
            numbers += question.numbers(declared)
        else:
            choices += question.choices(declared)
        named = declared.group != "model" or declared.name in result.resolved.texts
        if named and len(numbers) + len(choices) == before:
            steady.append(declared)
    numbers.sort(key=lambda flip: flip.distance)
    return Flips(output, question.verdict, result, tuple(numbers), tuple(choices), tuple(steady))


def _in_use(calculator: "Calculator", result: Result) -> Iterator[Input]:
    """The inputs that can matter: given, with a default, needed from a preset, or following another input.

    A count of 0 has switched something off, and to switch it on is no change of a number.
    """
    resolved, inputs = result.resolved, result.exact_inputs
    for declared in calculator.inputs:
        name = declared.name
        follows = declared.follows in calculator.input_names
        if name not in resolved.texts and name not in resolved.needed and not follows:
            continue
        if inputs[name] is not None and (declared.kind != "count" or inputs[name]):
            yield declared


class _Question:
    """One state of a calculator, and its verdict after a change of one input."""

    def __init__(
        self, calculator: "Calculator", raw: Mapping[str, Any], result: Result, output: Output
    ) -> None:
        self.calculator = calculator
        self.raw = raw
        self.result = result
        self.output = output.name
        self.verdict = self._verdict(result)

    def _verdict(self, result: Result) -> Verdict:
        verdict = result.outputs[self.output]
        assert isinstance(verdict, str | bool)
        return verdict

    def _flipped(self, name: str, value: object) -> Result | None:
        """The result after a change, if the change is allowed and flips the verdict."""
        try:
            result = self.calculator.evaluate({**self.raw, name: value})
        except InvalidInputs:
            return None
        return result if self._verdict(result) != self.verdict else None

    def choices(self, declared: Input) -> Iterator[ChoiceFlip]:
        now = self.result.exact_inputs[declared.name]
        assert isinstance(now, str | bool)
        for choice in declared.choices or (False, True):
            result = None if choice == now else self._flipped(declared.name, choice)
            if result is not None:
                yield ChoiceFlip(declared, now, choice, self._verdict(result), result)

    def numbers(self, declared: Input) -> Iterator[NumberFlip]:
        """The nearest flips below and above."""
        now = self.result.exact_inputs[declared.name]
        assert isinstance(now, int | Fraction)
        search = _Search(self, declared)
        for outward in _ways(declared, to_float(now)):
            found = search.nearest(outward)
            if found is not None:
                value, result = found
                yield NumberFlip(declared, now, value, self._verdict(result), result)


class _Search:
    """The verdict over one number."""

    def __init__(self, question: _Question, declared: Input) -> None:
        self.question = question
        self.declared = declared
        self.base = sweeping.base(question.calculator, declared.name, question.raw)

    def _changed(self, points: Floats, *, relaxed: bool = True) -> NDArray[np.bool_]:
        """Where the verdict is another one. Whole-number rules are left aside while closing in."""
        calculator, name = self.question.calculator, self.declared.name
        try:
            swept = sweeping.sweep_from(calculator, self.base, name, points, relaxed=relaxed)
        except InvalidInputs:  # an input beside this one, refused by a cost function at some point of the way
            return np.zeros(points.shape, dtype=bool)
        column = swept[self.question.output]
        changed: NDArray[np.bool_] = column != self.question.verdict
        return changed & (column != None) if column.dtype == object else changed  # noqa: E711 - elementwise

    def nearest(self, outward: Floats) -> tuple[int | Fraction, Result] | None:
        """The first value along the way out that flips the verdict exactly, with its result."""
        counted = self.declared.kind == "count"
        found = first_change(self._changed, outward, _EACH if counted else _CLOSE * outward[0])
        if found is None:
            return None
        near, far = found
        for value in self._whole(near, far) if counted else _rounded(near, far):
            result = self.question._flipped(self.declared.name, value)
            if result is not None:
                return value, result
        return None

    def _whole(self, near: float, far: float) -> Iterator[int]:
        """Whole numbers to try: the first that flips, those beside it, and a little beyond."""
        step = 1 if far > near else -1
        start = floor(near) if step < 0 else int(-(-near // 1))
        points = start + step * np.arange(2 * _EACH, dtype=np.float64)
        points = points[points >= max(self.declared.minimum, 1)]
        hits = np.flatnonzero(self._changed(points, relaxed=False))[:4]
        # Where limits tie, floats may see the flip one number late.
        before = points[max(hits[0] - 1, 0)] if hits.size else far
        yield from dict.fromkeys(int(value) for value in (before, *points[hits]))


def _ways(declared: Input, now: float) -> Iterator[Floats]:
    """The values below, then above, from that of now outward; each begins with it."""
    least = max(to_float(declared.minimum), 1.0 if declared.kind == "count" else 0.0)
    most = inf if declared.maximum is None else float(declared.maximum)
    if now == 0:
        yield np.concatenate([[0.0], np.geomspace(*_FROM_ZERO, 2 * _POINTS)])
        return
    factors = np.geomspace(1, REACH, _POINTS + 1)
    for values in (now / factors, now * factors):
        if declared.kind == "count":
            near = now + np.sign(values[-1] - now) * np.arange(_POINTS)
            values = np.concatenate([near, np.round(values)])
            values = np.unique(values[values >= 1])
            values = values if values[-1] > now else values[::-1]
        inside = values[(values >= least) & (values <= most)]
        if inside.size < values.size:  # the end of what is allowed belongs to it
            end = least if values[-1] < now else most
            inside = np.append(inside, end)
        yield inside


def _rounded(near: float, far: float) -> Iterator[Fraction]:
    """Amounts to try: of few figures, then of more, just beyond `near` in the direction of `far`."""
    up = far > near
    start = Fraction(near)
    for figures in _FIGURES:
        step = Fraction(10) ** (_exponent(start) - figures + 1)
        nearest = (-(-start // step) if up else start // step) * step
        yield nearest
        yield nearest + step if up else nearest - step
    yield Fraction(repr(far))


def _exponent(value: Fraction) -> int:
    exponent = len(str(value.numerator)) - len(str(value.denominator))
    return exponent if Fraction(10) ** exponent <= value else exponent - 1
