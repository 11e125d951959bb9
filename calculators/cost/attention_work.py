"""Attention's arithmetic in full: its core, its projections, and the length at which they are equal."""

from typing import NamedTuple

from calculators.cost.errors import require_positive
from calculators.cost.exact import Real, quotient


class AttentionWork(NamedTuple):
    """The forward matmuls of attention over whole sequences."""

    score_flops: Real  # FLOP, Q K^T
    value_flops: Real  # FLOP, scores times V
    attention_flops: Real  # FLOP, both
    projection_flops: Real  # FLOP, Q, K, V and output
    crossover_seq_len: Real  # tokens


def attention_work(
    *,
    batch: Real,
    seq_len: Real,
    heads: Real,
    kv_heads: Real,
    head_dim: Real,
    d_model: Real,
    layers: Real,
    causal: bool,
) -> AttentionWork:
    """score_flops = value_flops = 2 * batch * heads * seq_len**2 * head_dim * layers [FLOP], half if causal.

    projection_flops = 2 * batch * seq_len * d_model * head_dim * (2*heads + 2*kv_heads) * layers. The core
    equals the projections at seq_len = d_model * (heads + kv_heads) / heads, twice that when causal.

    Leaves out softmax and the mask. Half is the convention: a causal row sees (seq_len+1)/2 tokens on
    average, and a kernel that skips no block above the diagonal does all of the work.
    Raises DomainError where heads is not above 0.
    """
    require_positive(heads=heads)
    whole = 2 * batch * heads * seq_len * seq_len * head_dim * layers
    scores = quotient(whole, 2) if causal else whole
    return AttentionWork(
        score_flops=scores,
        value_flops=scores,
        attention_flops=2 * scores,
        projection_flops=2 * batch * seq_len * d_model * head_dim * (2 * heads + 2 * kv_heads) * layers,
        crossover_seq_len=quotient((2 if causal else 1) * d_model * (heads + kv_heads), heads),
    )
