"""One mixture-of-experts layer with its experts spread over devices."""

from typing import NamedTuple

from calculators.cost.dimensions import Dimensions
from calculators.cost.errors import require, require_positive
from calculators.cost.exact import Real, ceiling_of_decimals, limit, quotient
from calculators.cost.ffn import matrices
from calculators.cost.mixture import experts_touched


class ExpertParallel(NamedTuple):
    """The forward pass of one layer's experts over n devices."""

    tokens_per_expert: Real  # capacity
    experts_touched: Real  # expected
    all_to_all_bytes: Real  # B, sent by each device, dispatch and combine
    time_compute: Real  # s
    time_memory: Real  # s
    time_network: Real  # s
    bound: Real  # "compute", "memory" or "network"


def expert_matrix_parameters(*, dims: Dimensions) -> Real:
    """matrices * d_model * expert_d_ff: the weights of one expert in one layer, biases aside."""
    return matrices(gated=dims.gated) * dims.d_model * dims.expert_d_ff


def expert_parallel(
    *,
    dims: Dimensions,
    tokens: Real,
    devices: Real,
    bytes_per_element: Real,
    capacity_factor: Real,
    peak_flops: Real,
    hbm_bandwidth: Real,
    link_bandwidth: Real,
) -> ExpertParallel:
    """Three costs of one mixture layer for all n devices' tokens, experts and tokens spread evenly.

    tokens_per_expert = ceil(tokens * experts_per_token / experts * capacity_factor)
    experts_touched = experts * (1 - (1 - experts_per_token/experts)**tokens), routing even and independent
    all_to_all_bytes = 2 * (n-1)/n * tokens/n * experts_per_token * d_model * bytes_per_element [B]
    time_compute = 2 * matrices * d_model * expert_d_ff * (experts_per_token + shared_experts) * tokens/n /
    peak_flops [s], no padding to the capacity
    time_memory = weights of experts_touched/n routed and all shared experts / hbm_bandwidth [s]; every device
    has its own copy of the shared ones.

    Leaves out the router, biases, activations in memory, uneven routing, and tokens dropped over capacity.
    Raises DomainError for a model without experts, where devices is below 1, or another argument is not
    above 0.
    Source: Lepikhin et al. 2020 (GShard), section 2.2; Fedus et al. 2021 (Switch), section 2.2.
    """
    require(dims.experts > 0, "experts", dims.experts, "at least 1: a dense model has none")
    require(devices >= 1, "devices", devices, "at least 1")
    require_positive(tokens=tokens, capacity_factor=capacity_factor, peak_flops=peak_flops)
    require_positive(hbm_bandwidth=hbm_bandwidth, link_bandwidth=link_bandwidth)
    routed, shared = dims.experts_per_token, dims.shared_experts
    expert = expert_matrix_parameters(dims=dims)
    touched = experts_touched(experts=dims.experts, experts_per_token=routed, tokens=tokens)
    sent = quotient(2 * (devices - 1) * tokens * routed * dims.d_model * bytes_per_element, devices * devices)
    compute = quotient(2 * expert * (routed + shared) * tokens, devices * peak_flops)
    memory = quotient((quotient(touched, devices) + shared) * expert * bytes_per_element, hbm_bandwidth)
    network = quotient(sent, link_bandwidth)
    return ExpertParallel(
        tokens_per_expert=ceiling_of_decimals(quotient(tokens * routed * capacity_factor, dims.experts)),
        experts_touched=touched,
        all_to_all_bytes=sent,
        time_compute=compute,
        time_memory=memory,
        time_network=network,
        bound=limit(compute=compute, memory=memory, network=network),
    )
