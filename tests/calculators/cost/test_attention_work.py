"""Attention's matmuls listed by shape, and the length at which core and projections are equal."""

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import calculators
from calculators.cost.attention_work import AttentionWork, attention_work
from calculators.spec import InvalidInputs

small = st.integers(1, 4)


def matmul(*shape: int) -> int:
    """2 FLOP for each multiply-add of (m, k) times (k, n)."""
    m, k, n = shape
    return 2 * m * k * n


@given(
    batch=small,
    layers=small,
    kv_heads=small,
    group=small,
    head_dim=small,
    d_model=small,
    seq_len=st.integers(1, 50),
)
def test_every_matmul(
    batch: int, layers: int, kv_heads: int, group: int, head_dim: int, d_model: int, seq_len: int
) -> None:
    heads = kv_heads * group
    scores = values = projections = 0
    for _layer, _sequence in product(range(layers), range(batch)):
        for _head in range(heads):
            projections += matmul(seq_len, d_model, head_dim)  # the query, and its part of the output
            projections += matmul(seq_len, head_dim, d_model)
            scores += matmul(seq_len, head_dim, seq_len)
            values += matmul(seq_len, seq_len, head_dim)
        for _head in range(kv_heads):
            projections += 2 * matmul(seq_len, d_model, head_dim)
    arguments: dict[str, Any] = {
        "batch": batch,
        "seq_len": seq_len,
        "heads": heads,
        "kv_heads": kv_heads,
        "head_dim": head_dim,
        "d_model": d_model,
        "layers": layers,
    }
    full = attention_work(**arguments, causal=False)
    assert full == AttentionWork(scores, values, scores + values, projections, full.crossover_seq_len)
    causal = attention_work(**arguments, causal=True)
    assert (causal.score_flops, causal.attention_flops) == (Fraction(scores, 2), scores)
    assert causal.projection_flops == projections
    for work, is_causal in ((full, False), (causal, True)):
        there = attention_work(**{**arguments, "seq_len": work.crossover_seq_len}, causal=is_causal)
        assert there.attention_flops == there.projection_flops


def test_the_flops_that_flash_attention_reports() -> None:
    # Dao 2023, 4.1: 4 * seqlen^2 * head dimension * heads, half when causal; 16k tokens at hidden 2048.
    work = calculators.get("attention-flops").evaluate(seq_len="16Ki", heads=16, head_dim=128)
    assert work.outputs["attention_flops"] == 4 * 16384**2 * 128 * 16


def test_the_projections_that_the_core_overtakes() -> None:
    # Of multi-head attention, whose projections are a third of a layer's 24 n d^2 FLOP, at n = 2 d.
    flops = calculators.get("attention-flops")
    assert flops.evaluate().outputs["crossover_seq_len"] == 2 * 4096
    assert flops.evaluate(causal=True, kv_heads=8).outputs["crossover_seq_len"] == 2 * 4096 * Fraction(40, 32)


def test_counts_stay_exact_past_64_bits_and_d_model_follows() -> None:
    flops = calculators.get("attention-flops")
    result = flops.evaluate(seq_len=10**30 + 1, causal="yes")
    assert result.exact["score_flops"] == (10**30 + 1) ** 2 * 32 * 128
    assert flops.evaluate(heads=5, head_dim=7).inputs["d_model"] == 35
    with pytest.raises(InvalidInputs, match=r"kv_heads is 3, but must be a divisor of heads \(32\)"):
        flops.evaluate(kv_heads=3)
    causal = flops.sweep("seq_len", [4096.0, 2.0**70], causal=True)
    assert causal["score_flops"].tolist() == [2.0**36, 2.0**152]
    swept = flops.sweep("kv_heads", [1, 3, 32])
    assert np.isnan(swept["projection_flops"]).tolist() == [False, True, False]
