"""Where an axis has its labels, and what they say: the same grammar of units as everywhere."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from app.plotting.points import decade, even_step
from calculators import quantities

MOST_TICKS = 7
_BINARY = (("Ti", 2**40), ("Gi", 2**30), ("Mi", 2**20), ("Ki", 2**10))
_DECIMAL = (("T", 10**12), ("B", 10**9), ("M", 10**6), ("k", 10**3))
_IN_A_DECADE = ((1, 2, 5), (1, 3), (1,))
_OCTAVES_APART = (1, 2, 3, 4, 5, 10, 20, 40)
_DECADES_APART = (2, 3, 4, 6, 12, 24, 48, 96)
# Above a second, round times are no powers of ten.
_LONG_TIMES = (1, 10, 60, 600, 3600, 36000, 86400, 864000, 8640000)
_FEW_LONG_TIMES = (1, 60, 3600, 86400, 8640000)


class Tick(NamedTuple):
    value: float
    text: str


class Measure(NamedTuple):
    """What an axis counts: a family of units, in powers of two where its values are."""

    family: str
    binary: bool = False

    @property
    def says_units(self) -> bool:
        """Whether each label has its unit; else the axis is to be titled with it."""
        return self.family == "ratio" or len(quantities.FAMILIES[self.family].scale) > 1

    def text(self, value: Fraction) -> str:
        """A label, as short as it can be: 4 GiB, 10 ms, 50%, 64Ki, 2.5k."""
        if self.family == "bytes" and self.binary:
            return quantities.format_both_bytes(value)[0]
        if self.says_units:
            return quantities.format_quantity(value, self.family)
        for suffix, factor in _BINARY if self.binary else _DECIMAL:
            if abs(value) >= factor:
                return quantities.format_quantity(value / factor, "count") + suffix
        return quantities.format_quantity(value, "count")


def ticks(measure: Measure, low: float, high: float, *, log: bool) -> tuple[Tick, ...]:
    """The labels of an axis from low to high, at most seven, at round values."""
    least, most = Fraction(repr(float(low))), Fraction(repr(float(high)))  # 0.001 is the thousandth meant
    rungs = _log_rungs(measure, least, most) if log else []
    if len(rungs) < 2:
        rungs = list(_even_rungs(measure, least, most))
    return tuple(Tick(float(value), measure.text(value)) for value in rungs)


def _log_rungs(measure: Measure, low: Fraction, high: Fraction) -> list[Fraction]:
    """The densest set of round values that is not too many; none where even a decade is not crossed."""
    for candidates in _ladders(measure, low, high):
        inside = [value for value in candidates if low <= value <= high]
        if len(inside) <= MOST_TICKS:
            return inside
    return []


def _ladders(measure: Measure, low: Fraction, high: Fraction) -> Iterator[Iterable[Fraction]]:
    if measure.binary:
        first = low.numerator.bit_length() - low.denominator.bit_length() - 1
        last = high.numerator.bit_length() - high.denominator.bit_length() + 1
        for apart in _OCTAVES_APART:
            yield (Fraction(2) ** exponent for exponent in range(first - first % apart, last + 1, apart))
        return
    first, last = _exponent(low), _exponent(high)
    for parts in _IN_A_DECADE:
        yield _times(
            measure,
            [part * Fraction(10) ** exponent for exponent in range(first, last + 1) for part in parts],
            _LONG_TIMES,
        )
    for apart in _DECADES_APART:
        tens = [Fraction(10) ** exponent for exponent in range(first - first % apart, last + 1, apart)]
        yield _times(measure, tens, _FEW_LONG_TIMES)


def _times(measure: Measure, tens: list[Fraction], long: tuple[int, ...]) -> list[Fraction]:
    if measure.family != "time":
        return tens
    return [ten for ten in tens if ten < 1] + [Fraction(seconds) for seconds in long]


def _exponent(value: Fraction) -> int:
    """The exponent of the largest power of ten up to the value."""
    ten = decade(value)
    return len(str(ten.numerator)) - len(str(ten.denominator))


def _even_rungs(measure: Measure, low: Fraction, high: Fraction) -> Iterator[Fraction]:
    """Round multiples of one step, round in the unit that the labels will have."""
    unit = Fraction(1)
    size = max(abs(low), abs(high))
    if measure.family == "bytes" and measure.binary:
        unit = max((Fraction(factor) for _, factor in _BINARY if factor <= size), default=unit)
    elif measure.says_units:
        scale = quantities.FAMILIES[measure.family].scale
        unit = max((each.factor for each in scale if each.factor <= size), default=unit)
    step = even_step((high - low) / unit, MOST_TICKS - 1, binary=measure.binary) * unit
    yield from (step * number for number in range(ceil(low / step), floor(high / step) + 1))
