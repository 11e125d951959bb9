"""The key and value cache of a model."""

from calculators.conventions import gigabytes
from calculators.cost.attention import tokens_over_layers
from calculators.cost.kv_cache import (
    kv_bytes_per_sequence,
    kv_bytes_per_token,
    kv_elements_per_token,
    mha_ratio,
)
from calculators.spec import Budget, Calculator, Output, Source, Term, Values, convention, count, part
from calculators.spec.hardware_inputs import dtype_input, element_size
from calculators.spec.model_inputs import dimensions, is_latent, model_checks, model_inputs


def cache_needs(v: Values) -> tuple[str, ...]:
    """The dimensions that decide the size of the cache."""
    if is_latent(v):
        return ("layers", "kv_lora_rank", "rope_head_dim")
    return ("layers", "kv_heads", "head_dim")


KV_ELEMENTS = Term(
    name="kv_elements",
    label="cached elements of one token in one layer",
    symbol="c",
    formula=lambda v: "kv_lora_rank + rope_head_dim" if is_latent(v) else "2 * kv_heads * head_dim",
    derive=lambda v: kv_elements_per_token(dims=dimensions(v)),
)
CACHE_TERMS = (
    KV_ELEMENTS,
    Term(
        name="cached_tokens",
        label="cached tokens of one sequence, summed over layers",
        symbol="n_L",
        formula=lambda v: (
            "(layers - window_layers) * seq_len + window_layers * min(seq_len, window)"
            if v.window
            else "layers * seq_len"
        ),
        derive=lambda v: tokens_over_layers(dims=dimensions(v), seq_len=v.seq_len),
    ),
)

CACHE_SOURCES = (
    Source(
        "Pope et al. 2022: Efficiently scaling transformer inference",
        "https://arxiv.org/abs/2211.05102",
        "2.1 and 3.3",
    ),
    Source(
        "Ainslie et al. 2023: GQA, training generalized multi-query transformer models",
        "https://arxiv.org/abs/2305.13245",
        "2.2",
    ),
    Source(
        "DeepSeek-AI 2024: DeepSeek-V2, multi-head latent attention",
        "https://arxiv.org/abs/2405.04434",
        "2.1",
    ),
)


def _cache(v: Values) -> dict[str, object]:
    dims = dimensions(v)
    per_sequence = kv_bytes_per_sequence(dims=dims, seq_len=v.seq_len, bytes_per_element=v.bytes_per_element)
    return {
        "bytes_per_token": kv_bytes_per_token(dims=dims, bytes_per_element=v.bytes_per_element),
        "bytes_per_sequence": per_sequence,
        "total_bytes": v.batch * per_sequence,
        "mha_ratio": mha_ratio(dims=dims, seq_len=v.seq_len),
    }


KV_CACHE = Calculator(
    slug="kv-cache",
    title="KV cache",
    topic="kv-cache-and-decoding",
    summary="Memory that the keys and values of past tokens take: per token, per sequence and for a batch, "
    "with grouped heads, sliding windows and latent caches.",
    inputs=(
        count("batch", "Batch", "b", default="1", help="Sequences at once."),
        count("seq_len", "Sequence length", "n", default="4096", help="Tokens of each sequence."),
        dtype_input(help="Of the cache, which may be narrower than that of the weights."),
        *model_inputs("llama-2-7b"),
    ),
    terms=(element_size(), *CACHE_TERMS),
    outputs=(
        Output(
            name="bytes_per_token",
            label="One token",
            symbol="B_token",
            family="bytes",
            formula="layers * kv_elements * bytes_per_element",
            meaning="What one more token adds over all layers, while no window is full.",
        ),
        Output(
            name="bytes_per_sequence",
            label="One sequence",
            symbol="B_seq",
            family="bytes",
            formula="cached_tokens * kv_elements * bytes_per_element",
            meaning="Summed over layers: a window layer holds no more tokens than its window.",
        ),
        Output(
            name="total_bytes",
            label="Whole batch",
            symbol="B_kv",
            family="bytes",
            formula="batch * bytes_per_sequence",
            meaning="The caches of all sequences together.",
        ),
        Output(
            name="mha_ratio",
            label="Saved against multi-head",
            symbol="r",
            formula=lambda v: (
                f"2 * layers * heads * {'v_head_dim' if is_latent(v) else 'head_dim'} * seq_len"
                " * bytes_per_element / bytes_per_sequence"
            ),
            meaning="How many times larger the cache would be with keys and values for every query head and "
            "full attention in every layer.",
        ),
    ),
    headline="total_bytes",
    compute=_cache,
    needs=lambda v: (*cache_needs(v), "heads", "v_head_dim" if is_latent(v) else "head_dim"),
    checks=model_checks(unused=("experts_per_token", "expert_d_ff", "nope_head_dim")),
    budget=Budget((part("Caches of all sequences", "total_bytes"),), total="total_bytes"),
    plot=("seq_len", "total_bytes"),
    sources=CACHE_SOURCES,
    leaves_out=(
        "Pages that are not full: a paged cache loses up to a page less one token a sequence.",
        "Copies under tensor parallelism with more devices than KV heads.",
        "Servers that keep the whole sequence in window layers too.",
        "Scales of a quantised cache, and sequences that share a prefix.",
    ),
    conventions=(
        convention(
            "Keys and values both count: the factor 2. A latent cache has one vector for both.",
            "bytes_per_token",
        ),
        convention("KV heads count, not query heads.", "kv_heads", "bytes_per_token"),
        gigabytes("total_bytes"),
    ),
)
