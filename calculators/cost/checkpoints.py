"""How often to write a checkpoint, and what failures cost all the same."""

from typing import NamedTuple

from calculators.cost.errors import require, require_positive
from calculators.cost.exact import Real, greatest, quotient
from calculators.cost.irrational import square_root


class CheckpointPlan(NamedTuple):
    """The interval that loses least time, to first order."""

    mtbf: Real  # s, of the whole machine
    interval: Real  # s of work between two checkpoints
    goodput: Real  # share of the time that becomes progress


def checkpoint_plan(
    *, devices: Real, device_mtbf: Real, checkpoint_time: Real, restart_time: Real
) -> CheckpointPlan:
    """Young's interval for a job that any device's failure stops [s].

    mtbf = device_mtbf / devices, failures independent and at a constant rate
    interval = sqrt(2 * checkpoint_time * mtbf)
    goodput = 1 - checkpoint_time/interval - (interval/2 + restart_time)/mtbf, never below 0: the writing, and
    for each failure half an interval of lost work and the restart.

    Good to first order, while checkpoint and restart are short beside mtbf. Leaves out checkpoints written
    beside the computation, failures during a restart, and spares.
    Raises DomainError where devices is below 1, device_mtbf or checkpoint_time is not above 0, or
    restart_time is below 0.
    Source: Young 1974, A first order approximation to the optimum checkpoint interval; Daly 2006.
    """
    require(devices >= 1, "devices", devices, "at least 1")
    require_positive(device_mtbf=device_mtbf, checkpoint_time=checkpoint_time)
    require(restart_time >= 0, "restart_time", restart_time, "0 or more")
    mtbf = quotient(device_mtbf, devices)
    interval = square_root(2 * checkpoint_time * mtbf)
    lost = quotient(checkpoint_time, interval) + quotient(quotient(interval, 2) + restart_time, mtbf)
    return CheckpointPlan(mtbf=mtbf, interval=interval, goodput=greatest(0, 1 - lost))
