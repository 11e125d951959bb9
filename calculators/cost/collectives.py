"""What devices send one another when they work on one tensor together."""

from typing import Literal, NamedTuple

import numpy as np

from calculators.cost.errors import require, require_positive
from calculators.cost.exact import Real, choose, is_array, quotient, quotient_or_none

Operation = Literal["all-reduce", "all-gather", "reduce-scatter", "broadcast", "all-to-all"]
Algorithm = Literal["ring", "tree"]
OPERATIONS: tuple[Operation, ...] = ("all-reduce", "all-gather", "reduce-scatter", "broadcast", "all-to-all")
ALGORITHMS: tuple[Algorithm, ...] = ("ring", "tree")
TREE_OPERATIONS: tuple[Operation, ...] = ("all-reduce", "broadcast")


class Collective(NamedTuple):
    """One collective operation; the bandwidths are None with one device, which sends nothing."""

    bytes_sent: Real  # B, by each device
    steps: Real
    time: Real  # s
    algorithm_bandwidth: Real  # B/s
    bus_bandwidth: Real  # B/s


def ring_all_reduce_bytes(*, buffer_bytes: Real, devices: Real) -> Real:
    """2 * (devices-1)/devices * buffer_bytes [B], sent by each device.

    A reduce-scatter and an all-gather around the ring, each of devices-1 steps that pass on one of `devices`
    equal chunks. One device sends nothing. Leaves out padding where the buffer does not divide.
    Raises DomainError where devices is below 1.
    Source: Patarasuk and Yuan 2009, Bandwidth optimal all-reduce algorithms.
    """
    require(devices >= 1, "devices", devices, "at least 1")
    return quotient(2 * (devices - 1) * buffer_bytes, devices)


def doublings(devices: Real) -> Real:
    """ceil(log2(devices)): rounds in which the devices that have something double until all of them do."""
    if is_array(devices):
        mantissa, exponent = np.frexp(devices)  # devices = mantissa * 2**exponent, 1/2 <= mantissa < 1
        return np.subtract(exponent, mantissa == 0.5, dtype=np.float64)
    return (int(devices) - 1).bit_length()


def bus_factor(*, operation: Operation, devices: Real) -> Real:
    """What turns algorithm bandwidth into bus bandwidth, as nccl-tests define it.

    2 * (n-1)/n for all-reduce, 1 for broadcast, (n-1)/n for the others: the share of the buffer that a link
    carries in the best case, so that the result compares to the link's own rate whatever n is.
    Raises DomainError for an unknown operation.
    Source: NVIDIA, nccl-tests, doc/PERFORMANCE.md.
    """
    require(operation in OPERATIONS, "operation", operation, f"one of {', '.join(OPERATIONS)}")
    if operation == "broadcast":
        return 1
    return quotient((2 if operation == "all-reduce" else 1) * (devices - 1), devices)


def collective(
    *,
    operation: Operation,
    algorithm: Algorithm,
    buffer_bytes: Real,
    devices: Real,
    bandwidth: Real,
    latency: Real,
) -> Collective:
    """Bytes sent by each device [B], steps and time [s] of one operation over n devices and S bytes.

    S is the whole buffer: all-gather's output, reduce-scatter's input, one device's input of all-to-all.
    ring: all-reduce 2(n-1) steps and 2(n-1)/n S; all-gather and reduce-scatter n-1 and (n-1)/n S; broadcast a
    pipelined chain of n-1 steps and S; all-to-all pairwise n-1 and (n-1)/n S.
    tree, unpipelined: all-reduce 2 * ceil(log2 n) steps and as many times S along the critical path;
    broadcast half of both.
    time = steps * latency + bytes_sent / bandwidth, bandwidth [B/s] of one device in one direction.
    algorithm_bandwidth = S / time; bus_bandwidth = that times `bus_factor`. One device sends nothing.

    Leaves out congestion, several rings or trees at once, reduction inside the network, and the filling of
    the pipelined chain beyond its latency.
    Raises DomainError for an unknown word, a tree for other operations, devices below 1, or a buffer or
    bandwidth not above 0.
    Source: Thakur, Rabenseifner, Gropp 2005; Patarasuk and Yuan 2009; nccl-tests for the bandwidths.
    """
    require(operation in OPERATIONS, "operation", operation, f"one of {', '.join(OPERATIONS)}")
    require(algorithm in ALGORITHMS, "algorithm", algorithm, "one of ring, tree")
    if algorithm == "tree":
        require(operation in TREE_OPERATIONS, "algorithm", algorithm, f"ring for {operation}")
    require(devices >= 1, "devices", devices, "at least 1")
    require_positive(buffer_bytes=buffer_bytes, bandwidth=bandwidth)
    phases = 2 if operation == "all-reduce" else 1
    if algorithm == "tree":
        steps = phases * doublings(devices)
        bytes_sent = steps * buffer_bytes
    elif operation == "broadcast":
        steps = devices - 1
        bytes_sent = choose(devices > 1, buffer_bytes, 0)
    else:
        steps = phases * (devices - 1)
        bytes_sent = quotient(steps * buffer_bytes, devices)
    time = steps * latency + quotient(bytes_sent, bandwidth)
    speed = quotient_or_none(buffer_bytes, time)
    factor = bus_factor(operation=operation, devices=devices)
    return Collective(
        bytes_sent=bytes_sent,
        steps=steps,
        time=time,
        algorithm_bandwidth=speed,
        bus_bandwidth=None if speed is None else speed * factor,
    )
