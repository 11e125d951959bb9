"""Attention: the memory of its score matrix, and the arithmetic between queries, keys and values."""

from typing import Literal

from calculators.cost.dimensions import Dimensions
from calculators.cost.errors import require
from calculators.cost.exact import Real, choose, is_nought, least, quotient

AttentionMask = Literal["none", "full", "causal"]
ATTENTION_MASKS: tuple[AttentionMask, ...] = ("none", "full", "causal")

_LOG_SUM_EXP_BYTES = 4  # one fp32 a row, whatever the dtype of the scores


def score_elements(*, batch: Real, heads: Real, seq_len: Real, kv_len: Real, layers: Real = 1) -> Real:
    """batch * heads * seq_len * kv_len * layers: elements of Q K^T, shape (batch, heads, seq_len, kv_len)."""
    return batch * heads * seq_len * kv_len * layers


def flash_bytes(*, batch: Real, heads: Real, seq_len: Real, layers: Real = 1) -> Real:
    """batch * heads * seq_len * layers * 4 [B]: the log-sum-exp rows that a fused kernel keeps for the
    backward pass in place of the scores, which it computes again. The result is exact all the same.

    Source: Dao et al. 2022, FlashAttention.
    """
    return batch * heads * seq_len * layers * _LOG_SUM_EXP_BYTES


def key_width(*, dims: Dimensions) -> Real:
    """Width of one head's query and key: head_dim, or both parts of a latent model's key."""
    return choose(dims.kv_lora_rank > 0, dims.nope_head_dim + dims.rope_head_dim, dims.head_dim)


def value_width(*, dims: Dimensions) -> Real:
    """Width of one head's value: head_dim, or v_head_dim in a latent model."""
    return choose(dims.kv_lora_rank > 0, dims.v_head_dim, dims.head_dim)


def mean_head_dim(*, dims: Dimensions) -> Real:
    """The mean of key and value width: what stands for head_dim in 4 * heads * head_dim * seq_len."""
    return quotient(key_width(dims=dims) + value_width(dims=dims), 2)


def tokens_over_layers(*, dims: Dimensions, seq_len: Real) -> Real:
    """Tokens that the last of seq_len sees, summed over layers: min(seq_len, window) in a window layer."""
    if is_nought(dims.window):
        return dims.layers * seq_len
    windowed = choose(dims.window > 0, least(seq_len, dims.window), seq_len)
    return (dims.layers - dims.window_layers) * seq_len + dims.window_layers * windowed


def attended_flops(*, full: Real, attention: AttentionMask) -> Real:
    """What a mask leaves of full attention's work [FLOP]: none of it, all of it, half when causal.

    Half is the convention of the field; a causal row attends to (seq_len+1)/2 tokens on average.
    Raises DomainError for another word.
    """
    require(attention in ATTENTION_MASKS, "attention", attention, "one of none, full, causal")
    if attention == "none":
        return 0 * full
    return quotient(full, 2) if attention == "causal" else full


def attention_flops_per_token(*, dims: Dimensions, seq_len: Real, attention: AttentionMask) -> Real:
    """2 * heads * (key width + value width) * tokens seen, summed over layers [FLOP], one forward pass.

    Q K^T and the product with V for one query; causal counts half. Leaves out softmax and the projections.
    Raises DomainError for an unknown mask.
    """
    width = key_width(dims=dims) + value_width(dims=dims)
    full = 2 * dims.heads * width * tokens_over_layers(dims=dims, seq_len=seq_len)
    return attended_flops(full=full, attention=attention)
