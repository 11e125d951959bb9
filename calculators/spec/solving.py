"""The inverse question: which value of an input makes an output what is wanted."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import ceil, floor, isclose, isinf, isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from calculators import quantities
from calculators.spec import reading, sweeping
from calculators.spec.counting import search_whole, whole_grid
from calculators.spec.declare import Input, Output
from calculators.spec.errors import FieldError, InvalidInputs, SolveError
from calculators.spec.results import Resolved, Result, Root, Solution
from calculators.spec.searching import Floats, Jump, Search, Stretch, search
from calculators.spec.values import to_float

if TYPE_CHECKING:
    from calculators.spec.calculator import Calculator

MAX_SOLUTIONS = 8
SEARCHED = {"count": (1.0, 1e18), "amount": (1e-30, 1e30)}  # how far is looked without a limit of its own
_EACH_COUNT_TO = 4096  # small counts are looked at one by one
_NEIGHBOURS = 1 << 16  # whole numbers tried on either side for one that the checks allow
_POINT = 1e-9  # relative width under which a stretch is a single solution
_SETTLED = 1000  # a limit is reached where this much more of the input changes nothing
_NEARING = 1e-6  # relative width from which a stretch has to be flat


def solve(
    calculator: "Calculator", name: str, output: str, target: object, raw: Mapping[str, Any]
) -> Solution:
    """All values of one input, over its whole allowed range, at which the output is the target."""
    problem = _Problem(calculator, name, output, target, raw)
    found = problem.search()
    if not found.flat:
        found = found._replace(stretches=tuple(filter(None, map(problem.settled, found.stretches))))
    stretches = () if found.flat else found.stretches[:MAX_SOLUTIONS]
    roots = tuple(problem.root(stretch) for stretch in stretches)
    if problem.declared.stepwise:
        roots = (*roots, *map(problem.passing, found.jumps[:MAX_SOLUTIONS]))
    remarks = tuple(problem.remarks(found, roots))
    return Solution(name, output, _number(problem.goal), problem.goal_text, roots, remarks)


class _Problem:
    """One solve: the input looked for, the output and its goal, and everything else held fast."""

    def __init__(
        self, calculator: "Calculator", name: str, output: str, target: object, raw: Mapping[str, Any]
    ) -> None:
        for refusal in refusals(calculator, name, output, target):
            raise SolveError(refusal.field, refusal.message)
        self.calculator = calculator
        self.declared = calculator.input_names[name]
        self.grid = _grid(self.declared)
        self.wanted = calculator.output_names[output]
        self.goal = _goal(self.wanted, target)
        family = self.wanted.family or "count"
        typed = isinstance(target, str)
        self.goal_text = quantities.parse(str(target), family).reading if typed else self._shown(self.goal)
        self.fixed = {other: value for other, value in raw.items() if other != name}
        self.resolved: Resolved = sweeping.base(calculator, name, self.fixed)

    def search(self) -> Search:
        goal = to_float(self.goal)
        if self.declared.stepwise:
            return search_whole(self.function, self.grid, goal)
        return search(self.function, self.grid, goal)

    def function(self, points: Floats) -> Floats:
        """The output over values of the input, whole-number rules aside; nothing lies between 0 and 1."""
        values = self._sweep(points, relaxed=not self.declared.stepwise)
        if self.declared.kind == "count":
            values = np.where((points > 0) & (points < 1), np.nan, values)
        return values

    def _sweep(self, points: Floats, *, relaxed: bool) -> Floats:
        swept = sweeping.sweep_from(
            self.calculator, self.resolved, self.declared.name, points, relaxed=relaxed
        )
        return swept[self.wanted.name]

    def settled(self, stretch: Stretch) -> Stretch | None:
        """The stretch if it holds the goal. Where values only lie closer than floats can tell, the place
        within at which they pass it exactly, if they do."""
        low, high = stretch.low, stretch.high
        width = high - low
        if width <= _NEARING * abs(high):
            return stretch
        inner = [self._within(low + width * share) for share in (1 / 3, 2 / 3)]
        values = {result.exact.get(self.wanted.name) for result in inner if result is not None}
        if len(values) < 2:
            return stretch
        counted = self.declared.kind == "count"
        sides = {end: self._side(end) for end in (low, high)}
        while sides[low] and sides[high] and sides[low] != sides[high]:
            middle = (low + high) // 2 if counted else (low + high) / 2
            if middle in (low, high):
                return Stretch((low + high) / 2, (low + high) / 2)
            sides[middle] = self._side(middle)
            low, high = (middle, high) if sides[middle] == sides[low] else (low, middle)
        return next((Stretch(end, end) for end in (low, high) if sides[end] == 0), None)

    def _side(self, value: float) -> int | None:
        """-1 where the output is below the goal, 1 above, 0 at it, None where there is no such number."""
        result = self._within(value)
        exact = None if result is None else result.exact.get(self.wanted.name)
        return None if exact is None else (exact > self.goal) - (exact < self.goal)

    def _within(self, value: float) -> Result | None:
        return self._nearest(round(value), 1) if self.declared.kind == "count" else self._evaluate(value)

    def root(self, stretch: Stretch) -> Root:
        """A solution in the form that is given out."""
        counted = self.declared.kind == "count"
        if stretch.high - stretch.low > _POINT * abs(stretch.high):
            return self._whole_stretch(stretch) if counted else self._stretch(stretch)
        middle = (stretch.low + stretch.high) / 2
        exact = self._exact_at(middle)
        if exact is not None:
            value, result = _number(exact[0]), exact[1]
            return Root(value, whole=(result,)) if counted else Root(value, result=result)
        if counted:
            beside = self._nearest(floor(middle), -1), self._nearest(ceil(middle), 1)
            return Root(middle, whole=_distinct(beside))
        return self._amount(middle)

    def passing(self, jump: Jump) -> Root:
        """Two whole numbers with the target between them, and where the formula has it, or else a line."""
        goal, low = to_float(self.goal), jump.at - 1
        value = low + (goal - jump.below) / (jump.above - jump.below)
        if self._relaxed(np.array([low + 0.5]))[0] != jump.below:  # not in steps after all
            between = search(self._relaxed, np.array([low, jump.at]), goal)
            value = between.stretches[0].low if between.stretches else value
        beside = self._nearest(int(low), -1), self._nearest(int(jump.at), 1)
        return Root(value, whole=_distinct(beside))

    def _relaxed(self, points: Floats) -> Floats:
        return self._sweep(points, relaxed=True)

    def _stretch(self, stretch: Stretch) -> Root:
        exact = self._exact_at(stretch.low)  # its end in floats may lie just outside
        if exact is None:
            return self._amount(stretch.low, stretch.high)
        return Root(_number(exact[0]), stretch.high, result=exact[1])

    def _amount(self, value: float, through: float | None = None) -> Root:
        return Root(value, through, result=self._evaluate(value))

    def _whole_stretch(self, stretch: Stretch) -> Root:
        low, high = ceil(stretch.low), floor(stretch.high)
        first = self._nearest(low, 1)
        last = self._nearest(high, -1)
        if first is None or last is None or not low <= self._at(first) <= high:
            beside = self._nearest(low - 1, -1), self._nearest(high + 1, 1)  # no whole number allowed within
            return Root(stretch.low, stretch.high, _distinct(beside))
        through = self._at(last) if self._at(last) > self._at(first) else None
        return Root(self._at(first), through, _distinct((first, last)))

    def _at(self, result: Result) -> int:
        return int(vars(result.resolved.values)[self.declared.name])

    def _nearest(self, start: int, step: int) -> Result | None:
        """The result at the first whole number from here, in this direction, that every check allows."""
        result = self._evaluate(start)
        if result is None:
            points = start + step * np.arange(_NEIGHBOURS, dtype=np.float64)
            allowed = np.flatnonzero(np.isfinite(self._sweep(points, relaxed=False)))
            result = self._evaluate(int(points[allowed[0]])) if allowed.size else None
        return result

    def _exact_at(self, near: float) -> tuple[int | Fraction, Result] | None:
        """The round number beside a solution found in floats, where it gives the target exactly."""
        digits = () if self.declared.kind == "count" else (6, 9, 12, 15)
        for candidate in (Fraction(round(near)), *(Fraction(f"{near:.{figures}g}") for figures in digits)):
            if abs(candidate - Fraction(near)) <= Fraction(_POINT) * abs(candidate):
                result = self._evaluate(candidate)
                if result is not None and result.exact.get(self.wanted.name) == self.goal:
                    return candidate, result
        return None

    def _evaluate(self, value: float | Fraction) -> Result | None:
        try:
            return self.calculator.evaluate({**self.fixed, self.declared.name: value})
        except InvalidInputs:
            return None

    def remarks(self, found: Search, roots: tuple[Root, ...]) -> Iterator[str]:
        """What to say about the solutions, and about there being none."""
        if isnan(found.least):
            yield "No {name} gives a number for {output} beside these inputs."
        elif found.flat:
            at_goal = bool(found.stretches)
            yield f"{{output}} does not depend on {{name}}: it is {self._shown(found.most)} at any value" + (
                ", which is the target." if at_goal else f", never {self.goal_text}."
            )
        elif not found.stretches and not found.jumps:
            yield f"No {{name}} gives {self.goal_text}: {{output}} is {self._nearest_to_goal(found)}."
        for jump in () if self.declared.stepwise else found.jumps[:MAX_SOLUTIONS]:
            below, above, at = self._shown(jump.below), self._shown(jump.above), self._shown_input(jump.at)
            yield f"At {{name}} = {at}, {{output}} jumps from {below} to {above}, past {self.goal_text}."
        if self.declared.kind == "count" and not all(isinstance(root.value, int) for root in roots):
            yield f"No whole {{name}} gives exactly {self.goal_text}: see those beside it."
        if max(len(found.stretches), len(found.jumps)) > MAX_SOLUTIONS:
            yield f"There are more solutions; these are the {MAX_SOLUTIONS} smallest."

    def _nearest_to_goal(self, found: Search) -> str:
        """How near the output comes to a goal beyond it, and where; its range for a goal within a gap."""
        if found.least <= self.goal <= found.most:
            return f"from {self._shown(found.least)} to {self._shown(found.most)}"
        below = self.goal < found.least
        nearest, at = (found.least, found.least_at) if below else (found.most, found.most_at)
        bound = f"{'at least' if below else 'at most'} {self._shown(nearest)}"
        lowest, highest = self.grid[[0, -1]]
        first, near_first, near_last, last = self.function(
            np.array([lowest, lowest * _SETTLED, highest / _SETTLED, highest])
        )
        for open_end, end, before, size in (
            (self.declared.maximum is None, last, near_last, "large"),
            (self.declared.exclusive, first, near_first, "small"),
        ):
            if open_end and isclose(end, nearest):
                if isclose(end, before):
                    return f"{bound}, however {size} {{name}} is"
                return f"{bound}, at {{name}} = {self._shown_input(at)}, as {size} as is looked for"
        return f"{bound}, at {{name}} = {self._shown_input(at)}"

    def _shown(self, value: float | Fraction) -> str:
        return quantities.format_quantity(value, self.wanted.family or "count", figures=6)

    def _shown_input(self, value: float) -> str:
        return quantities.format_quantity(value, self.declared.family, figures=6)


def _number(value: int | Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else to_float(value)


def _distinct(results: Iterable[Result | None]) -> tuple[Result, ...]:
    """Those that there are, without saying the same twice."""
    kept: list[Result] = []
    for result in results:
        if result is not None and all(result.inputs != other.inputs for other in kept):
            kept.append(result)
    return tuple(kept)


def _grid(declared: Input) -> Floats:
    """Where to look: both ends of what is allowed, small counts one by one, and every scale between."""
    least, most = SEARCHED[declared.kind]
    if declared.stepwise:
        return whole_grid(declared.minimum, declared.maximum or most)
    ends = np.array([declared.minimum] if not declared.exclusive else [], dtype=np.float64)
    if declared.kind == "count":
        small = np.arange(1, _EACH_COUNT_TO, dtype=np.float64)
        between = [0.5] if declared.minimum == 0 else []  # there 0 stands apart: it switches something off
        grid = np.concatenate([ends, between, small, np.geomspace(_EACH_COUNT_TO, most, 6000)])
    else:
        grid = np.concatenate([ends, np.geomspace(least, most, 12000)])
    if declared.maximum is not None:
        even = np.linspace(declared.minimum, declared.maximum, 1001)[1:]
        grid = np.concatenate([grid[grid < declared.maximum], even])
    return np.unique(grid)


def refusals(calculator: "Calculator", name: str, output: str, target: object) -> Iterator[FieldError]:
    """What is wrong with the question itself: its `name`, `output` and `target`."""
    numeric = {other.name for other in calculator.inputs if other.numeric}
    numbers = [other.name for other in calculator.outputs if other.family is not None]
    if name not in numeric:
        names = ", ".join(other for other in calculator.input_names if other in numeric)
        message = f"{reading.shown(name)} cannot be solved for; these can: {names}."
        yield FieldError("name", reading.shown(name), f"one of {names}", message)
    if output not in numbers:
        names = ", ".join(numbers)
        message = f"{reading.shown(output)} is no number to reach; these are: {names}."
        yield FieldError("output", reading.shown(output), f"one of {names}", message)
        return
    wanted = calculator.output_names[output]
    allowed = "a number" + (f" in {wanted.unit}" if wanted.unit != "1" else "")
    try:
        _goal(wanted, target)
    except reading.Refused as refusal:
        message = f"The target is {reading.quoted(target)}, but must be {allowed}. {refusal}".strip()
        yield FieldError("target", reading.shown(target), allowed, message)


def _goal(wanted: Output, target: object) -> Fraction:
    """The target as a number: text in the output's family, or any number."""
    goal = Fraction(reading.number(target, wanted.family or "count"))
    if isinf(to_float(goal)):
        raise reading.Refused("It is beyond 1.8e308.")
    return goal
