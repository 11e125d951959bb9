"""Where a plot looks: a range round the present value, and the round values in it that people type."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from calculators import quantities
from calculators.spec import Input
from calculators.spec.reading import as_text

Exact = int | Fraction

MAX_POINTS = 60  # beside the ends and the present value: each is a row of the table
EACH_COUNT = 60  # counts of a range no wider than this are all looked at
_WIDTH = 32  # times below and above the present value
_LEAST, _MOST = Fraction(1, 10**300), Fraction(10**300)  # floats end a little beyond
_MOST_ODD = 15  # 12, 96 and 5,120 are multiples of a power of two that people think in; 1,000 is not
_EVEN_FAMILIES = frozenset({"ratio", "money", "price/h", "power", "carbon"})

_PARTS_OF_AN_OCTAVE = (8, 4, 2, 1)
_PREFERRED = (  # the series E24, E12 and E6 of preferred numbers, then 1 2 5 and 1 of each decade
    "1 1.1 1.2 1.3 1.5 1.6 1.8 2 2.2 2.4 2.7 3 3.3 3.6 3.9 4.3 4.7 5.1 5.6 6.2 6.8 7.5 8.2 9.1",
    "1 1.2 1.5 1.8 2.2 2.7 3.3 3.9 4.7 5.6 6.8 8.2",
    "1 1.5 2.2 3.3 4.7 6.8",
    "1 2 5",
    "1",
)
_OF_A_DECADE = tuple(tuple(map(Fraction, series.split())) for series in _PREFERRED)
_STEPS = (Fraction(1), Fraction(2), Fraction(5, 2), Fraction(5), Fraction(10))


@dataclass(frozen=True, slots=True)
class Span:
    """A range of an input. `even`: its values lie evenly rather than by ratio."""

    low: Fraction
    high: Fraction
    even: bool


def is_binary(value: Exact | None) -> bool:
    """Whether a value is written in powers of two rather than of ten."""
    if value is None or value <= 0 or Fraction(value).denominator != 1:
        return False
    whole = int(value)
    return whole // (whole & -whole) <= _MOST_ODD


def default_span(declared: Input, present: Exact | None, least: Exact, most: Exact | None) -> Span:
    """The range round the present value, within `least` and `most`, that shows how an input works."""
    value = None if present is None else Fraction(present)
    if not value:
        value = Fraction(
            quantities.parse(quantities.FAMILIES[declared.family].example, declared.family).value
        )
        value = Fraction(16) if declared.kind == "count" else value
        present = 0
    switched_off_by_0 = declared.kind == "count" and least == 0
    if present == 0 or switched_off_by_0 or declared.family in _EVEN_FAMILIES:
        return _even(declared, value, Fraction(least), most)
    return _by_ratio(value, Fraction(least), most, binary=declared.kind == "count" and is_binary(value))


def _example(declared: Input) -> Exact:
    """A value that is usual among its kind, where there is none or it is 0."""
    if declared.kind == "count":
        return 16
    return quantities.parse(quantities.FAMILIES[declared.family].example, declared.family).value


def _even(declared: Input, value: Fraction, least: Fraction, most: Exact | None) -> Span:
    high = Fraction(1) if declared.family == "ratio" and value < 1 else _rounded_up(4 * value)
    if declared.kind == "count":
        high = max(high, Fraction(16))
    if most is not None and (declared.family == "ratio" or high > most):
        high = Fraction(most)
    return Span(least, max(high, least), even=True)


def _by_ratio(value: Fraction, least: Fraction, most: Exact | None, *, binary: bool) -> Span:
    """The present value in the middle; where a bound cuts one side off, the other side gets its width."""
    value = min(max(value, _LEAST * _WIDTH), _MOST / _WIDTH)
    low = _octave(value / _WIDTH) if binary else _rounded_down(value / _WIDTH)
    high = _octave(value * _WIDTH) if binary else _rounded_up(value * _WIDTH)
    if low < least:
        low, high = least, max(high, least * _WIDTH * _WIDTH)
    if most is not None and high > most:
        high = Fraction(most)
        low = max(least, min(low, high / (_WIDTH * _WIDTH)))
    return Span(low, high, even=False)


def points(
    declared: Input, span: Span, present: Exact | None, *, log: bool, binary: bool
) -> tuple[Fraction, ...]:
    """The values to look at, ascending: both ends, the present value, and round ones between.

    Round are parts of powers of two where values are `binary`, else of powers of ten.
    """
    inside = [span.low, span.high]
    if present is not None and span.low <= present <= span.high:
        inside.append(Fraction(present))
    if declared.kind == "count" and span.high - span.low <= EACH_COUNT:
        inside += map(Fraction, range(ceil(span.low), floor(span.high) + 1))
    else:
        inside += _by_ratios(span, binary) if log else _evenly(span, binary)
    if declared.kind == "count":
        inside = [Fraction(round(value)) for value in inside]
    unique = sorted(set(inside))
    if declared.exclusive and unique[0] <= declared.minimum:
        unique = unique[1:]
    return tuple(unique)


def _by_ratios(span: Span, binary: bool) -> Iterable[Fraction]:
    densities = (_octaves(span, parts) for parts in _PARTS_OF_AN_OCTAVE) if binary else ()
    for values in (*densities, *(_decades(span, parts) for parts in _OF_A_DECADE)):
        found = list(values)
        if len(found) <= MAX_POINTS:
            return found
    return found[:: ceil(len(found) / MAX_POINTS)]


def _octaves(span: Span, parts: int) -> Iterator[Fraction]:
    value = _octave(span.low) / 2
    while value <= span.high:
        yield from (
            point for part in range(parts) if span.low < (point := value + value * part / parts) < span.high
        )
        value *= 2


def _decades(span: Span, parts: tuple[Fraction, ...]) -> Iterator[Fraction]:
    value = decade(span.low)
    while value <= span.high:
        yield from (point for part in parts if span.low < (point := value * part) < span.high)
        value *= 10


def _evenly(span: Span, binary: bool) -> Iterable[Fraction]:
    step = even_step(span.high - span.low, MAX_POINTS, binary=binary)
    return (step * number for number in range(ceil(span.low / step), floor(span.high / step) + 1))


def even_step(width: Fraction, most: int, *, binary: bool = False) -> Fraction:
    """The smallest round step that crosses a width in no more than so many."""
    least = width / most
    if binary:
        power = _octave(least)
        return power if power >= least else power * 2
    ten = decade(least)
    return next(ten * step for step in _STEPS if ten * step >= least)


def decade(value: Fraction) -> Fraction:
    """The largest power of ten up to a value above 0."""
    exponent = len(str(value.numerator)) - len(str(value.denominator))
    power = Fraction(10) ** exponent
    return power if power <= value else power / 10


def _octave(value: Fraction) -> Fraction:
    """The largest power of two up to a value above 0."""
    power = Fraction(2) ** (value.numerator.bit_length() - value.denominator.bit_length())
    return power if power <= value else power / 2


def _rounded_down(value: Fraction) -> Fraction:
    ten = decade(value)
    return next(ten * step for step in (5, 2, 1) if ten * step <= value)


def _rounded_up(value: Fraction) -> Fraction:
    ten = decade(value)
    return next(ten * step for step in (1, 2, 5, 10) if ten * step >= value)


def typed(declared: Input, value: Fraction) -> str:
    """The text that sets an input to a value: as people write it where that is exact, else its digits."""
    if declared.kind == "count":
        return str(round(value))
    text = quantities.format_quantity(value, declared.family, figures=6)
    try:
        exact = quantities.parse(text, declared.family).value == value
    except quantities.QuantityError:  # a power of ten may be longer than what is read
        exact = False
    return text if exact and declared.family != "count" else as_text(value)
