"""Roots and powers: exact where there is an exact answer, close to floats elsewhere, never an overflow."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.cost import DomainError
from calculators.cost.irrational import real_power, square_root

ratios = st.fractions(Fraction(1, 10**6), 10**12, max_denominator=10**6)


@given(root=ratios)
def test_a_rational_root_is_exact(root: Fraction) -> None:
    assert square_root(root * root) == root


@given(value=st.integers(0, 10**40))
def test_a_root_is_whole_only_where_it_is_exact(value: int) -> None:
    root = square_root(value)
    assert float(root) == pytest.approx(math.sqrt(value), rel=1e-15)
    assert (Fraction(root).denominator == 1) == (math.isqrt(value) ** 2 == value)


@pytest.mark.parametrize("value", [2 * 10**4000 + 1, Fraction(3, 10**4001), 10**40 + 1, Fraction(1, 3)])
def test_a_root_has_its_figures_at_any_size(value: Fraction) -> None:
    root = square_root(value)
    assert abs(root * root / value - 1) < Fraction(1, 10**18)


def test_there_is_no_root_of_a_negative_number() -> None:
    with pytest.raises(DomainError, match="value is -1, but must be 0 or more"):
        square_root(-1)
    with pytest.raises(DomainError):
        square_root(np.array([1.0, -1.0]))


@given(base=ratios, exponent=st.fractions(-5, 5, max_denominator=100))
def test_powers_are_those_of_floats(base: Fraction, exponent: Fraction) -> None:
    assert float(real_power(base, exponent)) == pytest.approx(float(base) ** float(exponent), rel=1e-12)


def test_powers_beyond_floats() -> None:
    assert real_power(10**4000, Fraction(1, 2)) == 10**2000
    assert real_power(Fraction(1, 10**4000), Fraction(3, 2)) == 0
    with pytest.raises(DomainError, match="base is 0, but must be above 0"):
        real_power(0, 2)
