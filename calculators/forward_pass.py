"""What the calculators of a forward pass share: inputs, terms and formulas of a model's weights and work."""

from collections.abc import Callable, Iterator

from calculators.cost.attention import AttentionMask, attention_flops_per_token, tokens_over_layers
from calculators.cost.exact import Real
from calculators.cost.mixture import expert_parameters, experts_touched, shared_parameters
from calculators.kv_cache import CACHE_SOURCES, cache_needs
from calculators.parameters import parameter_needs
from calculators.spec import Source, Term, Values, count
from calculators.spec.hardware_inputs import dtype_input
from calculators.spec.model_inputs import dimensions, is_latent

LIMITS = {"compute": "time_compute", "memory": "time_memory"}
SOURCES = (
    Source(
        "Pope et al. 2022: Efficiently scaling transformer inference",
        "https://arxiv.org/abs/2211.05102",
        "2 and 2.1; tables 2 and 3",
    ),
    *CACHE_SOURCES[1:],
)
COMPUTE_DTYPE = dtype_input(
    name="compute_dtype",
    follows="dtype",
    label="Arithmetic format",
    help="What the arithmetic is done in: it picks the peak. int4 weights are often computed with in bf16.",
)


def pass_needs(v: Values) -> tuple[str, ...]:
    """The dimensions that decide what a forward pass computes, reads and caches."""
    return tuple(dict.fromkeys((*parameter_needs(v), *cache_needs(v))))


def _width(v: Values) -> str:
    """The width of one head's key and value together."""
    return "(nope_head_dim + rope_head_dim + v_head_dim)" if is_latent(v) else "2 * head_dim"


def attended_tokens(tokens: str) -> Term:
    """The tokens that a query sees, summed over layers."""
    return Term(
        name="attended_tokens",
        label="tokens in reach of a query and so in the cache, summed over layers",
        symbol="n_L",
        formula=lambda v: (
            f"(layers - window_layers) * {tokens} + window_layers * min({tokens}, window)"
            if v.window
            else f"layers * {tokens}"
        ),
        derive=lambda v: tokens_over_layers(dims=dimensions(v), seq_len=getattr(v, tokens)),
    )


def attention_core(tokens: str, mask: AttentionMask) -> Term:
    """The work of one query's scores and values."""
    factor = "" if mask == "causal" else "2 * "
    return Term(
        name="attention_core",
        label=f"attention of one token{', causal: half' if mask == 'causal' else ''}",
        family="flop",
        symbol="F_att",
        formula=lambda v: f"{factor}heads * {_width(v)} * attended_tokens",
        derive=lambda v: attention_flops_per_token(
            dims=dimensions(v), seq_len=getattr(v, tokens), attention=mask
        ),
    )


SHARED_PARAMS = Term(
    name="shared_params",
    label="parameters that every pass reads: all but routed experts and the tables; a tied table as the head",
    symbol="N_shared",
    derive=lambda v: shared_parameters(dims=dimensions(v)),
)
EXPERT_PARAMS = Term(
    name="expert_params",
    label="parameters of one routed expert, over all layers that have experts",
    symbol="N_expert",
    derive=lambda v: expert_parameters(dims=dimensions(v)),
)


def touched_by(tokens: str, count_tokens: Callable[[Values], Real], in_words: str) -> Term:
    """The experts of a layer that this many tokens visit, `tokens` being their formula."""
    return Term(
        name="experts_touched",
        label=f"experts of a layer that {in_words} are expected to visit",
        symbol="E_touched",
        formula=lambda v: (
            f"experts * (1 - (1 - experts_per_token / experts)**({tokens}))" if v.experts else "0"
        ),
        derive=lambda v: experts_touched(
            experts=v.experts,
            experts_per_token=v.experts_per_token,
            tokens=count_tokens(v),
        ),
    )


def params_read(v: Values) -> str:
    """The parameters that a pass reads, as a formula."""
    return "(shared_params + experts_touched * expert_params)" if v.experts else "shared_params"


def shares_of_heads(v: Values) -> Iterator[str]:
    """A remark where KV heads do not come out even over the devices."""
    if not is_latent(v) and v.kv_heads % v.devices and v.devices % v.kv_heads:
        yield (
            f"{v.kv_heads} KV heads do not divide over {v.devices} devices: an even share is counted here, "
            "real systems pad or replicate."
        )


DEVICES = count(
    "devices", "Devices", "D", default="1", help="They share weights, caches and arithmetic evenly."
)
