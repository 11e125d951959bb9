"""Prompts: reading them in one pass, and whether their cache is better sent or made again."""

from calculators.conventions import DENSE, gigabytes, multiply_adds
from calculators.cost.inference import (
    cache_move,
    forward_pass,
    prefill_cache_bytes,
    prefill_flops_per_sequence,
)
from calculators.cost.kv_cache import kv_bytes_per_sequence
from calculators.cost.mixture import parameters_read
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
from calculators.spec import (
    Calculator,
    Input,
    Output,
    Roof,
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


def _mfu(default: str) -> Input:
    return amount(
        "mfu",
        "Share of the peak",
        "u",
        family="ratio",
        maximum=1,
        default=default,
        help="What the arithmetic reaches of the peak. Long prompts reach about half in practice.",
    )


def _work(tokens: str) -> str:
    """The work of one prompt, as a formula."""
    head = "vocab_size * d_model"
    return f"{tokens} * (2 * (matmul_params - {head}) + attention_core) + 2 * {head}"


def _prefill(v: Values) -> dict[str, object]:
    dims = dimensions(v)
    flops = v.batch * prefill_flops_per_sequence(dims=dims, prompt=v.prompt)
    weights = parameters_read(dims=dims, tokens=v.batch * v.prompt) * v.bytes_per_element
    written = prefill_cache_bytes(dims=dims, prompt=v.prompt, bytes_per_element=v.bytes_per_element)
    bytes_moved = weights + v.batch * written
    run = forward_pass(
        flops=flops,
        bytes_moved=bytes_moved,
        devices=v.devices,
        peak_flops=v.peak_flops,
        hbm_bandwidth=v.hbm_bandwidth,
        mfu=v.mfu,
    )
    return {**by_name(run), "flops": flops, "bytes": bytes_moved}


PREFILL = Calculator(
    slug="prefill",
    title="Prefill",
    topic="kv-cache-and-decoding",
    summary="Arithmetic, bytes and time of reading prompts: all their tokens in one pass, up to the first "
    "token of the replies.",
    inputs=(
        count("batch", "Batch", "b", default="1", help="Prompts at once, all of the same length."),
        count("prompt", "Prompt", "n", default="1024", help="Tokens of each prompt."),
        DEVICES,
        dtype_input(
            help="Of weights and cache. It sets their bytes, and the arithmetic format unless given."
        ),
        COMPUTE_DTYPE,
        _mfu("1"),
        *hardware_inputs("a100-80gb-sxm", peak_dtype="compute_dtype"),
        *model_inputs("llama-2-7b"),
    ),
    terms=(
        element_size(),
        MATRICES,
        MATMUL_PARAMS,
        SHARED_PARAMS,
        EXPERT_PARAMS,
        touched_by("batch * prompt", lambda v: v.batch * v.prompt, "the prompts' tokens"),
        attended_tokens("prompt"),
        KV_ELEMENTS,
        attention_core("prompt", "causal"),
    ),
    outputs=(
        Output(
            name="flops",
            label="Work",
            symbol="F",
            family="flop",
            formula=f"batch * ({_work('prompt')})",
            meaning="The matmuls of every token, the head for the last token of each prompt only, and causal "
            "attention.",
        ),
        Output(
            name="bytes",
            label="Bytes moved",
            symbol="B",
            family="bytes",
            formula=lambda v: (
                f"({params_read(v)} + batch * prompt * layers * kv_elements) * bytes_per_element"
            ),
            meaning="The weights once, of a mixture the experts that the tokens are expected to visit; and "
            "the cache written, every token of it in window layers too.",
        ),
        Output(
            name="time_compute",
            label="Time of compute",
            symbol="t_compute",
            family="time",
            formula="flops / (devices * peak_flops * mfu)",
            meaning="All arithmetic at this share of the peak.",
        ),
        Output(
            name="time_memory",
            label="Time of memory",
            symbol="t_memory",
            family="time",
            formula="bytes / (devices * hbm_bandwidth)",
            meaning="Weights in and cache out at full bandwidth.",
        ),
        Output(
            name="time",
            label="Time",
            symbol="t",
            family="time",
            formula="max(time_compute, time_memory)",
            meaning="The larger of the two: the time to first token without any wait.",
        ),
        Output(
            name="bound",
            label="Limit that binds",
            family=None,
            formula="longest(compute=time_compute, memory=time_memory)",
            meaning="The limit with the longer time, compute on a tie.",
        ),
    ),
    headline="time",
    compute=_prefill,
    needs=lambda v: ("peak_flops", "hbm_bandwidth", *pass_needs(v)),
    checks=MODEL_CHECKS,
    limits=LIMITS,
    notes=lambda v, _: shares_of_heads(v),
    plot=("prompt", "time"),
    sources=SOURCES,
    leaves_out=(
        "Communication between devices, and launches.",
        "Activations, which a pass over many tokens writes and reads between its kernels.",
        "Prompts of different lengths, prefixes already in the cache, and prompts cut into chunks, each of "
        "which reads the weights again.",
        "In window layers, that tokens past the window see all of it: causal counts half of it, so these "
        "layers' attention comes out up to half too small.",
        "Routers with favourites: experts are visited evenly and independently here.",
    ),
    conventions=(
        multiply_adds("flops"),
        DENSE,
        convention(
            "Causal attention is exactly half of full attention, over the window where there is one.", "flops"
        ),
        convention(
            "The head runs on the last token only; a server that scores the prompt runs it on all.", "flops"
        ),
        convention(
            "mfu slows the arithmetic, not the memory. At 1 the time is the least that there can be.", "mfu"
        ),
        gigabytes("bytes"),
    ),
)


def _kv_transfer(v: Values) -> dict[str, object]:
    dims = dimensions(v)
    kv_bytes = kv_bytes_per_sequence(dims=dims, seq_len=v.tokens, bytes_per_element=v.bytes_per_element)
    flops = prefill_flops_per_sequence(dims=dims, prompt=v.tokens)
    move = cache_move(
        kv_bytes=kv_bytes,
        bandwidth=v.bandwidth,
        flops=flops,
        devices=v.devices,
        peak_flops=v.peak_flops,
        mfu=v.mfu,
    )
    return {"kv_bytes": kv_bytes, "prefill_flops": flops, **by_name(move)}


KV_TRANSFER = Calculator(
    slug="kv-transfer",
    title="Moving a cache or computing it again",
    topic="serving",
    summary="Whether the keys and values of past tokens arrive sooner over a network or a bus, or from "
    "another prefill of the same tokens.",
    inputs=(
        count("tokens", "Tokens", "n", default="4096", help="Of one sequence, whose cache is wanted."),
        amount(
            "bandwidth",
            "Bandwidth of the path",
            "BW_path",
            family="byte/s",
            default="50e9",
            help="From where the cache is to where it is wanted, all links of the path used together.",
        ),
        count("devices", "Devices", "D", default="8", help="They share the prefill evenly."),
        dtype_input(help="Of weights, arithmetic and cache. It sets the cache's bytes, and picks the peak."),
        _mfu("0.5"),
        *hardware_inputs("h100-sxm"),
        *model_inputs("llama-3-70b"),
    ),
    terms=(
        element_size(),
        MATRICES,
        MATMUL_PARAMS,
        attended_tokens("tokens"),
        KV_ELEMENTS,
        attention_core("tokens", "causal"),
        Term(
            name="prefill_flops",
            label="work of the prefill",
            family="flop",
            symbol="F",
            formula=_work("tokens"),
        ),
    ),
    outputs=(
        Output(
            name="kv_bytes",
            label="Cache",
            symbol="B_kv",
            family="bytes",
            formula="attended_tokens * kv_elements * bytes_per_element",
            meaning="What is to be sent; of a window layer no more than its window.",
        ),
        Output(
            name="time_transfer",
            label="Time of the transfer",
            symbol="t_transfer",
            family="time",
            formula="kv_bytes / bandwidth",
            meaning="The cache at the full bandwidth of the path.",
            roofs=(Roof(("time_recompute",)),),
        ),
        Output(
            name="time_recompute",
            label="Time of computing again",
            symbol="t_recompute",
            family="time",
            formula="prefill_flops / (devices * peak_flops * mfu)",
            meaning="Prefill of the same tokens, its time of compute.",
        ),
        Output(
            name="faster",
            label="Sooner there",
            family=None,
            formula="smallest(transfer=time_transfer, recompute=time_recompute)",
            meaning="The way with the shorter time, transfer on a tie.",
        ),
    ),
    headline="time_transfer",
    compute=_kv_transfer,
    needs=lambda v: ("peak_flops", *pass_needs(v)),
    checks=MODEL_CHECKS,
    plot=("tokens", "time_transfer"),
    sources=(
        Source(
            "Zhong et al. 2024: DistServe, disaggregating prefill and decoding for goodput-optimized LLM "
            "serving",
            "https://arxiv.org/abs/2401.09670",
            "3.3, communication overhead",
        ),
        *SOURCES,
    ),
    leaves_out=(
        "Latency of the path, and a transfer that overlaps with the prefill layer by layer.",
        "The prefill's memory time, which is the longer one for a few tokens only.",
        "Finding the cache and copying it out of pages.",
        "That a prefill takes devices away from other requests, and a transfer hardly.",
    ),
    conventions=(
        convention(
            "The bandwidth is that of the whole path, not of one device: eight links of 50 GB/s are 400.",
            "bandwidth",
        ),
        convention("Bytes, not bits: a 400 Gb/s network carries 50 GB/s.", "bandwidth"),
        convention(
            "Causal attention is half of full attention, and the head runs on the last token only, as in "
            "prefill.",
            "time_recompute",
        ),
        DENSE,
        gigabytes("kv_bytes"),
    ),
)
