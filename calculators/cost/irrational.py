"""Roots and powers that no fraction is: in scalars kept as fractions all the same, to more figures than a
float has, so that nothing overflows and what follows stays exact arithmetic."""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import isqrt

import numpy as np

from calculators.cost.errors import require, require_positive
from calculators.cost.exact import Real, is_array

_FIGURES = 20  # of a root without end; a float64 has 17
_FIGURES_OF_POWERS = 30
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


def real_power(base: Real, exponent: Real) -> Real:
    """base ** exponent for a base above 0 and any exponent, in scalars to 30 figures.

    Raises DomainError where the base is not above 0.
    """
    require_positive(base=base)
    if is_array(base) or is_array(exponent):
        return np.power(base, exponent)
    with localcontext() as context:
        context.prec = _FIGURES_OF_POWERS
        result: Decimal = _decimal(Fraction(base)) ** _decimal(Fraction(exponent))
    return Fraction(result) if result.adjusted() >= _SMALLEST_EXPONENT else 0


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / value.denominator
