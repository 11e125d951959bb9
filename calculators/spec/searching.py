"""Where a function of one number reaches a goal, found by sweeps over ever finer grids."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Function: TypeAlias = Callable[[Floats], Floats]  # nan where it has no value

_FINE = 129  # points of one finer grid
_ROUNDS = 64  # enough for any bracket to shrink to neighbouring floats
_SAME = 4 * np.finfo(np.float64).eps  # relative; values this close are the same up to rounding
_MUCH_WIDER = 1000  # a slope falls this much between two points, a jump hardly
_EXTREMA = 16  # peaks and valleys looked into


class Stretch(NamedTuple):
    """From `low` to `high` the function is at the goal; for a single point both are the same."""

    low: float
    high: float


class Jump(NamedTuple):
    """At `at` the function passes from `below` to `above` without taking the values between."""

    at: float
    below: float
    above: float


class Search(NamedTuple):
    """What a search found: solutions, jumps over the goal, and where the least and the most were seen."""

    stretches: tuple[Stretch, ...]
    jumps: tuple[Jump, ...]
    least: float  # nan where the function has no value anywhere
    most: float
    least_at: float
    most_at: float

    @property
    def flat(self) -> bool:
        return bool(self.most - self.least <= _SAME * max(abs(self.most), abs(self.least)))


def search(function: Function, grid: Floats, goal: float) -> Search:
    """Scan the grid, look closer where the function ends, turns or crosses the goal."""
    x, y = _with_turns(function, *_with_ends(function, grid, function(grid)))
    return summary(x, y, list(_crossings(function, x, y, goal)))


def summary(x: Floats, y: Floats, found: Iterable[Stretch | Jump]) -> Search:
    """What was found, in order, with the least and the most of the points seen."""
    there = np.isfinite(y)
    if not there.any():
        return Search((), (), *[float("nan")] * 4)
    x, y = x[there], y[there]
    least, most = int(y.argmin()), int(y.argmax())
    found = list(found)
    return Search(
        tuple(_joined([item for item in found if isinstance(item, Stretch)])),
        tuple(item for item in found if isinstance(item, Jump)),
        *(float(y[least]), float(y[most])),
        *(float(x[least]), float(x[most])),
    )


def first_change(
    changed: Callable[[Floats], NDArray[np.bool_]], outward: Floats, width: float
) -> tuple[float, float] | None:
    """Where something first changes along points that lead away from the first of them, up or down.

    The last point before the change and the first after it, closed in to the width or to neighbouring floats.
    """
    points, found = outward, None
    while True:
        hits = np.flatnonzero(changed(points[1:]))
        if not hits.size:
            return found
        near, far = float(points[hits[0]]), float(points[hits[0] + 1])
        if abs(far - near) <= width or (near, far) == found:
            return near, far
        found = near, far
        points = _between(near, far) if near < far else _between(far, near)[::-1]


def sides(y: Floats, goal: float) -> Floats:
    """-1 below the goal, 1 above, 0 at it; nan where there is no value."""
    side = np.sign(y - goal)
    side[np.abs(y - goal) <= _SAME * abs(goal)] = 0
    return side


def _between(low: float, high: float, points: int = _FINE) -> Floats:
    """A finer grid: even ratios over a wide span, even steps over a narrow one."""
    if low > 0 and high > 4 * low:
        grid = np.geomspace(low, high, points)
        grid[0], grid[-1] = low, high
        return grid
    return np.linspace(low, high, points)


def merged(function: Function, x: Floats, y: Floats, more: list[Floats]) -> tuple[Floats, Floats]:
    """The points and values, with those of more points put in."""
    if not more:
        return x, y
    new = np.concatenate(more)
    x, first = np.unique(np.concatenate([x, new]), return_index=True)
    return x, np.concatenate([y, function(new)])[first]


def _with_ends(function: Function, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Closer points where the function begins or ceases to have values."""
    for _ in range(3):
        edges = np.flatnonzero(np.diff(np.isfinite(y).astype(np.int8)))[:_EXTREMA]
        x, y = merged(function, x, y, [_between(x[i], x[i + 1]) for i in edges])
    return x, y


def _with_turns(function: Function, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Closer points around peaks and valleys, where two solutions can hide between neighbours."""
    for _ in range(3):
        left, here, right = y[:-2], y[1:-1], y[2:]
        turns = np.flatnonzero(((here > left) & (here > right)) | ((here < left) & (here < right)))
        x, y = merged(function, x, y, [_between(x[i], x[i + 2]) for i in turns[:_EXTREMA]])
    return x, y


def _crossings(function: Function, x: Floats, y: Floats, goal: float) -> Iterator[Stretch | Jump]:
    """Solutions and jumps in the order of x."""
    side = sides(y, goal)
    at_goal = np.flatnonzero(side == 0)
    for run in np.split(at_goal, np.flatnonzero(np.diff(at_goal) > 1) + 1):
        if run.size:
            yield _stretch(function, x, side, int(run[0]), int(run[-1]), goal)
    for index in np.flatnonzero(side[:-1] * side[1:] == -1):
        yield _zoom(function, float(x[index]), float(x[index + 1]), goal)


def _stretch(function: Function, x: Floats, side: Floats, first: int, last: int, goal: float) -> Stretch:
    """The whole stretch at the goal of which the points from first to last are a part."""
    low, high = float(x[first]), float(x[last])
    if first > 0:
        low = _edge(function, float(x[first - 1]), low, goal, inside_is_high=True)
    if last < x.size - 1:
        high = _edge(function, high, float(x[last + 1]), goal, inside_is_high=False)
    return Stretch(low, high)


def _edge(function: Function, low: float, high: float, goal: float, *, inside_is_high: bool) -> float:
    """The outermost point at the goal, between one that is at it and one that is not."""
    for _ in range(_ROUNDS):
        x = _between(low, high)
        inside = sides(function(x), goal) == 0
        if inside_is_high:
            first = int(np.argmax(inside))
            new = float(x[max(first - 1, 0)]), float(x[first])
        else:
            outside = int(np.argmin(inside))
            new = float(x[outside - 1]), float(x[outside])
        if new == (low, high):
            break
        low, high = new
    return high if inside_is_high else low


def _zoom(function: Function, low: float, high: float, goal: float) -> Stretch | Jump:
    """The crossing between two points on either side of the goal."""
    spreads: list[tuple[float, float]] = []  # how far apart the two points were, and their values
    for _ in range(_ROUNDS):
        x = _between(low, high)
        y = function(x)
        side = sides(y, goal)
        at_goal = np.flatnonzero(side == 0)
        if at_goal.size:
            return _stretch(function, x, side, int(at_goal[0]), int(at_goal[-1]), goal)
        index = int(np.flatnonzero(side[:-1] * side[1:] == -1)[0])
        spreads.append((high - low, abs(float(y[-1] - y[0]))))
        if (float(x[index]), float(x[index + 1])) == (low, high):
            break
        low, high = float(x[index]), float(x[index + 1])
    below, above = (float(value) for value in function(np.array([low, high])))
    if _is_jump(spreads):
        return Jump(high, below, above)
    nearest = low if abs(below - goal) <= abs(above - goal) else high
    return Stretch(nearest, nearest)


def _is_jump(spreads: list[tuple[float, float]]) -> bool:
    """Whether the values stayed apart while the points closed in; those of a slope close in with them."""
    width, spread = spreads[-1]
    wider = [earlier for earlier in spreads if earlier[0] >= _MUCH_WIDER * width]
    return bool(wider) and spread > wider[-1][1] / 10


def _joined(stretches: list[Stretch]) -> list[Stretch]:
    """In order, and without the same solution twice."""
    ordered = sorted(stretches, key=lambda stretch: stretch.low)
    kept = ordered[:1]
    for stretch in ordered[1:]:
        if stretch.low > kept[-1].high + 1e-12 * abs(kept[-1].high):
            kept.append(stretch)
    return kept
