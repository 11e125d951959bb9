"""How much of the peak a training run uses."""

from collections.abc import Iterator, Mapping

from calculators.cost.attention import ATTENTION_MASKS, mean_head_dim
from calculators.cost.exact import Real
from calculators.cost.parameters import count_parameters
from calculators.cost.utilization import (
    RECOMPUTES,
    hardware_flops_per_token,
    model_flops_per_token,
    utilization,
)
from calculators.presets import MODELS
from calculators.spec import (
    Calculator,
    Output,
    Roof,
    Source,
    Values,
    amount,
    by_name,
    choice,
    convention,
    count,
)
from calculators.spec.hardware_inputs import CUSTOM, dtype_input, hardware_inputs
from calculators.spec.model_inputs import MODEL_CHECKS, dimensions, model_inputs

_FOR_CUSTOM = ("model", CUSTOM)


def _head_dim(v: Values) -> Real:
    """A preset's head width, in a latent model the mean of its key and value widths."""
    return mean_head_dim(dims=dimensions(v, head_dim=MODELS[v.model].dimensions.head_dim))


def _core(v: Values, factor: int) -> str:
    """Work of the attention core of one token, as a term to add: `factor` where attention is full."""
    if v.attention == "none":
        return ""
    counted = factor if v.attention == "full" else factor // 2
    return f" + {counted} * layers * heads * head_dim * seq_len"


def _hardware_flops(v: Values) -> str:
    if v.recompute == "full":
        return "model_flops_per_token * 4 / 3"
    return "model_flops_per_token" + (_core(v, 4) if v.recompute == "selective" else "")


def _utilization(v: Values) -> dict[str, object]:
    work = {
        "params": v.params,
        "layers": v.layers,
        "heads": v.heads,
        "head_dim": v.head_dim,
        "seq_len": v.seq_len,
        "attention": v.attention,
    }
    model = model_flops_per_token(**work)
    hardware = hardware_flops_per_token(**work, recompute=v.recompute)
    achieved = utilization(
        model_flops=model,
        hardware_flops=hardware,
        tokens_per_second=v.tokens_per_second,
        devices=v.devices,
        peak_flops=v.peak_flops,
    )
    return {"model_flops_per_token": model, "hardware_flops_per_token": hardware, **by_name(achieved)}


def _notes(_: Values, computed: Mapping[str, Real]) -> Iterator[str]:
    if computed["mfu"] > 1:
        yield "An MFU above 1 cannot be: check the throughput, the peak of the number format and the devices."
    elif computed["hfu"] > 1:
        yield "An HFU above 1 cannot be: check the throughput, and how much is recomputed."


MFU = Calculator(
    slug="mfu",
    title="Model and hardware FLOP utilization",
    topic="utilization-and-profiling",
    summary="The share of the devices' peak that a training run turns into model arithmetic (MFU), and into "
    "all arithmetic with what it computes twice (HFU).",
    inputs=(
        amount(
            "params",
            "Parameters",
            "N",
            default="540e9",
            default_with=_FOR_CUSTOM,
            follows="the model",
            derive=lambda v: count_parameters(dims=dimensions(v)).active,
            help="Those that one token uses; of a preset its active ones, the embedding included.",
        ),
        count("seq_len", "Sequence length", "n", default="2048", help="Tokens of a training sequence."),
        amount(
            "tokens_per_second",
            "Throughput",
            "R",
            family="tokens/s",
            zero=True,
            default="238300",
            help="Tokens trained on per second, all devices together.",
        ),
        count("devices", "Devices", "D", default="6144", help="Accelerators of the whole run."),
        dtype_input(help="The format that the arithmetic is done in. It picks the peak."),
        choice(
            "attention",
            "Attention counted",
            ATTENTION_MASKS,
            default="full",
            help="full as in the PaLM paper, causal for half of that, none for 6 · N alone.",
        ),
        choice(
            "recompute",
            "Recomputation",
            RECOMPUTES,
            default="none",
            help="What the backward pass repeats: nothing, the attention core, or the whole forward pass.",
        ),
        *hardware_inputs("tpu-v4"),
        *model_inputs(
            "custom",
            layers={"default": "118", "default_with": _FOR_CUSTOM},
            heads={"default": "48", "default_with": _FOR_CUSTOM},
            head_dim={"default": "256", "default_with": _FOR_CUSTOM, "derive": _head_dim},
        ),
    ),
    outputs=(
        Output(
            name="model_flops_per_token",
            label="Model work per token",
            symbol="F_model",
            family="flop",
            formula=lambda v: f"6 * params{_core(v, 12)}",
            meaning="Forward and backward: 6 FLOP a parameter, and the attention core.",
        ),
        Output(
            name="hardware_flops_per_token",
            label="Hardware work per token",
            symbol="F_hardware",
            family="flop",
            formula=_hardware_flops,
            meaning="The same, and what recomputation does again.",
        ),
        Output(
            name="mfu",
            label="MFU",
            symbol="MFU",
            family="ratio",
            formula="model_flops_per_token * tokens_per_second / (devices * peak_flops)",
            meaning="Model work over what the devices could do at their peak.",
            source="PaLM, appendix B",
        ),
        Output(
            name="hfu",
            label="HFU",
            symbol="HFU",
            family="ratio",
            formula="hardware_flops_per_token * tokens_per_second / (devices * peak_flops)",
            meaning="Hardware work over what the devices could do. Never below the MFU.",
            source="PaLM, appendix B; Korthikanti et al. 2022",
        ),
        Output(
            name="tokens_per_second_at_peak",
            label="Throughput at peak",
            symbol="R_peak",
            family="tokens/s",
            formula="devices * peak_flops / model_flops_per_token",
            meaning="What an MFU of 1 would give.",
        ),
        Output(
            name="achieved_flops_per_device",
            label="Achieved per device",
            symbol="P_achieved",
            family="flop/s",
            formula="model_flops_per_token * tokens_per_second / devices",
            meaning="Model work a second on one device.",
            roofs=(Roof(("peak_flops",)),),
        ),
    ),
    headline="mfu",
    compute=_utilization,
    needs=("params", "layers", "heads", "head_dim", "peak_flops"),
    checks=MODEL_CHECKS,
    notes=_notes,
    plot=("tokens_per_second", "mfu"),
    sources=(
        Source(
            "Chowdhery et al. 2022: PaLM, scaling language modeling with pathways",
            "https://arxiv.org/abs/2204.02311",
            "Appendix B",
        ),
        Source(
            "Korthikanti et al. 2022: Reducing activation recomputation in large transformer models",
            "https://arxiv.org/abs/2205.05198",
            "4 and 5",
        ),
    ),
    leaves_out=(
        "Softmax, norms and activation functions: little arithmetic, though they take time. They lower MFU "
        "and HFU alike; only recomputation parts the two.",
        "Sliding windows: attention counts the whole sequence.",
        "That the embedding is looked up, not multiplied: as in the paper it is part of the parameters.",
        "Work lost to restarts, evaluation and loading, unless the throughput is that of the whole run.",
    ),
    conventions=(
        convention("One multiply-add is 2 FLOP: 2 a parameter forward, 4 backward.", "model_flops_per_token"),
        convention(
            "full counts the whole square of scores even where the model masks it, as the PaLM paper does; "
            "causal counts exactly half.",
            "attention",
        ),
        convention(
            "Full recomputation repeats every forward matmul. PaLM's printed HFU of 57.8 % is what repeating "
            "about three quarters of them gives.",
            "recompute",
            "hfu",
        ),
        convention(
            "Selective recomputation repeats the two forward matmuls of the attention core. Equation 8 of "
            "Korthikanti et al. counts three times that.",
            "recompute",
        ),
        convention("Peaks are dense. A sparse peak would halve the figure.", "hardware", "peak_flops", "mfu"),
        convention("Of a mixture of experts only active parameters count.", "params"),
    ),
)
