"""The cache against one that is filled token by token, layer by layer."""

from collections import deque
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.cost import DomainError
from calculators.cost.dimensions import Dimensions
from calculators.cost.kv_cache import (
    kv_bytes_per_sequence,
    kv_bytes_per_token,
    kv_elements_per_token,
    mha_ratio,
)
from calculators.presets import MODELS


def fill(dims: Dimensions, seq_len: int, size: Fraction) -> Fraction:
    """Append seq_len tokens to the cache of every layer and add up what it then holds."""
    held = Fraction(0)
    for layer in range(dims.layers):
        windowed = dims.window > 0 and layer < dims.window_layers
        cache: deque[int] = deque(maxlen=dims.window if windowed else None)
        for _ in range(seq_len):
            if dims.kv_lora_rank:
                cache.append(dims.kv_lora_rank + dims.rope_head_dim)
            else:
                cache.append(sum(dims.head_dim for _ in range(dims.kv_heads) for _ in ("key", "value")))
        held += sum(cache) * size
    return held


@given(
    slug=st.sampled_from(["gpt2-small", "llama-3-8b", "gemma-3-27b", "deepseek-v3", "gpt-oss-120b"]),
    window=st.integers(0, 40),
    seq_len=st.integers(1, 60),
    size=st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4)]),
)
def test_the_cache_filled_token_by_token(slug: str, window: int, seq_len: int, size: Fraction) -> None:
    dims = replace(MODELS[slug].dimensions, window=window)
    held = fill(dims, seq_len, size)
    assert kv_bytes_per_sequence(dims=dims, seq_len=seq_len, bytes_per_element=size) == held
    if not window or seq_len <= window:
        assert kv_bytes_per_token(dims=dims, bytes_per_element=size) == held / seq_len
    # The same model with a head of keys and values for every query head, and no window or latent.
    whole = replace(dims, kv_heads=dims.heads, kv_lora_rank=0, window=0)
    if dims.kv_lora_rank:
        whole = replace(whole, head_dim=dims.v_head_dim)
    assert mha_ratio(dims=dims, seq_len=seq_len) == fill(whole, seq_len, size) / held


@pytest.mark.parametrize(
    ("slug", "printed"),
    [
        # DeepSeek-AI 2025, Insights into DeepSeek-V3, table 1: KV cache a token in bf16, in KB of 1000 B.
        ("deepseek-v3", 70_272),
        ("qwen2.5-72b", 327_680),
        ("llama-3.1-405b", 516_096),
        # The 2 * 40 * 40 * 128 values of a 13B model: the 800 KiB of Kwon et al. 2023 (PagedAttention), 3.
        ("llama-2-13b", 800 * 1024),
        ("qwen3-4b", 147_456),
    ],
)
def test_bytes_of_a_token_in_print(slug: str, printed: int) -> None:
    assert kv_bytes_per_token(dims=MODELS[slug].dimensions, bytes_per_element=2) == printed


def test_windows_keep_a_long_sequence_small() -> None:
    dims = MODELS["gemma-3-27b"].dimensions
    held = kv_bytes_per_sequence(dims=dims, seq_len=131072, bytes_per_element=2)
    assert held == 11_173_625_856
    assert held == 2 * 2 * 16 * 128 * (10 * 131072 + 52 * 1024)


def test_what_a_latent_saves() -> None:
    dims = MODELS["deepseek-v3"].dimensions
    assert kv_elements_per_token(dims=dims) == 576
    assert mha_ratio(dims=dims, seq_len=4096) == Fraction(2 * 128 * 128, 576)


def test_grouped_heads_divide_the_cache() -> None:
    assert mha_ratio(dims=MODELS["llama-3-70b"].dimensions, seq_len=1) == 8
    assert mha_ratio(dims=MODELS["llama-2-7b"].dimensions, seq_len=10**6) == 1


@given(seq_len=st.integers(1, 10**6), more=st.integers(1, 10**6))
def test_a_longer_sequence_never_holds_less(seq_len: int, more: int) -> None:
    dims = MODELS["gpt-oss-120b"].dimensions
    shorter = kv_bytes_per_sequence(dims=dims, seq_len=seq_len, bytes_per_element=2)
    assert kv_bytes_per_sequence(dims=dims, seq_len=seq_len + more, bytes_per_element=2) > shorter


def test_an_empty_sequence_has_no_ratio() -> None:
    with pytest.raises(DomainError, match="seq_len is 0"):
        mha_ratio(dims=MODELS["llama-2-7b"].dimensions, seq_len=0)
