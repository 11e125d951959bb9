"""What is wrong with a text that the grammar does not read, and what may have been meant by it."""

import re
from collections.abc import Iterable

from .families import FAMILIES
from .units import Family

SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"

_DIGIT_RUN = re.compile(r"[0-9.,][0-9.,_'’ ]*(?<! )")
_GROUPED = re.compile(r"[0-9]*|[0-9]{1,3}([. _'’])[0-9]{3}(\1[0-9]{3})*")


class UnreadError(Exception):
    """Why a text is not read. `candidates` may be what was meant; `example` shows the form to use."""

    def __init__(self, reason: str, candidates: Iterable[str] = (), *, example: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.candidates = tuple(candidates)
        self.example = example


def quoted(text: str) -> str:
    """The text for an error message, cut to a readable length and without what cannot be printed."""
    clipped = text if len(text) <= 40 else text[:39] + "…"
    return "“" + "".join(char if char.isprintable() else "\ufffd" for char in clipped) + "”"


def no_number(text: str, start: int, *, two_signs: bool) -> UnreadError:
    """The fault of a text in which no number begins at the start, after its sign."""
    rest = text[start:]
    if re.match(r"(?:nan|inf|infinity)\b|∞", rest, re.IGNORECASE):
        return UnreadError(f"{quoted(text)} is not a finite number")
    unsigned = rest.lstrip("-+ ")
    if two_signs and unsigned:
        return UnreadError(f"{quoted(text)} has more than one sign", [f"-{unsigned}", unsigned])
    if re.match(r",[0-9]", rest):
        return UnreadError("A decimal comma is not read", [f"{text[:start]}0.{rest[1:]}"])
    return UnreadError(f"{quoted(text)} does not begin with a number")


def not_one_number(typed: str, rest: str, start: int, *, has_power: bool) -> UnreadError | None:
    """The fault of what follows the number that was typed, where it looks like more of it; else None.

    `start` is where the last term of `typed` begins, `has_power` whether that term has an exponent.
    """
    whole = quoted(typed + rest)
    tail = rest.lstrip(" ")
    if re.match(r"[.,_'’0-9]", tail):
        if has_power:
            return UnreadError(f"The exponent of {whole} is not a whole number", example="2^30")
        return _stray_digits(typed + rest, start)
    if re.match(rf"\^|\*\*|[⁺⁻{SUPERSCRIPTS}]", tail):
        reason = "Only one power is read" if has_power else "An exponent has to be a whole number"
        return UnreadError(f"{reason}, not {whole}", example="2^30")
    if not has_power and re.match(r"[eE] ?(?:[-+]|[0-9]|$)", tail):
        joined = typed + re.sub(r"^([eE]) *", r"\1", tail)
        return UnreadError(f"The exponent of {whole} is not a whole number after e", [joined], example="1e9")
    if re.match(r"[xX×*·⋅∙+-] *[0-9]|[*·⋅∙+-]", tail):
        power_of_ten = re.sub(r"^[xX×*·⋅∙] *10 *[eE]", "x10^", tail)
        reason = f"{whole} is not one number: nothing is worked out but a power and a division"
        return UnreadError(reason, [typed + power_of_ten], example="3x10^9")
    if re.match(r"/ *(?:$|[-+0-9.(])", tail):
        return UnreadError(f"A division has one number on each side, not {whole}", example="1/2")
    return None


def _stray_digits(text: str, start: int) -> UnreadError:
    """The fault of digits that run on: a decimal comma, groups that are not of three, a second point."""
    run = _DIGIT_RUN.match(text, start)
    digits = run[0] if run else ""
    before, after = text[:start], text[start + len(digits) :]
    whole, comma, part = digits.rpartition(",")
    if comma and not re.search(r"[^0-9]", part) and _GROUPED.fullmatch(whole):
        number = re.sub(r"[^0-9]", "", whole) + (f".{part}" if part else "")
        return UnreadError("A decimal comma is not read", [before + number + after])
    if digits.count(".") > 1:
        joined = [before + digits.replace(".", "") + after] if _GROUPED.fullmatch(digits) else []
        return UnreadError(f"{quoted(digits)} has more than one decimal point", joined)
    apart = re.search(r" [0-9]{1,2}(?![0-9])| [0-9]{4}", digits)  # "5 1/2" is not 51/2
    joined = [] if apart else [before + re.sub(r"[^0-9.]", "", digits) + after]
    return UnreadError(f"{quoted(digits)} is not one number in groups of three digits", joined)


def not_a_unit(spelling: str, typed: str, units: Family) -> UnreadError:
    """The fault of a spelling after the number typed that is no unit of the family."""
    shown = quoted(spelling)
    refusal = units.refused.get(spelling)
    if refusal is not None:
        instead = [typed + units.by_spelling[symbol].after for symbol in refusal.instead]
        return UnreadError(f"{shown} is not read here, {refusal.reason}", instead)
    similar = units.in_any_case(spelling)
    if any(each.bits for each in similar):
        symbols = [symbol for each in similar for symbol in (each.symbol, each.symbol.replace("b", "B", 1))]
        meant = [units.by_spelling[symbol] for symbol in symbols if symbol in units.by_spelling]
        return UnreadError(f"{shown} could be bits or bytes", [typed + each.after for each in meant])
    if similar:
        return UnreadError(f"{shown} could be several units", [typed + each.after for each in similar])
    longer = units.beginning(spelling)
    if longer:
        reason = f"{shown} alone is not a unit of {units.noun}"
        return UnreadError(reason, [typed + each.after for each in longer[:3]])
    for other in FAMILIES.values():
        if spelling in other.by_spelling:
            return UnreadError(f"{shown} is a unit of {other.noun}, not of {units.noun}")
    return UnreadError(f"{shown} is not a unit of {units.noun}")
