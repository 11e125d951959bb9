"""Amdahl's law."""

from calculators.cost.amdahl import overall_speedup, speedup_limit
from calculators.spec import Calculator, Output, Roof, Source, Values, amount, convention


def _speedups(v: Values) -> dict[str, object]:
    return {
        "overall_speedup": overall_speedup(parallel_fraction=v.parallel_fraction, speedup=v.speedup),
        "limit": speedup_limit(parallel_fraction=v.parallel_fraction),
    }


AMDAHL = Calculator(
    slug="amdahl",
    title="Amdahl's law",
    topic="where-the-time-goes",
    summary="What speeding up one part of a job does for the whole of it, and what it can never exceed.",
    inputs=(
        amount(
            "parallel_fraction",
            "Share sped up",
            "p",
            family="ratio",
            zero=True,
            maximum=1,
            default="0.95",
            help="Of the time that the whole job takes before: the part that becomes faster.",
        ),
        amount(
            "speedup",
            "Speed-up of that share",
            "s",
            default="8",
            help="How many times as fast that part becomes; below 1 it becomes slower.",
        ),
    ),
    outputs=(
        Output(
            name="overall_speedup",
            label="Speed-up of the whole",
            symbol="S",
            formula="1 / ((1 - parallel_fraction) + parallel_fraction / speedup)",
            meaning="How many times sooner the whole job is done.",
            roofs=(Roof(("limit",)),),
        ),
        Output(
            name="limit",
            label="Limit",
            symbol="S_max",
            formula="1 / (1 - parallel_fraction)",
            meaning="What the whole nears as that share's time goes to nothing.",
            none="nothing is left of the job beside the share that is sped up, so there is no limit",
        ),
    ),
    compute=_speedups,
    plot=("speedup", "overall_speedup"),
    sources=(
        Source(
            "Amdahl 1967: Validity of the single processor approach to achieving large scale computing "
            "capabilities",
            "https://doi.org/10.1145/1465482.1465560",
            "The whole paper, which has no formula",
        ),
        Source(
            "Hill, Marty 2008: Amdahl's law in the multicore era", "https://doi.org/10.1109/MC.2008.209", "1"
        ),
    ),
    leaves_out=(
        "What working in parallel adds: communication, waiting for the slowest, starting and joining.",
        "A problem that grows with the machine, where Gustafson's law has the better question.",
        "Parts that overlap: the shares are taken one after the other.",
    ),
    conventions=(
        convention(
            "The share is of the time before the change, as a profile taken before it shows.",
            "parallel_fraction",
        ),
        convention("Speed-ups are ratios of times: 2 is half the time.", "speedup"),
    ),
)
