"""The arithmetic of expressions: exact on ints and Fractions, bounded in size, no silent nonsense."""

import ast
import functools
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

MAX_BITS = 4096  # about 1,230 digits, above and below the fraction bar
MAX_EXPONENT = 1024

Number = int | Fraction


class UnusableError(ValueError):
    """An operand or result that expressions refuse; the text is a sentence for the author."""


def read_value(value: object, label: str) -> Number | bool | str:
    """A value from outside as expressions know it: exact, finite and bounded."""
    if type(value) is int or type(value) is Fraction:
        return bounded(value)
    if isinstance(value, bool | str):
        return value
    if value is None:
        raise UnusableError(f"{label} has no value (null) with these inputs")
    if isinstance(value, float):
        if not math.isfinite(value):
            raise UnusableError(f"{label} is not a finite number")
        # The shortest decimal that reads as this float is what was meant: 0.1, not 0.1000000000000000055.
        return bounded(Fraction(repr(float(value))))
    raise UnusableError(f"{label} is neither a number nor a text nor a condition")


def bounded(value: Number) -> Number:
    """The value, an int where whole; refused where it is longer than MAX_BITS."""
    if type(value) is int and value.bit_length() <= MAX_BITS:  # nearly every value of a question
        return value
    top, bottom = value.numerator, value.denominator
    if top.bit_length() > MAX_BITS or bottom.bit_length() > MAX_BITS:
        raise UnusableError("This grows beyond 1,200 digits")
    return top if bottom == 1 else value


def number(value: object) -> Number:
    """The operand, refused where it is a condition or a text."""
    if type(value) is int or type(value) is Fraction:
        return value
    if isinstance(value, bool):
        raise UnusableError("A condition stands where a number belongs")
    raise UnusableError(f"The text {str(value)[:40]!r} stands where a number belongs")


def _arithmetic(operation: Callable[[Any, Any], Any]) -> Callable[[object, object], Number]:
    @functools.wraps(operation)
    def apply(left: object, right: object) -> Number:
        return bounded(operation(number(left), number(right)))

    return apply


def _ordering(operation: Callable[[Any, Any], bool]) -> Callable[[object, object], bool]:
    @functools.wraps(operation)
    def apply(left: object, right: object) -> bool:
        return operation(number(left), number(right))

    return apply


def _same(left: object, right: object) -> bool:
    for kind in (bool, str):
        if isinstance(left, kind) is not isinstance(right, kind):
            raise UnusableError("== and != compare two numbers, two texts or two conditions")
    return bool(left == right)


def _quotient(left: Number, right: Number) -> Number:
    return Fraction(left, right)  # exact, where int / int would be a float


def _power(base: Number, exponent: Number) -> Number:
    if not -MAX_EXPONENT <= exponent <= MAX_EXPONENT:
        raise UnusableError(f"An exponent is within ±{MAX_EXPONENT:,}")
    if isinstance(exponent, Fraction):
        if base < 0:
            raise UnusableError("A negative number has no fractional power")
        return sqrt(base) if exponent == Fraction(1, 2) else _from_float(float(base) ** float(exponent))
    size = max(abs(base.numerator).bit_length(), base.denominator.bit_length())
    # A base of one bit is 0, 1 or -1, whose powers stay as small.
    if size > 1 and (size - 1) * abs(exponent) > MAX_BITS:
        raise UnusableError("This power grows beyond 1,200 digits")
    return Fraction(base) ** exponent


def _negate(value: object) -> Number:
    return -number(value)


def _not(value: object) -> bool:
    if not isinstance(value, bool):
        raise UnusableError("not stands before a condition, not a number or a text")
    return not value


OPERATORS: Mapping[type[ast.AST], Callable[..., Any]] = {
    ast.Add: _arithmetic(operator.add),
    ast.Sub: _arithmetic(operator.sub),
    ast.Mult: _arithmetic(operator.mul),
    ast.Div: _arithmetic(_quotient),
    ast.FloorDiv: _arithmetic(operator.floordiv),
    ast.Mod: _arithmetic(operator.mod),
    ast.Pow: _arithmetic(_power),
    ast.USub: _negate,
    ast.UAdd: number,
    ast.Not: _not,
    ast.Eq: _same,
    ast.NotEq: lambda left, right: not _same(left, right),
    ast.Lt: _ordering(operator.lt),
    ast.LtE: _ordering(operator.le),
    ast.Gt: _ordering(operator.gt),
    ast.GtE: _ordering(operator.ge),
}


# ---------------------------------------------------------------- functions


def _from_float(value: float) -> Number:
    if not math.isfinite(value):
        raise UnusableError("This is not a finite number")
    return bounded(Fraction(value))


def sqrt(value: Number) -> Number:
    """The square root; exact for a square of a fraction."""
    if value < 0:
        raise UnusableError("A negative number has no square root")
    top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
    if top * top == value.numerator and bottom * bottom == value.denominator:
        return bounded(Fraction(top, bottom))
    return _from_float(math.sqrt(value))


def _logarithm(value: Number, log: Callable[[int], float]) -> float:
    if value <= 0:
        raise UnusableError("Only numbers above 0 have a logarithm")
    # The logs of ints are right at any size, where a Fraction would overflow a float.
    return log(value.numerator) - log(value.denominator)


def _log2(value: Number) -> Number:
    return _snapped(value, 2, _logarithm(value, math.log2))


def _log10(value: Number) -> Number:
    return _snapped(value, 10, _logarithm(value, math.log10))


def _snapped(value: Number, base: int, log: float) -> Number:
    """The logarithm, whole where `value` is exactly that power of the base."""
    whole = round(log)
    return whole if abs(log - whole) < 1e-9 and Fraction(base) ** whole == value else _from_float(log)


def _ln(value: Number) -> Number:
    return 0 if value == 1 else _from_float(_logarithm(value, math.log))


def _exp(value: Number) -> Number:
    try:
        return 1 if value == 0 else _from_float(math.exp(value))
    except OverflowError:
        raise UnusableError("exp of this is beyond every float") from None


def _round(value: Number, digits: Number = 0) -> Number:
    if not isinstance(digits, int) or not 0 <= digits <= 30:
        raise UnusableError("round keeps 0 to 30 decimals")
    return bounded(Fraction(round(Fraction(value), digits)))


@dataclass(frozen=True, slots=True)
class Function:
    """A function that expressions may call, with `least` to `most` numbers."""

    usage: str
    call: Callable[..., Number]
    least: int = 1
    most: int = 1


def _function(usage: str, call: Callable[..., Number], least: int = 1, most: int = 1) -> Function:
    @functools.wraps(call)
    def checked(*values: object) -> Number:
        return call(*(number(value) for value in values))

    return Function(usage, checked, least, most)


FUNCTIONS: Mapping[str, Function] = {
    "min": _function("min(a, b, ...)", min, 2, 16),
    "max": _function("max(a, b, ...)", max, 2, 16),
    "abs": _function("abs(a)", abs),
    "round": _function("round(a) or round(a, decimals), halves to even", _round, 1, 2),
    "ceil": _function("ceil(a)", math.ceil),
    "floor": _function("floor(a)", math.floor),
    "sqrt": _function("sqrt(a)", sqrt),
    "log2": _function("log2(a)", _log2),
    "log10": _function("log10(a)", _log10),
    "ln": _function("ln(a)", _ln),
    "exp": _function("exp(a)", _exp),
}
