"""Slips of a unit that no author has to foresee: the number is right, the unit beside it is not."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from calculators.quantities import FAMILIES, Unit, format_exact

_FAMILIES = {"bytes": "", "byte/s": "/s"}
_PREFIXES = ("", "k", "M", "G", "T", "P")


@dataclass(frozen=True, slots=True)
class UnitSlip:
    """The unit that was meant instead of the one that was written."""

    id: str
    meant: Unit
    credit: Fraction
    say: str


@dataclass(frozen=True, slots=True)
class _Size:
    """A unit of bytes or bits by its parts: which prefix, of ten or of two, of bits or of bytes."""

    power: int
    binary: bool
    bits: bool

    @property
    def symbol(self) -> str:
        prefix = _PREFIXES[self.power]
        if self.binary and prefix:
            prefix = prefix.upper() + "i"
        return prefix + (("b" if prefix else "bit") if self.bits else "B")


_SIZES = {
    size.symbol: size
    for size in (
        _Size(power, binary, bits)
        for bits in (False, True)
        for binary in (False, True)
        for power in range(binary, len(_PREFIXES))
    )
}


_SHARE, _PERCENT = (FAMILIES["ratio"].by_spelling[symbol] for symbol in ("1", "%"))
_RATIO_SLIPS = {
    "%": UnitSlip(
        "share-as-percent",
        _SHARE,
        Fraction(1, 2),
        "That is the share itself, read as a percentage: 0.5 of the whole is 50%.",
    ),
    "1": UnitSlip(
        "percent-as-share",
        _PERCENT,
        Fraction(1, 2),
        "That is the percentage, read as a share: 50% is 0.5, so type % after the number.",
    ),
}


@cache
def unit_slips(written: str, family: str) -> tuple[UnitSlip, ...]:
    """The slips that a unit of bytes, bytes a second or a ratio invites, the likeliest first."""
    if family == "ratio":
        return (_RATIO_SLIPS[written],)
    tail = _FAMILIES.get(family)
    if tail is None:
        return ()
    units = FAMILIES[family].by_spelling
    size = _SIZES[written.removesuffix("/s")]
    return tuple(
        UnitSlip(
            slip_id, (unit := units[meant.symbol + tail]), credit, _say(size, meant, units[written], unit)
        )
        for slip_id, meant, credit in _alternatives(size)
    )


def _alternatives(size: _Size) -> Iterator[tuple[str, _Size, Fraction]]:
    if size.power:
        slip_id = "gb-as-gib" if size.binary else "gib-as-gb"
        yield slip_id, _Size(size.power, not size.binary, size.bits), Fraction(1, 2)
    slip_id = "bytes-as-bits" if size.bits else "bits-as-bytes"
    for binary in (size.binary, not size.binary) if size.power else (False,):
        yield slip_id, _Size(size.power, binary, not size.bits), Fraction(1, 4)
    for power in (size.power - 1, size.power + 1):
        if size.binary <= power < len(_PREFIXES):
            yield "wrong-prefix", _Size(power, size.binary, size.bits), Fraction(1, 4)


def _say(size: _Size, meant: _Size, written: Unit, unit: Unit) -> str:
    label = f"That is {unit.symbol} labelled as {written.symbol}"
    if size.bits != meant.bits:
        return f"{label}: a byte is 8 bits."
    if size.binary != meant.binary:
        single = _Size(0, False, size.bits)
        one = Fraction(1, 8) if size.bits else 1
        first, second = format_exact(unit.factor / one), format_exact(written.factor / one)
        return f"{label}: the first is {first} {single.symbol}, the second {second} {single.symbol}."
    apart = max(unit.factor / written.factor, written.factor / unit.factor)
    return f"{label}: they differ by a factor of {format_exact(apart)}."
