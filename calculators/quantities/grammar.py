"""Text to quantity, by one strict grammar.

    quantity  [~ or ≈] [sign] [$] term [/ term] [unit]
    term      number, number e int, number x10^int, number^int  (also **, superscripts, × * ·)
    number    1024, 1,024, 1 024, 1_024, 2.5, .5, 5.

A group is always of three digits, with one separator throughout and no leading zero. Every dash-like sign is
a minus and every kind of space a space. Anything else is refused by a sentence that says what to type, and
what it says to type has been read by this same grammar first.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from .families import FAMILIES
from .formatting import echo
from .units import Family, Unit

MAX_LENGTH = 64

_LARGEST = 10**308
_SMALLEST = Fraction(1, 10**300)
_MOST_EXPONENT = 400  # past the bounds for any mantissa of 64 characters that is not absurd
_MOST_POWER_DIGITS = 1100  # digits of the base times the power: more is never computed

_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_FROM_SUPERSCRIPT = str.maketrans("⁺⁻" + _SUPERSCRIPTS, "+-0123456789")
_DASHES = "\u2212\u02d7\u2043\u2796\u00ad\u208b"  # with all of category Pd; soft hyphens print as one
_ABOUT = "~≈\u223c"
_NO_NUMBERS = frozenset({"nan", "inf", "infinity", "∞"})

_LEAD = re.compile(rf"[{_ABOUT} ]*(?P<sign>[-+⁻]?) *(?P<money>\$?) *(?P<inner>[-+⁻]?) *")
_INT = r"[-+]?[0-9]+"
_TERM = re.compile(
    rf"""
    (?=\.?[0-9])
    (?P<whole>
        [1-9][0-9]{{0,2}} (?P<gap>[,_\ ]) [0-9]{{3}} (?: (?P=gap) [0-9]{{3}} )* (?![0-9])
      | [0-9]+
    )?
    (?: \. (?P<part>[0-9]*) )?
    (?:
        [eE] (?P<exponent>{_INT})
      | \ * [xX×*·⋅∙] \ * 10 \ *
        (?: (?:\^|\*\*) \ * (?P<ten>{_INT}) | (?P<raised_ten>[⁺⁻]?[{_SUPERSCRIPTS}]+) )
      | \ * (?:\^|\*\*) \ * (?P<power>{_INT})
      | (?P<raised>[⁺⁻]?[{_SUPERSCRIPTS}]+)
    )?
    """,
    re.VERBOSE,
)
_OVER = re.compile(r" */ *(?=\.?[0-9])")
_DIGIT_RUN = re.compile(r"[0-9][0-9.,_'’ ]*(?<! )|,[0-9]+")


class QuantityError(ValueError):
    """A text that is not read. Its message is a whole sentence; each of `suggestions` would be read."""

    def __init__(self, message: str, *, text: str, suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.text = text
        self.suggestions = suggestions


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text was read as: the exact value in base units, and the echo in the unit as it was meant."""

    value: int | Fraction
    base_unit: str
    read_unit: str
    reading: str


class _UnreadError(Exception):
    """Why a text is not read, and what may have been meant."""

    def __init__(self, reason: str, candidates: Iterable[str] = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.candidates = tuple(candidates)


def parse(text: str, family: str, *, unit: str | None = None) -> Reading:
    """The quantity that the text says, in the base unit of the family.

    A number without a unit is in `unit`, else in the base unit. Raises QuantityError for every text that
    does not follow the grammar, and for an unknown family or `unit`.
    """
    units = FAMILIES.get(family)
    if units is None:
        raise QuantityError(f"{_quoted(family)} is no family of units: use {', '.join(FAMILIES)}.", text=text)
    bare = units.base if unit is None else units.find(_spelling(_clean(unit)))
    if bare is None:
        symbols = ", ".join(each.symbol for each in units.units)
        raise QuantityError(f"{_quoted(unit or '')} is no unit of {units.noun}: use {symbols}.", text=text)
    try:
        number, read_unit = _read(text, units, bare)
    except _UnreadError as fault:
        suggestions = tuple(each for each in fault.candidates if _is_read(each, units, bare))
        advice = " or ".join(suggestions) if suggestions else f"a number such as {units.example}"
        raise QuantityError(f"{fault.reason}: type {advice}.", text=text, suggestions=suggestions) from None
    value = number * read_unit.factor
    return Reading(
        value=value.numerator if value.denominator == 1 else value,
        base_unit=units.base.symbol,
        read_unit=read_unit.symbol,
        reading=echo(number, read_unit),
    )


def _is_read(text: str, units: Family, bare: Unit) -> bool:
    try:
        _read(text, units, bare)
    except _UnreadError:
        return False
    return True


def _read(text: str, units: Family, bare: Unit) -> tuple[Fraction, Unit]:
    """The number in front of the unit, and the unit."""
    if len(text) > MAX_LENGTH:
        raise _UnreadError(f"At most {MAX_LENGTH} characters are read and this has {len(text)}")
    cleaned = _clean(text)
    if not cleaned:
        raise _UnreadError("No number was given")
    _check_digits(cleaned)
    lead = _LEAD.match(cleaned)
    assert lead is not None  # every part of it may be empty
    first = _TERM.match(cleaned, lead.end())
    if first is None or (lead["sign"] and lead["inner"]):
        raise _no_number(cleaned, lead)
    number, end = _value(first), first.end()
    over = _OVER.match(cleaned, end)
    second = _TERM.match(cleaned, over.end()) if over else None
    if second is not None:
        divisor, end = _value(second), second.end()
        if divisor == 0:
            raise _UnreadError(f"{_quoted(cleaned)} divides by zero")
        number /= divisor
    sign = "" if lead["sign"] + lead["inner"] in ("", "+") else "-"
    spelling = _spelling(lead["money"] + cleaned[end:])
    unit = units.find(spelling) if spelling else bare
    if unit is None:
        typed = sign + cleaned[lead.end() : end]
        raise _bad_rest(cleaned[end:], typed, last=second or first) or _bad_unit(spelling, typed, units)
    _check_bounds(number, cleaned)
    _check_bounds(number * unit.factor, cleaned)
    return (-number if sign else number), unit


def _clean(text: str) -> str:
    """The text with every dash as "-", every space as " ", and none around it."""
    return "".join(map(_plain, text)).strip()


def _plain(char: str) -> str:
    if char in _DASHES:
        return "-"
    match unicodedata.category(char):
        case "Pd":
            return "-"
        case "Zs":
            return " "
    return " " if char == "\t" else char


def _spelling(rest: str) -> str:
    """A unit as the tables spell it: single spaces, none around a slash."""
    return re.sub(r" ?/ ?", "/", re.sub(r" +", " ", rest)).strip(" ")


def _value(term: re.Match[str]) -> Fraction:
    """The exact value of a term; what would be huge is refused before it is computed."""
    whole, part = re.sub(r"[,_ ]", "", term["whole"] or ""), term["part"] or ""
    number = Fraction(int(whole + part), 10 ** len(part))
    shift = term["exponent"] or term["ten"] or term["raised_ten"]
    power = term["power"] or term["raised"]
    if shift is not None:
        return number * Fraction(10) ** _bounded(shift, _MOST_EXPONENT, term[0])
    if power is None:
        return number
    digits = max(len(str(number.numerator)), len(str(number.denominator)))
    exponent = _bounded(power, _MOST_POWER_DIGITS // digits, term[0])
    if number == 0 and exponent < 0:
        raise _UnreadError(f"{_quoted(term[0])} divides by zero")
    return number**exponent


def _bounded(exponent: str, most: int, term: str) -> int:
    size = int(exponent.translate(_FROM_SUPERSCRIPT))
    if abs(size) > most:
        raise _UnreadError(f"{_quoted(term)} is {'larger' if size > 0 else 'smaller'} than what is read")
    return size


def _check_bounds(number: Fraction, cleaned: str) -> None:
    if number > _LARGEST:
        raise _UnreadError(f"{_quoted(cleaned)} is larger than 1e308, the most that is read")
    if 0 < number < _SMALLEST:
        raise _UnreadError(f"{_quoted(cleaned)} is smaller than 1e-300, the least that is read")


def _check_digits(cleaned: str) -> None:
    foreign = [c for c in cleaned if not c.isascii() and c.isnumeric() and c not in _SUPERSCRIPTS]
    if foreign:
        ascii_digits = {ord(c): str(unicodedata.digit(c, "")) for c in foreign}
        reason = f"{_quoted(foreign[0])} is not one of the digits 0 to 9"
        raise _UnreadError(reason, [cleaned.translate(ascii_digits)])


def _no_number(cleaned: str, lead: re.Match[str]) -> _UnreadError:
    rest = cleaned[lead.end() :]
    if rest.lower() in _NO_NUMBERS:
        return _UnreadError(f"{_quoted(cleaned)} is not a finite number")
    unsigned = rest.lstrip("-+ ")
    if lead["inner"] and unsigned:
        return _UnreadError(f"{_quoted(cleaned)} has more than one sign", [f"-{unsigned}", unsigned])
    if re.match(r",[0-9]", rest):
        return _UnreadError("A decimal comma is not read", [lead[0] + "0." + rest[1:]])
    return _UnreadError(f"{_quoted(cleaned)} does not begin with a number")


def _bad_rest(rest: str, typed: str, last: re.Match[str]) -> _UnreadError | None:
    """What follows a number and is no unit, where it looks like more of the number; else None."""
    tail = rest.lstrip(" ")
    raised = last[0] != last[0].rstrip(_SUPERSCRIPTS) or bool(
        last["exponent"] or last["ten"] or last["power"]
    )
    if re.match(r"[.,_'’]|[0-9]", tail):
        return _bad_digits(rest, typed, last, raised)
    if tail.startswith(("^", "**")) or tail[0] in "⁺⁻" + _SUPERSCRIPTS:
        reason = "Only one power is read" if raised else "The exponent has to be a whole number"
        return _UnreadError(f"{reason} in {_quoted(typed + rest)}", ["2^30"])
    if not raised and re.match(r"[eE] ?(?:[-+]|[0-9]|$)", tail):
        return _UnreadError(
            f"The exponent of {_quoted(typed + rest)} is not whole", [(typed + rest).replace(" ", ""), "1e9"]
        )
    if re.match(r"[xX×*·⋅∙+-] *[0-9]|[*·⋅∙+-]", tail):
        return _UnreadError(
            f"Nothing is worked out in {_quoted(typed + rest)} but powers and one division", ["3x10^9"]
        )
    if re.match(r"/ *(?:$|[-+0-9.(])", tail):
        return _UnreadError(f"A division has one number on each side, not {_quoted(typed + rest)}", ["1/2"])
    return None


def _bad_digits(rest: str, typed: str, last: re.Match[str], raised: bool) -> _UnreadError:
    """Digits that run on past a number: a decimal comma, groups that are not of three, a second point."""
    if raised:
        return _UnreadError(f"The exponent of {_quoted(typed + rest)} is not a whole number", ["1e9", "2^30"])
    start = len(typed) - len(last[0])
    run = _DIGIT_RUN.match(typed + rest, start)
    digits = run[0] if run else last[0]
    before, after = (typed + rest)[:start], (typed + rest)[start + len(digits) :]
    whole, comma, part = digits.rpartition(",")
    if comma and "," not in whole and part.isdigit() | (part == ""):
        number = re.sub(r"[^0-9]", "", whole) + (f".{part}" if part else "")
        return _UnreadError("A decimal comma is not read", [before + number + after])
    if digits.count(".") > 1:
        joined = digits.replace(".", "") if re.fullmatch(r"[0-9]{1,3}(\.[0-9]{3})+", digits) else ""
        return _UnreadError(
            f"{_quoted(digits)} has more than one decimal point", [before + joined + after] if joined else []
        )
    joined = re.sub(r"[^0-9.]", "", digits)
    return _UnreadError(
        f"{_quoted(digits)} is not one number in groups of three digits", [before + joined + after]
    )


def _bad_unit(spelling: str, typed: str, units: Family) -> _UnreadError:
    shown = _quoted(spelling)
    refusal = units.refused.get(spelling)
    if refusal is not None:
        reason = refusal.reason.format(unit=spelling)
        return _UnreadError(reason, [typed + units.by_spelling[symbol].after for symbol in refusal.instead])
    similar = units.in_any_case(spelling)
    if any(each.bits for each in similar):
        symbols = [symbol for each in similar for symbol in (each.symbol, each.symbol.replace("b", "B", 1))]
        known = dict.fromkeys(units.by_spelling[s].after for s in symbols if s in units.by_spelling)
        return _UnreadError(f"{shown} could be meant as bits or bytes", [typed + after for after in known])
    if similar:
        return _UnreadError(
            f"{shown} could be one of several units", [typed + each.after for each in similar]
        )
    if len(spelling) <= 2 and (meant := units.beginning(spelling)):
        return _UnreadError(
            f"{shown} alone is not a unit of {units.noun}", [typed + each.after for each in meant[:3]]
        )
    for other in FAMILIES.values():
        if spelling in other.by_spelling:
            return _UnreadError(f"{shown} is a unit of {other.noun}, not of {units.noun}")
    return _UnreadError(f"{shown} is not a unit of {units.noun}")


def _quoted(text: str) -> str:
    """The text for an error message, cut to a readable length and without what cannot be printed."""
    clipped = text if len(text) <= 40 else text[:39] + "…"
    return "“" + "".join(c if c.isprintable() else "\ufffd" for c in clipped) + "”"
