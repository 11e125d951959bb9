"""Collective operations between devices: what each sends, and how long it takes."""

from collections.abc import Iterator, Mapping

from calculators.conventions import gigabytes
from calculators.cost.collectives import (
    ALGORITHMS,
    OPERATIONS,
    TREE_OPERATIONS,
    bus_factor,
    collective,
    doublings,
)
from calculators.cost.exact import Real, quotient
from calculators.spec import (
    Calculator,
    Check,
    Output,
    Source,
    Term,
    Values,
    amount,
    by_name,
    choice,
    convention,
    count,
)

_ALONE = "a single device sends nothing"


def _phases(v: Values) -> str:
    return "2 * " if v.operation == "all-reduce" else ""


def _steps(v: Values) -> str:
    return f"{_phases(v)}{'doublings' if v.algorithm == 'tree' else '(devices - 1)'}"


def _bytes_sent(v: Values) -> str:
    if v.algorithm == "tree":
        return "steps * bytes"
    if v.operation == "broadcast":
        return "bytes" if v.devices > 1 else "0"
    return f"{_phases(v)}(devices - 1) / devices * bytes"


def _collective(v: Values) -> dict[str, object]:
    return by_name(
        collective(
            operation=v.operation,
            algorithm=v.algorithm,
            buffer_bytes=v.bytes,
            devices=v.devices,
            bandwidth=v.bandwidth,
            latency=v.latency,
        )
    )


def _notes(v: Values, computed: Mapping[str, Real]) -> Iterator[str]:
    if v.algorithm == "ring" and v.operation != "broadcast" and v.bytes % v.devices:
        yield (
            f"The buffer does not divide into {v.devices:,} chunks of whole bytes: shares are counted as "
            "fractions here, real systems pad."
        )
    if v.devices > 1 and computed["steps"] * v.latency > quotient(computed["bytes_sent"], v.bandwidth):
        yield "The latency of the steps takes longer than the bytes: a larger buffer costs little more."


COLLECTIVE = Calculator(
    slug="collective",
    title="Collective operation",
    topic="parallelism",
    summary="Bytes, steps and time of an all-reduce, all-gather, reduce-scatter, broadcast or all-to-all as "
    "a ring or a tree, and its bandwidths as nccl-tests print them.",
    inputs=(
        choice(
            "operation",
            "Operation",
            OPERATIONS,
            default="all-reduce",
            help="What all devices have at the end: the sum, all parts, their part of the sum, a copy, or "
            "what every other device had for them.",
        ),
        amount(
            "bytes",
            "Buffer",
            "S",
            family="bytes",
            default="1e9",
            help="The whole: all-gather's output, reduce-scatter's input, one device's input of all-to-all.",
        ),
        count("devices", "Devices", "n", default="8", help="They all take part."),
        amount(
            "bandwidth",
            "Bandwidth",
            "W",
            family="byte/s",
            default="450e9",
            help="What one device sends per second in one direction.",
        ),
        amount(
            "latency",
            "Latency of a step",
            "α",
            family="time",
            zero=True,
            default="5e-6",
            help="From one device to the next, whatever the size.",
        ),
        choice(
            "algorithm",
            "Algorithm",
            ALGORITHMS,
            default="ring",
            help="ring sends least, tree takes the fewest steps and is there for all-reduce and broadcast.",
        ),
    ),
    terms=(
        Term(
            name="doublings",
            label="rounds until all devices are reached, log2 of devices rounded up",
            symbol="k",
            derive=lambda v: doublings(v.devices),
        ),
        Term(
            name="bus_factor",
            label="share of the buffer that a link has to carry",
            symbol="β",
            formula=lambda v: "1" if v.operation == "broadcast" else f"{_phases(v)}(devices - 1) / devices",
            derive=lambda v: bus_factor(operation=v.operation, devices=v.devices),
        ),
    ),
    outputs=(
        Output(
            name="bytes_sent",
            label="Sent by each device",
            symbol="B_sent",
            family="bytes",
            formula=_bytes_sent,
            meaning="In a ring by every device alike; in a tree along the critical path.",
        ),
        Output(
            name="steps",
            label="Steps",
            symbol="k_steps",
            formula=_steps,
            meaning="One after the other, each with its latency.",
        ),
        Output(
            name="time",
            label="Time",
            symbol="t",
            family="time",
            formula="steps * latency + bytes_sent / bandwidth",
            meaning="Latency of the steps, and the bytes at full bandwidth.",
        ),
        Output(
            name="algorithm_bandwidth",
            label="Algorithm bandwidth",
            symbol="W_alg",
            family="byte/s",
            formula="bytes / time",
            meaning="Buffer over time: what the caller sees.",
            none=_ALONE,
            source="nccl-tests, PERFORMANCE.md",
        ),
        Output(
            name="bus_bandwidth",
            label="Bus bandwidth",
            symbol="W_bus",
            family="byte/s",
            formula="algorithm_bandwidth * bus_factor",
            meaning="What a link would carry in the best algorithm: comparable to its own rate.",
            none=_ALONE,
            source="nccl-tests, PERFORMANCE.md",
        ),
    ),
    headline="time",
    compute=_collective,
    checks=(
        Check(
            field="algorithm",
            names=("algorithm", "operation"),
            holds=lambda v: v.algorithm != "tree" or v.operation in TREE_OPERATIONS,
            allowed=lambda v: f"ring for {v.operation}: a tree is there for all-reduce and broadcast",
        ),
    ),
    notes=_notes,
    plot=("bytes", "time", "algorithm"),
    sources=(
        Source(
            "NVIDIA: nccl-tests, performance reported by NCCL tests",
            "https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md",
            "Bandwidth",
        ),
        Source(
            "Thakur, Rabenseifner, Gropp 2005: Optimization of collective communication operations in MPICH",
            "https://doi.org/10.1177/1094342005051521",
            "3 and 4",
        ),
        Source(
            "Patarasuk, Yuan 2009: Bandwidth optimal all-reduce algorithms for clusters of workstations",
            "https://doi.org/10.1016/j.jpdc.2008.09.002",
            "The ring algorithm",
        ),
    ),
    leaves_out=(
        "Two levels: rings inside a node and between nodes have other bandwidths.",
        "Pipelined and double binary trees, which send about twice the buffer and not k times.",
        "Reduction inside the switches, which halves what a device sends in an all-reduce.",
        "Congestion, uneven links, and the time of the reduction itself.",
    ),
    conventions=(
        convention(
            "Bandwidth is that of one device in one direction: NVLink's 900 GB/s is 450 each way.",
            "bandwidth",
        ),
        convention("The buffer is the whole one, as in nccl-tests' size column.", "bytes"),
        convention("A tree is not pipelined: each step passes on the whole buffer.", "algorithm"),
        convention(
            "A ring's broadcast is a chain, pipelined in chunks so small that only latency counts the steps.",
            "operation",
        ),
        gigabytes("bytes"),
    ),
)
