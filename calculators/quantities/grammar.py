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
from fractions import Fraction
from typing import NamedTuple

from .families import FAMILIES
from .faults import SUPERSCRIPTS, UnreadError, no_number, not_a_unit, not_one_number, quoted
from .formatting import echo
from .units import Family, Unit

MAX_LENGTH = 64

_LARGEST = 10**308
_SMALLEST = Fraction(1, 10**300)
_MOST_EXPONENT = 400  # of ten: more is out of bounds, whatever 64 characters hold beside it
_MOST_POWER_DIGITS = 1100  # the digits of a base times its exponent: 2^1023 needs 1023

_FROM_SUPERSCRIPT = str.maketrans("⁺⁻" + SUPERSCRIPTS, "+-0123456789")
_MORE_DASHES = "\u2212\u02d7\u2043\u2796\u208b"  # beside Unicode's category of dashes
_WAVE_DASHES = "\u301c\u3030"  # in that category, but nobody's minus
_ABOUT = "~≈\u223c"

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
        (?: (?:\^|\*\*) \ * (?P<ten>{_INT}) | (?P<raised_ten>[⁺⁻]?[{SUPERSCRIPTS}]+) )
      | \ * (?:\^|\*\*) \ * (?P<power>{_INT})
      | (?P<raised>[⁺⁻]?[{SUPERSCRIPTS}]+)
    )?
    """,
    re.VERBOSE,
)
_POWERS = ("exponent", "ten", "raised_ten", "power", "raised")
_OVER = re.compile(r" */ *(?=\.?[0-9])")


class QuantityError(ValueError):
    """A text that is not read. Its message is a whole sentence; each of `suggestions` would be read."""

    def __init__(self, message: str, *, text: str, suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.text = text
        self.suggestions = suggestions


class Reading(NamedTuple):
    """What a text was read as: the exact value in base units, and the number in the unit as it was meant."""

    value: int | Fraction
    base_unit: str
    number: Fraction
    unit: Unit

    @property
    def read_unit(self) -> str:
        """The unit that the number was read in."""
        return self.unit.symbol

    @property
    def reading(self) -> str:
        """The number in that unit, as an echo for whoever typed it."""
        return echo(self.number, self.unit)


def parse(text: str, family: str, *, unit: str | None = None) -> Reading:
    """The quantity that the text says, in the base unit of the family.

    A number without a unit is in `unit`, else in the base unit. Raises QuantityError for every text that
    does not follow the grammar, and for an unknown family or `unit`.
    """
    units = FAMILIES.get(family)
    if units is None:
        raise QuantityError(f"{quoted(family)} is no family of units: use {', '.join(FAMILIES)}.", text=text)
    bare = units.base if unit is None else units.find(_spelling(_clean(unit)))
    if bare is None:
        symbols = ", ".join(each.symbol for each in units.units)
        raise QuantityError(f"{quoted(unit or '')} is no unit of {units.noun}: use {symbols}.", text=text)
    try:
        number, read_unit = _read(text, units, bare)
    except UnreadError as fault:
        suggestions = tuple(each for each in fault.candidates if _is_read(each, units, bare))
        advice = " or ".join(suggestions) or f"a number such as {fault.example or units.example}"
        raise QuantityError(f"{fault.reason}: type {advice}.", text=text, suggestions=suggestions) from None
    value = number * read_unit.factor
    return Reading(
        value=value.numerator if value.denominator == 1 else value,
        base_unit=units.base.symbol,
        number=number,
        unit=read_unit,
    )


def _is_read(text: str, units: Family, bare: Unit) -> bool:
    try:
        _read(text, units, bare)
    except UnreadError:
        return False
    return True


def _read(text: str, units: Family, bare: Unit) -> tuple[Fraction, Unit]:
    """The number in front of the unit, and the unit."""
    if len(text) > MAX_LENGTH:
        raise UnreadError(f"At most {MAX_LENGTH} characters are read and this has {len(text)}")
    cleaned = _clean(text)
    if not cleaned:
        raise UnreadError("No number was given")
    _check_characters(cleaned)
    lead = _LEAD.match(cleaned)
    assert lead is not None  # every part of it may be empty
    first = _TERM.match(cleaned, lead.end())
    if first is None or (lead["sign"] and lead["inner"]):
        raise no_number(cleaned, lead.end(), two_signs=bool(lead["inner"]))
    number, end = _value(first), first.end()
    over = _OVER.match(cleaned, end)
    second = _TERM.match(cleaned, over.end()) if over else None
    if second is not None:
        divisor, end = _value(second), second.end()
        if divisor == 0:
            raise UnreadError(f"{quoted(cleaned)} divides by zero")
        number /= divisor
    sign = "" if lead["sign"] + lead["inner"] in ("", "+") else "-"
    spelling = _spelling(lead["money"] + cleaned[end:])
    unit = units.find(spelling) if spelling else bare
    if unit is None:
        typed = sign + cleaned[lead.end() : end]
        last = second or first
        has_power = any(last[name] for name in _POWERS)
        fault = not_one_number(typed, cleaned[end:], len(typed) - len(last[0]), has_power=has_power)
        raise fault or not_a_unit(spelling, typed, units)
    _check_bounds(number, cleaned)
    _check_bounds(number * unit.factor, cleaned)
    return (-number if sign else number), unit


def _clean(text: str) -> str:
    """The text with every dash as "-", every space as " ", and none around it."""
    if text.isascii():
        return text.replace("\t", " ").strip()
    return "".join(map(_plain, text)).strip()


def _plain(char: str) -> str:
    category = unicodedata.category(char)
    if char in _MORE_DASHES or (category == "Pd" and char not in _WAVE_DASHES):
        return "-"
    return " " if category == "Zs" or char == "\t" else char


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
        raise UnreadError(f"{quoted(term[0])} divides by zero")
    return number**exponent


def _bounded(exponent: str, most: int, term: str) -> int:
    size = int(exponent.translate(_FROM_SUPERSCRIPT))
    if abs(size) > most:
        raise UnreadError(f"The exponent of {quoted(term)} is too {'large' if size > 0 else 'small'}")
    return size


def _check_bounds(number: Fraction, cleaned: str) -> None:
    if number > _LARGEST:
        raise UnreadError(f"{quoted(cleaned)} is larger than 1e308, the most that is read")
    if 0 < number < _SMALLEST:
        raise UnreadError(f"{quoted(cleaned)} is smaller than 1e-300, the least that is read")


def _check_characters(cleaned: str) -> None:
    if not cleaned.isprintable():
        visible = "".join(c for c in cleaned if c.isprintable())
        raise UnreadError(f"{quoted(cleaned)} holds a character that cannot be seen", [visible])
    if cleaned.isascii():
        return
    foreign = [c for c in cleaned if not c.isascii() and c.isnumeric() and c not in SUPERSCRIPTS]
    if foreign:
        reason = f"{quoted(foreign[0])} is not one of the digits 0 to 9"
        digits = {ord(c): str(unicodedata.digit(c, "?")) for c in foreign}
        raise UnreadError(reason, [cleaned.translate(digits)])
