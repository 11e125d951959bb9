"""How close to the truth counts as right, and how close as near.

Every tolerance scales with the truth, never with the answer, and none is absolute: a truth of 0 is met by 0
alone. Bounds are inclusive, with a few units in the last place of a float to spare, since a truth may have
been computed in floats. Near is within twice the tolerance: twice the distance, or for a factor its square,
as an estimate is scored on the logarithm of answer over truth.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from calculators.quantities import format_quantity

Form = Literal["relative", "factor", "figures", "decade"]

ESTIMATES: frozenset[Form] = frozenset({"factor", "decade"})  # these are scored on the logarithm
Number = int | Fraction
ULPS = Fraction(4, 2**53)


@dataclass(frozen=True, slots=True)
class Tolerance:
    """`size` is a share of the truth (relative), a factor above 1, a number of figures, or 1 for a decade.

    Three figures means that the answer may be the truth rounded to three figures in the unit it is written
    in, which is why the tests take what one of that unit is worth. A decade means the nearest power of ten:
    half a decade each way.
    """

    form: Form
    size: Fraction

    def is_right(self, answer: Number, truth: Number, unit: Fraction) -> bool:
        return self.is_within(answer, truth, unit, times=1)

    def is_near(self, answer: Number, truth: Number, unit: Fraction) -> bool:
        return self.is_within(answer, truth, unit, times=2)

    def is_within(self, answer: Number, truth: Number, unit: Fraction, times: int) -> bool:
        """Whether an answer is within so many times the tolerance."""
        if answer == truth:
            return True
        if truth == 0:
            return False
        if self.form == "relative":
            return distance(answer, truth) <= distance(truth) * (self.size * times + ULPS)
        if self.form == "figures":
            half = _half_a_digit(truth / unit, int(self.size)) * unit
            return distance(answer, truth) <= half * times + distance(truth) * ULPS
        ratio = ratio_beyond_1(answer, truth)
        if ratio is None:
            return False
        if self.form == "factor":
            return ratio <= self.size**times * (1 + ULPS)
        powers_of_ten: int = 10**times
        return ratio * ratio <= powers_of_ten * (1 + ULPS)

    def band(self, truth: Number, unit: Fraction, times: int) -> tuple[Number, Number]:
        """The ends of what `is_within` accepts, the spare of a few ulps aside; for people to see."""
        if self.form in ESTIMATES:
            factor = self.size**times if self.form == "factor" else Fraction(math.sqrt(10**times))
            ends = (Fraction(truth) / factor, Fraction(truth) * factor)
            return min(ends), max(ends)
        if self.form == "relative" or truth == 0:
            reach = distance(truth) * self.size * times if truth else Fraction(0)
        else:
            reach = _half_a_digit(truth / unit, int(self.size)) * unit * times
        return truth - reach, truth + reach

    @property
    def widest(self) -> Fraction:
        """The share of the truth by which a right answer may be off at most."""
        match self.form:
            case "relative":
                return self.size
            case "figures":
                return Fraction(1, 2 * 10 ** (int(self.size) - 1))
            case "factor":
                return self.size - 1
            case "decade":
                return Fraction(9)

    def describe(self) -> str:
        """How a right answer stands to the truth: "within 5%"."""
        match self.form:
            case "relative":
                return f"within {format_quantity(self.size, 'ratio')}"
            case "figures":
                return f"to {self.size} figure{'s' if self.size > 1 else ''}"
            case "factor":
                return f"within a factor of {format_quantity(self.size, 'count')}"
            case "decade":
                return "within half a power of ten"


def distance(value: Number, other: Number = 0) -> Number:
    """How far apart two values are; of one value its size."""
    difference = value - other
    return -difference if difference < 0 else difference


def ratio_beyond_1(answer: Number, truth: Number) -> Fraction | None:
    """The larger over the smaller, None where signs differ or one is 0."""
    if answer * truth <= 0:
        return None
    ratio = Fraction(answer) / truth
    return ratio if abs(ratio) >= 1 else 1 / ratio


def _half_a_digit(number: Fraction, figures: int) -> Fraction:
    """Half of one in the last of a number's figures: 0.005 for 2.147 and 3 figures."""
    size = abs(number)
    exponent = len(str(size.numerator)) - len(str(size.denominator))
    if Fraction(10) ** exponent > size:
        exponent -= 1
    return Fraction(10) ** (exponent - figures + 1) / 2
