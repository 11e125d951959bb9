"""The stops of a slider: values along a logarithmic scale that a reader of such numbers would type."""

from collections.abc import Iterator
from fractions import Fraction

from app.bank.params import Param
from calculators import quantities

MAX_STOPS = 120
_BINARY = (Fraction(1), Fraction(3, 2))  # 8, 12, 16, 24: what batches, heads and lengths are made of
_DECIMAL = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(5), Fraction(7))


def stops(param: Param) -> tuple[str, ...]:
    """The texts that a slider moves along, from the least value to the largest; none without a range."""
    if not param.input.numeric or param.minimum is None or param.maximum is None:
        return ()
    least, most = Fraction(param.minimum.value), Fraction(param.maximum.value)
    if least >= most:
        return ()
    settings = (param.minimum, param.written, *param.choices, param.maximum)
    texts = {Fraction(setting.value): setting.text for setting in settings}
    between = _binary(least, most) if param.kind == "count" else _decimal(least, most)
    for value in between:
        texts.setdefault(value, _text(param, value))
    ordered = tuple(texts[value] for value in sorted(texts))
    return ordered if len(ordered) <= MAX_STOPS else ()


def _text(param: Param, value: Fraction) -> str:
    if param.kind == "count":
        return str(value.numerator)
    return quantities.format_quantity(value, param.input.family)


def _binary(least: Fraction, most: Fraction) -> Iterator[Fraction]:
    step = Fraction(1)
    while step < most:
        yield from (
            value for part in _BINARY if least < (value := part * step) < most and value.denominator == 1
        )
        step *= 2


def _decimal(least: Fraction, most: Fraction) -> Iterator[Fraction]:
    """From a thousandth of the largest value up where the range begins at 0, which no logarithm reaches."""
    low = least or most / 1000
    step = Fraction(1)
    while step > low:
        step /= 10
    while step * 10 <= low:
        step *= 10
    while step < most:
        yield from (value for part in _DECIMAL if least < (value := part * step) < most)
        step *= 10
