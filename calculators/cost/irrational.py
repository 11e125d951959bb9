"""Roots and powers that no fraction is: in scalars kept as fractions all the same, to more figures than a
float has, so that nothing overflows and what follows stays exact arithmetic."""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import isqrt

import numpy as np

from calculators.cost.errors import require, require_positive
from calculators.cost.exact import Real, is_array

_FIGURES = 20  # of a root without end; a float64 has 17
_EXACT_BITS = 1 << 14  # a power longer than this is not carried out in full
_SMALLEST_EXPONENT = -5000  # of ten; smaller powers count as 0


def square_root(value: Real) -> Real:
    """The root of a number that is not negative: exact where it is rational, else to 20 figures.

    A root without end is given as the middle between two neighbouring decimals of that length, so it is never
    taken for a whole number.
    Raises DomainError for a negative value.
    """
    require(value >= 0, "value", value, "0 or more")
    if is_array(value):
        return np.sqrt(value)
    fraction = Fraction(value)
    over, under = isqrt(fraction.numerator), isqrt(fraction.denominator)
    if over * over == fraction.numerator and under * under == fraction.denominator:
        return over if under == 1 else Fraction(over, under)
    # A root of about 10^n needs 20 - n decimals, and gets no fewer than 6. A bit is 0.301 digits.
    size = (fraction.numerator.bit_length() - fraction.denominator.bit_length()) * 151 // 1000
    scale = 10 ** max(6, _FIGURES - size)
    return Fraction(2 * isqrt(int(fraction * scale * scale)) + 1, 2 * scale)


def power(base: Real, exponent: Real) -> Real:
    """base ** exponent for a base above 0: exact where the exponent is whole and the result not too long,
    else to some 30 figures.

    Raises DomainError where the base is not above 0.
    """
    require_positive(base=base)
    if is_array(base) or is_array(exponent):
        return np.power(base, exponent)
    base, exponent = Fraction(base), Fraction(exponent)
    longest = max(base.numerator.bit_length(), base.denominator.bit_length())
    if exponent.denominator == 1 and abs(exponent) * longest <= _EXACT_BITS:
        return base ** int(exponent)
    with localcontext() as context:
        # A base close to 1 has all its digits raised together, so all of them have to be there.
        context.prec = 30 + (longest + abs(exponent.numerator).bit_length()) * 3 // 10
        result: Decimal = _decimal(base) ** _decimal(exponent)
    return Fraction(result) if result.adjusted() >= _SMALLEST_EXPONENT else 0


def chance_of_any(*, chance: Real, tries: Real) -> Real:
    """1 - (1 - chance) ** tries: that at least one of independent tries comes off.

    Carried out without the difference cancelling where the chance is small.
    Raises DomainError where the chance is not within 0 to 1, or tries are fewer than 1.
    """
    require((chance >= 0) & (chance <= 1), "chance", chance, "from 0 to 1")
    require(tries >= 1, "tries", tries, "at least 1")
    if is_array(chance) or is_array(tries):
        with np.errstate(divide="ignore"):  # a chance of 1 has the logarithm of 0
            return -np.expm1(tries * np.log1p(-np.asarray(chance)))
    return 1 - power(1 - chance, tries) if chance < 1 else 1


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / value.denominator
