"""Bounds are inclusive, scale with the truth, and know no absolute distance."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.grading import Tolerance

RELATIVE = Tolerance("relative", Fraction(5, 100))
FACTOR = Tolerance("factor", Fraction(2))
FIGURES = Tolerance("figures", Fraction(3))
DECADE = Tolerance("decade", Fraction(1))


def band(tolerance: Tolerance, answer: str | int, truth: str | int, unit: int = 1) -> str:
    values = Fraction(answer), Fraction(truth), Fraction(unit)
    if tolerance.is_right(*values):
        return "right"
    return "near" if tolerance.is_near(*values) else "wrong"


@pytest.mark.parametrize(
    ("tolerance", "answer", "truth", "expected"),
    [
        (RELATIVE, 105, 100, "right"),
        (RELATIVE, 95, 100, "right"),
        (RELATIVE, "105.0001", 100, "near"),
        (RELATIVE, "94.9999", 100, "near"),
        (RELATIVE, 110, 100, "near"),
        (RELATIVE, 90, 100, "near"),
        (RELATIVE, "110.0001", 100, "wrong"),
        (RELATIVE, 100, 105, "right"),  # 4.76% of the truth, whatever it is of the answer
        (RELATIVE, 100, 95, "near"),  # 5.26% of the truth
        (RELATIVE, -105, -100, "right"),
        (RELATIVE, 105, -100, "wrong"),
        (RELATIVE, "1e-30", "1.2e-30", "wrong"),  # close to 0 is not close
        (RELATIVE, 0, 0, "right"),
        (RELATIVE, "1e-30", 0, "wrong"),
        (FACTOR, 200, 100, "right"),
        (FACTOR, 50, 100, "right"),
        (FACTOR, 201, 100, "near"),
        (FACTOR, 400, 100, "near"),
        (FACTOR, 25, 100, "near"),
        (FACTOR, 24, 100, "wrong"),
        (FACTOR, -100, 100, "wrong"),
        (FACTOR, -50, -100, "right"),
        (FACTOR, 0, 100, "wrong"),
        (FACTOR, 0, 0, "right"),
        (FACTOR, 1, 0, "wrong"),
        (DECADE, "316.2", 100, "right"),
        (DECADE, "31.63", 100, "right"),
        (DECADE, "316.3", 100, "near"),
        (DECADE, 1000, 100, "near"),
        (DECADE, 10, 100, "near"),
        (DECADE, "9.99", 100, "wrong"),
        (DECADE, -100, 100, "wrong"),
        (DECADE, 1, 0, "wrong"),
        (FIGURES, "2.15", "2.147", "right"),
        (FIGURES, "2.152", "2.147", "right"),
        (FIGURES, "2.1521", "2.147", "near"),
        (FIGURES, "2.157", "2.147", "near"),
        (FIGURES, "2.1", "2.147", "wrong"),
        (FIGURES, "10", "9.996", "right"),
        (FIGURES, "-2.15", "-2.147", "right"),
        (FIGURES, "100", "100.5", "right"),
        (FIGURES, "0.00215", "0.002147", "right"),
        (FIGURES, "0.1", 0, "wrong"),
    ],
)
def test_bands(tolerance: Tolerance, answer: str | int, truth: str | int, expected: str) -> None:
    assert band(tolerance, answer, truth) == expected


def test_figures_are_those_of_the_unit_that_the_answer_is_written_in() -> None:
    truth = Fraction(99, 10) * 10**9  # 9.2201 GiB
    gib = Fraction(2**30)
    assert FIGURES.is_right(Fraction("9.22") * gib, truth, gib)
    assert FIGURES.is_right(Fraction("9.215101") * gib, truth, gib)  # 5.37 MB off, half of 0.01 GiB
    assert not FIGURES.is_right(Fraction("9.215101") * gib, truth, Fraction(10**9))


def test_a_truth_computed_in_floats_has_a_few_ulps_to_spare() -> None:
    truth = Fraction(0.1 + 0.2)
    assert truth != Fraction(3, 10)
    for tolerance in (Tolerance("relative", Fraction(0)), Tolerance("factor", Fraction(1)), FIGURES):
        assert tolerance.is_right(Fraction(3, 10), truth, Fraction(1))
    assert RELATIVE.is_right(Fraction(105, 1000) * 3, truth, Fraction(1))
    assert not Tolerance("relative", Fraction(0)).is_right(
        Fraction(300_000_000_000_001, 10**15), truth, Fraction(1)
    )


@pytest.mark.parametrize(
    ("tolerance", "text"),
    [
        (RELATIVE, "within 5%"),
        (Tolerance("relative", Fraction(1, 1000)), "within 0.1%"),
        (Tolerance("factor", Fraction(12, 10)), "within a factor of 1.2"),
        (FIGURES, "to 3 figures"),
        (Tolerance("figures", Fraction(1)), "to 1 figure"),
        (DECADE, "within half a power of ten"),
    ],
)
def test_description(tolerance: Tolerance, text: str) -> None:
    assert tolerance.describe() == text


numbers = st.fractions(-(10**6), 10**6, max_denominator=10**4)


@given(
    answer=numbers,
    truth=numbers,
    scale=st.fractions(Fraction(1, 10**9), 10**9).filter(bool),
    tolerance=st.sampled_from([RELATIVE, FACTOR, DECADE]),
)
def test_a_verdict_knows_no_unit(
    answer: Fraction, truth: Fraction, scale: Fraction, tolerance: Tolerance
) -> None:
    one = Fraction(1)
    for judge in (tolerance.is_right, tolerance.is_near):
        assert judge(answer, truth, one) == judge(answer * scale, truth * scale, one)
        assert judge(answer, truth, one) == judge(-answer, -truth, one)


@given(answer=numbers, truth=numbers, tolerance=st.sampled_from([RELATIVE, FACTOR, FIGURES, DECADE]))
def test_right_is_near_too_and_within_the_widest(
    answer: Fraction, truth: Fraction, tolerance: Tolerance
) -> None:
    if tolerance.is_right(answer, truth, Fraction(1)):
        assert tolerance.is_near(answer, truth, Fraction(1))
        assert abs(answer - truth) <= abs(truth) * (tolerance.widest + Fraction(1, 10**15))
