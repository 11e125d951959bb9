"""Numbers and quantities as text. What is printed here is read back by `parse` in the same family."""

import math
from fractions import Fraction

from .families import FAMILIES
from .units import Family, Unit

Number = int | Fraction | float

_WHOLE_DIGITS = 15  # longer whole parts are written with an exponent
_SMALLEST_PLAIN = Fraction(1, 10**4)
_LARGEST_SCALED = 10**6  # of the largest unit: 314,000,000 PFLOP is worse than 3.14×10²³ FLOP
_MOST_PRINTED = 10**4000  # Python refuses to print integers of more than 4300 digits
_MOST_READ = 10**30  # of a number that is not whole, its point left aside
_ECHO_LENGTH = 40  # leaves room for a unit in the 64 characters that are read
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOG10_2 = math.log10(2)


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
    fraction = _exact(value)
    if fraction is None:
        return "none"
    units = FAMILIES[family]
    if unit is not None:
        return _with_unit(fraction, units.by_spelling[unit], figures)
    if family == "ratio" and abs(fraction) < 10:
        return _with_unit(fraction, units.by_spelling["%"], figures)
    return _scaled(fraction, units, units.scale, figures)


def format_both_bytes(value: Number | None, *, figures: int = 3) -> tuple[str, str]:
    """The same bytes in powers of two and of ten: ("2 GiB", "2.15 GB")."""
    fraction = _exact(value)
    if fraction is None:
        return "none", "none"
    units = FAMILIES["bytes"]
    binary = tuple(units.by_spelling[symbol] for symbol in ("B", "KiB", "MiB", "GiB", "TiB", "PiB"))
    return _scaled(fraction, units, binary, figures), _scaled(fraction, units, units.scale, figures)


def format_exact(value: Number | None) -> str:
    """Every digit, grouped: "2,147,483,648". A fraction without end, or with more digits than anybody reads,
    is given to 17 figures, marked ≈."""
    fraction = _exact(value)
    if fraction is None:
        return "none"
    decimals = _decimals(fraction)
    if decimals is None or abs(fraction) * 10**decimals >= (_MOST_READ if decimals else _MOST_PRINTED):
        return "≈" + _significant(fraction, 17)
    return _positional(fraction, decimals) if decimals <= 20 else _scientific(fraction, decimals)


def echo(number: Fraction, unit: Unit) -> str:
    """The number in the unit it was read in: exact or else marked ≈, and short enough to be read again."""
    after = unit.after_one if number == 1 else unit.after
    decimals = _decimals(number)
    if decimals is None:
        ratio = f"{number.numerator}/{number.denominator}"
        return (ratio if len(ratio) <= _ECHO_LENGTH else "≈" + _significant(number, 12)) + after
    if abs(number) < 10**_WHOLE_DIGITS and decimals <= 12:
        return _positional(number, decimals) + after
    exact = _scientific(number, decimals)
    return (exact if len(exact) <= _ECHO_LENGTH else "≈" + _significant(number, 12)) + after


def _exact(value: Number | None) -> Fraction | None:
    """The value as a fraction, a float being the decimal that it prints as; None for what is no number."""
    if value is None or isinstance(value, int | Fraction):
        return None if value is None else Fraction(value)
    number = float(value)
    return Fraction(repr(number)) if math.isfinite(number) else None


def _scaled(value: Fraction, family: Family, scale: tuple[Unit, ...], figures: int) -> str:
    """The value in the largest unit of the scale that leaves at least 1 once rounded."""
    if value == 0:
        return _with_unit(value, family.base, figures)
    index = max((i for i, unit in enumerate(scale) if abs(value) >= unit.factor), default=0)
    size = abs(_rounded(value / scale[index].factor, figures))
    if index + 1 < len(scale) and size * scale[index].factor >= scale[index + 1].factor:
        index += 1
        size = abs(_rounded(value / scale[index].factor, figures))
    if len(scale) > 1 and not _SMALLEST_PLAIN <= size < _LARGEST_SCALED:
        return _powered(value, figures) + family.base.after
    return _with_unit(value, scale[index], figures)


def _with_unit(value: Fraction, unit: Unit, figures: int) -> str:
    number = _significant(value / unit.factor, figures)
    return number + (unit.after_one if number == "1" else unit.after)


def _significant(number: Fraction, figures: int) -> str:
    """The number with a decimal point, or with a power of ten where it is very large or very small."""
    if number == 0:
        return "0"
    rounded = _rounded(number, figures)
    if _SMALLEST_PLAIN <= abs(rounded) < 10**_WHOLE_DIGITS:
        return _positional(rounded, max(0, figures - 1 - _exponent(abs(rounded))))
    return _powered(number, figures)


def _powered(number: Fraction, figures: int) -> str:
    """The number, which is not 0, as a mantissa of the figures and a power of ten."""
    exponent = _exponent(abs(number))
    mantissa = _rounded(number / Fraction(10) ** exponent, figures)
    if abs(mantissa) == 10:
        mantissa, exponent = mantissa / 10, exponent + 1
    return f"{_positional(mantissa, figures)}×10{str(exponent).translate(_SUPERSCRIPTS)}"


def _rounded(number: Fraction, figures: int) -> Fraction:
    """Rounded to the figures, half away from zero; digits before the point are kept."""
    if number == 0:
        return number
    ten = 10 ** max(0, figures - 1 - _exponent(abs(number)))
    top, bottom = abs(number.numerator) * ten, number.denominator
    whole = (2 * top + bottom) // (2 * bottom)
    return Fraction(whole if number > 0 else -whole, ten)


def _exponent(size: Fraction) -> int:
    """The largest e with 10^e <= size, found without a float of it: the size may be beyond any float."""
    exponent = math.floor((size.numerator.bit_length() - size.denominator.bit_length()) * _LOG10_2)
    while not _reaches(size, exponent):
        exponent -= 1
    while _reaches(size, exponent + 1):
        exponent += 1
    return exponent


def _reaches(size: Fraction, exponent: int) -> bool:
    """Whether 10^exponent <= size."""
    above, below = 10 ** max(0, exponent), 10 ** max(0, -exponent)
    return bool(size.numerator * below >= size.denominator * above)


def _decimals(number: Fraction) -> int | None:
    """How many decimals print the number exactly, None if none do."""
    rest, twos, fives = number.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


def _positional(number: Fraction, decimals: int) -> str:
    """An exact decimal, its whole part grouped and trailing zeros left out."""
    digits = str(abs(number.numerator) * 10**decimals // number.denominator).rjust(decimals + 1, "0")
    split = len(digits) - decimals
    fraction = digits[split:].rstrip("0")
    whole = f"{int(digits[:split]):,}"
    return ("-" if number < 0 else "") + whole + ("." + fraction if fraction else "")


def _scientific(number: Fraction, decimals: int) -> str:
    """An exact decimal as one digit, a point and a power of ten."""
    digits = str(abs(number.numerator) * 10**decimals // number.denominator)
    exponent = len(digits) - 1 - decimals
    mantissa = (digits[0] + "." + digits[1:]).rstrip("0").rstrip(".")
    power = str(exponent).translate(_SUPERSCRIPTS)
    return ("-" if number < 0 else "") + f"{mantissa}×10{power}"
