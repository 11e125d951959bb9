"""Grading a number: read, right?, named mistakes, near, wrong, in that order."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log10

from app.grading.tolerance import ESTIMATES, ULPS, Number, Tolerance, distance, ratio_beyond_1
from app.grading.unit_slips import unit_slips
from app.grading.verdict import Verdict
from calculators.quantities import FAMILIES, QuantityError, Reading, parse

NEAR_CREDIT = 0.5
CARRIED = "It follows from what you had there, and counts in full."

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


@dataclass(frozen=True, slots=True)
class Standard:
    """What an answer is judged by: a right value and the mistakes around it.

    `own_parts` are the learner's own earlier parts from which both follow; for the truth there are none.
    """

    truth: NumericTruth
    mistakes: Sequence[NamedMistake] = ()
    own_parts: tuple[str, ...] = ()


def grade_numeric(
    text: str,
    truth: NumericTruth,
    mistakes: Sequence[NamedMistake] = (),
    carried: Standard | None = None,
) -> Verdict:
    """The verdict on a text. `carried` is the standard that follows from the learner's own earlier parts.

    At each step the truth comes first: whoever has the right number has it, however they came by it.
    """
    try:
        reading = parse(text, truth.family, unit=truth.unit)
    except QuantityError as error:
        return Verdict("format", None, str(error))
    standards = [Standard(truth, mistakes)] + ([carried] if carried is not None else [])
    for judge in (_right, _named_mistake, _unit_slip, _near):
        for standard in standards:
            verdict = judge(reading, standard)
            if verdict is not None:
                return replace(
                    verdict, own_parts=standard.own_parts, decades=_decades(reading, standard.truth)
                )
    decades = _decades(reading, truth)
    message = _how_far(reading, truth)
    return Verdict("wrong", 0.0, message, reading.reading, reading.value, decades=decades)


def following(parts: Sequence[str]) -> str:
    """How a verdict begins that stands on a learner's own parts."""
    *others, last = parts
    return f"From your own parts {', '.join(others)} and {last}" if others else f"From your own part {last}"


def _right(reading: Reading, standard: Standard) -> Verdict | None:
    truth = standard.truth
    answer, right = reading.value, truth.value
    if not truth.tolerance.is_right(answer, right, factor_of(reading, truth)):
        return None
    if standard.own_parts:
        message = CARRIED
    elif distance(answer, right) <= distance(right) * ULPS:
        message = "Exact."
    else:
        decades = _decades(reading, truth)
        off = f", off by a factor of {10**decades:.3g}" if decades else ""
        message = f"That is {truth.tolerance.describe()}{off}."
    return Verdict("right", 1.0, message, reading.reading, reading.value)


def _named_mistake(reading: Reading, standard: Standard) -> Verdict | None:
    for mistake in standard.mistakes:
        if is_recognised(reading.value, mistake, standard.truth.tolerance):
            credit = float(mistake.credit)
            return Verdict("mistake", credit, mistake.say, reading.reading, reading.value, mistake.id)
    return None


def _unit_slip(reading: Reading, standard: Standard) -> Verdict | None:
    truth = standard.truth
    number, band = Fraction(reading.value) / factor_of(reading, truth), slip_band(truth.tolerance)
    for slip in unit_slips(reading.read_unit, truth.family):
        if _within(band, number * slip.meant.factor, truth.value):
            credit = float(slip.credit)
            return Verdict("mistake", credit, slip.say, reading.reading, reading.value, slip.id)
    return None


def _near(reading: Reading, standard: Standard) -> Verdict | None:
    truth = standard.truth
    if not truth.tolerance.is_near(reading.value, truth.value, factor_of(reading, truth)):
        return None
    message = f"Close: {truth.tolerance.describe()} is right, and this is within twice that."
    return Verdict("near", NEAR_CREDIT, message, reading.reading, reading.value)


def _decades(reading: Reading, truth: NumericTruth) -> float | None:
    """How far an estimate is off, in powers of ten; None where no factor leads from it to the truth."""
    ratio = ratio_beyond_1(reading.value, truth.value)
    if truth.tolerance.form not in ESTIMATES or ratio is None:
        return None
    return log10(ratio.numerator) - log10(ratio.denominator)


def is_recognised(value: Number, mistake: NamedMistake, tolerance: Tolerance) -> bool:
    """Whether a value is the one that the mistake leads to."""
    return _within(mistake_band(tolerance), value, mistake.value)


def mistake_band(tolerance: Tolerance) -> Fraction:
    """The share of its value by which a named mistake may be off."""
    return _band(tolerance, _WIDEST)


def slip_band(tolerance: Tolerance) -> Fraction:
    """The share of the truth by which a number with another unit may be off."""
    return _band(tolerance, _WIDEST_SLIP)


def _band(tolerance: Tolerance, widest: Fraction) -> Fraction:
    """The share of a value by which an answer may be off and still be recognised as that value."""
    return ULPS + (min(max(tolerance.widest, _NARROWEST), widest) if tolerance.widest else 0)


def _within(band: Fraction, answer: Number, value: Number) -> bool:
    return distance(answer, value) <= distance(value) * band


def _how_far(reading: Reading, truth: NumericTruth) -> str:
    """Which way an answer is off, and roughly by how much: not enough to work the truth out from."""
    answer, right = reading.value, truth.value
    way = "Too high" if answer > right else "Too low"
    ratio = ratio_beyond_1(answer, right)
    passed = [step for step in (2, 10, 100, 1000) if ratio is not None and ratio >= step]
    return f"{way}, by a factor of {passed[-1]:,} or more." if passed else f"{way}."


def factor_of(reading: Reading, truth: NumericTruth) -> Fraction:
    """What one of the unit is worth that the number was read in."""
    return FAMILIES[truth.family].by_spelling[reading.read_unit].factor
