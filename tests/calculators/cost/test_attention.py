"""Attention against its score matrix counted cell by cell."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.cost import DomainError
from calculators.cost.attention import (
    AttentionMask,
    attended_flops,
    attention_flops_per_token,
    flash_bytes,
    key_width,
    mean_head_dim,
    score_elements,
    tokens_over_layers,
    value_width,
)
from calculators.presets import MODELS

small = st.integers(1, 5)
LLAMA = MODELS["llama-2-7b"].dimensions


@given(batch=small, heads=small, seq_len=small, kv_len=small, layers=small, width=small)
def test_scores_are_the_elements_of_q_times_k_transposed(
    batch: int, heads: int, seq_len: int, kv_len: int, layers: int, width: int
) -> None:
    queries = np.zeros((layers, batch, heads, seq_len, width), np.float32)
    keys = np.zeros((layers, batch, heads, kv_len, width), np.float32)
    scores = queries @ keys.swapaxes(-1, -2)
    elements = score_elements(batch=batch, heads=heads, seq_len=seq_len, kv_len=kv_len, layers=layers)
    assert elements == scores.size
    # One log-sum-exp for each row of the scores, in fp32.
    rows = scores.max(axis=-1)
    assert flash_bytes(batch=batch, heads=heads, seq_len=seq_len, layers=layers) == rows.nbytes


def test_the_whole_matrix_of_the_write_up_is_two_gib() -> None:
    elements = score_elements(batch=32, heads=16, seq_len=1024, kv_len=1024)
    assert elements * 4 == 2 * 2**30
    assert flash_bytes(batch=32, heads=16, seq_len=1024) == 2 * 2**20


@pytest.mark.parametrize("slug", ["llama-2-7b", "llama-3-70b", "deepseek-v3", "gemma-3-27b", "mistral-7b"])
@pytest.mark.parametrize("seq_len", [1, 1000, 1024, 5000])
def test_flops_of_a_query_listed_matmul_by_matmul(slug: str, seq_len: int) -> None:
    dims = MODELS[slug].dimensions
    latent = dims.kv_lora_rank > 0
    flops = 0
    for layer, _head in product(range(dims.layers), range(dims.heads)):
        seen = min(seq_len, dims.window) if dims.window and layer < dims.window_layers else seq_len
        key = dims.nope_head_dim + dims.rope_head_dim if latent else dims.head_dim
        value = dims.v_head_dim if latent else dims.head_dim
        flops += 2 * 1 * key * seen  # (1, key) times (key, seen)
        flops += 2 * 1 * seen * value  # (1, seen) times (seen, value)
    assert attention_flops_per_token(dims=dims, seq_len=seq_len, attention="full") == flops
    assert attention_flops_per_token(dims=dims, seq_len=seq_len, attention="causal") == Fraction(flops, 2)
    assert attention_flops_per_token(dims=dims, seq_len=seq_len, attention="none") == 0


def test_half_is_the_limit_of_the_cells_below_the_diagonal() -> None:
    for seq_len in (10, 100, 1000):
        cells = np.tril(np.ones((seq_len, seq_len), bool)).sum()
        half = attended_flops(full=seq_len**2, attention="causal")
        assert 0 <= cells - half == seq_len / 2  # the diagonal's other half


def test_widths_of_latent_and_of_ordinary_heads() -> None:
    deepseek = MODELS["deepseek-v3"].dimensions
    assert (key_width(dims=deepseek), value_width(dims=deepseek)) == (192, 128)
    assert mean_head_dim(dims=deepseek) == 160
    assert mean_head_dim(dims=LLAMA) == key_width(dims=LLAMA) == value_width(dims=LLAMA) == 128


@given(seq_len=st.integers(1, 5000), window=st.integers(0, 3000), window_layers=st.integers(0, 32))
def test_tokens_seen_layer_by_layer(seq_len: int, window: int, window_layers: int) -> None:
    dims = replace(LLAMA, window=window, window_layers=window_layers)
    seen = 0
    for layer in range(dims.layers):
        tokens = range(seq_len)
        seen += len(tokens[-window:] if window and layer < window_layers else tokens)
    assert tokens_over_layers(dims=dims, seq_len=seq_len) == seen


def test_an_unknown_mask_is_refused_by_name() -> None:
    mask: AttentionMask = "banded"  # type: ignore[assignment]  # what an unchecked caller may pass
    with pytest.raises(DomainError, match="attention is banded, but must be one of none, full, causal"):
        attended_flops(full=1, attention=mask)
