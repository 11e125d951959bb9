"""Grading a number: read, right?, named mistakes, near, wrong, in that order."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from app.grading.tolerance import ULPS, Tolerance, ratio_beyond_1
from app.grading.unit_slips import unit_slips
from app.grading.verdict import Verdict
from calculators.quantities import FAMILIES, QuantityError, Reading, parse

_NEAR_CREDIT = 0.5

# A mistake is recognised within the answer's own tolerance, but never beyond 3%, since a wide tolerance would
# see mistakes everywhere, and a slip of the unit never beyond 1%, since the number is then said to be right.
# Nor below half a percent, which rounding to three figures may take; only where the answer must be exact must
# a mistake be exact too, 1023 not being 1024.
_NARROWEST = Fraction(1, 200)
_WIDEST = Fraction(3, 100)
_WIDEST_SLIP = Fraction(1, 100)


@dataclass(frozen=True, slots=True)
class NumericTruth:
    """The right value in the family's base unit; `unit` is what a bare number means."""

    value: int | Fraction
    family: str
    unit: str | None
    tolerance: Tolerance


@dataclass(frozen=True, slots=True)
class NamedMistake:
    """The value that a known mistake leads to, the credit that it keeps, and what to say about it."""

    id: str
    value: int | Fraction
    credit: Fraction
    say: str


def grade_numeric(
    text: str,
    truth: NumericTruth,
    mistakes: Sequence[NamedMistake] = (),
    carried: NumericTruth | None = None,
) -> Verdict:
    """The verdict on a text. `carried` is the truth that follows from the learner's own earlier parts."""
    try:
        reading = parse(text, truth.family, unit=truth.unit)
    except QuantityError as error:
        return Verdict("format", None, str(error))
    return (
        _right(reading, truth, carried)
        or _named_mistake(reading, truth, mistakes)
        or _unit_slip(reading, truth)
        or _near(reading, truth)
        or Verdict("wrong", 0.0, _how_far(reading, truth), reading.reading, reading.value)
    )


def _right(reading: Reading, truth: NumericTruth, carried: NumericTruth | None) -> Verdict | None:
    answer, unit = Fraction(reading.value), _factor(reading, truth)
    if truth.tolerance.is_right(answer, Fraction(truth.value), unit):
        exactly = abs(answer - truth.value) <= abs(Fraction(truth.value)) * ULPS
        message = "Exact." if exactly else f"That is {truth.tolerance.describe()}."
        return Verdict("right", 1.0, message, reading.reading, reading.value)
    if carried is not None and carried.tolerance.is_right(answer, Fraction(carried.value), unit):
        message = "Right from your own earlier answer, which was not."
        return Verdict("right", 1.0, message, reading.reading, reading.value)
    return None


def _named_mistake(reading: Reading, truth: NumericTruth, mistakes: Sequence[NamedMistake]) -> Verdict | None:
    band = _band(truth.tolerance, _WIDEST)
    for mistake in mistakes:
        if _within(band, Fraction(reading.value), Fraction(mistake.value)):
            credit = float(mistake.credit)
            return Verdict("mistake", credit, mistake.say, reading.reading, reading.value, mistake.id)
    return None


def _unit_slip(reading: Reading, truth: NumericTruth) -> Verdict | None:
    number = Fraction(reading.value) / _factor(reading, truth)
    band = _band(truth.tolerance, _WIDEST_SLIP)
    for slip in unit_slips(reading.read_unit, truth.family):
        if _within(band, number * slip.meant.factor, Fraction(truth.value)):
            credit = float(slip.credit)
            return Verdict("mistake", credit, slip.say, reading.reading, reading.value, slip.id)
    return None


def _near(reading: Reading, truth: NumericTruth) -> Verdict | None:
    if not truth.tolerance.is_near(Fraction(reading.value), Fraction(truth.value), _factor(reading, truth)):
        return None
    message = f"Close: {truth.tolerance.describe()} is right, and this is within twice that."
    return Verdict("near", _NEAR_CREDIT, message, reading.reading, reading.value)


def _band(tolerance: Tolerance, widest: Fraction) -> Fraction:
    """The share of a value by which an answer may be off and still be recognised as that value."""
    return ULPS + (min(max(tolerance.widest, _NARROWEST), widest) if tolerance.widest else 0)


def _within(band: Fraction, answer: Fraction, value: Fraction) -> bool:
    return abs(answer - value) <= abs(value) * band


def _how_far(reading: Reading, truth: NumericTruth) -> str:
    """Which way an answer is off, and roughly by how much: not enough to work the truth out from."""
    answer, right = Fraction(reading.value), Fraction(truth.value)
    way = "Too high" if answer > right else "Too low"
    ratio = ratio_beyond_1(answer, right)
    passed = [step for step in (2, 10, 100, 1000) if ratio is not None and ratio >= step]
    return f"{way}, by a factor of {passed[-1]:,} or more." if passed else f"{way}."


def _factor(reading: Reading, truth: NumericTruth) -> Fraction:
    return FAMILIES[truth.family].by_spelling[reading.read_unit].factor
