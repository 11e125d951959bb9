"""Weights stored in few bits, with a scale and a zero point for each group."""

from typing import NamedTuple

from calculators.cost.errors import require_positive
from calculators.cost.exact import Real, quotient

_PLAIN_BITS = 16  # of the bf16 or fp16 weights that are compressed
_BITS_PER_BYTE = 8


class QuantizedWeights(NamedTuple):
    """The size of quantized weights, and how fast they can be read."""

    bits_per_weight: Real
    weight_bytes: Real  # B
    compression: Real  # against 16 bits
    decode_tokens_per_second: Real  # token/s of one sequence


def quantized_weights(
    *, params: Real, bits: Real, group_size: Real, scale_bits: Real, zero_bits: Real, hbm_bandwidth: Real
) -> QuantizedWeights:
    """bits_per_weight = bits + (scale_bits + zero_bits) / group_size; weight_bytes = params * that / 8 [B].

    compression = 16 / bits_per_weight. decode_tokens_per_second = hbm_bandwidth / weight_bytes: each token of
    a single sequence reads every weight once, and no step is faster than that.

    Leaves out layers kept wider, the KV cache, and unpacking.
    Raises DomainError where params, bits, group_size or hbm_bandwidth is not above 0.
    Source: Frantar et al. 2022, GPTQ, section 4 (grouping).
    """
    require_positive(params=params, bits=bits, group_size=group_size, hbm_bandwidth=hbm_bandwidth)
    bits_per_weight = bits + quotient(scale_bits + zero_bits, group_size)
    weight_bytes = quotient(params * bits_per_weight, _BITS_PER_BYTE)
    return QuantizedWeights(
        bits_per_weight=bits_per_weight,
        weight_bytes=weight_bytes,
        compression=quotient(_PLAIN_BITS, bits_per_weight),
        decode_tokens_per_second=quotient(hbm_bandwidth, weight_bytes),
    )
