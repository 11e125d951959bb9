"""Pipeline parallelism: its bubble, and how many micro-batches are in flight."""

from collections.abc import Iterator, Mapping

from calculators.cost.exact import Real
from calculators.cost.pipeline import SCHEDULES, pipeline
from calculators.spec import (
    Calculator,
    Check,
    Output,
    Source,
    Values,
    by_name,
    choice,
    convention,
    count,
)


def _in_flight(v: Values) -> str:
    if v.schedule == "gpipe":
        return "micro_batches"
    if v.schedule == "1f1b":
        return "min(micro_batches, stages)"
    return "min(micro_batches, stages + (stages - 1) / interleave)"


def _notes(v: Values, _: Mapping[str, Real]) -> Iterator[str]:
    interleaved = v.schedule != "gpipe" and v.interleave > 1
    if v.schedule == "1f1b" and interleaved:
        yield (
            "1F1B over several chunks a stage is the interleaved schedule. The bubble is that schedule's; "
            "the micro-batches in flight are those of plain 1F1B: choose interleaved for what chunks hold."
        )
    if v.schedule == "interleaved" and v.interleave == 1:
        yield "With one chunk a stage interleaving warms up deeper than 1F1B and saves no time: take 1f1b."
    if interleaved and v.micro_batches % v.stages:
        yield (
            f"Megatron-LM interleaves only micro-batches in multiples of the stages; {v.micro_batches} over "
            f"{v.stages} is counted by the same formula here."
        )
    if v.micro_batches < v.stages:
        yield "With fewer micro-batches than stages some stage is idle at any time."


PIPELINE = Calculator(
    slug="pipeline",
    title="Pipeline parallelism",
    topic="parallelism",
    summary="The idle time of a pipeline of stages, the speed-up that it leaves, and how many micro-batches' "
    "activations the first stage holds, under GPipe, 1F1B and the interleaved schedule.",
    inputs=(
        count("stages", "Stages", "p", default="8", help="Pipeline parallel degree."),
        count("micro_batches", "Micro-batches", "m", default="32", help="Of one step, through each stage."),
        count(
            "interleave",
            "Chunks per stage",
            "v",
            default="1",
            help="Groups of layers that a stage holds, apart from each other in the model; 1 does not "
            "interleave.",
        ),
        choice(
            "schedule",
            "Schedule",
            SCHEDULES,
            default="1f1b",
            help="gpipe runs all forward passes first, 1f1b alternates, interleaved alternates over chunks.",
        ),
    ),
    outputs=(
        Output(
            name="bubble_ratio",
            label="Bubble over ideal time",
            symbol="β",
            family="ratio",
            formula="(stages - 1) / (micro_batches * interleave)",
            meaning="Idle time of a stage over the time of its own work.",
            source="Narayanan et al. 2021, 2.2",
        ),
        Output(
            name="bubble_fraction",
            label="Bubble over whole time",
            symbol="f",
            family="ratio",
            formula="bubble_ratio / (1 + bubble_ratio)",
            meaning="The share of the step in which a stage stands idle.",
        ),
        Output(
            name="speedup",
            label="Speed-up",
            symbol="s",
            formula="stages / (1 + bubble_ratio)",
            meaning="Over one stage that does everything.",
        ),
        Output(
            name="micro_batches_in_flight",
            label="Micro-batches in flight",
            symbol="m_held",
            formula=_in_flight,
            meaning="Whose activations the first stage holds at most; a chunk counts as its part of the "
            "stage.",
            source="Narayanan et al. 2021, 2.2; Korthikanti et al. 2022, 4.2.3",
        ),
    ),
    headline="bubble_fraction",
    compute=lambda v: by_name(
        pipeline(
            stages=v.stages,
            micro_batches=v.micro_batches,
            interleave=v.interleave,
            schedule=v.schedule,
        )
    ),
    checks=(
        Check(
            field="interleave",
            names=("interleave", "schedule"),
            holds=lambda v: (v.schedule != "gpipe") | (v.interleave == 1),
            allowed=lambda _: "1 with the gpipe schedule, which does not interleave",
        ),
    ),
    notes=_notes,
    plot=("micro_batches", "bubble_fraction"),
    sources=(
        Source(
            "Narayanan et al. 2021: Efficient large-scale language model training on GPU clusters",
            "https://arxiv.org/abs/2104.04473",
            "2.2",
        ),
        Source("Huang et al. 2019: GPipe", "https://arxiv.org/abs/1811.06965", "2.3"),
        Source(
            "Korthikanti et al. 2022: Reducing activation recomputation in large transformer models",
            "https://arxiv.org/abs/2205.05198",
            "4.2.3",
        ),
    ),
    leaves_out=(
        "Sending activations between stages, of which interleaving does v times as much.",
        "Stages of unequal length: the embedding and the head make the ends longer.",
        "Schedules that split the backward pass and fill the bubble with gradients of the weights.",
        "The optimizer's step, and the all-reduce of gradients that may hide in the bubble.",
    ),
    conventions=(
        convention(
            "The bubble ratio is over the ideal time, the bubble fraction over the whole: 21.9% and 17.9% "
            "for 8 stages and 32 micro-batches.",
            "bubble_ratio",
            "bubble_fraction",
        ),
        convention(
            "Under 1f1b what is held is counted without chunks, under interleaved with them.",
            "micro_batches_in_flight",
        ),
        convention(
            "A backward pass may take any multiple of a forward pass; it must be the same on every stage.",
            "stages",
        ),
        convention("GPipe is counted without recomputation: it holds every micro-batch.", "schedule"),
    ),
)
