"""Why a number got its verdict: every band it was held against, in the order in which they were tried.

For authors. Each test here is the one that the grader makes, so the first that is met is the verdict.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from app.grading.numeric import (
    NamedMistake,
    NumericTruth,
    Standard,
    factor_of,
    grade_numeric,
    mistake_band,
    slip_band,
)
from app.grading.tolerance import Number
from app.grading.unit_slips import unit_slips
from app.grading.verdict import Verdict
from calculators.quantities import QuantityError, Reading, format_exact, parse


@dataclass(frozen=True, slots=True)
class Tried:
    """One test: what was looked for, its value, and the closed band around it in which an answer meets it."""

    what: str
    value: Number
    low: Number
    high: Number
    met: bool
    own: bool  # whether it follows from the learner's own earlier parts


@dataclass(frozen=True, slots=True)
class Reasoning:
    """`reading` is what the text was read as, `exact` the same in base units with every digit."""

    verdict: Verdict
    reading: str
    exact: str
    tried: tuple[Tried, ...]

    @property
    def decisive(self) -> int | None:
        """Which of the tests decided; None where nothing was met."""
        return next((number for number, each in enumerate(self.tried) if each.met), None)


def reason(
    text: str,
    truth: NumericTruth,
    mistakes: Sequence[NamedMistake] = (),
    carried: Standard | None = None,
) -> Reasoning:
    """The verdict of `grade_numeric` on the same, and how it came about."""
    verdict = grade_numeric(text, truth, mistakes, carried)
    try:
        reading = parse(text, truth.family, unit=truth.unit)
    except QuantityError:
        return Reasoning(verdict, "", "", ())
    standards = [Standard(truth, mistakes)] + ([carried] if carried is not None else [])
    unit = "" if reading.base_unit == "1" else f" {reading.base_unit}"
    exact = format_exact(Fraction(reading.value)) + unit
    return Reasoning(verdict, reading.reading, exact, tuple(_tried(reading, standards)))


def _tried(reading: Reading, standards: Sequence[Standard]) -> Iterator[Tried]:
    for test in (_right, _mistakes, _slips, _near):
        for standard in standards:
            yield from test(reading, standard)


def _right(reading: Reading, standard: Standard) -> Iterator[Tried]:
    yield _within(reading, standard, "right", times=1)


def _near(reading: Reading, standard: Standard) -> Iterator[Tried]:
    yield _within(reading, standard, "near", times=2)


def _within(reading: Reading, standard: Standard, what: str, times: int) -> Tried:
    truth = standard.truth
    unit = factor_of(reading, truth)
    low, high = truth.tolerance.band(truth.value, unit, times)
    met = truth.tolerance.is_within(reading.value, truth.value, unit, times)
    return Tried(what, truth.value, low, high, met, bool(standard.own_parts))


def _mistakes(reading: Reading, standard: Standard) -> Iterator[Tried]:
    band = mistake_band(standard.truth.tolerance)
    for mistake in standard.mistakes:
        yield _around(f"mistake {mistake.id}", mistake.value, band, reading.value, standard)


def _slips(reading: Reading, standard: Standard) -> Iterator[Tried]:
    """What the answer would be in the unit that was meant, had the one that was written been a slip."""
    truth = standard.truth
    number, band = reading.value / factor_of(reading, truth), slip_band(truth.tolerance)
    for slip in unit_slips(reading.read_unit, truth.family):
        meant = "a share" if slip.meant.symbol in ("", "1") else slip.meant.symbol
        what = f"slip {slip.id}: {meant} meant"
        yield _around(what, truth.value, band, number * slip.meant.factor, standard)


def _around(what: str, value: Number, band: Fraction, given: Number, standard: Standard) -> Tried:
    reach = abs(Fraction(value)) * band
    met = value - reach <= given <= value + reach
    return Tried(what, value, value - reach, value + reach, met, bool(standard.own_parts))
