"""Arithmetic that means the same on exact numbers and on arrays.

A cost function is written once and runs in two modes. With scalars, counts are Python ints and every other
number is a Fraction, so results are exact and ties are real ties. With arrays everything is float64. The
helpers below are the few places where the two need different code: dividing two ints exactly, the larger of
two, rounding, choosing by a condition.
"""

from collections.abc import Iterable
from fractions import Fraction
from math import ceil as _ceil
from math import floor as _floor
from typing import Any, TypeAlias

import numpy as np

# int | Fraction | float | numpy array of float64. No static type gives all four the same arithmetic
# (Fraction and ndarray do not know each other), so the checker is told nothing and the name tells the reader.
Real: TypeAlias = Any
Truth: TypeAlias = Any  # bool, or an array of bool

_LOST = 8 * np.finfo(np.float64).eps  # relative, by some multiplications and divisions in a row


def is_array(value: Real) -> bool:
    """Whether the value came from a sweep. Floats beside an array belong to the sweep too."""
    return isinstance(value, np.ndarray | float)


def is_nought(value: Real) -> bool:
    """Whether the value is a single 0: in an array nothing is."""
    return not isinstance(value, np.ndarray) and bool(value == 0)


def quotient(a: Real, b: Real) -> Real:
    """a / b: exact where both are ints or Fractions, true division where either is a float or an array."""
    if isinstance(a, int) and isinstance(b, int):
        return Fraction(a, b)
    return a / b


def quotient_or_none(a: Real, b: Real) -> Real:
    """a / b, and where b is 0 no number at all: None among scalars, nan in an array."""
    if is_array(a) or is_array(b):
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.divide(a, b)
        return np.where(np.equal(b, 0), np.nan, ratio)
    return quotient(a, b) if b else None


def _any_array(values: Iterable[Real]) -> bool:
    return np.ndarray in map(type, values)


def least(*values: Real) -> Real:
    """The smallest of the values, elementwise over arrays."""
    if _any_array(values):
        smallest = values[0]
        for value in values[1:]:
            smallest = np.minimum(smallest, value)
        return smallest
    return min(values)


def greatest(*values: Real) -> Real:
    """The largest of the values, elementwise over arrays."""
    if _any_array(values):
        largest = values[0]
        for value in values[1:]:
            largest = np.maximum(largest, value)
        return largest
    return max(values)


def floor(value: Real) -> Real:
    """The largest whole number that is not above the value."""
    return np.floor(value) if is_array(value) else _floor(value)


def ceiling(value: Real) -> Real:
    """The smallest whole number that is not below the value."""
    return np.ceil(value) if is_array(value) else _ceil(value)


def ceiling_of_decimals(value: Real) -> Real:
    """`ceiling` of a product in which decimals have part: a float above a whole number by no more than the
    product lost is that number, as 10 * 1.1 is 11.000000000000002, whose plain ceiling is 12."""
    if not is_array(value):
        return ceiling(value)
    nearest = np.rint(value)
    return np.where(np.abs(value - nearest) <= _LOST * np.abs(value), nearest, np.ceil(value))


def choose(condition: Truth, then: Real, otherwise: Real) -> Real:
    """`then` where the condition holds, else `otherwise`; both are already computed."""
    if isinstance(condition, np.ndarray):
        return np.where(condition, then, otherwise)
    return then if condition else otherwise


def divides(divisor: Real, number: Real) -> Truth:
    """Whether divisor goes into number without a rest; 0 divides nothing."""
    if isinstance(divisor, np.ndarray) or isinstance(number, np.ndarray):
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.equal(np.fmod(number, divisor), 0)
    return bool(divisor) and number % divisor == 0


def limit(**times: Real) -> Any:
    """The name of the largest time, the first named on a tie: limit(compute=..., memory=..., network=...)."""
    return longest(**times)[0]


def longest(**times: Real) -> tuple[Any, Real]:
    """The name of the largest time, the first named on a tie, and that time."""
    (name, largest), *others = times.items()
    if not _any_array(times.values()):
        for other, time in others:
            if time > largest:
                name, largest = other, time
        return name, largest
    winner: Any = 0
    for index, (_, time) in enumerate(others, start=1):
        winner = np.where(time > largest, index, winner)
        largest = np.maximum(largest, time)
    return np.array([name, *(other for other, _ in others)]).take(winner), largest
