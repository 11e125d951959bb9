"""The arithmetic of one token in training, matmul by matmul."""

from collections.abc import Iterator, Mapping

from calculators.conventions import multiply_adds
from calculators.cost.attention import (
    ATTENTION_MASKS,
    attention_flops_per_token,
    key_width,
    tokens_over_layers,
    value_width,
)
from calculators.cost.exact import Real
from calculators.cost.parameters import count_parameters
from calculators.cost.training import token_flops
from calculators.cost.utilization import RECOMPUTES
from calculators.ffn import MATRICES
from calculators.parameters import MATMUL_PARAMS, parameter_needs
from calculators.spec import (
    Calculator,
    Output,
    Roof,
    Source,
    Term,
    Values,
    by_name,
    choice,
    convention,
    count,
)
from calculators.spec.model_inputs import MODEL_CHECKS, dimensions, is_latent, model_inputs

_SHARE = {"none": "0 * ", "full": "2 * ", "causal": ""}


def attention_needs(v: Values) -> tuple[str, ...]:
    """The dimensions that decide the work between queries, keys and values."""
    if is_latent(v):
        return ("layers", "heads", "nope_head_dim", "rope_head_dim", "v_head_dim")
    return ("layers", "heads", "head_dim")


def _widths(v: Values) -> str:
    return "nope_head_dim + rope_head_dim + v_head_dim" if is_latent(v) else "2 * head_dim"


def _seen(v: Values) -> str:
    if v.window:
        return "(layers - window_layers) * seq_len + window_layers * min(seq_len, window)"
    return "layers * seq_len"


CORE_TERMS = (
    Term(
        name="core_widths",
        label="width of one head's key and value together",
        symbol="d_kv",
        formula=_widths,
        derive=lambda v: key_width(dims=dimensions(v)) + value_width(dims=dimensions(v)),
    ),
    Term(
        name="seen_tokens",
        label="tokens that a query sees without a causal mask, summed over layers",
        symbol="n_L",
        formula=_seen,
        derive=lambda v: tokens_over_layers(dims=dimensions(v), seq_len=v.seq_len),
    ),
)

_CORE = Term(
    name="core_flops",
    label="forward work of the attention core on one token",
    family="flop",
    symbol="F_core",
    formula=lambda v: f"{_SHARE[v.attention]}heads * core_widths * seen_tokens",
    derive=lambda v: attention_flops_per_token(dims=dimensions(v), seq_len=v.seq_len, attention=v.attention),
)


def _hardware(v: Values) -> str:
    again = {"none": "", "selective": " + core_flops", "full": " + forward_per_token"}
    return f"model_flops_per_token{again[v.recompute]}"


def _work(v: Values) -> dict[str, object]:
    dims = dimensions(v)
    work = token_flops(dims=dims, seq_len=v.seq_len, attention=v.attention, recompute=v.recompute)
    return {**by_name(work), "six_n_per_token": 6 * v.active_params}


def _notes(v: Values, _: Mapping[str, Real]) -> Iterator[str]:
    if v.learned_positions and v.max_positions and v.seq_len > v.max_positions:
        yield f"The model has {v.max_positions:,} positions: it cannot take {v.seq_len:,} tokens as it is."


TRANSFORMER_FLOPS = Calculator(
    slug="transformer-flops",
    title="Transformer FLOP per token",
    topic="transformer-arithmetic",
    summary="Forward and backward work of a transformer on one token, attention included, what recomputation "
    "adds to it, and the rule of six FLOP a parameter beside it.",
    inputs=(
        count("seq_len", "Sequence length", "n", default="4096", help="Tokens of a training sequence."),
        choice(
            "attention",
            "Attention counted",
            ATTENTION_MASKS,
            default="full",
            help="full counts every pair of tokens, causal half of them, none leaves the core out.",
        ),
        choice(
            "recompute",
            "Recomputation",
            RECOMPUTES,
            default="none",
            help="What the backward pass repeats: nothing, the attention core, or the whole forward pass.",
        ),
        *model_inputs("llama-2-7b"),
    ),
    terms=(
        MATRICES,
        MATMUL_PARAMS,
        *CORE_TERMS,
        _CORE,
        Term(
            name="active_params",
            label="parameters that one token uses, the embedding table included",
            symbol="N_active",
            derive=lambda v: count_parameters(dims=dimensions(v)).active,
        ),
    ),
    outputs=(
        Output(
            name="forward_per_token",
            label="Forward",
            symbol="F_fwd",
            family="flop",
            formula="2 * matmul_params + core_flops",
            meaning="One multiply-add for each parameter that multiplies the token, and the attention core: "
            "scores, and scores times values.",
        ),
        Output(
            name="backward_per_token",
            label="Backward",
            symbol="F_bwd",
            family="flop",
            formula="2 * forward_per_token",
            meaning="Each matmul has two in the backward pass, one for the gradient of either operand.",
        ),
        Output(
            name="model_flops_per_token",
            label="Model work",
            symbol="F_model",
            family="flop",
            formula="forward_per_token + backward_per_token",
            meaning="What the step has to do, without recomputation.",
            roofs=(Roof(("six_n_per_token",)),),
        ),
        Output(
            name="hardware_flops_per_token",
            label="Hardware work",
            symbol="F_hardware",
            family="flop",
            formula=_hardware,
            meaning="What the devices do: model work, and the forward work that is done again.",
            source="Korthikanti et al. 2022, section 5",
        ),
        Output(
            name="six_n_per_token",
            label="Rule of thumb",
            symbol="F_6N",
            family="flop",
            formula="6 * active_params",
            meaning="Six FLOP a parameter, for comparison: it has the embedding table, norms and biases, "
            "and no attention core.",
            source="Kaplan et al. 2020, 2.1",
        ),
    ),
    headline="model_flops_per_token",
    compute=_work,
    needs=lambda v: tuple(dict.fromkeys((*parameter_needs(v), *attention_needs(v)))),
    checks=MODEL_CHECKS,
    notes=_notes,
    plot=("seq_len", "model_flops_per_token"),
    sources=(
        Source(
            "Chowdhery et al. 2022: PaLM, scaling language modeling with pathways",
            "https://arxiv.org/abs/2204.02311",
            "Appendix B",
        ),
        Source(
            "Korthikanti et al. 2022: Reducing activation recomputation in large transformer models",
            "https://arxiv.org/abs/2205.05198",
            "5 and appendix A",
        ),
        Source(
            "Kaplan et al. 2020: Scaling laws for neural language models",
            "https://arxiv.org/abs/2001.08361",
            "2.1 and table 1",
        ),
    ),
    leaves_out=(
        "Softmax, norms, activation functions, rotary positions and biases: little arithmetic.",
        "The optimizer's step, a few FLOP a parameter once a step and not once a token.",
        "Scores that a fused attention kernel computes again in its backward pass.",
        "Experts beyond those that a token visits, and padding to an expert's capacity.",
    ),
    conventions=(
        multiply_adds("forward_per_token"),
        convention(
            "full counts the whole square of scores even where the model masks it; causal counts exactly "
            "half.",
            "attention",
        ),
        convention(
            "A window layer sees min(n, window) tokens, of which causal counts half too.",
            "window",
            "attention",
        ),
        convention(
            "The embedding is looked up and costs nothing; the head is multiplied, tied or not.",
            "forward_per_token",
        ),
        convention(
            "A latent model's core is counted over heads with full keys and values, as in training.",
            "kv_lora_rank",
            "forward_per_token",
        ),
        convention(
            "Selective recomputation repeats the core's two forward matmuls. Equation 8 of Korthikanti et "
            "al. counts three times that.",
            "recompute",
        ),
        convention(
            "Six FLOP a parameter counts the embedding table too, which no token multiplies.",
            "six_n_per_token",
        ),
    ),
)
