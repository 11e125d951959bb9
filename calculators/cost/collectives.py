"""What devices send one another when they work on one tensor together."""

from calculators.cost.errors import require
from calculators.cost.exact import Real, quotient


def ring_all_reduce_bytes(*, buffer_bytes: Real, devices: Real) -> Real:
    """2 * (devices-1)/devices * buffer_bytes [B], sent by each device.

    A reduce-scatter and an all-gather around the ring, each of devices-1 steps that pass on one of `devices`
    equal chunks. One device sends nothing. Leaves out padding where the buffer does not divide.
    Raises DomainError where devices is below 1.
    Source: Patarasuk and Yuan 2009, Bandwidth optimal all-reduce algorithms.
    """
    require(devices >= 1, "devices", devices, "at least 1")
    return quotient(2 * (devices - 1) * buffer_bytes, devices)
