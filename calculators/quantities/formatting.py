"""Numbers and quantities as text. What is printed here is read back by `parse` in the same family."""

import math
from fractions import Fraction

from .families import FAMILIES
from .units import Family, Unit

Number = int | Fraction | float

_WHOLE_DIGITS = 15  # longer whole parts are written with an exponent
_LARGEST_PLAIN = 10**_WHOLE_DIGITS
_SMALLEST_PLAIN = 10**4  # one in so many: less is written with an exponent
_LARGEST_SCALED = 10**6  # of the largest unit: 314,000,000 PFLOP is worse than 3.14×10²³ FLOP
_MOST_PRINTED = 10**4000  # Python refuses to print integers of more than 4300 digits
_MOST_READ = 10**30  # of a number that is not whole, its point left aside
_ECHO_LENGTH = 40  # leaves room for a unit in the 64 characters that are read
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOG10_2 = math.log10(2)
_BINARY = tuple(FAMILIES["bytes"].by_spelling[symbol] for symbol in ("B", "KiB", "MiB", "GiB", "TiB", "PiB"))


def to_number(value: int | Fraction) -> int | float:
    """The value as JSON carries it: an int where it is whole, else the nearest float."""
    fraction = Fraction(value)
    return fraction.numerator if fraction.denominator == 1 else float(fraction)


def base_unit(family: str) -> str:
    """The symbol of the unit that the family's values are kept in."""
    return FAMILIES[family].base.symbol


def format_quantity(value: Number | None, family: str, *, unit: str | None = None, figures: int = 3) -> str:
    """The value, in base units, for people: "34.4 GB", "41.5%", "8,192"; None is "none".

    Digits before the point are all printed, those after it up to the figures asked for. Without a unit the
    largest one that leaves at least 1 is taken, after rounding: 999.6 MB is 1 GB.
    """
    ratio = _exact(value)
    if ratio is None:
        return "none"
    units = FAMILIES[family]
    if unit is not None:
        return _with_unit(*ratio, units.by_spelling[unit], figures)
    top, bottom = ratio
    if family == "ratio" and abs(top) < 10 * bottom:
        return _with_unit(top, bottom, units.by_spelling["%"], figures)
    return _scaled(top, bottom, units, units.scale, figures)


def format_both_bytes(value: Number | None, *, figures: int = 3) -> tuple[str, str]:
    """The same bytes in powers of two and of ten: ("2 GiB", "2.15 GB")."""
    ratio = _exact(value)
    if ratio is None:
        return "none", "none"
    units = FAMILIES["bytes"]
    return _scaled(*ratio, units, _BINARY, figures), _scaled(*ratio, units, units.scale, figures)


def format_exact(value: Number | None) -> str:
    """Every digit, grouped: "2,147,483,648". A fraction without end, or with more digits than anybody reads,
    is given to 17 figures, marked ≈."""
    ratio = _exact(value)
    if ratio is None:
        return "none"
    top, bottom = ratio
    decimals = _decimals(bottom)
    if decimals is None or abs(top) * 10**decimals >= bottom * (_MOST_READ if decimals else _MOST_PRINTED):
        return "≈" + _significant(top, bottom, 17)
    whole = top * 10**decimals // bottom
    return _positional(whole, decimals) if decimals <= 20 else _scientific(whole, decimals)


def echo(number: Fraction, unit: Unit) -> str:
    """The number in the unit it was read in: exact or else marked ≈, and short enough to be read again."""
    after = unit.after_one if number == 1 else unit.after
    top, bottom = number.numerator, number.denominator
    decimals = _decimals(bottom)
    if decimals is None:
        ratio = f"{top}/{bottom}"
        return (ratio if len(ratio) <= _ECHO_LENGTH else "≈" + _significant(top, bottom, 12)) + after
    whole = top * 10**decimals // bottom
    if abs(number) < _LARGEST_PLAIN and decimals <= 12:
        return _positional(whole, decimals) + after
    exact = _scientific(whole, decimals)
    return (exact if len(exact) <= _ECHO_LENGTH else "≈" + _significant(top, bottom, 12)) + after


# From here on a number is two integers, what is divided and what by, or an integer and its decimals: a page
# prints hundreds, and a Fraction for each step of each took most of its time.


def _exact(value: Number | None) -> tuple[int, int] | None:
    """The value as a ratio, a float being the decimal that it prints as; None for what is no number."""
    if value is None:
        return None
    if isinstance(value, int | Fraction):
        return value.numerator, value.denominator
    number = float(value)
    return Fraction(repr(number)).as_integer_ratio() if math.isfinite(number) else None


def _scaled(top: int, bottom: int, family: Family, scale: tuple[Unit, ...], figures: int) -> str:
    """The value in the largest unit of the scale that leaves at least 1 once rounded."""
    if not top:
        return _with_unit(top, bottom, family.base, figures)
    size = abs(top)
    index = 0
    while index + 1 < len(scale) and _at_least(size, bottom, scale[index + 1]):
        index += 1
    unit = scale[index]
    whole, decimals = _rounded(size * unit.under, bottom * unit.over, figures)
    if index + 1 < len(scale) and _at_least(whole * unit.over, 10**decimals * unit.under, scale[index + 1]):
        unit = scale[index + 1]
        whole, decimals = _rounded(size * unit.under, bottom * unit.over, figures)
    ten = 10**decimals
    if not ten <= whole * _SMALLEST_PLAIN:
        return _powered(top, bottom, figures) + family.base.after
    if whole >= ten * (_LARGEST_SCALED if len(scale) > 1 else _LARGEST_PLAIN):
        return _powered(top, bottom, figures) + family.base.after
    text = _positional(whole if top > 0 else -whole, decimals)
    return text + (unit.after_one if text == "1" else unit.after)


def _at_least(top: int, bottom: int, unit: Unit) -> bool:
    """Whether a size in base units is one of these units or more."""
    return top * unit.under >= bottom * unit.over


def _with_unit(top: int, bottom: int, unit: Unit, figures: int) -> str:
    number = _significant(top * unit.under, bottom * unit.over, figures)
    return number + (unit.after_one if number == "1" else unit.after)


def _significant(top: int, bottom: int, figures: int) -> str:
    """The number with a decimal point, or with a power of ten where it is very large or very small."""
    if not top:
        return "0"
    whole, decimals = _rounded(top, bottom, figures)
    ten = 10**decimals
    if ten <= abs(whole) * _SMALLEST_PLAIN and abs(whole) < ten * _LARGEST_PLAIN:
        return _positional(whole, decimals)
    return _powered(top, bottom, figures)


def _powered(top: int, bottom: int, figures: int) -> str:
    """The number, which is not 0, as a mantissa of the figures and a power of ten."""
    exponent = _exponent(abs(top), bottom)
    if exponent >= 0:
        bottom *= 10**exponent
    else:
        top *= 10**-exponent
    whole, decimals = _rounded(top, bottom, figures)
    if abs(whole) == 10 * 10**decimals:
        decimals, exponent = decimals + 1, exponent + 1
    return f"{_positional(whole, decimals)}×10{str(exponent).translate(_SUPERSCRIPTS)}"


def _rounded(top: int, bottom: int, figures: int) -> tuple[int, int]:
    """The number to the figures, half away from zero, as an integer and its decimals; digits before the point
    are kept."""
    size = abs(top)
    decimals = max(0, figures - 1 - _exponent(size, bottom)) if size else 0
    whole = (2 * size * 10**decimals + bottom) // (2 * bottom)
    return whole if top > 0 else -whole, decimals


def _exponent(top: int, bottom: int) -> int:
    """The largest e with 10^e <= top / bottom, found without a float of it, which may be beyond any float."""
    exponent = math.floor((top.bit_length() - bottom.bit_length()) * _LOG10_2)
    while not _reaches(top, bottom, exponent):
        exponent -= 1
    while _reaches(top, bottom, exponent + 1):
        exponent += 1
    return exponent


def _reaches(top: int, bottom: int, exponent: int) -> bool:
    """Whether 10^exponent <= top / bottom."""
    power: int = 10 ** abs(exponent)
    return top >= bottom * power if exponent >= 0 else top * power >= bottom


def _decimals(bottom: int) -> int | None:
    """How many decimals print a number with this denominator exactly, None if none do."""
    rest, twos, fives = bottom, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


def _positional(whole: int, decimals: int) -> str:
    """An exact decimal, its whole part grouped and trailing zeros left out."""
    if not decimals:
        return f"{whole:,}"
    size, rest = divmod(abs(whole), 10**decimals)
    part = f"{rest:0{decimals}}".rstrip("0")
    return ("-" if whole < 0 else "") + f"{size:,}" + ("." + part if part else "")


def _scientific(whole: int, decimals: int) -> str:
    """An exact decimal as one digit, a point and a power of ten."""
    digits = str(abs(whole))
    exponent = len(digits) - 1 - decimals
    mantissa = (digits[0] + "." + digits[1:]).rstrip("0").rstrip(".")
    power = str(exponent).translate(_SUPERSCRIPTS)
    return ("-" if whole < 0 else "") + f"{mantissa}×10{power}"
