"""A language model at work: one decode step, the batch at which it turns, and the prefill of prompts."""

from typing import NamedTuple

import numpy as np

from calculators.cost.attention import attention_flops_per_token
from calculators.cost.dimensions import Dimensions
from calculators.cost.errors import require_positive
from calculators.cost.exact import Real, ceiling, is_array, quotient
from calculators.cost.kv_cache import kv_bytes_per_token
from calculators.cost.parameters import active_matmul_parameters
from calculators.cost.powers import power
from calculators.cost.roofline import overlap

_MOST_STEPS = 200  # of Newton's method, which doubles its figures at each


class Pass(NamedTuple):
    """One forward pass over several devices that share its work and its bytes evenly."""

    time_compute: Real  # s
    time_memory: Real  # s
    time: Real  # s
    bound: Real  # "compute" or "memory"
    intensity: Real  # FLOP/B


def forward_pass(
    *, flops: Real, bytes_moved: Real, devices: Real, peak_flops: Real, hbm_bandwidth: Real, mfu: Real = 1
) -> Pass:
    """flops / (devices * peak_flops * mfu) and bytes_moved / (devices * hbm_bandwidth) [s], and the larger.

    Leaves out communication between the devices, and latency.
    Raises DomainError where an argument is not above 0.
    """
    require_positive(devices=devices, mfu=mfu)
    times = overlap(
        flops=flops,
        bytes_moved=bytes_moved,
        peak_flops=devices * peak_flops * mfu,
        hbm_bandwidth=devices * hbm_bandwidth,
    )
    return Pass(*times, intensity=quotient(flops, bytes_moved))


def decode_flops_per_sequence(*, dims: Dimensions, context: Real) -> Real:
    """2 * active matmul parameters + attention of one query over `context` tokens [FLOP].

    Leaves out softmax, norms, biases and activations. A latent model is counted with keys and values
    expanded; one that absorbs their up-projection into queries and outputs does more attention work.
    """
    attention = attention_flops_per_token(dims=dims, seq_len=context, attention="full")
    return 2 * active_matmul_parameters(dims=dims) + attention


def prefill_flops_per_sequence(*, dims: Dimensions, prompt: Real) -> Real:
    """2 * (active matmul parameters - head) a token, 2 * head once, and causal attention [FLOP].

    The head, vocab_size * d_model, is needed for the last token of the prompt only. Causal attention counts
    half of prompt**2, in a window layer half of prompt * min(prompt, window).
    """
    head = dims.vocab_size * dims.d_model
    attention = attention_flops_per_token(dims=dims, seq_len=prompt, attention="causal")
    return prompt * (2 * (active_matmul_parameters(dims=dims) - head) + attention) + 2 * head


def prefill_cache_bytes(*, dims: Dimensions, prompt: Real, bytes_per_element: Real) -> Real:
    """prompt * kv_bytes_per_token [B]: what one prompt writes to the cache. Every token is written once, in a
    window layer too, which goes on to overwrite the oldest."""
    return prompt * kv_bytes_per_token(dims=dims, bytes_per_element=bytes_per_element)


def ridge_batch(
    *,
    shared_bytes: Real,
    expert_bytes: Real,
    missed_share: Real,
    kv_bytes_per_sequence: Real,
    flops_per_sequence: Real,
    peak_flops: Real,
    hbm_bandwidth: Real,
) -> Real:
    """The smallest whole batch b of at least 1 at which compute takes as long as memory, or None (nan).

    Compute takes b * flops_per_sequence / peak_flops; memory reads shared_bytes, of all routed experts
    together expert_bytes * (1 - missed_share**b), and b * kv_bytes_per_sequence, over hbm_bandwidth. With the
    gain g = flops_per_sequence * hbm_bandwidth / peak_flops - kv_bytes_per_sequence, the bytes that one
    sequence more leaves time for beyond its own, the condition is b * g >= shared_bytes + expert_bytes *
    (1 - missed_share**b). The right side is concave in b and above 0 at b = 0: for g above 0 it is met from
    one b on for good, at latest where b * g covers every expert, and otherwise never.

    Neither side depends on the number of devices that share both evenly.
    Raises DomainError where shared_bytes, peak_flops or hbm_bandwidth is not above 0.
    """
    require_positive(shared_bytes=shared_bytes, peak_flops=peak_flops, hbm_bandwidth=hbm_bandwidth)
    gain = quotient(flops_per_sequence * hbm_bandwidth, peak_flops) - kv_bytes_per_sequence
    if any(map(is_array, (shared_bytes, expert_bytes, missed_share, gain))):
        return _ridge_batches(shared_bytes, expert_bytes, missed_share, gain)
    if gain <= 0:
        return None

    def compute_bound(batch: int) -> bool:
        touched = 1 - power(missed_share, batch)
        return bool(batch * gain >= shared_bytes + expert_bytes * touched)

    low = max(1, ceiling(quotient(shared_bytes, gain)))
    high = max(1, ceiling(quotient(shared_bytes + expert_bytes, gain)))
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if compute_bound(middle) else (middle + 1, high)
    return low


def _ridge_batches(shared_bytes: Real, expert_bytes: Real, missed_share: Real, gain: Real) -> Real:
    """Newton's method on the convex excess b * gain - bytes read, from the right, so that it never steps past
    the root; then the whole number at or beside it."""

    def excess(batch: Real) -> Real:
        return batch * gain - shared_bytes - expert_bytes * -np.expm1(batch * decay)

    with np.errstate(all="ignore"):
        decay = np.log(missed_share)
        gain = np.where(np.greater(gain, 0), gain, np.nan)
        batch = np.divide(shared_bytes + expert_bytes, gain)
        for _ in range(_MOST_STEPS):
            slope = gain + expert_bytes * decay * np.exp(batch * decay)
            step = np.where(np.isfinite(decay), excess(batch) / slope, 0.0)
            nearer = np.where(step > 0, batch - step, batch)
            if np.all((nearer >= batch * (1 - 1e-14)) | np.isnan(batch)):
                break
            batch = nearer
        whole = np.maximum(1.0, np.ceil(batch))
        below = np.maximum(1.0, whole - 1)
        return np.where(excess(below) >= 0, below, whole)


class CacheMove(NamedTuple):
    """A cache sent over, or computed again."""

    time_transfer: Real  # s
    time_recompute: Real  # s
    faster: Real  # "transfer" or "recompute"


def cache_move(
    *, kv_bytes: Real, bandwidth: Real, flops: Real, devices: Real, peak_flops: Real, mfu: Real
) -> CacheMove:
    """kv_bytes / bandwidth against flops / (devices * peak_flops * mfu) [s]; on a tie, transfer.

    Raises DomainError where bandwidth, devices, peak_flops or mfu is not above 0.
    """
    require_positive(bandwidth=bandwidth, devices=devices, peak_flops=peak_flops, mfu=mfu)
    time_transfer = quotient(kv_bytes, bandwidth)
    time_recompute = quotient(flops, devices * peak_flops * mfu)
    recompute = time_recompute < time_transfer
    if isinstance(recompute, np.ndarray):
        return CacheMove(time_transfer, time_recompute, np.where(recompute, "recompute", "transfer"))
    return CacheMove(time_transfer, time_recompute, "recompute" if recompute else "transfer")
