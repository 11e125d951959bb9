"""How many sequences a server's memory holds beside the weights."""

from typing import NamedTuple

from calculators.cost.errors import require_positive
from calculators.cost.exact import Real, Truth, floor, greatest, quotient


class ServingCapacity(NamedTuple):
    """What is left of the memory, and what it holds."""

    free_bytes: Real  # B, negative where the weights do not fit
    sequences: Real  # whole sequences of the given length, 0 where the weights do not fit
    fits: Truth


def serving_capacity(
    *,
    weight_bytes: Real,
    kv_bytes_per_sequence: Real,
    hbm_bytes: Real,
    devices: Real,
    memory_fraction: Real,
    reserve_bytes: Real,
) -> ServingCapacity:
    """free_bytes = hbm_bytes * devices * memory_fraction - reserve_bytes - weight_bytes [B].

    sequences = floor(free_bytes / kv_bytes_per_sequence), never below 0. hbm_bytes is of one device; weights
    and caches are spread evenly over all of them.

    Leaves out activations, fragmentation and what a server replicates on each device: that is what
    memory_fraction and reserve_bytes are for.
    Raises DomainError where kv_bytes_per_sequence is not above 0.
    """
    require_positive(kv_bytes_per_sequence=kv_bytes_per_sequence)
    free_bytes = hbm_bytes * devices * memory_fraction - reserve_bytes - weight_bytes
    return ServingCapacity(
        free_bytes=free_bytes,
        sequences=greatest(0, floor(quotient(free_bytes, kv_bytes_per_sequence))),
        fits=free_bytes >= 0,
    )
