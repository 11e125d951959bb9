"""Pipeline parallelism: how long stages stand idle, and what the first of them holds."""

from typing import Literal, NamedTuple

from calculators.cost.errors import require
from calculators.cost.exact import Real, least, quotient

Schedule = Literal["gpipe", "1f1b", "interleaved"]
SCHEDULES: tuple[Schedule, ...] = ("gpipe", "1f1b", "interleaved")


class Pipeline(NamedTuple):
    """What a schedule does to p stages."""

    bubble_ratio: Real  # idle over ideal time
    bubble_fraction: Real  # idle over whole time
    speedup: Real  # over one stage
    micro_batches_in_flight: Real  # whose activations the first stage holds at most


def pipeline(*, stages: Real, micro_batches: Real, interleave: Real, schedule: Schedule) -> Pipeline:
    """Idle time and memory of a pipeline of p stages with v chunks of layers each, over m micro-batches.

    bubble_ratio = (p-1) / (m*v); bubble_fraction = ratio / (1 + ratio); speedup = p / (1 + ratio).
    micro_batches_in_flight: gpipe m, 1f1b min(m, p), interleaved min(m, p + (p-1)/v). What 1f1b holds is
    counted without chunks, whose shorter bubble only the interleaved schedule has.

    Leaves out the time of sending activations, stages that are not equally long, and schedules that split the
    backward pass.
    Raises DomainError for an unknown schedule, a count below 1, or gpipe with interleave above 1.
    Source: Narayanan et al. 2021, section 2.2; Huang et al. 2019 (GPipe); Korthikanti et al. 2022, 4.2.3.
    """
    require(schedule in SCHEDULES, "schedule", schedule, f"one of {', '.join(SCHEDULES)}")
    for name, value in (("stages", stages), ("micro_batches", micro_batches), ("interleave", interleave)):
        require(value >= 1, name, value, "at least 1")
    if schedule == "gpipe":
        require(interleave == 1, "interleave", interleave, "1 with the gpipe schedule")
    ratio = quotient(stages - 1, micro_batches * interleave)
    match schedule:
        case "gpipe":
            held = micro_batches
        case "1f1b":
            held = least(micro_batches, stages)
        case _:
            held = least(micro_batches, stages + quotient(stages - 1, interleave))
    return Pipeline(
        bubble_ratio=ratio,
        bubble_fraction=quotient(ratio, 1 + ratio),
        speedup=quotient(stages, 1 + ratio),
        micro_batches_in_flight=held,
    )
