"""Context parallelism: ring attention, and whether its hops hide."""

from collections.abc import Iterator, Mapping

from calculators.conventions import DENSE, ONE_DIRECTION, gigabytes, multiply_adds
from calculators.cost.attention import key_width, value_width
from calculators.cost.exact import Real, quotient
from calculators.cost.parallelism import context_parallel
from calculators.kv_cache import KV_ELEMENTS, cache_needs
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
from calculators.spec.model_inputs import MODEL_CHECKS, dimensions, is_latent, model_inputs
from calculators.transformer_flops import attention_needs


def _context(v: Values) -> dict[str, object]:
    return by_name(
        context_parallel(
            dims=dimensions(v),
            seq_len=v.seq_len,
            batch=v.batch,
            devices=v.devices,
            bytes_per_element=v.bytes_per_element,
            causal=v.causal,
            peak_flops=v.peak_flops,
            link_bandwidth=v.link_bandwidth,
        )
    )


def _notes(v: Values, _: Mapping[str, Real]) -> Iterator[str]:
    if v.devices == 1:
        yield "One device has all keys and values: nothing moves."
    elif v.seq_len % v.devices:
        yield (
            f"{v.seq_len:,} tokens do not divide over {v.devices:,} devices: shares are counted as fractions "
            "here, real systems pad."
        )
    if v.window and v.window_layers:
        yield f"{v.window_layers:,} layers see {v.window:,} tokens only: this is a layer that sees all."


def _of_pair(v: Values) -> str:
    return "heads * core_widths" if v.causal else "2 * heads * core_widths"


def _least_tokens(v: Values) -> str:
    if v.devices == 1:
        return "1"
    return f"max(1, ceil(kv_elements * bytes_per_element * peak_flops / (link_bandwidth * {_of_pair(v)})))"


CONTEXT_PARALLEL = Calculator(
    slug="context-parallel",
    title="Context parallelism",
    topic="parallelism",
    summary="Ring attention over a sequence that is split over devices: what a hop moves in one layer, and "
    "from how many tokens a device on it hides behind the attention of a block.",
    inputs=(
        count("seq_len", "Sequence length", "n", default="131072", help="Tokens of the whole sequence."),
        count("batch", "Batch", "b", default="1", help="Sequences, each split over all the devices."),
        count("devices", "Devices", "D", default="8", help="In the ring, each with an equal share."),
        dtype_input(help="Of keys and values. It sets the bytes, and picks the device's peak."),
        flag(
            "causal",
            "Causal",
            default="true",
            help="Half of the pairs, dealt out so that every device has the same work in every hop.",
        ),
        *hardware_inputs("h100-sxm"),
        *model_inputs("llama-3-8b"),
    ),
    terms=(
        element_size(),
        KV_ELEMENTS,
        Term(
            name="core_widths",
            label="width of one head's key and value together",
            symbol="d_kv",
            formula=lambda v: (
                "nope_head_dim + rope_head_dim + v_head_dim" if is_latent(v) else "2 * head_dim"
            ),
            derive=lambda v: key_width(dims=dimensions(v)) + value_width(dims=dimensions(v)),
        ),
        Term(
            name="own_tokens",
            label="tokens of a sequence on one device",
            symbol="n_own",
            formula="seq_len / devices",
            derive=lambda v: quotient(v.seq_len, v.devices),
        ),
    ),
    outputs=(
        Output(
            name="kv_bytes_per_hop",
            label="Moved in a hop",
            symbol="B_hop",
            family="bytes",
            formula=lambda v: (
                "batch * own_tokens * kv_elements * bytes_per_element" if v.devices > 1 else "0"
            ),
            meaning="Keys and values, or the latent, of one device's share in one layer.",
        ),
        Output(
            name="time_hop",
            label="Time of a hop",
            symbol="t_hop",
            family="time",
            formula="kv_bytes_per_hop / link_bandwidth",
            meaning="To the next device at the link's full rate.",
            roofs=(Roof(("time_attention_hop",)),),
        ),
        Output(
            name="time_attention_hop",
            label="Attention of a block",
            symbol="t_att",
            family="time",
            formula=lambda v: f"batch * {_of_pair(v)} * own_tokens**2 / peak_flops",
            meaning="One device's queries against one share of keys and values, forward, at the peak.",
        ),
        Output(
            name="hidden",
            label="Hop hidden",
            family=None,
            formula="time_hop <= time_attention_hop",
            meaning="Whether the next share arrives before the block is done.",
        ),
        Output(
            name="min_tokens_per_device",
            label="Tokens to hide it",
            symbol="n_min",
            formula=_least_tokens,
            meaning="The smallest share of one sequence with which it does: the block grows with the square "
            "of the share, the hop with the share, and both with the batch.",
            source="Liu et al. 2023, 3",
        ),
    ),
    headline="time_hop",
    compute=_context,
    needs=lambda v: (
        "peak_flops",
        "link_bandwidth",
        *dict.fromkeys((*cache_needs(v), *attention_needs(v))),
    ),
    checks=MODEL_CHECKS,
    notes=_notes,
    plot=("seq_len", "time_hop"),
    sources=(
        Source(
            "Liu, Zaharia, Abbeel 2023: Ring attention with blockwise transformers for near-infinite context",
            "https://arxiv.org/abs/2310.01889",
            "3 and table 2",
        ),
        Source(
            "Brandon et al. 2023: Striped attention, faster ring attention for causal transformers",
            "https://arxiv.org/abs/2311.09431",
            "3, a balanced order",
        ),
    ),
    leaves_out=(
        "Latency, and an attention kernel that stays below the peak, which hides a hop sooner.",
        "The backward pass, which moves gradients of keys and values as well and computes more.",
        "The feed-forward layers, whose time hides nothing here, and sliding windows.",
        "Orders that are not balanced: with whole pieces in a row the last device has all the work.",
    ),
    conventions=(
        convention("Causal counts half of every block, in a balanced order (striped or zigzag).", "causal"),
        convention(
            "A latent model sends its latent and computes with full keys and values of every head.", "model"
        ),
        convention("The forward pass alone.", "time_attention_hop"),
        multiply_adds("time_attention_hop"),
        DENSE,
        ONE_DIRECTION,
        gigabytes("kv_bytes_per_hop"),
    ),
)
