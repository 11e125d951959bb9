"""Rounding up in floats, where arithmetic has taken them a little off a whole number."""

from fractions import Fraction
from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.cost.exact import ceiling, ceiling_of_decimals


@given(whole=st.integers(1, 10**9), tenths=st.integers(1, 10**4))
def test_a_product_in_floats_rounds_as_the_exact_one(whole: int, tenths: int) -> None:
    # 10 * 1.1 is 11.000000000000002 in floats
    assert ceiling_of_decimals(np.array([whole * (tenths / 10)])) == ceil(Fraction(whole * tenths, 10))


@pytest.mark.parametrize("value", [0.0, 0.5, 2.0001, 2.0**60, 1e300, -1.5])
def test_other_numbers_round_as_ever(value: float) -> None:
    assert ceiling_of_decimals(np.array([value])).tolist() == ceiling(np.array([value])).tolist()
    assert ceiling(value) == ceil(value)


def test_single_numbers_are_exact_and_nothing_stays_nothing() -> None:
    assert ceiling_of_decimals(11 + Fraction(1, 10**30)) == 12
    assert np.isnan(ceiling_of_decimals(np.array([np.nan]))).all()
