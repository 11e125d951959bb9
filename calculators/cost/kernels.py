"""Kernels on a device: the cost of launching them, and what fusing them saves."""

from typing import NamedTuple

from calculators.cost.errors import require, require_positive
from calculators.cost.exact import Real, greatest, quotient, quotient_or_none


class LaunchOverhead(NamedTuple):
    """A chain of kernels launched one by one, and as one graph."""

    time_gpu: Real  # s
    time_launch: Real  # s, of the host
    time_eager: Real  # s
    time_graph: Real  # s
    gpu_idle_eager: Real  # ratio, no number where nothing takes time
    speedup: Real  # ratio, no number where the graph takes no time


class Fusion(NamedTuple):
    """A chain of elementwise operations as separate kernels, and as one."""

    bytes_unfused: Real  # B
    bytes_fused: Real  # B
    traffic_ratio: Real  # ratio
    time_unfused: Real  # s
    time_fused: Real  # s
    speedup: Real  # ratio


def launch_overhead(
    *, kernels: Real, kernel_time: Real, launch_time: Real, graph_launch_time: Real, graph_node_time: Real
) -> LaunchOverhead:
    """When a chain of equal kernels ends [s], each waiting for the one before and for its own launch.

    time_eager = launch_time + (kernels-1) * max(launch_time, kernel_time) + kernel_time: launches run ahead
    of the device, so the slower of the two sets the pace.
    time_graph = graph_launch_time + kernels * (graph_node_time + kernel_time): one launch by the host, then a
    gap of graph_node_time on the device before each kernel.
    gpu_idle_eager = 1 - kernels * kernel_time / time_eager.

    Leaves out a full launch queue, synchronisation, and the host's own nanosecond a graph node.
    Raises DomainError where kernels is below 1.
    """
    require(kernels >= 1, "kernels", kernels, "at least 1")
    time_gpu = kernels * kernel_time
    # What the device waits for: the first launch, and what each later one takes beyond the kernel before it.
    # Summed instead of taken as time_eager - time_gpu, which cancels in floats.
    idle = launch_time + (kernels - 1) * greatest(launch_time - kernel_time, 0)
    time_eager = time_gpu + idle
    time_graph = graph_launch_time + kernels * (graph_node_time + kernel_time)
    return LaunchOverhead(
        time_gpu=time_gpu,
        time_launch=kernels * launch_time,
        time_eager=time_eager,
        time_graph=time_graph,
        gpu_idle_eager=quotient_or_none(idle, time_eager),
        speedup=quotient_or_none(time_eager, time_graph),
    )


def fusion(
    *, elements: Real, operations: Real, bytes_per_element: Real, hbm_bandwidth: Real, launch_time: Real
) -> Fusion:
    """Memory traffic [B] and time [s] of `operations` elementwise kernels over one tensor, apart and fused.

    bytes_unfused = 2 * operations * elements * bytes_per_element, each kernel reading and writing it once;
    bytes_fused = 2 * elements * bytes_per_element. Each time is bytes / hbm_bandwidth + launches in series,
    the worst case.

    Leaves out arithmetic, further operands, and a cache that holds the tensor between two kernels.
    Raises DomainError where elements, operations, bytes_per_element or hbm_bandwidth is not above 0.
    """
    require_positive(
        elements=elements,
        operations=operations,
        bytes_per_element=bytes_per_element,
        hbm_bandwidth=hbm_bandwidth,
    )
    bytes_fused = 2 * elements * bytes_per_element
    bytes_unfused = operations * bytes_fused
    time_unfused = quotient(bytes_unfused, hbm_bandwidth) + operations * launch_time
    time_fused = quotient(bytes_fused, hbm_bandwidth) + launch_time
    return Fusion(
        bytes_unfused=bytes_unfused,
        bytes_fused=bytes_fused,
        traffic_ratio=quotient(bytes_unfused, bytes_fused),
        time_unfused=time_unfused,
        time_fused=time_fused,
        speedup=quotient(time_unfused, time_fused),
    )
