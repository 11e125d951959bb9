"""Serving capacity against a server that admits one sequence after the other."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.cost import DomainError
from calculators.cost.kv_cache import kv_bytes_per_sequence
from calculators.cost.parameters import count_parameters
from calculators.cost.serving import ServingCapacity, serving_capacity
from calculators.presets import HARDWARE, MODELS


def capacity(
    weight_bytes: int,
    per_sequence: int,
    hbm_bytes: int,
    devices: int = 1,
    fraction: Fraction = Fraction(1),
    reserve: int = 0,
) -> ServingCapacity:
    return serving_capacity(
        weight_bytes=weight_bytes,
        kv_bytes_per_sequence=per_sequence,
        hbm_bytes=hbm_bytes,
        devices=devices,
        memory_fraction=fraction,
        reserve_bytes=reserve,
    )


@given(
    weights=st.integers(0, 3000),
    per_sequence=st.integers(1, 200),
    hbm=st.integers(1, 1000),
    devices=st.integers(1, 3),
    fraction=st.fractions(Fraction(1, 100), 1, max_denominator=100),
    reserve=st.integers(0, 500),
)
def test_sequences_admitted_one_by_one(
    weights: int, per_sequence: int, hbm: int, devices: int, fraction: Fraction, reserve: int
) -> None:
    memory = sum((hbm * fraction for _ in range(devices)), Fraction(0)) - reserve
    taken, admitted = Fraction(weights), 0
    while taken + per_sequence <= memory:
        taken += per_sequence
        admitted += 1
    result = capacity(weights, per_sequence, hbm, devices, fraction, reserve)
    assert result.sequences == admitted
    assert result.fits == (weights <= memory)
    assert result.free_bytes == memory - weights


def test_llama_2_13b_on_80_gb() -> None:
    dims = MODELS["llama-2-13b"].dimensions
    result = capacity(
        2 * count_parameters(dims=dims).total,
        kv_bytes_per_sequence(dims=dims, seq_len=2048, bytes_per_element=2),
        HARDWARE["a100-80gb-sxm"].hbm_bytes,
    )
    # 80e9 - 26.03e9 over 2048 tokens of 819,200 B each.
    assert result.free_bytes == 80_000_000_000 - 26_031_728_640
    assert result.sequences == 32


def test_weights_that_do_not_fit_leave_no_sequence_and_less_than_nothing() -> None:
    result = capacity(weight_bytes=101, per_sequence=1, hbm_bytes=100)
    assert (result.free_bytes, result.sequences, result.fits) == (-1, 0, False)
    assert capacity(weight_bytes=100, per_sequence=1, hbm_bytes=100).fits is True


def test_an_empty_cache_is_refused() -> None:
    with pytest.raises(DomainError, match="kv_bytes_per_sequence is 0"):
        capacity(1, 0, 1)
