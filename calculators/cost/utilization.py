"""How much of a machine's peak a training run uses: model FLOP (MFU) and hardware FLOP (HFU) utilization."""

from typing import Literal, NamedTuple

from calculators.cost.attention import AttentionMask, attended_flops
from calculators.cost.errors import require, require_positive
from calculators.cost.exact import Real, quotient

Recompute = Literal["none", "selective", "full"]
RECOMPUTES: tuple[Recompute, ...] = ("none", "selective", "full")


class Utilization(NamedTuple):
    """What a run achieves of its devices' peak."""

    mfu: Real  # ratio
    hfu: Real  # ratio
    tokens_per_second_at_peak: Real  # token/s, over all devices
    achieved_flops_per_device: Real  # FLOP/s of the model, without recomputation


def model_flops_per_token(
    *, params: Real, layers: Real, heads: Real, head_dim: Real, seq_len: Real, attention: AttentionMask
) -> Real:
    """6 * params + 12 * layers * heads * head_dim * seq_len [FLOP], forward and backward of one token.

    Each parameter does one multiply-add forward and two backward. The second term is Q K^T and the product
    with V; causal counts half of it, none nothing. params are those that one token uses.

    Leaves out softmax, norms, activations and windows; a table of embeddings that is only looked up is
    counted as if multiplied when it is part of params.
    Raises DomainError for an unknown attention.
    Source: Chowdhery et al. 2022 (PaLM), appendix B.
    """
    core = 12 * layers * heads * head_dim * seq_len
    return 6 * params + attended_flops(full=core, attention=attention)


def hardware_flops_per_token(
    *,
    params: Real,
    layers: Real,
    heads: Real,
    head_dim: Real,
    seq_len: Real,
    attention: AttentionMask,
    recompute: Recompute,
) -> Real:
    """Model FLOP plus the forward work that the backward pass does again [FLOP].

    full: the whole forward pass, a third of the model FLOP. selective: the attention core's two matmuls,
    4 * layers * heads * head_dim * seq_len, half when causal. (Equation 8 of the source counts three times
    that.)
    Raises DomainError for an unknown attention or recompute.
    Source: Korthikanti et al. 2022, Reducing Activation Recomputation in Large Transformer Models.
    """
    require(recompute in RECOMPUTES, "recompute", recompute, "one of none, selective, full")
    model = model_flops_per_token(
        params=params, layers=layers, heads=heads, head_dim=head_dim, seq_len=seq_len, attention=attention
    )
    if recompute == "full":
        return model + quotient(model, 3)
    if recompute == "selective":
        core = 4 * layers * heads * head_dim * seq_len
        return model + attended_flops(full=core, attention=attention)
    return model


def utilization(
    *, model_flops: Real, hardware_flops: Real, tokens_per_second: Real, devices: Real, peak_flops: Real
) -> Utilization:
    """mfu = model_flops * tokens_per_second / (devices * peak_flops); hfu with hardware_flops.

    FLOP are per token, tokens_per_second of all devices together, peak_flops [FLOP/s] of one. hfu is never
    below mfu. A value above 1 is returned as it is: the figures given cannot all be right.
    Raises DomainError where devices, peak_flops or model_flops is not above 0.
    Source: Chowdhery et al. 2022 (PaLM), appendix B.
    """
    require_positive(model_flops=model_flops, devices=devices, peak_flops=peak_flops)
    peak = devices * peak_flops
    achieved = model_flops * tokens_per_second
    return Utilization(
        mfu=quotient(achieved, peak),
        hfu=quotient(hardware_flops * tokens_per_second, peak),
        tokens_per_second_at_peak=quotient(peak, model_flops),
        achieved_flops_per_device=quotient(achieved, devices),
    )
