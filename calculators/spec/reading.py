"""Turning what a caller gave for one input into its value, or into a refusal that says what is allowed."""

from collections.abc import Iterable
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from calculators import quantities
from calculators.spec.declare import MAX_VALUE_LENGTH, Input
from calculators.spec.errors import FieldError

_TRUE = frozenset(("true", "1", "yes", "on"))
_FALSE = frozenset(("false", "0", "no", "off"))
_SHOWN = 40  # characters of a refused text that its message repeats
_MOST_MEANT = 4  # names that a refusal proposes
_MOST = 10**4000  # Python prints integers of no more than 4300 digits


class Refused(ValueError):  # noqa: N818 - never leaves the library as an error
    """What was given is not what is allowed; the message is a further sentence that helps, or empty."""


class Read(NamedTuple):
    """A value, and the text that gives it again (empty where 64 characters cannot)."""

    value: Any
    text: str


def is_blank(raw: object) -> bool:
    """Whether nothing was given: None, or text of spaces only."""
    return raw is None or (isinstance(raw, str) and not raw.strip())


def read(declared: Input, raw: object) -> Read | FieldError:
    """The value of one input that was given something."""
    try:
        match declared.kind:
            case "flag":
                return _flag(raw)
            case "choice":
                return _choice(declared, raw)
            case _:
                return _number(declared, raw)
    except Refused as refusal:
        return FieldError(declared.name, shown(raw), declared.allowed, refused(declared, raw, str(refusal)))


def refused(declared: Input, raw: object, help_text: str = "") -> str:
    """The sentence that refuses what was given for an input."""
    message = f"{declared.name} is {quoted(raw)}, but must be {declared.allowed}."
    return f"{message} {help_text}" if help_text else message


def shown(raw: object) -> str:
    """What was given, short enough for a message."""
    if isinstance(raw, int | Fraction | Decimal) and not isinstance(raw, bool):
        try:
            text = str(raw)
        except ValueError:
            return "a number of too many digits"
    else:
        text = str(raw).strip()
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def meant(word: str, names: Iterable[str]) -> str:
    """A further sentence with the names that begin with the word, else the one most like it; or nothing."""
    names = list(names)
    close = [name for name in names if word and name.startswith(word)][:_MOST_MEANT]
    close = close or get_close_matches(word, names, n=1)
    *others, last = close or [""]
    return f"Did you mean {', '.join(others)}{' or ' if others else ''}{last}?" if last else ""


def quoted(raw: object) -> str:
    """What was given, with text in quotation marks."""
    return f"“{shown(raw)}”" if isinstance(raw, str) else shown(raw)


def _flag(raw: object) -> Read:
    word = _text(raw) if isinstance(raw, str) else _plain(raw)
    if isinstance(word, bool | int | str):
        text = str(word).lower()
        if text in _TRUE:
            return Read(value=True, text="true")
        if text in _FALSE:
            return Read(value=False, text="false")
    raise Refused


def _choice(declared: Input, raw: object) -> Read:
    if not isinstance(raw, str):
        raise Refused
    word = _text(raw).lower()
    if word in declared.choices:
        return Read(word, word)
    raise Refused(meant(word, declared.choices))


def _number(declared: Input, raw: object) -> Read:
    value = number(raw, declared.family)
    if declared.kind == "count" and not isinstance(value, int):
        raise Refused
    if value < declared.minimum or (declared.exclusive and value == declared.minimum):
        raise Refused
    if declared.maximum is not None and value > declared.maximum:
        raise Refused
    text = raw.strip() if isinstance(raw, str) else as_text(value)
    return Read(value, text)


def number(raw: object, family: str) -> int | Fraction:
    """Text in a family of units, or any of Python's and numpy's numbers, exactly."""
    if isinstance(raw, str):
        if raw.isascii() and raw.isdecimal() and len(raw) <= MAX_VALUE_LENGTH:
            return int(raw)  # most are: digits alone need no grammar, and are in the base unit
        try:
            return quantities.parse(_text(raw), family).value
        except quantities.QuantityError as error:
            raise Refused(str(error)) from None
    plain = _plain(raw)
    if isinstance(plain, float):
        if not isfinite(plain):
            raise Refused
        plain = Fraction(repr(plain))  # 0.1 is the tenth that was meant
    elif isinstance(plain, Decimal) and plain.is_finite():
        plain = Fraction(plain)
    if isinstance(plain, bool) or not isinstance(plain, int | Fraction):
        raise Refused
    if max(abs(plain.numerator), plain.denominator) >= _MOST:
        raise Refused("A number has at most 4,000 digits.")
    return plain.numerator if plain.denominator == 1 else plain


def _text(raw: str) -> str:
    text = raw.strip()
    if len(text) > MAX_VALUE_LENGTH:
        raise Refused(f"A value has at most {MAX_VALUE_LENGTH} characters, this one has {len(text)}.")
    return text


def _plain(raw: object) -> object:
    """A numpy scalar as the Python object it stands for, half and single precision by their own digits."""
    if isinstance(raw, np.floating) and not isinstance(raw, float):
        return float(str(raw))
    return raw.item() if isinstance(raw, np.generic) else raw


def as_text(number: int | Fraction) -> str:
    """The shortest plain text that reads as exactly this number, empty where it takes too many characters."""
    if abs(number.numerator) >= 1 << 1024 or number.denominator >= 1 << 1024:
        return ""
    digits, exponent = number.numerator, 0
    rest = number.denominator
    while rest % 10 == 0:
        rest, exponent = rest // 10, exponent - 1
    while rest % 2 == 0 or rest % 5 == 0:  # a tenth at a time, so that 1/8 becomes 0.125
        factor = 2 if rest % 2 == 0 else 5
        rest, digits, exponent = rest // factor, digits * (10 // factor), exponent - 1
    text = _decimal(digits, exponent) if rest == 1 else f"{number.numerator}/{number.denominator}"
    return text if len(text) <= MAX_VALUE_LENGTH else ""


def _decimal(digits: int, exponent: int) -> str:
    sign, mantissa = "-" if digits < 0 else "", str(abs(digits))
    if exponent + len(mantissa) > -6 and exponent <= 0 and len(mantissa) - exponent < 24:
        padded = mantissa.rjust(1 - exponent, "0")
        whole, part = padded[: len(padded) + exponent], padded[len(padded) + exponent :]
        return f"{sign}{whole}.{part}" if part else f"{sign}{whole}"
    stripped = mantissa.rstrip("0") or "0"
    exponent += len(mantissa) - len(stripped)
    return f"{sign}{stripped}e{exponent}" if exponent else f"{sign}{stripped}"
