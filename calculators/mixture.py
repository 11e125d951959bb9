"""A mixture of experts spread over devices."""

from collections.abc import Iterator, Mapping

from calculators.conventions import DENSE, ONE_DIRECTION, gigabytes, multiply_adds
from calculators.cost.exact import Real
from calculators.cost.expert_parallel import expert_matrix_parameters, expert_parallel
from calculators.cost.parameters import count_parameters
from calculators.ffn import MATRICES
from calculators.parameters import active_text, parameter_needs, total_text
from calculators.spec import (
    Calculator,
    Check,
    Output,
    Source,
    Term,
    Values,
    amount,
    by_name,
    convention,
    count,
)
from calculators.spec.hardware_inputs import dtype_input, element_size, hardware_inputs
from calculators.spec.model_inputs import MODEL_CHECKS, dimensions, model_inputs


def _mixture(v: Values) -> dict[str, object]:
    dims = dimensions(v)
    counted = count_parameters(dims=dims)
    layer = expert_parallel(
        dims=dims,
        tokens=v.tokens,
        devices=v.devices,
        bytes_per_element=v.bytes_per_element,
        capacity_factor=v.capacity_factor,
        peak_flops=v.peak_flops,
        hbm_bandwidth=v.hbm_bandwidth,
        link_bandwidth=v.link_bandwidth,
    )
    return {"total_params": counted.total, "active_params": counted.active, **by_name(layer)}


def _notes(v: Values, _: Mapping[str, Real]) -> Iterator[str]:
    if v.experts % v.devices and v.devices % v.experts:
        yield (
            f"{v.experts:,} experts do not divide over {v.devices:,} devices: an even share is counted here, "
            "real systems pad or replicate."
        )
    if v.tokens % v.devices:
        yield (
            f"{v.tokens:,} tokens do not divide over {v.devices:,} devices: shares are counted as fractions "
            "here, real systems pad."
        )
    if v.capacity_factor < 1:
        yield "A capacity factor below 1 drops tokens even where the routing is even."


MOE = Calculator(
    slug="moe",
    title="Mixture of experts",
    topic="parallelism",
    summary="Capacity, visited experts and the three costs of one mixture-of-experts layer, its experts "
    "spread over devices, and which cost binds.",
    inputs=(
        count("tokens", "Tokens", "T", default="4096", help="Of the whole batch, over all devices."),
        count("devices", "Devices", "n", default="8", help="Expert parallel degree."),
        dtype_input(help="Of weights and activations. It sets the bytes, and picks the device's peak."),
        amount(
            "capacity_factor",
            "Capacity factor",
            "c",
            default="1.25",
            help="Room of an expert over its even share. More tokens than that are dropped or wait.",
        ),
        *hardware_inputs("h100-sxm"),
        *model_inputs("mixtral-8x7b"),
    ),
    terms=(
        element_size(),
        MATRICES,
        Term(
            name="expert_params",
            label="parameters in the matrices of one expert in one layer",
            symbol="N_e",
            formula="matrices * d_model * expert_d_ff",
            derive=lambda v: expert_matrix_parameters(dims=dimensions(v)),
        ),
    ),
    outputs=(
        Output(
            name="total_params",
            label="Parameters",
            symbol="N",
            formula=total_text,
            meaning="Every parameter, all experts among them.",
        ),
        Output(
            name="active_params",
            label="Active parameters",
            symbol="N_active",
            formula=lambda v: active_text(v, "total_params"),
            meaning="Those that one token uses, the embedding table and the head whole.",
        ),
        Output(
            name="tokens_per_expert",
            label="Capacity of an expert",
            symbol="C",
            formula="ceil(tokens * experts_per_token / experts * capacity_factor)",
            meaning="Tokens that an expert has room for: its even share and the factor.",
            source="Fedus et al. 2021, 2.2",
        ),
        Output(
            name="experts_touched",
            label="Experts visited",
            symbol="E_touched",
            formula="experts * (1 - (1 - experts_per_token / experts)**tokens)",
            meaning="Distinct routed experts of one layer that the batch is expected to visit, routing even.",
        ),
        Output(
            name="all_to_all_bytes",
            label="All-to-all",
            symbol="B_net",
            family="bytes",
            formula="2 * (devices - 1) / devices * tokens / devices * experts_per_token * d_model"
            " * bytes_per_element",
            meaning="Sent by each device in one layer: tokens to their experts, and results back.",
            source="Lepikhin et al. 2020, 3.2",
        ),
        Output(
            name="time_compute",
            label="Time of compute",
            symbol="t_compute",
            family="time",
            formula="2 * expert_params * (experts_per_token + shared_experts) * tokens"
            " / (devices * peak_flops)",
            meaning="The experts' matrix products of one layer on one device, without padding.",
        ),
        Output(
            name="time_memory",
            label="Time of memory",
            symbol="t_memory",
            family="time",
            formula="(experts_touched / devices + shared_experts) * expert_params * bytes_per_element"
            " / hbm_bandwidth",
            meaning="One device reads its part of the experts visited, and the shared ones.",
        ),
        Output(
            name="time_network",
            label="Time of the network",
            symbol="t_network",
            family="time",
            formula="all_to_all_bytes / link_bandwidth",
            meaning="Dispatch and combine at the link's full rate.",
        ),
        Output(
            name="bound",
            label="Limit that binds",
            family=None,
            formula="longest(compute=time_compute, memory=time_memory, network=time_network)",
            meaning="The limit with the longest time; on a tie compute before memory before network.",
        ),
    ),
    compute=_mixture,
    needs=lambda v: ("peak_flops", "hbm_bandwidth", "link_bandwidth", *parameter_needs(v)),
    checks=(
        *MODEL_CHECKS,
        Check(
            field="model",
            names=("model", "experts"),
            holds=lambda v: v.experts > 0,
            allowed=lambda _: "a mixture of experts, and it has none (experts is 0)",
        ),
    ),
    notes=_notes,
    limits={"compute": "time_compute", "memory": "time_memory", "network": "time_network"},
    plot=("tokens", "time_compute"),
    sources=(
        Source(
            "Lepikhin et al. 2020: GShard, scaling giant models with conditional computation",
            "https://arxiv.org/abs/2006.16668",
            "2.2 and 3.2",
        ),
        Source(
            "Fedus et al. 2021: Switch transformers",
            "https://arxiv.org/abs/2101.03961",
            "2.2, expert capacity",
        ),
        Source("Jiang et al. 2024: Mixtral of experts", "https://arxiv.org/abs/2401.04088", "2.1"),
    ),
    leaves_out=(
        "Routing that is not even: favourite experts are visited more, and their devices wait longest.",
        "Padding to the capacity, and tokens dropped beyond it.",
        "The router, biases, and reading and writing activations.",
        "Attention and dense layers, latency, and overlap of the all-to-all with compute.",
    ),
    conventions=(
        convention(
            "Tokens are those of the whole batch over all devices; each device holds an even share of them.",
            "tokens",
        ),
        convention(
            "Each token picks different experts, evenly and independently of the others.", "experts_touched"
        ),
        convention(
            "A token's copies for two experts on one device are sent twice; shared experts are on every "
            "device and nothing is sent for them.",
            "all_to_all_bytes",
        ),
        convention("The forward pass of one layer alone.", "time_compute"),
        multiply_adds("time_compute"),
        DENSE,
        ONE_DIRECTION,
        gigabytes("all_to_all_bytes"),
    ),
)
