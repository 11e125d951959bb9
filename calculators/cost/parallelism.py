"""Work split over devices, and the communication that each split costs."""

from typing import NamedTuple

from calculators.cost.attention import key_width, value_width
from calculators.cost.collectives import ring_all_reduce_bytes
from calculators.cost.dimensions import Dimensions
from calculators.cost.errors import require, require_positive
from calculators.cost.exact import Real, Truth, ceiling, choose, floor, greatest, quotient
from calculators.cost.kv_cache import kv_elements_per_token
from calculators.cost.parameters import active_layer_parameters


class TensorParallel(NamedTuple):
    """One layer's forward pass, its matrices shared by all devices."""

    communication_bytes_per_layer: Real  # B, sent by each device
    time_compute_per_layer: Real  # s
    time_network_per_layer: Real  # s
    network_fraction: Real  # ratio
    max_devices: Real


class DataParallel(NamedTuple):
    """One step over replicas, or over shards of one model."""

    communication_bytes: Real  # B, sent by each device
    time_compute: Real  # s
    time_network: Real  # s
    hidden: Truth
    min_tokens_per_device: Real


class ContextParallel(NamedTuple):
    """One hop of ring attention: keys and values move on while the block before is computed with."""

    kv_bytes_per_hop: Real  # B
    time_hop: Real  # s
    time_attention_hop: Real  # s
    hidden: Truth
    min_tokens_per_device: Real


def mean_layer_parameters(*, dims: Dimensions) -> Real:
    """Active parameters in the matrices of an average layer: all that multiply a token, the head aside."""
    return quotient(active_layer_parameters(dims=dims), dims.layers)


def tensor_parallel(
    *,
    dims: Dimensions,
    tokens: Real,
    devices: Real,
    bytes_per_element: Real,
    peak_flops: Real,
    link_bandwidth: Real,
) -> TensorParallel:
    """The forward pass of an average layer shared by n devices, and its two all-reduces.

    communication_bytes_per_layer = 2 * 2(n-1)/n * tokens * d_model * bytes_per_element [B]: after attention
    and after the feed-forward layer. Sequence parallelism splits each into a reduce-scatter and an all-gather
    and sends as much.
    time_compute_per_layer = 2 * tokens * average active matrix parameters / (n * peak_flops) [s]
    time_network_per_layer = communication_bytes_per_layer / link_bandwidth [s]
    max_devices = floor(1 + compute alone / (4 * tokens * d_model * bytes_per_element / link_bandwidth)): both
    times are over n, and the network's is n-1 times this one. tokens cancel.

    Leaves out the attention core, latency, overlap, and degrees that do not divide the heads.
    Raises DomainError where devices is below 1 or another argument is not above 0.
    Source: Shoeybi et al. 2019 (Megatron-LM), section 3.
    """
    require_positive(tokens=tokens, peak_flops=peak_flops, link_bandwidth=link_bandwidth)
    buffer_bytes = tokens * dims.d_model * bytes_per_element
    sent = 2 * ring_all_reduce_bytes(buffer_bytes=buffer_bytes, devices=devices)
    flops = 2 * tokens * mean_layer_parameters(dims=dims)
    compute, network = quotient(flops, devices * peak_flops), quotient(sent, link_bandwidth)
    ratio = quotient(flops * link_bandwidth, 4 * buffer_bytes * peak_flops)
    return TensorParallel(
        communication_bytes_per_layer=sent,
        time_compute_per_layer=compute,
        time_network_per_layer=network,
        network_fraction=quotient(network, network + compute),
        max_devices=floor(1 + ratio),
    )


def data_parallel(
    *,
    params: Real,
    tokens_per_device: Real,
    devices: Real,
    bytes_per_element: Real,
    sharded: bool,
    mfu: Real,
    peak_flops: Real,
    link_bandwidth: Real,
) -> DataParallel:
    """One training step over n devices, and the exchange that has to hide behind it.

    communication_bytes = 2(n-1)/n * params * bytes_per_element [B], an all-reduce of gradients; sharded
    (ZeRO-3, FSDP) 3(n-1)/n, weights gathered for either pass and gradients scattered.
    time_compute = 6 * params * tokens_per_device / (peak_flops * mfu) [s]
    hidden: time_network is at most two thirds of it, the backward pass, or all of it when sharded.
    min_tokens_per_device = the smallest whole number of tokens with which it is, at least 1.

    Leaves out the attention core, latency, buckets that start late, and gradients accumulated over
    micro-batches without an exchange.
    Raises DomainError where devices is below 1 or another argument is not above 0.
    Source: Rajbhandari et al. 2020 (ZeRO), section 7; Li et al. 2020 (PyTorch DDP), section 3.2.
    """
    require(devices >= 1, "devices", devices, "at least 1")
    require_positive(params=params, tokens_per_device=tokens_per_device, mfu=mfu)
    require_positive(peak_flops=peak_flops, link_bandwidth=link_bandwidth)
    passes = 3 if sharded else 2
    sent = quotient(passes * (devices - 1) * params * bytes_per_element, devices)
    compute = quotient(6 * params * tokens_per_device, peak_flops * mfu)
    behind = 6 if sharded else 4  # FLOP a parameter and token to hide behind
    # Network over the compute of one token, params cancelled.
    tokens = quotient(
        passes * (devices - 1) * bytes_per_element * peak_flops * mfu, devices * link_bandwidth * behind
    )
    least = greatest(1, ceiling(tokens))
    return DataParallel(
        communication_bytes=sent,
        time_compute=compute,
        time_network=quotient(sent, link_bandwidth),
        hidden=tokens_per_device >= least,
        min_tokens_per_device=least,
    )


def context_parallel(
    *,
    dims: Dimensions,
    seq_len: Real,
    batch: Real,
    devices: Real,
    bytes_per_element: Real,
    causal: bool,
    peak_flops: Real,
    link_bandwidth: Real,
) -> ContextParallel:
    """One hop of ring attention in one layer, every device holding seq_len / devices tokens of each sequence.

    kv_bytes_per_hop = batch * c * cached elements * bytes_per_element [B], c = seq_len / devices tokens, keys
    and values or the latent of one layer, windows ignored; 0 with one device.
    time_attention_hop = 2 * batch * heads * (key width + value width) * c**2 / peak_flops [s], one device's
    queries against one share, halved when causal: every device then does half of a block on average.
    hidden: time_hop is at most that. min_tokens_per_device: the smallest whole c with which it is, at least
    1; both grow with the batch, so it plays no part.

    Leaves out latency, projections, the backward pass, which moves and computes more, and a causal order that
    is not balanced.
    Raises DomainError where a count is below 1 or a rate is not above 0.
    Source: Liu et al. 2023, Ring attention with blockwise transformers, section 3.
    """
    require(devices >= 1, "devices", devices, "at least 1")
    require_positive(seq_len=seq_len, batch=batch, peak_flops=peak_flops, link_bandwidth=link_bandwidth)
    cached = kv_elements_per_token(dims=dims) * bytes_per_element
    token_bytes = choose(devices > 1, cached, 0 * cached)
    width = key_width(dims=dims) + value_width(dims=dims)
    require_positive(heads=dims.heads, head_dim=width)
    pair_flops = dims.heads * width if causal else 2 * dims.heads * width  # of one query and one key
    hop_bytes = quotient(batch * seq_len * token_bytes, devices)
    hop = quotient(hop_bytes, link_bandwidth)
    attention = quotient(batch * pair_flops * seq_len * seq_len, devices * devices * peak_flops)
    return ContextParallel(
        kv_bytes_per_hop=hop_bytes,
        time_hop=hop,
        time_attention_hop=attention,
        hidden=hop <= attention,
        min_tokens_per_device=greatest(
            1, ceiling(quotient(token_bytes * peak_flops, link_bandwidth * pair_flops))
        ),
    )
