"""Amdahl's law against a job that is timed part by part."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import calculators
from calculators.cost import DomainError
from calculators.cost.amdahl import overall_speedup, speedup_limit

shares = st.fractions(0, 1, max_denominator=10**6)
speedups = st.fractions(Fraction(1, 1000), 10**6, max_denominator=1000)


@given(
    parts=st.lists(st.integers(1, 1000), min_size=2, max_size=8), sped_up=st.integers(1, 7), speedup=speedups
)
def test_a_job_timed_part_by_part(parts: list[int], sped_up: int, speedup: Fraction) -> None:
    fast = parts[:sped_up]
    before = sum(parts)
    after = sum(part / speedup for part in fast) + sum(parts[sped_up:])
    share = Fraction(sum(fast), before)
    assert overall_speedup(parallel_fraction=share, speedup=speedup) == before / after


@pytest.mark.parametrize(
    ("share", "speedup", "printed"),
    [
        # Hennessy and Patterson, Computer Architecture, 1.9: 10 times as fast 40 % of the time.
        ("0.4", 10, 1.56),
        # The same chapter: FSQRT, a fifth of the time, 10 times as fast; or half of it 1.6 times as fast.
        ("0.2", 10, 1.22),
        ("0.5", "1.6", 1.23),
    ],
)
def test_examples_in_print(share: str, speedup: int | str, printed: float) -> None:
    found = overall_speedup(parallel_fraction=Fraction(share), speedup=Fraction(speedup))
    assert round(float(found), 2) == printed


@given(share=shares, speedup=speedups, more=speedups)
def test_it_rises_with_the_speedup_and_stays_below_the_limit(
    share: Fraction, speedup: Fraction, more: Fraction
) -> None:
    found = overall_speedup(parallel_fraction=share, speedup=speedup)
    assert overall_speedup(parallel_fraction=share, speedup=speedup + more) >= found
    limit = speedup_limit(parallel_fraction=share)
    assert limit is None or found <= limit
    assert min(1, speedup) <= found <= max(1, speedup)


def test_ends() -> None:
    assert overall_speedup(parallel_fraction=1, speedup=8) == 8
    assert overall_speedup(parallel_fraction=0, speedup=8) == 1
    assert speedup_limit(parallel_fraction=1) is None
    assert overall_speedup(parallel_fraction=Fraction(1, 2), speedup=10**400) < 2
    for share in (-1, 2):
        with pytest.raises(DomainError, match="parallel_fraction is"):
            speedup_limit(parallel_fraction=share)
    with pytest.raises(DomainError, match="speedup is 0"):
        overall_speedup(parallel_fraction=0, speedup=0)


def test_no_limit_is_null_with_the_reason() -> None:
    amdahl = calculators.get("amdahl")
    result = amdahl.evaluate(parallel_fraction="100%")
    assert result.outputs == {"overall_speedup": 8, "limit": None}
    assert result.notes == [
        "limit: nothing is left of the job beside the share that is sped up, so there is no limit"
    ]
    swept = amdahl.sweep("parallel_fraction", [0.0, 0.95, 1.0])
    np.testing.assert_allclose(swept["overall_speedup"], [1, 1 / (0.05 + 0.95 / 8), 8])
    np.testing.assert_allclose(swept["limit"], [1, 20, np.nan])
