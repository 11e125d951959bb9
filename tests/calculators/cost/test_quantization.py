"""Quantized weights against groups packed bit by bit, and published sizes."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import calculators
from calculators.cost import DomainError
from calculators.cost.quantization import quantized_weights

A100 = 2039 * 10**9


@given(
    groups=st.integers(1, 30),
    group_size=st.integers(1, 64),
    bits=st.integers(1, 16),
    scale_bits=st.integers(0, 32),
    zero_bits=st.integers(0, 8),
)
def test_groups_packed_bit_by_bit(
    groups: int, group_size: int, bits: int, scale_bits: int, zero_bits: int
) -> None:
    packed = "".join("w" * bits * group_size + "s" * scale_bits + "z" * zero_bits for _ in range(groups))
    params = groups * group_size
    found = quantized_weights(
        params=params,
        bits=bits,
        group_size=group_size,
        scale_bits=scale_bits,
        zero_bits=zero_bits,
        hbm_bandwidth=A100,
    )
    assert found.weight_bytes == Fraction(len(packed), 8)
    assert found.bits_per_weight == Fraction(len(packed), params)
    assert found.compression == Fraction(params * 16, len(packed))
    assert found.decode_tokens_per_second * len(packed) / 8 == A100


@pytest.mark.parametrize(
    ("bits", "group_size", "scale_bits", "zero_bits", "printed"),
    [
        # llama.cpp: Q4_0 and Q8_0 are blocks of 32 weights and an fp16 scale, Q4_1 has an fp16 minimum too.
        (4, 32, 16, 0, "4.5"),
        (4, 32, 16, 16, "5"),
        (8, 32, 16, 0, "8.5"),
        # Dettmers et al. 2023 (QLoRA), 3: 32-bit constants for blocks of 64 add 0.5 bits a parameter.
        (4, 64, 32, 0, "4.5"),
        # Frantar et al. 2022 (GPTQ), 4: groups of 128 add about 0.15 bits, 20/128 = 0.156 rounded down.
        (3, 128, 16, 4, "3.15625"),
    ],
)
def test_bits_per_weight_in_print(
    bits: int, group_size: int, scale_bits: int, zero_bits: int, printed: str
) -> None:
    found = quantized_weights(
        params=1,
        bits=bits,
        group_size=group_size,
        scale_bits=scale_bits,
        zero_bits=zero_bits,
        hbm_bandwidth=1,
    )
    assert found.bits_per_weight == Fraction(printed)


@given(bits=st.fractions(Fraction(1, 2), 16), group_size=st.integers(1, 10**6), more=st.integers(1, 10**6))
def test_larger_groups_never_take_more(bits: Fraction, group_size: int, more: int) -> None:
    def size(of_group: int) -> Fraction:
        found = quantized_weights(
            params=7, bits=bits, group_size=of_group, scale_bits=16, zero_bits=4, hbm_bandwidth=1
        )
        return Fraction(found.weight_bytes)

    assert 7 * bits / 8 < size(group_size + more) < size(group_size)


def test_the_page() -> None:
    quantization = calculators.get("quantization")
    result = quantization.evaluate()
    assert result.exact["bits_per_weight"] == Fraction("4.15625")
    assert result.exact["weight_bytes"] == 3_636_718_750  # 7e9 * 4.15625 / 8
    assert quantization.evaluate(bits=16, scale_bits=0, zero_bits=0).outputs["compression"] == 1
    assert quantization.evaluate(params=10**30 + 8, bits=8, scale_bits=0, zero_bits=0).exact[
        "weight_bytes"
    ] == (10**30 + 8)
    assert quantization.evaluate(hardware="custom", hbm_bandwidth="2TB/s").inputs["peak_flops"] is None
    assert quantization.evaluate(params="8B", bits="2.5").outputs["bits_per_weight"] == 2.65625
    swept = quantization.sweep("bits", [2.0, 4.0])
    np.testing.assert_allclose(swept["weight_bytes"], [7e9 * 2.15625 / 8, 7e9 * 4.15625 / 8])
    with pytest.raises(DomainError, match="bits is 0"):
        quantized_weights(params=1, bits=0, group_size=1, scale_bits=0, zero_bits=0, hbm_bandwidth=1)
