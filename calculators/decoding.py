"""One step of generating tokens."""

from collections.abc import Iterator, Mapping

from calculators.conventions import DENSE, gigabytes, multiply_adds
from calculators.cost.exact import Real, greatest, quotient
from calculators.cost.inference import decode_flops_per_sequence, forward_pass, ridge_batch
from calculators.cost.kv_cache import kv_bytes_per_sequence
from calculators.ffn import MATRICES
from calculators.forward_pass import (
    COMPUTE_DTYPE,
    DEVICES,
    EXPERT_PARAMS,
    LIMITS,
    SHARED_PARAMS,
    SOURCES,
    attended_tokens,
    attention_core,
    params_read,
    pass_needs,
    shares_of_heads,
    touched_by,
)
from calculators.kv_cache import KV_ELEMENTS
from calculators.parameters import MATMUL_PARAMS
from calculators.spec import Calculator, Output, Term, Values, by_name, convention, count
from calculators.spec.hardware_inputs import dtype_input, element_size, hardware_inputs
from calculators.spec.model_inputs import MODEL_CHECKS, dimensions, is_latent, model_inputs


def _per_sequence(v: Values) -> tuple[Real, Real]:
    """The work of a sequence's next token and the bytes of its cache."""
    dims = dimensions(v)
    return (
        decode_flops_per_sequence(dims=dims, context=v.context),
        kv_bytes_per_sequence(dims=dims, seq_len=v.context, bytes_per_element=v.kv_bytes_per_element),
    )


def _gain(v: Values, flops_per_sequence: Real, kv_bytes: Real) -> Real:
    """Bytes that there is time to read while one more sequence is computed on, less its own cache."""
    return quotient(flops_per_sequence * v.hbm_bandwidth, v.peak_flops) - kv_bytes


def _ridge_formula(v: Values) -> str:
    if _gain(v, *_per_sequence(v)) <= 0:  # no batch gets there
        return "gain <= 0"
    return "balance" if v.experts else "max(1, ceil(weight_bytes / gain))"


def _notes(v: Values, _: Mapping[str, Real]) -> Iterator[str]:
    yield from shares_of_heads(v)
    if is_latent(v):
        expanded = v.nope_head_dim + v.rope_head_dim + v.v_head_dim
        ratio = quotient(2 * v.kv_lora_rank + v.rope_head_dim, expanded)
        yield (
            "Attention is counted with keys and values expanded from the latents, without the expanding. A "
            f"kernel that works on the latents themselves does {float(ratio):.3g} times this attention work."
        )


def _decode(v: Values) -> dict[str, object]:
    dims = dimensions(v)
    weight_bytes = (v.shared_params + v.experts_touched * v.expert_params) * v.bytes_per_element
    flops_per_sequence, per_sequence = _per_sequence(v)
    kv_bytes, flops = v.batch * per_sequence, v.batch * flops_per_sequence
    step = forward_pass(
        flops=flops,
        bytes_moved=weight_bytes + kv_bytes,
        devices=v.devices,
        peak_flops=v.peak_flops,
        hbm_bandwidth=v.hbm_bandwidth,
    )
    ridge = ridge_batch(
        shared_bytes=v.shared_params * v.bytes_per_element,
        expert_bytes=dims.experts * v.expert_params * v.bytes_per_element,
        missed_share=1 - quotient(dims.experts_per_token, greatest(dims.experts, 1)),
        kv_bytes_per_sequence=per_sequence,
        flops_per_sequence=flops_per_sequence,
        peak_flops=v.peak_flops,
        hbm_bandwidth=v.hbm_bandwidth,
    )
    return {
        **by_name(step),
        "weight_bytes": weight_bytes,
        "kv_bytes": kv_bytes,
        "flops": flops,
        "tokens_per_second": quotient(v.batch, step.time),
        "ridge_batch": ridge,
        "balance": ridge,
        "gain": _gain(v, flops_per_sequence, per_sequence),
    }


DECODE = Calculator(
    slug="decode",
    title="Decode step",
    topic="kv-cache-and-decoding",
    summary="Bytes, arithmetic and time of generating one token for every sequence of a batch, and the batch "
    "from which compute sets the pace.",
    inputs=(
        count("batch", "Batch", "b", default="1", help="Sequences, each of which gets one token a step."),
        count("context", "Context", "n", default="1024", help="Tokens of each sequence in the cache."),
        DEVICES,
        dtype_input(help="Of the weights. It sets their bytes, and the formats below unless they are given."),
        dtype_input(name="kv_dtype", follows="dtype", label="Cache format", help="Of the KV cache."),
        COMPUTE_DTYPE,
        *hardware_inputs("a100-80gb-sxm", peak_dtype="compute_dtype"),
        *model_inputs("llama-2-7b"),
    ),
    terms=(
        element_size(),
        element_size("kv_dtype"),
        MATRICES,
        MATMUL_PARAMS,
        SHARED_PARAMS,
        EXPERT_PARAMS,
        touched_by("batch", lambda v: v.batch, "the batch's tokens"),
        attended_tokens("context"),
        KV_ELEMENTS,
        attention_core("context", "full"),
        Term(
            name="gain",
            label="bytes that there is time to read while one more sequence is computed on, less its own "
            "cache",
            family="bytes",
            symbol="g",
            formula="flops / batch * hbm_bandwidth / peak_flops - kv_bytes / batch",
        ),
        Term(
            name="balance",
            label="the smallest whole b at which b · g is at least the bytes of the weights that b tokens "
            "read, which grow with b as more experts are visited",
            symbol="b at balance",
        ),
    ),
    outputs=(
        Output(
            name="weight_bytes",
            label="Weights read",
            symbol="B_w",
            family="bytes",
            formula=lambda v: f"{params_read(v)} * bytes_per_element",
            meaning="Once a step for the whole batch, all devices together. Of the token and position tables "
            "only rows are read, which do not count; a tied token table is read whole, as the head. Of a "
            "mixture: what all tokens share, and the experts that the batch is expected to visit.",
        ),
        Output(
            name="kv_bytes",
            label="Cache read",
            symbol="B_kv",
            family="bytes",
            formula="batch * attended_tokens * kv_elements * kv_bytes_per_element",
            meaning="Every sequence's own, in window layers no more than the window.",
        ),
        Output(
            name="flops",
            label="Work",
            symbol="F",
            family="flop",
            formula="batch * (2 * matmul_params + attention_core)",
            meaning="One token for each sequence: the matmuls, and attention over the context.",
        ),
        Output(
            name="intensity",
            label="Arithmetic intensity",
            symbol="I",
            family="intensity",
            formula="flops / (weight_bytes + kv_bytes)",
            meaning="Work for each byte read. The batch raises it for weights, and does nothing for the "
            "cache.",
        ),
        Output(
            name="time_memory",
            label="Time of memory",
            symbol="t_memory",
            family="time",
            formula="(weight_bytes + kv_bytes) / (devices * hbm_bandwidth)",
            meaning="Weights and caches, read at full bandwidth.",
        ),
        Output(
            name="time_compute",
            label="Time of compute",
            symbol="t_compute",
            family="time",
            formula="flops / (devices * peak_flops)",
            meaning="All arithmetic at the peak of the arithmetic format.",
        ),
        Output(
            name="time",
            label="Time of a step",
            symbol="t",
            family="time",
            formula="max(time_compute, time_memory)",
            meaning="The larger of the two: they overlap. Also the time between two tokens of a sequence.",
        ),
        Output(
            name="tokens_per_second",
            label="Throughput",
            symbol="R",
            family="tokens/s",
            formula="batch / time",
            meaning="Of all sequences together.",
        ),
        Output(
            name="bound",
            label="Limit that binds",
            family=None,
            formula="longest(compute=time_compute, memory=time_memory)",
            meaning="The limit with the longer time, compute on a tie.",
        ),
        Output(
            name="ridge_batch",
            label="Ridge batch",
            symbol="b_ridge",
            formula=_ridge_formula,
            meaning="The smallest whole batch at which compute takes at least as long as memory.",
            none="each further sequence takes at least as long to read its cache as to compute on, so that "
            "no batch gets there",
        ),
    ),
    headline="time",
    compute=_decode,
    needs=lambda v: ("peak_flops", "hbm_bandwidth", *pass_needs(v)),
    checks=MODEL_CHECKS,
    limits=LIMITS,
    notes=_notes,
    plot=("batch", "tokens_per_second"),
    sources=SOURCES,
    leaves_out=(
        "Communication between devices, two all-reduces a layer under tensor parallelism, which often rules "
        "with small batches; and launches.",
        "Whether weights and caches fit; see serving capacity.",
        "Activations, the cache's new entries, and the logits: small beside what is read.",
        "Routers with favourites: experts are visited evenly and independently here.",
        "In a latent model, expanding the cached latents into keys and values. Kernels that absorb the "
        "expansion into queries and output do without it, and do more work on attention.",
        "KV heads that tensor parallelism replicates.",
    ),
    conventions=(
        multiply_adds("flops"),
        DENSE,
        convention("Both limits are the datasheet's: kernels reach less.", "time"),
        convention("The new token attends to the context's tokens, whole: nothing is halved.", "context"),
        convention(
            "Norms, biases and routers are read with the weights; only matrices are computed with.",
            "weight_bytes",
        ),
        convention(
            "Weights may be stored narrower than the arithmetic: dtype sets their bytes, compute_dtype the "
            "peak.",
            "compute_dtype",
        ),
        gigabytes("weight_bytes"),
    ),
)
