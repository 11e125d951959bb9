"""The roofline: whether arithmetic or memory traffic sets the time of a piece of work."""

from typing import NamedTuple

from calculators.cost.errors import require_positive
from calculators.cost.exact import Real, least, longest, quotient


class Roofline(NamedTuple):
    """Where a piece of work stands under a device's roof."""

    intensity: Real  # FLOP/B
    ridge_point: Real  # FLOP/B
    attainable_flops: Real  # FLOP/s
    time_compute: Real  # s
    time_memory: Real  # s
    time: Real  # s
    bound: Real  # "compute" or "memory"


class Overlap(NamedTuple):
    """Arithmetic and memory traffic at the same time."""

    time_compute: Real  # s
    time_memory: Real  # s
    time: Real  # s
    bound: Real  # "compute" or "memory"


def overlap(*, flops: Real, bytes_moved: Real, peak_flops: Real, hbm_bandwidth: Real) -> Overlap:
    """flops / peak_flops and bytes_moved / hbm_bandwidth [s], the larger of them, and whose it is.

    The two are taken to overlap fully, and a tie is compute's.
    Raises DomainError where an argument is not above 0.
    """
    require_positive(flops=flops, bytes_moved=bytes_moved, peak_flops=peak_flops, hbm_bandwidth=hbm_bandwidth)
    time_compute = quotient(flops, peak_flops)
    time_memory = quotient(bytes_moved, hbm_bandwidth)
    bound, time = longest(compute=time_compute, memory=time_memory)
    return Overlap(time_compute, time_memory, time, bound)


def ridge_point(*, peak_flops: Real, hbm_bandwidth: Real) -> Real:
    """peak_flops / hbm_bandwidth: the intensity [FLOP/B] from which the peak [FLOP/s] can be reached.

    Raises DomainError where either is not above 0.
    """
    require_positive(peak_flops=peak_flops, hbm_bandwidth=hbm_bandwidth)
    return quotient(peak_flops, hbm_bandwidth)


def roofline(*, flops: Real, bytes_moved: Real, peak_flops: Real, hbm_bandwidth: Real) -> Roofline:
    """Compare flops / peak_flops with bytes_moved / hbm_bandwidth [FLOP, B, FLOP/s, B/s -> s], see `overlap`.

    intensity = flops / bytes_moved; attainable_flops = min(peak_flops, intensity * hbm_bandwidth), which is
    flops / time.

    Leaves out caches, latency, and whatever keeps a kernel from its peak: both roofs are the datasheet's.
    Raises DomainError where an argument is not above 0.
    Source: Williams, Waterman, Patterson 2009, Roofline.
    """
    times = overlap(flops=flops, bytes_moved=bytes_moved, peak_flops=peak_flops, hbm_bandwidth=hbm_bandwidth)
    intensity = quotient(flops, bytes_moved)
    return Roofline(
        intensity,
        ridge_point(peak_flops=peak_flops, hbm_bandwidth=hbm_bandwidth),
        least(peak_flops, intensity * hbm_bandwidth),
        *times,
    )
