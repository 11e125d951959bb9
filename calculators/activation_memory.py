"""What training keeps of a layer for its backward pass."""

from collections.abc import Iterator, Mapping

from calculators.conventions import gigabytes
from calculators.cost.exact import Real
from calculators.cost.memory import activation_bytes_per_layer
from calculators.cost.utilization import RECOMPUTES
from calculators.spec import (
    Budget,
    Calculator,
    Output,
    Source,
    Values,
    choice,
    convention,
    count,
    flag,
    part,
)


def _bytes_per_layer(v: Values) -> str:
    if v.recompute == "full":
        return "2 * seq_len * micro_batch * d_model"
    kept = "34 / tensor_parallel" if v.sequence_parallel else "10 + 24 / tensor_parallel"
    if v.recompute == "none":
        kept += " + 5 * heads * seq_len / (d_model * tensor_parallel)"
    return f"seq_len * micro_batch * d_model * ({kept})"


def _activations(v: Values) -> dict[str, object]:
    per_layer = activation_bytes_per_layer(
        seq_len=v.seq_len,
        micro_batch=v.micro_batch,
        d_model=v.d_model,
        heads=v.heads,
        tensor_parallel=v.tensor_parallel,
        sequence_parallel=v.sequence_parallel,
        recompute=v.recompute,
    )
    return {"bytes_per_layer": per_layer, "total_bytes": per_layer * v.layers}


def _activation_notes(v: Values, _: Mapping[str, Real]) -> Iterator[str]:
    if v.recompute != "full" and v.heads % v.tensor_parallel:
        yield (
            f"{v.heads} heads do not divide over {v.tensor_parallel} devices: shares are counted as "
            "fractions here, real systems pad."
        )
    if v.recompute != "full" and v.sequence_parallel and v.seq_len % v.tensor_parallel:
        yield (
            f"{v.seq_len:,} tokens do not divide over {v.tensor_parallel:,} devices: shares are counted as "
            "fractions here, real systems pad."
        )
    if v.recompute == "full" and (v.tensor_parallel > 1 or v.sequence_parallel):
        yield "The inputs of the layers are counted whole on every device; Megatron-LM can shard them too."


ACTIVATION_MEMORY = Calculator(
    slug="activation-memory",
    title="Activation memory",
    topic="training-memory",
    summary="Activations that a device keeps for the backward pass of a GPT layer, with tensor and sequence "
    "parallelism, and with selective or full recomputation.",
    inputs=(
        count("seq_len", "Sequence length", "s", default="2048", help="Tokens of a sequence."),
        count("micro_batch", "Micro-batch", "b", default="1", help="Sequences that pass at once."),
        count("d_model", "Model width", "h", default="12288", help="Width of the residual stream."),
        count("heads", "Heads", "a", default="96", help="Attention heads, all with their own K and V."),
        count("layers", "Layers", "L", default="96", help="Of the whole model, however many stages it has."),
        count("tensor_parallel", "Tensor parallel", "t", default="8", help="Devices that share a layer."),
        flag(
            "sequence_parallel",
            "Sequence parallel",
            default="false",
            help="Whether norms and dropouts are shared over the same devices along the sequence.",
        ),
        choice(
            "recompute",
            "Recomputation",
            RECOMPUTES,
            default="none",
            help="What the backward pass computes again: nothing, the attention core, or the whole layer.",
        ),
    ),
    outputs=(
        Output(
            name="bytes_per_layer",
            label="One layer",
            symbol="B_layer",
            family="bytes",
            formula=_bytes_per_layer,
            meaning="Kept on one device of one micro-batch.",
            source="Korthikanti et al. 2022, table 2",
        ),
        Output(
            name="total_bytes",
            label="All layers",
            symbol="B_act",
            family="bytes",
            formula="bytes_per_layer * layers",
            meaning="What the first stage holds under 1F1B with enough micro-batches: p of them, for each of "
            "its L / p layers.",
            source="Korthikanti et al. 2022, 4.2.3",
        ),
    ),
    headline="total_bytes",
    compute=_activations,
    budget=Budget((part("Activations of all layers", "total_bytes"),), total="total_bytes"),
    notes=_activation_notes,
    plot=("seq_len", "total_bytes", "recompute"),
    sources=(
        Source(
            "Korthikanti et al. 2022: Reducing activation recomputation in large transformer models",
            "https://arxiv.org/abs/2205.05198",
            "4 and 5, table 2",
        ),
    ),
    leaves_out=(
        "A gated feed-forward layer, which keeps one hidden tensor more, and hidden widths other than 4 · h.",
        "Grouped KV heads, which keep less of K and V, and models without dropout, which keep no masks.",
        "The embedding, the last norm and the logits, which the first and the last stage hold besides.",
        "The factor 1 + (p − 1) / (p · v) that an interleaved pipeline adds.",
        "A fused attention kernel, which never stores the core: take selective for it.",
    ),
    conventions=(
        convention(
            "A GPT layer as in the paper: GELU, hidden width 4 · h, multi-head attention, dropout.", "d_model"
        ),
        convention("2 bytes an activation and 1 byte an element of a dropout mask.", "bytes_per_layer"),
        convention(
            "The core's 5 bytes a score: softmax and its dropped-out copy 2 each, the dropout mask 1.",
            "bytes_per_layer",
        ),
        convention("Full recomputation keeps each layer's input whole on every device.", "recompute"),
        gigabytes("total_bytes"),
    ),
)
