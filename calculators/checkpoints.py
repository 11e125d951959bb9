"""How often a training run writes a checkpoint, and what is left of its time."""

from collections.abc import Iterator, Mapping

from calculators.cost.checkpoints import checkpoint_plan
from calculators.cost.exact import Real
from calculators.spec import Calculator, Output, Source, Values, amount, by_name, convention, count


def _notes(v: Values, computed: Mapping[str, Real]) -> Iterator[str]:
    if 2 * v.checkpoint_time >= computed["mtbf"]:
        yield (
            "A checkpoint takes half the time between failures or more: the first-order interval does not "
            "hold here."
        )
    if computed["goodput"] == 0:
        yield "Failures come faster than work is done: nothing is left."


CHECKPOINT_INTERVAL = Calculator(
    slug="checkpoint-interval",
    title="Checkpoint interval",
    topic="scaling-and-cost",
    summary="How much work to do between two checkpoints when devices fail, and the share of the time that "
    "becomes progress.",
    inputs=(
        count("devices", "Devices", "D", default="16384", help="Any of them that fails stops the job."),
        amount(
            "device_mtbf",
            "MTBF of a device",
            "M_1",
            family="time",
            default="50000h",
            help="Mean time between failures of one device with its share of hosts and network.",
        ),
        amount(
            "checkpoint_time",
            "Time of a checkpoint",
            "δ",
            family="time",
            default="60",
            help="During which the job stands still.",
        ),
        amount(
            "restart_time",
            "Time of a restart",
            "R",
            family="time",
            zero=True,
            default="600",
            help="From the failure until the work goes on: noticing it, swapping the device, loading.",
        ),
    ),
    outputs=(
        Output(
            name="mtbf",
            label="MTBF of the job",
            symbol="M",
            family="time",
            formula="device_mtbf / devices",
            meaning="Mean time between failures of any device.",
        ),
        Output(
            name="interval",
            label="Interval",
            symbol="τ",
            family="time",
            formula="sqrt(2 * checkpoint_time * mtbf)",
            meaning="Work between two checkpoints that loses least time: as much in writing as in repeating.",
            source="Young 1974",
        ),
        Output(
            name="goodput",
            label="Goodput",
            symbol="g",
            family="ratio",
            formula="max(0, 1 - checkpoint_time / interval - (interval / 2 + restart_time) / mtbf)",
            meaning="What is left after checkpoints, repeated work and restarts.",
            source="Daly 2006, first order",
        ),
    ),
    headline="interval",
    compute=lambda v: by_name(
        checkpoint_plan(
            devices=v.devices,
            device_mtbf=v.device_mtbf,
            checkpoint_time=v.checkpoint_time,
            restart_time=v.restart_time,
        )
    ),
    notes=_notes,
    plot=("devices", "goodput"),
    sources=(
        Source(
            "Young 1974: A first order approximation to the optimum checkpoint interval",
            "https://doi.org/10.1145/361147.361115",
        ),
        Source(
            "Daly 2006: A higher order estimate of the optimum checkpoint interval for restart dumps",
            "https://doi.org/10.1016/j.future.2004.11.016",
            "2 and 3",
        ),
    ),
    leaves_out=(
        "Checkpoints that are written beside the computation, which cost next to nothing.",
        "Failures during a restart or a checkpoint, which Daly's higher orders count.",
        "Failures that come in bursts, and devices that are slow instead of dead.",
        "Spare devices, and jobs that go on with fewer.",
    ),
    conventions=(
        convention(
            "The interval is the work between checkpoints; from one start to the next it is τ + δ.",
            "interval",
        ),
        convention("Failures are independent and equally likely at any time, so that rates add up.", "mtbf"),
        convention("A failure loses half an interval on average.", "goodput"),
    ),
)
