"""A plot in sentences, for those who cannot see it and for those who would rather read it."""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from math import log

from app.calculating import value_text
from app.plotting.plot import Curve, Level, Plot, lowered

_MOST_RUNS = 4
_MOST_CROSSINGS = 2  # of one level; a line that crosses more often is described by its ends


def sentences(plot: Plot) -> tuple[str, ...]:
    """What the present line does from one end to the other and what it passes, which limit binds where, and
    the other lines."""
    return (*_course(plot), *_runs(plot), *_beside(plot))


def _there(plot: Plot, curve: Curve) -> list[int]:
    return [index for index, value in enumerate(curve.values) if value is not None]


def _course(plot: Plot) -> Iterator[str]:
    main = plot.main
    there = _there(plot, main)
    subject = plot.output.label
    if main.label != subject:
        subject += f" for {main.label}"
    if not there:
        over = lowered(plot.over.label)
        yield f"{subject}: no number at any {over} from {plot.texts[0]} to {plot.texts[-1]}."
        return
    first, last = there[0], there[-1]
    clauses = [_from_end_to_end(plot, main, there)]
    clauses += [words for level in plot.levels if not level.limit for words in _against(plot, main, level)]
    gaps = sum(value is None for value in main.values[first : last + 1])
    if gaps:
        clauses.append(f"no number at {gaps} of the {last - first + 1} points between")
    yield f"{subject}: {'; '.join(clauses)}."


def _from_end_to_end(plot: Plot, main: Curve, there: Sequence[int]) -> str:
    first, last = there[0], there[-1]
    values = [main.values[index] or 0.0 for index in there]
    over, low, high = lowered(plot.over.label), plot.texts[first], plot.texts[last]
    course = f"from {main.texts[first]} at {over} {low} to {main.texts[last]} at {high}"
    most = max(map(abs, values))
    if max(values) - min(values) <= 1e-9 * most:
        return f"{main.texts[first]} at any {over} from {low} to {high}"
    steps = [after - before for before, after in pairwise(values)]
    if min(steps) >= -1e-12 * most:
        return f"growing {course}"
    if max(steps) <= 1e-12 * most:
        return f"falling {course}"
    top, bottom = there[values.index(max(values))], there[values.index(min(values))]
    turns = [
        f", {word} at {plot.texts[index]} with {main.texts[index]}"
        for word, index in (("largest", top), ("smallest", bottom))
        if index not in (first, last)
    ]
    return course + "".join(turns)


def _against(plot: Plot, main: Curve, level: Level) -> Iterator[str]:
    """Where the line passes a level, or on which side of it the line stays."""
    apart = {
        index: value - other
        for index, (value, other) in enumerate(zip(main.values, level.values, strict=True))
        if value is not None and other is not None
    }
    off = [index for index, gap in apart.items() if gap]
    name = lowered(level.label) + (f" ({level.value})" if level.value else "")
    crossings = [
        _crossing(plot, main, level, before, after)
        for before, after in pairwise(off)
        if (apart[before] > 0) != (apart[after] > 0)
    ]
    if 0 < len(crossings) <= _MOST_CROSSINGS:
        yield f"passing {name} at {' and at '.join(crossings)}"
    elif off and not crossings:
        yield f"always {'above' if apart[off[0]] > 0 else 'below'} {name}"


def _crossing(plot: Plot, main: Curve, level: Level, before: int, after: int) -> str:
    """Where the line is at the level, between two points on either side of it."""
    if after > before + 1:
        return plot.texts[before + 1]
    low, high = plot.xs[before], plot.xs[after]
    (y0, level0), (y1, level1) = ((main.values[i] or 0.0, level.values[i] or 0.0) for i in (before, after))
    if min(y0, y1, level0, level1, low, high) > 0:  # on log axes most lines are straight
        was, will = log(y0 / level0), log(y1 / level1)
        where = low * (high / low) ** (was / (was - will))
    else:
        was, will = y0 - level0, y1 - level1
        where = low + (high - low) * was / (was - will)
    rounded = float(f"{where:.3g}")
    return f"about {value_text(plot.over, round(rounded) if rounded >= 100 else rounded)}"


def _runs(plot: Plot) -> Iterator[str]:
    """Which limit binds from where to where, along the present line."""
    runs: list[tuple[str, int, int]] = []
    position = 0
    for word, group in groupby(plot.main.limits):
        size = len(list(group))
        if word:
            runs.append((word, position, position + size - 1))
        position += size
    if len(runs) == 1:
        yield f"Limit: {runs[0][0]} throughout."
    elif 1 < len(runs) <= _MOST_RUNS:
        parts = [
            f"{word} up to {plot.texts[end]}" if place == 0 else f"{word} from {plot.texts[start]}"
            for place, (word, start, end) in enumerate(runs)
        ]
        yield f"Limit: {', '.join(parts)}."


def _beside(plot: Plot) -> Iterator[str]:
    """Every line at the present value, where there are several."""
    if len(plot.curves) > 1 and plot.now is not None:
        each = ", ".join(f"{curve.label}: {curve.texts[plot.now]}" for curve in plot.curves)
        yield f"At {lowered(plot.over.label)} {plot.texts[plot.now]}, {each}."
