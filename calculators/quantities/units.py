"""Units and unit families: how a spelling is matched to a unit.

A family is a set of units of one quantity, with a base unit that values are kept in.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple


class Unit(NamedTuple):
    """One unit: its canonical symbol, its worth in base units, and every spelling that is read as it.

    The worth is also `over` / `under`, for a page that prints hundreds.
    """

    symbol: str
    factor: Fraction
    over: int
    under: int
    spellings: tuple[str, ...]
    bits: bool
    after: str  # what is printed after a number, its space included: " GB", "%", "k"
    after_one: str  # the same after exactly 1


def unit(
    factor: int | Fraction,
    symbol: str,
    *others: str,
    bits: bool = False,
    after: str | None = None,
    after_one: str | None = None,
) -> Unit:
    """A unit read by its symbol and the other spellings, and printed as " symbol" unless `after` is given."""
    printed = f" {symbol}" if after is None else after
    spellings = tuple(dict.fromkeys((symbol, *others)))
    single = printed if after_one is None else after_one
    worth = Fraction(factor)
    return Unit(symbol, worth, worth.numerator, worth.denominator, spellings, bits, printed, single)


class Refusal(NamedTuple):
    """Why a spelling is refused although one could guess at it, and the units to type instead."""

    reason: str
    instead: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """The units of one quantity, the base unit first. Formatting chooses from `scale`, which ascends."""

    name: str
    noun: str
    example: str
    units: tuple[Unit, ...]
    scale: tuple[Unit, ...]
    refused: Mapping[str, Refusal]
    by_spelling: Mapping[str, Unit] = field(repr=False)
    by_lower_case: Mapping[str, tuple[Unit, ...]] = field(repr=False)

    @property
    def base(self) -> Unit:
        return self.units[0]

    def find(self, spelling: str) -> Unit | None:
        """The unit so spelled: exact case, else any case if one unit fits, but then never a unit of bits.

        So "gb" is a gigabyte, while "Gb" and "kb", the symbols of gigabit and kilobit, stay bits.
        """
        exact = self.by_spelling.get(spelling)
        if exact is not None or spelling in self.refused:
            return exact
        fitting = [each for each in self.in_any_case(spelling) if not each.bits]
        return fitting[0] if len(fitting) == 1 else None

    def in_any_case(self, spelling: str) -> tuple[Unit, ...]:
        """Every unit that the spelling fits when case is ignored."""
        return self.by_lower_case.get(spelling.lower(), ())

    def beginning(self, prefix: str) -> tuple[Unit, ...]:
        """The units that a bare "G" may have been meant for, but those of bits only where it says "Gb"."""
        exact = tuple(each for each in self.units if each.symbol.startswith(f"{prefix}/"))
        if exact:
            return exact
        wanted = prefix.lower()
        return tuple(
            each
            for each in self.units
            if not each.bits and each.symbol != prefix and each.symbol.lower().startswith(wanted)
        )


def family(
    name: str,
    noun: str,
    example: str,
    units: Iterable[Unit],
    scale: Iterable[str],
    refused: Mapping[str, Refusal] | None = None,
) -> Family:
    """A family with its look-up tables; two units that share a spelling are a mistake in the declaration."""
    listed = tuple(units)
    by_spelling: dict[str, Unit] = {}
    by_lower_case: dict[str, tuple[Unit, ...]] = {}
    for each in listed:
        for spelling in each.spellings:
            if by_spelling.setdefault(spelling, each) is not each:
                raise ValueError(f"the family {name} spells two units {spelling!r}")
            known = by_lower_case.get(spelling.lower(), ())
            if each not in known:
                by_lower_case[spelling.lower()] = (*known, each)
    shown = tuple(by_spelling[symbol] for symbol in scale)
    return Family(name, noun, example, listed, shown, dict(refused or {}), by_spelling, by_lower_case)
