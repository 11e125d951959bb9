"""Tensor and data parallelism: what each sends, and whether that hides."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from calculators.conventions import DENSE, ONE_DIRECTION, gigabytes, multiply_adds
from calculators.cost.exact import Real
from calculators.cost.parallelism import (
    data_parallel,
    mean_layer_parameters,
    tensor_parallel,
)
from calculators.ffn import MATRICES
from calculators.parameters import MATMUL_PARAMS, parameter_needs
from calculators.spec import (
    Calculator,
    Input,
    Output,
    Roof,
    Source,
    Term,
    Values,
    amount,
    by_name,
    convention,
    count,
    flag,
)
from calculators.spec.hardware_inputs import dtype_input, element_size, hardware_inputs
from calculators.spec.model_inputs import MODEL_CHECKS, dimensions, is_latent, model_inputs

_RATES = ("peak_flops", "link_bandwidth")


def _tensor(v: Values) -> dict[str, object]:
    return by_name(
        tensor_parallel(
            dims=dimensions(v),
            tokens=v.tokens,
            devices=v.devices,
            bytes_per_element=v.bytes_per_element,
            peak_flops=v.peak_flops,
            link_bandwidth=v.link_bandwidth,
        )
    )


def _tensor_notes(v: Values, computed: Mapping[str, Real]) -> Iterator[str]:
    if v.has("heads") and v.heads % v.devices:
        yield (
            f"{v.heads:,} heads do not divide over {v.devices:,} devices: shares are counted as fractions "
            "here, real systems pad."
        )
    if v.devices > computed["max_devices"]:
        yield "At this degree a layer communicates for longer than it computes."


TENSOR_PARALLEL = Calculator(
    slug="tensor-parallel",
    title="Tensor parallelism",
    topic="parallelism",
    summary="What two all-reduces a layer cost beside its matrix products when devices share each layer, and "
    "the degree up to which compute is the larger part.",
    inputs=(
        count(
            "tokens", "Tokens", "T", default="4096", help="In flight: the batch at decode, more in prefill."
        ),
        count("devices", "Devices", "n", default="8", help="Tensor parallel degree."),
        dtype_input(help="Of the activations sent. It sets the bytes, and picks the device's peak."),
        *hardware_inputs("h100-sxm"),
        *model_inputs("llama-3-70b"),
    ),
    terms=(
        element_size(),
        MATRICES,
        MATMUL_PARAMS,
        Term(
            name="layer_params",
            label="active matrix parameters of an average layer",
            symbol="N_layer",
            formula="(matmul_params - vocab_size * d_model) / layers",
            derive=lambda v: mean_layer_parameters(dims=dimensions(v)),
        ),
    ),
    outputs=(
        Output(
            name="communication_bytes_per_layer",
            label="Communication of a layer",
            symbol="B_net",
            family="bytes",
            formula="2 * 2 * (devices - 1) / devices * tokens * d_model * bytes_per_element",
            meaning="Sent by each device, forward: ring all-reduces after attention and after the "
            "feed-forward layer.",
            source="Shoeybi et al. 2019, 3",
        ),
        Output(
            name="time_compute_per_layer",
            label="Compute of a layer",
            symbol="t_compute",
            family="time",
            formula="2 * tokens * layer_params / (devices * peak_flops)",
            meaning="Forward through the matrices at the peak, the attention core left out.",
        ),
        Output(
            name="time_network_per_layer",
            label="Network of a layer",
            symbol="t_network",
            family="time",
            formula="communication_bytes_per_layer / link_bandwidth",
            meaning="The two all-reduces at the link's full rate.",
            roofs=(Roof(("time_compute_per_layer",)),),
        ),
        Output(
            name="network_fraction",
            label="Share of the network",
            symbol="f_net",
            family="ratio",
            formula="time_network_per_layer / (time_network_per_layer + time_compute_per_layer)",
            meaning="Of the time of a layer, nothing hidden.",
        ),
        Output(
            name="max_devices",
            label="Largest degree",
            symbol="n_max",
            formula="floor(1 + layer_params * link_bandwidth"
            " / (2 * d_model * bytes_per_element * peak_flops))",
            meaning="Up to which the network takes no longer than the compute, whatever the tokens.",
        ),
    ),
    headline="network_fraction",
    compute=_tensor,
    needs=lambda v: (*_RATES, *parameter_needs(v), *(() if is_latent(v) else ("head_dim",))),
    checks=MODEL_CHECKS,
    notes=_tensor_notes,
    plot=("devices", "network_fraction"),
    sources=(
        Source(
            "Shoeybi et al. 2019: Megatron-LM, training multi-billion parameter language models",
            "https://arxiv.org/abs/1909.08053",
            "3",
        ),
        Source(
            "Korthikanti et al. 2022: Reducing activation recomputation in large transformer models",
            "https://arxiv.org/abs/2205.05198",
            "4.2.2, sequence parallelism sends as much",
        ),
    ),
    leaves_out=(
        "Latency, which rules at decode with its small messages, and reading weights, which rules there too.",
        "The attention core, the embedding and the head.",
        "Overlap of the all-reduces with the matrix products, in part or chunk by chunk.",
        "Reduction inside the switches, and links that reach about 80 % of their rate.",
    ),
    conventions=(
        convention(
            "The forward pass alone: the backward pass has two all-reduces more and twice the compute.",
            "communication_bytes_per_layer",
            "time_compute_per_layer",
        ),
        convention(
            "Of a mixture the experts that a token visits count, each shared over all the devices.", "model"
        ),
        multiply_adds("time_compute_per_layer"),
        DENSE,
        ONE_DIRECTION,
        gigabytes("communication_bytes_per_layer"),
    ),
)


def _scale_out(declared: Input) -> Input:
    """The link of this calculator has a default of its own, whatever the hardware."""
    if declared.name != "link_bandwidth":
        return declared
    return replace(
        declared,
        default="50e9",
        follows="",
        derive=None,
        note=None,
        help="What one device sends per second in one direction, between nodes: 50 GB/s is one NDR link.",
    )


def _data(v: Values) -> dict[str, object]:
    return by_name(
        data_parallel(
            params=v.params,
            tokens_per_device=v.tokens_per_device,
            devices=v.devices,
            bytes_per_element=v.bytes_per_element,
            sharded=v.sharded,
            mfu=v.mfu,
            peak_flops=v.peak_flops,
            link_bandwidth=v.link_bandwidth,
        )
    )


DATA_PARALLEL = Calculator(
    slug="data-parallel",
    title="Data parallelism",
    topic="parallelism",
    summary="What replicas or shards of a model (ZeRO-3, FSDP) exchange in a step, and how many tokens a "
    "device needs for that to hide behind its compute.",
    inputs=(
        amount(
            "params", "Parameters", "N", default="7e9", help="Of a dense model, all of which a token uses."
        ),
        count("tokens_per_device", "Tokens per device", "T", default="8192", help="Of one step."),
        count("devices", "Devices", "n", default="64", help="Replicas, or shards of the one copy."),
        dtype_input(help="Of gradients and weights as sent. It sets the bytes, and picks the peak."),
        flag("sharded", "Sharded", default="false", help="Weights sharded too (ZeRO-3, FSDP)."),
        amount(
            "mfu",
            "MFU",
            "u",
            family="ratio",
            maximum=1,
            default="0.5",
            help="The share of the peak that the passes reach while nothing waits for the network.",
        ),
        *map(_scale_out, hardware_inputs("h100-sxm")),
    ),
    terms=(element_size(),),
    outputs=(
        Output(
            name="communication_bytes",
            label="Communication",
            symbol="B_net",
            family="bytes",
            formula=lambda v: (
                f"{3 if v.sharded else 2} * (devices - 1) / devices * params * bytes_per_element"
            ),
            meaning="Sent by each device a step: an all-reduce of gradients; sharded, weights gathered for "
            "either pass and gradients scattered.",
            source="Rajbhandari et al. 2020, 7",
        ),
        Output(
            name="time_compute",
            label="Time of compute",
            symbol="t_compute",
            family="time",
            formula="6 * params * tokens_per_device / (peak_flops * mfu)",
            meaning="Forward and backward over a device's tokens.",
        ),
        Output(
            name="time_network",
            label="Time of the network",
            symbol="t_network",
            family="time",
            formula="communication_bytes / link_bandwidth",
            meaning="The exchange at the link's full rate.",
            roofs=(Roof(("time_compute",)),),
        ),
        Output(
            name="hidden",
            label="Network hidden",
            family=None,
            formula=lambda v: f"time_network <= {'' if v.sharded else '2 / 3 * '}time_compute",
            meaning="Replicated, whether it fits behind the backward pass; sharded, behind the whole step.",
        ),
        Output(
            name="min_tokens_per_device",
            label="Tokens to hide it",
            symbol="T_min",
            formula=lambda v: (
                f"max(1, ceil({'' if v.sharded else '3 / 2 * '}time_network"
                " / (6 * params / (peak_flops * mfu))))"
            ),
            meaning="The smallest number of tokens a device with which it does.",
        ),
    ),
    headline="time_network",
    compute=_data,
    needs=("peak_flops",),
    plot=("tokens_per_device", "time_network"),
    sources=(
        Source(
            "Rajbhandari et al. 2020: ZeRO, memory optimizations toward training trillion parameter models",
            "https://arxiv.org/abs/1910.02054",
            "7",
        ),
        Source(
            "Li et al. 2020: PyTorch distributed, experiences on accelerating data parallel training",
            "https://arxiv.org/abs/2006.15704",
            "3.2",
        ),
    ),
    leaves_out=(
        "Latency, buckets, and the last gradients, which nothing is left to hide behind.",
        "Micro-batches whose gradients are summed up before they are sent: their tokens count together.",
        "Two levels: inside a node gradients travel over faster links first.",
        "The attention core, which is more compute to hide behind.",
    ),
    conventions=(
        convention("Gradients are sent in this number format; fp32 gradients double the bytes.", "dtype"),
        convention("The backward pass is two thirds of the compute.", "hidden"),
        convention(
            "The link is the one between nodes, 50 GB/s a device unless given, not the hardware's scale-up "
            "link.",
            "link_bandwidth",
            "time_network",
        ),
        multiply_adds("time_compute"),
        DENSE,
        convention(
            "Link bandwidth is that of one device in one direction: NVLink's 900 GB/s is 450 each way.",
            "link_bandwidth",
        ),
        gigabytes("communication_bytes"),
    ),
)
