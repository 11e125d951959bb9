"""The axes of a plot: how far they reach, by ratio or evenly, and which labels they have."""

from collections.abc import Sequence

from app.plotting.plot import Axis, Curve, Level
from app.plotting.points import Span
from app.plotting.ticks import Measure, ticks
from calculators.spec import Input, Output

LOG_FROM = 20  # times from the least to the largest value from which an axis is logarithmic
_FURTHEST = 8e307  # both ways from 0: the width of an axis is a float too
_MARGIN = 0.05  # of an axis, beyond the values
# How far an axis reaches for a level: as many times the largest value, or so small a part of the least.
# One value is what the output is measured against, so that more is given up for it.
_ABOVE, _ABOVE_FOR_ONE_VALUE, _BELOW = 4.0, 16.0, 1 / 50
_ABOVE_EVEN, _ABOVE_EVEN_FOR_ONE_VALUE = 1.6, 6.0


def x_axis(
    over: Input | Output, measure: Measure, xs: Sequence[float], span: Span | None, *, log: bool
) -> Axis:
    """From the first point to the last, or over the whole span where the values lie evenly."""
    low, high = min(xs), max(xs)
    if span is not None and not log:
        low = float(span.low)
    return _axis(over, measure, low, high, log)


def y_axis(output: Output, curves: Sequence[Curve], levels: Sequence[Level], scale: str) -> tuple[Axis, str]:
    """Wide enough for the curves and for levels nearby, and what there is to say about it.

    `scale` is log or linear, or empty for whichever shows the values better.
    """
    drawn = [value for curve in curves for value in curve.values if value is not None]
    low, high = (min(drawn), max(drawn)) if drawn else (0.0, 1.0)
    log, note = scale == "log" or (not scale and low > 0 and high / low >= LOG_FROM), ""
    if log and low <= 0:
        above = [value for value in drawn if value > 0]
        log, low = bool(above), min(above, default=low)
        note = "What is 0 or below has no place on a log axis." if above else "A log axis begins above 0."
    low, high = _with_levels(low, high, levels, log)
    if log:
        times = max((high / low) ** _MARGIN, 1 + _MARGIN)
        low, high = low / times, high * times
    else:
        more = (high - min(low, 0)) * _MARGIN
        low, high = (low - more if low < 0 else 0.0), high + more
    measure = Measure(output.family or "count", binary=output.family == "bytes")
    return _axis(output, measure, low, high, log), note


def _with_levels(low: float, high: float, levels: Sequence[Level], log: bool) -> tuple[float, float]:
    near = []
    for level in levels:
        if level.value and not level.limit:
            most = _ABOVE_FOR_ONE_VALUE if log else _ABOVE_EVEN_FOR_ONE_VALUE
        else:
            most = _ABOVE if log else _ABOVE_EVEN
        least = low * _BELOW if log else 0.0
        near += [value for value in level.values if value is not None and least <= value <= high * most]
    return min([low, *near]), max([high, *near])


def _axis(declared: Input | Output, measure: Measure, low: float, high: float, log: bool) -> Axis:
    low, high = max(low, -_FURTHEST), min(high, _FURTHEST)
    if low >= high:
        low, high = (high / 4, high) if log else (high - abs(high) / 2 - 0.5, high + 0.5)
    unit = "" if measure.says_units or declared.unit in ("", "1") else f", {declared.unit}"
    return Axis(f"{declared.label}{unit}", log, low, high, ticks(measure, low, high, log=log))
