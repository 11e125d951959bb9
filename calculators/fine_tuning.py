"""Fine-tuning a model whole or through low-rank adapters."""

from collections.abc import Iterator, Mapping

from calculators.conventions import gigabytes
from calculators.cost.exact import Real, Truth
from calculators.cost.fine_tuning import METHODS, TARGETS, fine_tuning, layer_matrix_parameters
from calculators.cost.parameters import count_parameters
from calculators.ffn import MATRICES
from calculators.parameters import attention_text, parameter_needs
from calculators.spec import (
    Budget,
    Calculator,
    Check,
    Output,
    Source,
    Term,
    Values,
    by_name,
    choice,
    convention,
    count,
    part,
)
from calculators.spec.model_inputs import MODEL_CHECKS, dimensions, is_latent, model_inputs


def _latent_ends(v: Values) -> str:
    queries = "heads * (nope_head_dim + rope_head_dim)"
    query = f"d_model + 2 * q_lora_rank + {queries}" if v.q_lora_rank else f"d_model + {queries}"
    return (
        f"{query} + d_model + kv_lora_rank + rope_head_dim"
        " + kv_lora_rank + heads * (nope_head_dim + v_head_dim) + heads * v_head_dim + d_model"
    )


def _ends(v: Values) -> str:
    """Inputs plus outputs of the target matrices of attention, in one layer."""
    if is_latent(v):
        return _latent_ends(v)
    if v.targets == "qv":
        return "2 * d_model + heads * head_dim + kv_heads * head_dim"
    return "4 * d_model + 2 * heads * head_dim + 2 * kv_heads * head_dim"


def _trainable(v: Values) -> str:
    if v.method == "full":
        return "total_params"
    adapted = f"layers * ({_ends(v)})"
    if v.targets == "all-linear":
        if v.experts:
            adapted += (
                " + matrices * (dense_layers * (d_model + d_ff) + (layers - dense_layers)"
                " * (experts + shared_experts) * (d_model + expert_d_ff))"
            )
        else:
            adapted += " + matrices * layers * (d_model + d_ff)"
    return f"rank * ({adapted})"


def _matrix_params(v: Values) -> str:
    attention = f"layers * ({attention_text(v)})"
    if not v.experts:
        return f"{attention} + layers * matrices * d_model * d_ff"
    mixture = "(layers - dense_layers) * (experts + shared_experts) * expert_d_ff"
    return f"{attention} + matrices * d_model * (dense_layers * d_ff + {mixture})"


def _weights(v: Values) -> str:
    if v.method == "full":
        return "2 * total_params"
    base = (
        "2 * total_params" if v.method == "lora" else "matrix_params / 2 + 2 * (total_params - matrix_params)"
    )
    return f"{base} + 2 * trainable_params"


def _tune(v: Values) -> dict[str, object]:
    tuned = fine_tuning(dims=dimensions(v), method=v.method, rank=v.rank, targets=v.targets)
    return {**by_name(tuned), "total_bytes": tuned.total_bytes}


def _qv_is_there(v: Values) -> Truth:
    no_part = v.method == "full" or v.targets != "qv"
    return no_part | (v.kv_lora_rank == 0)


def _notes(v: Values, _: Mapping[str, Real]) -> Iterator[str]:
    if v.method == "full":
        yield "All parameters are trained: rank and targets play no part."
        return
    if v.rank > v.d_model:
        yield f"A rank of {v.rank} is above the model's width of {v.d_model}: adapters outgrow matrices."
    if v.experts and v.targets == "all-linear":
        yield f"Each of {v.experts} experts has adapters of its own in every matrix."


FINE_TUNE_MEMORY = Calculator(
    slug="fine-tune-memory",
    title="Fine-tuning memory",
    topic="training-memory",
    summary="What LoRA, QLoRA and full fine-tuning train, and the memory of weights, gradients and optimizer "
    "that each of them takes.",
    inputs=(
        choice(
            "method",
            "Method",
            METHODS,
            default="lora",
            help="lora trains adapters beside 2-byte weights, qlora beside 4-bit ones, full trains all.",
        ),
        count("rank", "Rank", "r", default="16", help="Width of an adapter: inputs to r, r to outputs."),
        choice(
            "targets",
            "Adapted matrices",
            TARGETS,
            default="all-linear",
            help="all-linear every matrix of the layers, attention Q, K, V and output, qv Q and V alone.",
        ),
        *model_inputs("llama-2-7b"),
    ),
    terms=(
        MATRICES,
        Term(
            name="total_params",
            label="parameters of the model",
            symbol="N",
            derive=lambda v: count_parameters(dims=dimensions(v)).total,
        ),
        Term(
            name="matrix_params",
            label="parameters in the matrices of the layers, all experts among them, routers not",
            symbol="N_mat",
            formula=_matrix_params,
            derive=lambda v: layer_matrix_parameters(dims=dimensions(v)),
        ),
    ),
    outputs=(
        Output(
            name="trainable_params",
            label="Trained",
            symbol="N_train",
            formula=_trainable,
            meaning="An adapter has rank · (inputs + outputs) parameters, summed over the adapted matrices.",
            source="Hu et al. 2021, 4.2",
        ),
        Output(
            name="weight_bytes",
            label="Weights",
            symbol="B_w",
            family="bytes",
            formula=_weights,
            meaning="The base in 2 bytes, or with qlora the layers' matrices in half a byte; adapters in 2.",
        ),
        Output(
            name="gradient_bytes",
            label="Gradients",
            symbol="B_g",
            family="bytes",
            formula="2 * trainable_params",
            meaning="2 bytes for each trained parameter, none for the frozen ones.",
        ),
        Output(
            name="optimizer_bytes",
            label="Optimizer",
            symbol="B_o",
            family="bytes",
            formula="12 * trainable_params",
            meaning="Adam in mixed precision: an fp32 master copy and two fp32 moments.",
        ),
        Output(
            name="total_bytes",
            label="Together",
            symbol="B",
            family="bytes",
            formula="weight_bytes + gradient_bytes + optimizer_bytes",
            meaning="What has to fit before any activation.",
        ),
    ),
    headline="total_bytes",
    compute=_tune,
    needs=lambda v: tuple(dict.fromkeys((*parameter_needs(v), *(() if is_latent(v) else ("head_dim",))))),
    checks=(
        *MODEL_CHECKS,
        Check(
            field="targets",
            names=("targets", "method", "kv_lora_rank", "model"),
            holds=_qv_is_there,
            allowed=lambda _: "all-linear or attention in a latent model, whose V has no matrix of its own",
        ),
    ),
    budget=Budget(
        (
            part("Weights", "weight_bytes"),
            part("Gradients", "gradient_bytes"),
            part("Optimizer", "optimizer_bytes"),
        ),
        total="total_bytes",
    ),
    notes=_notes,
    plot=("rank", "total_bytes", "method"),
    sources=(
        Source(
            "Hu et al. 2021: LoRA, low-rank adaptation of large language models",
            "https://arxiv.org/abs/2106.09685",
            "4 and table 4",
        ),
        Source(
            "Dettmers et al. 2023: QLoRA, efficient finetuning of quantized LLMs",
            "https://arxiv.org/abs/2305.14314",
            "2 and 3",
        ),
    ),
    leaves_out=(
        "Activations, which are those of the whole model whatever is trained.",
        "The scales of 4-bit weights: 0.5 bits a weight in blocks of 64, 0.127 with double quantisation.",
        "A weight that qlora turns back to 16 bits while it computes with it.",
        "Paged or 8-bit optimizers, adapters kept in fp32, and sharding over devices.",
    ),
    conventions=(
        convention(
            "Q, K and V are three matrices, and so are gate, up and down, also where a framework fuses them.",
            "targets",
        ),
        convention(
            "Embedding, head, routers, norms and biases have no adapters and keep 2 bytes a parameter in "
            "qlora.",
            "weight_bytes",
        ),
        convention(
            "A latent model's attention matrices are those to the latents, from them, and the output.",
            "targets",
        ),
        convention(
            "Gradients are 2 bytes, and mixed-precision Adam takes 12 bytes a trained parameter.",
            "gradient_bytes",
            "optimizer_bytes",
        ),
        gigabytes("total_bytes"),
    ),
)
