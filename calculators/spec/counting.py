"""Where a function of a whole number reaches a goal, one that means nothing between whole numbers."""

from collections.abc import Iterator

import numpy as np

from calculators.spec.searching import Floats, Function, Jump, Search, Stretch, merged, sides, summary

_MOST_JUMPS = 9  # a function that turns may have hundreds
_EACH_TO = 1024  # looked at one by one
_PER_DECADE = 24  # beyond
_FINE = 129  # points of one finer grid
_ENDS = 4  # where values begin or cease, looked into


def whole_grid(least: int, most: float) -> Floats:
    """Where to look: small numbers one by one, then every scale."""
    decades = max(0.0, np.log10(most / _EACH_TO))
    beyond = np.geomspace(_EACH_TO, most, int(_PER_DECADE * decades) + 2) if decades else np.array([])
    grid = np.unique(np.rint(np.concatenate([np.arange(least, _EACH_TO + 1, dtype=np.float64), beyond])))
    return grid[grid <= most]


def search_whole(function: Function, grid: Floats, goal: float) -> Search:
    """Scan the grid of whole numbers, and close in to neighbours where the goal is passed between two of it.

    Jumps, each `at` the upper of two neighbours, are looked for only where no number gives the goal.
    """
    x, y = _with_ends(function, grid, function(grid))
    side = sides(y, goal)
    found: list[Stretch | Jump] = list(_stretches(function, x, side, goal))
    if not found:
        passed = np.flatnonzero(side[:-1] * side[1:] == -1)[:_MOST_JUMPS]
        found += (_close_in(function, float(x[index]), float(x[index + 1]), goal) for index in passed)
    reached = [each for each in found if isinstance(each, Stretch)]
    return summary(x, y, reached or found)


def _with_ends(function: Function, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """With the neighbours of which one has a value and the other has none."""
    ends: list[Floats] = []
    for index in np.flatnonzero(np.diff(np.isfinite(y)))[:_ENDS]:
        found = x[index : index + 2]
        while (between := _between(found[0], found[1])).size > 2:
            there = np.isfinite(function(between))
            first = int(np.argmax(there != there[0]))
            found = between[max(first, 1) - 1 : max(first, 1) + 1]
        ends.append(found)
    return merged(function, x, y, ends)


def _stretches(function: Function, x: Floats, side: Floats, goal: float) -> Iterator[Stretch]:
    """Each run of whole numbers that give the goal, as far as it goes."""
    at_goal = np.flatnonzero(side == 0)
    for run in np.split(at_goal, np.flatnonzero(np.diff(at_goal) > 1) + 1):
        if run.size:
            first, last = int(run[0]), int(run[-1])
            before, after = x[max(first - 1, 0)], x[min(last + 1, x.size - 1)]
            yield Stretch(
                _edge(function, float(x[first]), float(before), goal),
                _edge(function, float(x[last]), float(after), goal),
            )


def _edge(function: Function, inside: float, outside: float, goal: float) -> float:
    """The outermost number that gives the goal, on the way from one that does to one that does not."""
    while True:
        x = _between(inside, outside)
        if x.size <= 2:
            return inside
        out = max(1, int(np.argmax(sides(function(x), goal) != 0)))
        inside, outside = float(x[out - 1]), float(x[out])


def _close_in(function: Function, low: float, high: float, goal: float) -> Stretch | Jump:
    """Two neighbours between which the goal is passed, or a number on the way that gives it."""
    while True:
        x = _between(low, high)
        y = function(x)
        side = sides(y, goal)
        for stretch in _stretches(function, x, side, goal):
            return stretch
        passed = np.flatnonzero(side[:-1] * side[1:] == -1)
        if x.size == 2 or not passed.size:
            return Jump(high, float(y[0]), float(y[-1]))
        low, high = float(x[passed[0]]), float(x[passed[0] + 1])


def _between(start: float, stop: float) -> Floats:
    """Whole numbers from one to the other, some hundred at most and each once; of neighbours these two."""
    grid = np.rint(np.linspace(start, stop, _FINE))
    different: Floats = grid[np.append(True, np.diff(grid) != 0)]
    return different
