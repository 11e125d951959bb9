"""Powers against Python's own, and against decimals of many digits where those would never end."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.cost import DomainError
from calculators.cost.powers import power

shares = st.fractions(0, 1, max_denominator=10**9)


@given(base=shares, exponent=st.integers(0, 100))
def test_a_small_power_is_exact(base: Fraction, exponent: int) -> None:
    assert power(base, exponent) == base**exponent


@given(base=shares, exponent=st.integers(1000, 10**12))
def test_a_large_power_keeps_sixty_figures_and_more(base: Fraction, exponent: int) -> None:
    with localcontext() as context:
        context.prec = 120
        context.Emin = -(10**17)
        close = (Decimal(base.numerator) / Decimal(base.denominator)) ** exponent
        found = power(base, exponent)
        error = abs(Decimal(found.numerator) / Decimal(found.denominator) - close)
        assert error < Decimal(10) ** -60 * max(1 - close, Decimal(10) ** -10)


@pytest.mark.parametrize(("base", "result"), [(0, 0), (1, 1), (Fraction(10**60 - 1, 10**60), 0)])
def test_the_largest_exponents_end(base: Fraction, result: int) -> None:
    assert power(base, 10**3000) == result
    assert power(base, 0) == 1


def test_bases_as_near_to_one_as_their_denominators_allow() -> None:
    tiny = Fraction(1, 10**300)
    missing = 1 - power(1 - tiny, 1000)
    assert missing / (1000 * tiny) == pytest.approx(1, rel=1e-14)
    assert missing <= 1001 * tiny


def test_arrays_and_the_edge_of_the_domain() -> None:
    assert power(np.array([0.0, 0.5, 1.0]), 3.0).tolist() == [0.0, 0.125, 1.0]
    with pytest.raises(DomainError, match="base is 3/2, but must be from 0 to 1"):
        power(Fraction(3, 2), 2)
