"""The cost of tokens against a bill that is added up hour by hour."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import calculators
from calculators.cost import DomainError
from calculators.cost.inference_cost import cost_per_million_tokens, tokens_per_day


@given(
    rate=st.fractions(Fraction(1, 1000), 10**6, max_denominator=1000),
    price=st.fractions(0, 100, max_denominator=100),
    devices=st.integers(1, 64),
    used=st.fractions(Fraction(1, 100), 1, max_denominator=100),
)
def test_the_bill_of_a_day(rate: Fraction, price: Fraction, devices: int, used: Fraction) -> None:
    bill = sum((price for _hour in range(24) for _device in range(devices)), Fraction(0))
    tokens = sum((60 * 60 * rate * used for _hour in range(24)), Fraction(0))
    cost = cost_per_million_tokens(
        tokens_per_second=rate, price_per_device_hour=price, devices=devices, utilization=used
    )
    assert tokens_per_day(tokens_per_second=rate, utilization=used) == tokens
    assert cost * tokens == bill * 10**6


def test_the_page() -> None:
    costs = calculators.get("inference-cost")
    assert costs.evaluate().exact == {
        "cost_per_million_tokens": Fraction(
            10, 27
        ),  # 2 USD / (3,600 s * 2,500 / s * 0.6) of 5.4 million tokens
        "tokens_per_day": 129_600_000,
    }
    assert costs.evaluate(price_per_device_hour=0).outputs["cost_per_million_tokens"] == 0
    half = costs.evaluate(utilization="30%").exact["cost_per_million_tokens"]
    assert half == 2 * Fraction(10, 27)
    swept = costs.sweep("devices", [1, 8])
    np.testing.assert_allclose(swept["cost_per_million_tokens"], [10 / 27, 80 / 27])
    with pytest.raises(DomainError, match="utilization is 0"):
        cost_per_million_tokens(tokens_per_second=1, price_per_device_hour=1, devices=1, utilization=0)
