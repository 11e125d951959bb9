"""The reasoning behind a verdict is the grader's own: the first test that is met is what it says."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.grading import NamedMistake, NumericTruth, Standard, Tolerance
from app.grading.reasoning import reason

FIVE = Tolerance("relative", Fraction(5, 100))
TRUTH = NumericTruth(2**31, "bytes", "GiB", FIVE)
ONE_HEAD = NamedMistake("one-head", 2**27, Fraction(3, 10), "That is one head.")
OWN = Standard(NumericTruth(2**30, "bytes", "GiB", FIVE), (), ("a",))
TOLERANCES = [
    FIVE,
    Tolerance("relative", Fraction(0)),
    Tolerance("factor", Fraction(3, 2)),
    Tolerance("figures", Fraction(2)),
    Tolerance("decade", Fraction(1)),
]


def test_every_band_is_told_in_the_order_of_the_grader() -> None:
    reasoning = reason("128 MiB", TRUTH, [ONE_HEAD], OWN)
    assert (reasoning.reading, reasoning.exact) == ("128 MiB", "134,217,728 B")
    told = [(each.what, each.own, each.met) for each in reasoning.tried]
    assert told[:3] == [("right", False, False), ("right", True, False), ("mistake one-head", False, True)]
    assert told[-2:] == [("near", False, False), ("near", True, False)]
    assert reasoning.decisive == 2
    assert (reasoning.tried[0].low, reasoning.tried[0].high) == (
        2**31 * Fraction(95, 100),
        2**31 * Fraction(105, 100),
    )
    assert float(reasoning.tried[2].low) == pytest.approx(2**27 * 0.97)
    assert float(reasoning.tried[2].high) == pytest.approx(2**27 * 1.03)


def test_a_text_that_cannot_be_read_is_held_against_nothing() -> None:
    reasoning = reason("2,5 GiB", TRUTH, [ONE_HEAD])
    assert (reasoning.reading, reasoning.tried, reasoning.decisive) == ("", (), None)
    assert reasoning.verdict.outcome == "format"


WORDS = {"right": "right", "mistake": "mistake", "slip": "mistake", "near": "near"}


@given(
    number=st.decimals("0.001", "9999", places=3),
    unit=st.sampled_from(["", " GiB", " GB", " MiB", " Gb"]),
    tolerance=st.sampled_from(TOLERANCES),
    truth=st.integers(-(2**33), 2**33),
)
def test_the_first_test_that_is_met_is_the_verdict(
    number: object, unit: str, tolerance: Tolerance, truth: int
) -> None:
    reasoning = reason(f"{number}{unit}", NumericTruth(truth, "bytes", "GiB", tolerance), [ONE_HEAD], OWN)
    decisive = reasoning.decisive
    if decisive is None:
        assert reasoning.verdict.outcome == "wrong"
        return
    tried = reasoning.tried[decisive]
    assert WORDS[tried.what.split()[0]] == reasoning.verdict.outcome
    assert tried.own == bool(reasoning.verdict.own_parts)
    assert tried.low <= tried.value <= tried.high
