"""Kernels: what launching them costs, and what fusing them saves."""

from collections.abc import Iterator, Mapping

from calculators.conventions import gigabytes
from calculators.cost.exact import Real
from calculators.cost.kernels import fusion, launch_overhead
from calculators.spec import (
    Calculator,
    Input,
    Output,
    Roof,
    Source,
    Values,
    amount,
    by_name,
    convention,
    count,
)
from calculators.spec.hardware_inputs import dtype_input, element_size, hardware_inputs


def _time(name: str, label: str, symbol: str, default: str, help_text: str) -> Input:
    return amount(name, label, symbol, family="time", zero=True, default=default, help=help_text)


def _launch_notes(v: Values, computed: Mapping[str, Real]) -> Iterator[str]:
    if v.launch_time <= v.kernel_time:
        yield "No kernel is shorter than a launch, so launches stay ahead and only the first one shows."
    if computed["time_graph"] > computed["time_eager"]:
        yield "The graph is slower here: its gap per node, or its launch, outweighs what it saves."


LAUNCH_OVERHEAD = Calculator(
    slug="launch-overhead",
    title="Kernel launch overhead",
    topic="kernels",
    summary="How long a chain of equal kernels takes launched one by one and as one CUDA graph, and how much "
    "of that the device stands idle.",
    inputs=(
        count("kernels", "Kernels", "k", default="1000", help="Kernels in the chain, one after the other."),
        _time("kernel_time", "Time of a kernel", "t_k", "3e-6", "On the device, launch aside."),
        _time("launch_time", "Time of a launch", "t_l", "5e-6", "Work of the host for each kernel."),
        _time("graph_launch_time", "Time of a graph launch", "t_g", "1e-5", "Once for the whole graph."),
        _time("graph_node_time", "Gap per graph node", "t_n", "1e-6", "Of the device, before each kernel."),
    ),
    outputs=(
        Output(
            name="time_gpu",
            label="Device at work",
            symbol="t_gpu",
            family="time",
            formula="kernels * kernel_time",
            meaning="The kernels alone, back to back.",
        ),
        Output(
            name="time_launch",
            label="Host launching",
            symbol="t_launch",
            family="time",
            formula="kernels * launch_time",
            meaning="The host's work without a graph.",
        ),
        Output(
            name="time_eager",
            label="Time, one by one",
            symbol="t_eager",
            family="time",
            formula="launch_time + (kernels - 1) * max(launch_time, kernel_time) + kernel_time",
            meaning="Launches run ahead of the device, so the slower of the two sets the pace.",
            roofs=(Roof(("time_graph",)),),
        ),
        Output(
            name="time_graph",
            label="Time, as a graph",
            symbol="t_graph",
            family="time",
            formula="graph_launch_time + kernels * (graph_node_time + kernel_time)",
            meaning="One launch, then a gap and a kernel for each node.",
        ),
        Output(
            name="gpu_idle_eager",
            label="Device idle, one by one",
            symbol="idle",
            family="ratio",
            formula="1 - time_gpu / time_eager",
            meaning="The share of that time in which the device waits.",
            none="nothing takes any time",
        ),
        Output(
            name="speedup",
            label="Speed-up of the graph",
            symbol="s",
            formula="time_eager / time_graph",
            meaning="How many times sooner the graph is done.",
            none="the graph takes no time",
        ),
    ),
    headline="speedup",
    compute=lambda v: by_name(
        launch_overhead(
            kernels=v.kernels,
            kernel_time=v.kernel_time,
            launch_time=v.launch_time,
            graph_launch_time=v.graph_launch_time,
            graph_node_time=v.graph_node_time,
        )
    ),
    notes=_launch_notes,
    plot=("kernel_time", "speedup"),
    sources=(
        Source("NVIDIA: Getting started with CUDA graphs", "https://developer.nvidia.com/blog/cuda-graphs/"),
        Source(
            "NVIDIA: Constant time launch for straight-line CUDA graphs",
            "https://developer.nvidia.com/blog/constant-time-launch-for-straight-line-cuda-graphs-and-other-"
            "performance-enhancements/",
        ),
    ),
    leaves_out=(
        "A launch queue that fills up, and synchronisation, which makes the host wait for the device.",
        "Kernels of different lengths, and kernels that run side by side on several streams.",
        "Capturing and instantiating the graph, paid once, and updating it when an argument changes.",
        "The host's own work per graph node, about a nanosecond: a graph does not make launches free.",
    ),
    conventions=(
        convention("The gap per node is the device's; launch times are the host's.", "graph_node_time"),
        convention(
            "The defaults are of the usual order for PyTorch on a current GPU; measure yours.", "launch_time"
        ),
    ),
)


FUSION = Calculator(
    slug="fusion",
    title="Kernel fusion",
    topic="kernels",
    summary="Memory traffic and time of a chain of elementwise operations as separate kernels, and fused "
    "into one that reads and writes the tensor once.",
    inputs=(
        count(
            "elements", "Elements", "N", default="16777216", help="Of the tensor that each operation maps."
        ),
        count("operations", "Operations", "m", default="4", help="Elementwise operations in a row."),
        dtype_input(help="Of the tensor. It sets the bytes."),
        _time("launch_time", "Time of a launch", "t_l", "5e-6", "Paid once for each kernel."),
        *hardware_inputs("a100-80gb-sxm"),
    ),
    terms=(element_size(),),
    outputs=(
        Output(
            name="bytes_unfused",
            label="Traffic, separate",
            symbol="B_sep",
            family="bytes",
            formula="2 * operations * elements * bytes_per_element",
            meaning="Each operation reads the tensor and writes it.",
        ),
        Output(
            name="bytes_fused",
            label="Traffic, fused",
            symbol="B_fused",
            family="bytes",
            formula="2 * elements * bytes_per_element",
            meaning="One read and one write; what lies between stays in registers.",
        ),
        Output(
            name="traffic_ratio",
            label="Traffic saved",
            symbol="r",
            formula="bytes_unfused / bytes_fused",
            meaning="How many times less memory traffic the fused kernel has: the number of operations.",
        ),
        Output(
            name="time_unfused",
            label="Time, separate",
            symbol="t_sep",
            family="time",
            formula="bytes_unfused / hbm_bandwidth + operations * launch_time",
            meaning="Launches in series with the traffic, the worst case.",
            roofs=(Roof(("time_fused",)),),
        ),
        Output(
            name="time_fused",
            label="Time, fused",
            symbol="t_fused",
            family="time",
            formula="bytes_fused / hbm_bandwidth + launch_time",
            meaning="One launch, one pass over the tensor.",
        ),
        Output(
            name="speedup",
            label="Speed-up",
            symbol="s",
            formula="time_unfused / time_fused",
            meaning="How many times sooner the fused kernel is done.",
        ),
    ),
    headline="speedup",
    compute=lambda v: by_name(
        fusion(
            elements=v.elements,
            operations=v.operations,
            bytes_per_element=v.bytes_per_element,
            hbm_bandwidth=v.hbm_bandwidth,
            launch_time=v.launch_time,
        )
    ),
    needs=("hbm_bandwidth",),
    plot=("elements", "time_unfused"),
    sources=(
        Source(
            "Ivanov et al. 2021: Data movement is all you need, a case study on optimizing transformers",
            "https://arxiv.org/abs/2007.00072",
            "Operator fusion",
        ),
    ),
    leaves_out=(
        "Arithmetic, which for elementwise operations is far from the limit.",
        "A second operand: a residual or a mask is read by both forms and lowers the ratio.",
        "A tensor small enough to stay in the device's cache between two kernels.",
        "Registers and occupancy that a long fused kernel may run short of.",
        "Launches that run ahead of the device and hide; see the launch overhead calculator.",
    ),
    conventions=(
        convention("Every operation maps one tensor to one of the same shape.", "operations"),
        gigabytes("bytes_unfused"),
    ),
)
