"""How many parameters a model has, and where they are."""

from collections.abc import Iterator, Mapping

from calculators.conventions import gigabytes
from calculators.cost.exact import Real
from calculators.cost.parameters import active_matmul_parameters, count_parameters
from calculators.ffn import MATRICES
from calculators.presets import MODELS
from calculators.spec import (
    Budget,
    Calculator,
    Output,
    Source,
    Term,
    Values,
    by_name,
    convention,
    part,
)
from calculators.spec.hardware_inputs import CUSTOM, dtype_input, element_size
from calculators.spec.model_inputs import MODEL_CHECKS, dimensions, is_latent, model_inputs


def parameter_needs(v: Values) -> tuple[str, ...]:
    """The dimensions that decide how many parameters there are."""
    common = ("layers", "d_model", "heads", "d_ff", "vocab_size")
    if is_latent(v) and not v.qk_norm:
        return common
    return (*common, "kv_heads", "head_dim")


def _embedding(v: Values) -> str:
    return "vocab_size * d_model" + (" + max_positions * d_model" if v.learned_positions else "")


def attention_text(v: Values) -> str:
    """One layer's attention matrices, as a formula."""
    if is_latent(v):
        queries = "heads * (nope_head_dim + rope_head_dim)"
        query = f"q_lora_rank * (d_model + {queries})" if v.q_lora_rank else f"d_model * {queries}"
        return (
            f"{query} + d_model * (kv_lora_rank + rope_head_dim)"
            " + kv_lora_rank * heads * (nope_head_dim + v_head_dim) + heads * v_head_dim * d_model"
        )
    return "d_model * head_dim * (2*heads + 2*kv_heads)"


def _attention(v: Values) -> str:
    weights = attention_text(v)
    if v.bias or v.qkv_bias:
        query = "q_lora_rank" if v.q_lora_rank else "heads * (nope_head_dim + rope_head_dim)"
        latent = f"{query} + kv_lora_rank + rope_head_dim"
        weights += f" + {latent if is_latent(v) else '(heads + 2*kv_heads) * head_dim'}"
    return f"layers * ({weights}{' + d_model' if v.bias else ''})"


def _multiplied(v: Values) -> str:
    if not v.experts:
        return f"layers * ({attention_text(v)} + matrices * d_model * d_ff) + vocab_size * d_model"
    expert = "(experts_per_token + shared_experts) * matrices * d_model * expert_d_ff"
    return (
        f"layers * ({attention_text(v)}) + dense_layers * matrices * d_model * d_ff"
        f" + (layers - dense_layers) * ({expert} + experts * d_model) + vocab_size * d_model"
    )


MATMUL_PARAMS = Term(
    name="matmul_params",
    label="parameters that multiply a token: experts it visits, routers and the head among them, a tied "
    "table as the head; not embedding, positions, norms and biases",
    symbol="N_mm",
    formula=_multiplied,
    derive=lambda v: active_matmul_parameters(dims=dimensions(v)),
)


def _layer(v: Values, width: str) -> str:
    biases = f" + (matrices - 1) * {width} + d_model" if v.bias else ""
    return f"matrices * d_model * {width}{biases}"


def _ffn(v: Values) -> str:
    if not v.experts:
        return f"layers * ({_layer(v, 'd_ff')})"
    router = "experts * (d_model + 1)" if v.router_bias else "experts * d_model"
    mixture = f"(experts + shared_experts) * ({_layer(v, 'expert_d_ff')}) + {router}"
    return f"dense_layers * ({_layer(v, 'd_ff')}) + (layers - dense_layers) * ({mixture})"


def _norms(v: Values) -> str:
    width = "2 * d_model" if v.norm_type == "layer" and v.bias else "d_model"
    of_heads = " + layers * 2 * head_dim" if v.qk_norm else ""
    of_latents = " + layers * (kv_lora_rank + q_lora_rank)" if is_latent(v) else ""
    return f"(layers * norms_per_layer + 1) * {width}{of_heads}{of_latents}"


def active_text(v: Values, total: str = "total") -> str:
    """The parameters that one token uses, as a formula over the name of the total."""
    if not v.experts:
        return total
    idle = f"(layers - dense_layers) * (experts - experts_per_token) * ({_layer(v, 'expert_d_ff')})"
    return f"{total} - {idle}"


def total_text(v: Values) -> str:
    """Every parameter, as one formula."""
    head = "" if v.tied_embeddings else " + vocab_size * d_model"
    return f"{_embedding(v)} + {_attention(v)} + {_ffn(v)} + {_norms(v)}{head}"


def _count(v: Values) -> dict[str, object]:
    counted = count_parameters(dims=dimensions(v))
    total = counted.total
    return {**by_name(counted), "total": total, "weight_bytes": total * v.bytes_per_element}


def _notes(v: Values, _: Mapping[str, Real]) -> Iterator[str]:
    if v.model == CUSTOM or dimensions(v) != MODELS[v.model].dimensions:
        return
    yield from MODELS[v.model].notes


TRANSFORMER_PARAMS = Calculator(
    slug="transformer-params",
    title="Transformer parameters",
    topic="transformer-arithmetic",
    summary="Every parameter of a transformer by part, those that one token uses, and the memory of the "
    "weights. Published models are counted to the last parameter.",
    inputs=(
        dtype_input(help="Of the stored weights."),
        *model_inputs("gpt2-small"),
    ),
    terms=(element_size(), MATRICES),
    outputs=(
        Output(
            name="total",
            label="Parameters",
            symbol="N",
            formula="embedding + attention + ffn + norms + head",
            meaning="Every parameter: the sum of the parts.",
        ),
        Output(
            name="active",
            label="Active parameters",
            symbol="N_active",
            formula=active_text,
            meaning="Those that one token uses: all but the experts that it does not visit. The embedding "
            "table and the head are included whole.",
        ),
        Output(
            name="embedding",
            label="Embedding",
            symbol="N_emb",
            formula=_embedding,
            meaning="The token table, and the position table where positions are learned.",
        ),
        Output(
            name="attention",
            label="Attention",
            symbol="N_att",
            formula=_attention,
            meaning="Projections of queries, keys, values and the output in all layers, with their biases.",
        ),
        Output(
            name="ffn",
            label="Feed-forward",
            symbol="N_ffn",
            formula=_ffn,
            meaning="Feed-forward layers, or experts and routers, with their biases.",
        ),
        Output(
            name="norms",
            label="Norms",
            symbol="N_norm",
            formula=_norms,
            meaning="Normalisations of layers, heads and latents, and the last one before the head.",
        ),
        Output(
            name="head",
            label="Output head",
            symbol="N_head",
            formula=lambda v: "0" if v.tied_embeddings else "vocab_size * d_model",
            meaning="From the last layer to the vocabulary; nothing where the token table serves.",
        ),
        Output(
            name="weight_bytes",
            label="Weights",
            symbol="B_w",
            family="bytes",
            formula="total * bytes_per_element",
            meaning="Memory of all parameters in this format.",
        ),
    ),
    compute=_count,
    needs=parameter_needs,
    checks=MODEL_CHECKS,
    budget=Budget(
        tuple(
            part(label, name, "bytes_per_element")
            for name, label in (
                ("embedding", "Embedding"),
                ("attention", "Attention"),
                ("ffn", "Feed-forward"),
                ("norms", "Norms"),
                ("head", "Head"),
            )
        ),
        total="weight_bytes",
    ),
    notes=_notes,
    plot=("layers", "total"),
    sources=(
        Source("Vaswani et al. 2017: Attention is all you need", "https://arxiv.org/abs/1706.03762", "3"),
        Source(
            "Radford et al. 2019: GPT-2, model code",
            "https://github.com/openai/gpt-2/blob/master/src/model.py",
        ),
        Source(
            "DeepSeek-AI 2024: DeepSeek-V2, multi-head latent attention",
            "https://arxiv.org/abs/2405.04434",
            "2.1",
        ),
    ),
    leaves_out=(
        "Parts beyond a decoder: a second prediction head, attention sinks, a vision tower.",
        "Padding of the vocabulary or of shards that a framework adds.",
        "Scales and zero points of quantised weights.",
    ),
    conventions=(
        convention("Tied embeddings are one table, counted once.", "tied_embeddings", "embedding"),
        convention(
            "Parts add up to the total: positions belong to the embedding, routers to the feed-forward "
            "layers, norms of latents to the norms.",
            "total",
        ),
        convention(
            "Active parameters include the embedding table, which publishers often leave out.", "active"
        ),
        gigabytes("weight_bytes"),
    ),
)
