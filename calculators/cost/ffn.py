"""The feed-forward layer of a transformer block, on one device or sharded over several."""

from typing import NamedTuple

from calculators.cost.collectives import ring_all_reduce_bytes
from calculators.cost.errors import require, require_positive
from calculators.cost.exact import Real, greatest, longest, quotient
from calculators.cost.roofline import ridge_point


class FeedForward(NamedTuple):
    """The forward pass of one feed-forward layer under tensor parallelism."""

    flops: Real  # FLOP, over all devices
    weight_bytes: Real  # B, over all devices
    activation_bytes: Real  # B, as on one device
    activation_bytes_per_device: Real  # B
    communication_bytes: Real  # B, sent by each device
    intensity: Real  # FLOP/B, of one device
    ridge_point: Real  # FLOP/B
    time_compute: Real  # s
    time_memory: Real  # s
    time_network: Real  # s
    time: Real  # s
    time_exposed: Real  # s
    bound: Real  # "compute", "memory" or "network"


def matrices(*, gated: bool) -> int:
    """How many d_model by d_ff matrices a layer has: up and down, and a gate beside up where it is gated."""
    return 3 if gated else 2


def feed_forward(
    *,
    tokens: Real,
    d_model: Real,
    d_ff: Real,
    gated: bool,
    devices: Real,
    bytes_per_element: Real,
    peak_flops: Real,
    hbm_bandwidth: Real,
    link_bandwidth: Real,
) -> FeedForward:
    """Three costs of y = down(act(up(x))) for x of shape (tokens, d_model), and which of them binds.

    flops = 2 * matrices * tokens * d_model * d_ff
    weight_bytes = matrices * d_model * d_ff * bytes_per_element
    activation_bytes = tokens * (2*d_model + hidden) * bytes_per_element, hidden = d_ff, or 2*d_ff when gated;
    a device's share has hidden / devices, input and output staying whole.
    communication_bytes = one ring all-reduce of (tokens, d_model), the partial results of `down`.
    time = the largest of compute, memory and network; time_exposed = the larger of the first two plus the
    network, as when nothing else runs during the all-reduce. Peaks and bandwidths are of one device.

    Leaves out biases, the activation function's arithmetic, a hidden layer that is written and read again
    (unfused), and the latency of the network, which rules at decode.
    Raises DomainError where devices is below 1 or another argument is not above 0.
    """
    require(devices >= 1, "devices", devices, "at least 1")
    require_positive(tokens=tokens, d_model=d_model, d_ff=d_ff, link_bandwidth=link_bandwidth)
    ridge = ridge_point(peak_flops=peak_flops, hbm_bandwidth=hbm_bandwidth)
    weights = matrices(gated=gated) * d_model * d_ff
    hidden = 2 * d_ff if gated else d_ff

    flops = 2 * tokens * weights
    weight_bytes = weights * bytes_per_element
    activation_bytes = tokens * (2 * d_model + hidden) * bytes_per_element
    all_activation_bytes = tokens * (2 * d_model * devices + hidden) * bytes_per_element  # of all devices
    communication_bytes = ring_all_reduce_bytes(
        buffer_bytes=tokens * d_model * bytes_per_element, devices=devices
    )

    bytes_moved = weight_bytes + all_activation_bytes  # by all devices
    time_compute = quotient(flops, devices * peak_flops)
    time_memory = quotient(bytes_moved, devices * hbm_bandwidth)
    time_network = quotient(communication_bytes, link_bandwidth)
    bound, time = longest(compute=time_compute, memory=time_memory, network=time_network)
    return FeedForward(
        flops=flops,
        weight_bytes=weight_bytes,
        activation_bytes=activation_bytes,
        activation_bytes_per_device=quotient(all_activation_bytes, devices),
        communication_bytes=communication_bytes,
        intensity=quotient(flops, bytes_moved),
        ridge_point=ridge,
        time_compute=time_compute,
        time_memory=time_memory,
        time_network=time_network,
        time=time,
        time_exposed=greatest(time_compute, time_memory) + time_network,
        bound=bound,
    )
