"""Powers of probabilities, exact while that is cheap and safe for exponents of any size."""

from fractions import Fraction

import numpy as np

from calculators.cost.errors import require
from calculators.cost.exact import Real, is_array

_EXACT_BITS = 4096  # of the denominator of a power that is kept whole
_GUARD_BITS = 256


def power(base: Real, exponent: Real) -> Real:
    """base ** exponent, for a base from 0 to 1 and a whole exponent of 0 or more; 0 ** 0 is 1.

    Among scalars the power is exact as long as its denominator stays under some 4,000 bits. Beyond, it is
    rounded down by less than 2**-256 times the square of one part in the base's denominator, so that
    1 - power keeps more than 70 figures even where the base is as near to 1 as its denominator allows.
    Raises DomainError for a base outside 0 to 1.
    """
    if is_array(base) or is_array(exponent):
        return np.power(base, exponent)
    require(0 <= base <= 1, "base", base, "from 0 to 1")
    base = Fraction(base)
    size = base.denominator.bit_length()
    if base.denominator == 1 or size * exponent <= _EXACT_BITS:
        return base if base == 1 else base**exponent
    bits = _GUARD_BITS + 2 * size + min(exponent.bit_length(), 2 * size + 64)
    in_units = (base.numerator << bits) // base.denominator
    return Fraction(_fixed_point_power(in_units, exponent, bits), 1 << bits)


def _fixed_point_power(square: int, exponent: int, bits: int) -> int:
    """square ** exponent, all in units of 2**-bits; a base below 1 runs out to 0, whatever the exponent."""
    result = 1 << bits
    while exponent:
        if not square:
            return 0
        if exponent & 1:
            result = result * square >> bits
        exponent >>= 1
        square = square * square >> bits
    return result
