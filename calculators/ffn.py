"""The feed-forward layer, and what sharding it costs."""

from collections.abc import Iterator, Mapping

from calculators.conventions import DENSE, ONE_DIRECTION, gigabytes, multiply_adds
from calculators.cost.exact import Real
from calculators.cost.ffn import feed_forward, matrices
from calculators.spec import (
    Calculator,
    Output,
    Roof,
    Source,
    Term,
    Values,
    by_name,
    convention,
    count,
    flag,
)
from calculators.spec.hardware_inputs import dtype_input, element_size, hardware_inputs

MATRICES = Term(
    name="matrices",
    label="matrices: up and down, and a gate where the layer is gated",
    symbol="w",
    derive=lambda v: matrices(gated=v.gated),
)


def _notes(v: Values, _: Mapping[str, Real]) -> Iterator[str]:
    if v.d_ff % v.devices:
        yield (
            f"d_ff ({v.d_ff}) does not divide by {v.devices} devices: shares are counted as fractions here, "
            "real systems pad."
        )


FFN = Calculator(
    slug="ffn",
    title="Feed-forward layer",
    topic="where-the-time-goes",
    summary="Arithmetic, memory traffic and communication of one transformer feed-forward layer, on one "
    "device or sharded by tensor parallelism, and which of the three binds.",
    inputs=(
        count(
            "tokens",
            "Tokens",
            "T",
            default="1",
            help="In flight: the batch at decode, more in prefill.",
        ),
        count("d_model", "Model width", "d", default="4096", help="Width of the layer's input and output."),
        count("d_ff", "Hidden width", "f", default="16384", help="Width between the matrices, often 4 · d."),
        flag("gated", "Gated", default="false", help="Three matrices (SwiGLU, GeGLU) instead of two."),
        count("devices", "Devices", "n", default="1", help="Tensor parallel degree."),
        dtype_input(help="Of weights and activations. It sets the bytes, and picks the device's peak."),
        *hardware_inputs("h100-sxm"),
    ),
    terms=(
        element_size(),
        MATRICES,
        Term(
            name="hidden",
            label="hidden activations of one token",
            symbol="h",
            formula=lambda v: "2 * d_ff" if v.gated else "d_ff",
            derive=lambda v: (matrices(gated=v.gated) - 1) * v.d_ff,
        ),
    ),
    outputs=(
        Output(
            name="flops",
            label="Work",
            symbol="F",
            family="flop",
            formula="2 * matrices * tokens * d_model * d_ff",
            meaning="Of the whole layer, forward, all devices together.",
        ),
        Output(
            name="weight_bytes",
            label="Weights",
            symbol="B_w",
            family="bytes",
            formula="matrices * d_model * d_ff * bytes_per_element",
            meaning="Of the whole layer, all devices together.",
        ),
        Output(
            name="activation_bytes",
            label="Activations, whole",
            symbol="B_act",
            family="bytes",
            formula="tokens * (2*d_model + hidden) * bytes_per_element",
            meaning="Input, output and hidden layer as on a single device, however many there are.",
        ),
        Output(
            name="activation_bytes_per_device",
            label="Activations, one device",
            symbol="B_dev",
            family="bytes",
            formula="tokens * (2*d_model + hidden/devices) * bytes_per_element",
            meaning="Input and output whole, the hidden layer sharded: what a device reads and writes.",
        ),
        Output(
            name="communication_bytes",
            label="Communication",
            symbol="B_net",
            family="bytes",
            formula="2*(devices - 1)/devices * tokens * d_model * bytes_per_element",
            meaning="What each device sends in one ring all-reduce of the layer's output.",
        ),
        Output(
            name="intensity",
            label="Arithmetic intensity",
            symbol="I",
            family="intensity",
            formula="(flops/devices) / (weight_bytes/devices + activation_bytes_per_device)",
            meaning="Of one device's share.",
            roofs=(Roof(("ridge_point",)),),
        ),
        Output(
            name="ridge_point",
            label="Ridge point",
            symbol="I_ridge",
            family="intensity",
            formula="peak_flops / hbm_bandwidth",
            meaning="The intensity from which a device can reach its peak.",
        ),
        Output(
            name="time_compute",
            label="Time of compute",
            symbol="t_compute",
            family="time",
            formula="flops / devices / peak_flops",
            meaning="One device's share of the arithmetic at its peak.",
        ),
        Output(
            name="time_memory",
            label="Time of memory",
            symbol="t_memory",
            family="time",
            formula="(weight_bytes/devices + activation_bytes_per_device) / hbm_bandwidth",
            meaning="One device's share of weights and its activations at full bandwidth.",
        ),
        Output(
            name="time_network",
            label="Time of the network",
            symbol="t_network",
            family="time",
            formula="communication_bytes / link_bandwidth",
            meaning="The all-reduce at the link's full rate in one direction.",
        ),
        Output(
            name="time",
            label="Time, network hidden",
            symbol="t",
            family="time",
            formula="max(time_compute, time_memory, time_network)",
            meaning="The largest of the three: everything overlaps.",
        ),
        Output(
            name="time_exposed",
            label="Time, network exposed",
            symbol="t_exposed",
            family="time",
            formula="max(time_compute, time_memory) + time_network",
            meaning="The all-reduce on the critical path, as when the next layer waits for it.",
        ),
        Output(
            name="bound",
            label="Limit that binds",
            family=None,
            formula="longest(compute=time_compute, memory=time_memory, network=time_network)",
            meaning="The limit with the longest time; on a tie compute before memory before network.",
        ),
    ),
    headline="time",
    compute=lambda v: by_name(
        feed_forward(
            tokens=v.tokens,
            d_model=v.d_model,
            d_ff=v.d_ff,
            gated=v.gated,
            devices=v.devices,
            bytes_per_element=v.bytes_per_element,
            peak_flops=v.peak_flops,
            hbm_bandwidth=v.hbm_bandwidth,
            link_bandwidth=v.link_bandwidth,
        )
    ),
    needs=("peak_flops", "hbm_bandwidth", "link_bandwidth"),
    limits={"compute": "time_compute", "memory": "time_memory", "network": "time_network"},
    notes=_notes,
    plot=("tokens", "time"),
    sources=(
        Source(
            "Shoeybi et al. 2019: Megatron-LM, training multi-billion parameter language models",
            "https://arxiv.org/abs/1909.08053",
            "3, Model parallel transformers",
        ),
        Source(
            "Patarasuk, Yuan 2009: Bandwidth optimal all-reduce algorithms for clusters of workstations",
            "https://doi.org/10.1016/j.jpdc.2008.09.002",
            "The ring algorithm",
        ),
    ),
    leaves_out=(
        "The latency of the all-reduce, microseconds a step, which rules at decode with its small messages.",
        "An unfused activation function, which writes and reads the hidden layer; here it counts once.",
        "The activation function's own arithmetic, and biases.",
        "What keeps kernels and links from their peak: collectives reach about 80 % of the line rate.",
    ),
    conventions=(
        multiply_adds("flops"),
        DENSE,
        ONE_DIRECTION,
        gigabytes("weight_bytes"),
        convention(
            "The forward pass of one layer: one all-reduce. The backward pass has another.",
            "flops",
            "communication_bytes",
        ),
    ),
)
