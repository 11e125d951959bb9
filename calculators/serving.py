"""What a server's memory holds."""

from collections.abc import Iterator, Mapping

from calculators.conventions import gigabytes
from calculators.cost.exact import Real
from calculators.cost.kv_cache import kv_bytes_per_sequence
from calculators.cost.parameters import count_parameters
from calculators.cost.serving import serving_capacity
from calculators.forward_pass import shares_of_heads
from calculators.kv_cache import CACHE_SOURCES, CACHE_TERMS, cache_needs
from calculators.parameters import parameter_needs
from calculators.spec import (
    Budget,
    Calculator,
    Output,
    Roof,
    Source,
    Term,
    Values,
    amount,
    by_name,
    convention,
    count,
    part,
)
from calculators.spec.hardware_inputs import dtype_input, element_size, hardware_inputs
from calculators.spec.model_inputs import MODEL_CHECKS, dimensions, model_inputs


def _capacity(v: Values) -> dict[str, object]:
    weight_bytes = v.params * v.bytes_per_element
    per_sequence = kv_bytes_per_sequence(
        dims=dimensions(v), seq_len=v.seq_len, bytes_per_element=v.kv_bytes_per_element
    )
    capacity = serving_capacity(
        weight_bytes=weight_bytes,
        kv_bytes_per_sequence=per_sequence,
        hbm_bytes=v.hbm_bytes,
        devices=v.devices,
        memory_fraction=v.memory_fraction,
        reserve_bytes=v.reserve_bytes,
    )
    return {"weight_bytes": weight_bytes, "kv_bytes_per_sequence": per_sequence, **by_name(capacity)}


def _notes(v: Values, computed: Mapping[str, Real]) -> Iterator[str]:
    if not computed["fits"]:
        beside = " beside what is reserved" if computed["free_bytes"] + v.reserve_bytes >= 0 else ""
        yield f"The weights do not fit{beside}: take more devices, a narrower format or a smaller model."
    elif not computed["sequences"]:
        yield "The weights fit, but not one sequence of this length beside them."
    yield from shares_of_heads(v)


SERVING_CAPACITY = Calculator(
    slug="serving-capacity",
    title="Serving capacity",
    topic="serving",
    summary="How many conversations of a given length fit beside a model's weights in the memory of one or "
    "more devices.",
    inputs=(
        count("seq_len", "Sequence length", "n", default="2048", help="Tokens that each conversation holds."),
        count("devices", "Devices", "D", default="1", help="They share weights and caches evenly."),
        dtype_input(help="Of the weights."),
        dtype_input(name="kv_dtype", follows="dtype", label="Cache format", help="Of the KV cache."),
        amount(
            "memory_fraction",
            "Usable share",
            "u",
            family="ratio",
            maximum=1,
            default="1",
            help="Of the memory: servers often leave 5 to 10 % to the driver and the allocator.",
        ),
        amount(
            "reserve_bytes",
            "Reserved",
            "B_res",
            family="bytes",
            zero=True,
            default="0",
            help="For activations, graphs and the like, over all devices.",
        ),
        *hardware_inputs("a100-80gb-sxm"),
        *model_inputs("llama-2-13b"),
    ),
    terms=(
        Term(
            name="params",
            label="parameters of the model",
            symbol="N",
            derive=lambda v: count_parameters(dims=dimensions(v)).total,
        ),
        element_size(),
        element_size("kv_dtype"),
        *CACHE_TERMS,
    ),
    outputs=(
        Output(
            name="weight_bytes",
            label="Weights",
            symbol="B_w",
            family="bytes",
            formula="params * bytes_per_element",
            meaning="Of the whole model, all devices together.",
            roofs=(Roof(("hbm_bytes", "devices", "memory_fraction"), "Usable memory"),),
        ),
        Output(
            name="kv_bytes_per_sequence",
            label="Cache of one conversation",
            symbol="B_seq",
            family="bytes",
            formula="cached_tokens * kv_elements * kv_bytes_per_element",
            meaning="Keys and values of all its tokens, windows applied.",
        ),
        Output(
            name="free_bytes",
            label="Free for caches",
            symbol="B_free",
            family="bytes",
            formula="hbm_bytes * devices * memory_fraction - reserve_bytes - weight_bytes",
            meaning="What the weights leave; negative where they do not fit.",
        ),
        Output(
            name="sequences",
            label="Conversations",
            symbol="S",
            formula="floor(max(free_bytes, 0) / kv_bytes_per_sequence)",
            meaning="Whole conversations of this length that fit at the same time.",
        ),
        Output(
            name="fits",
            label="Weights fit",
            family=None,
            formula="free_bytes >= 0",
            meaning="Whether anything is left beside the weights, or exactly nothing.",
        ),
    ),
    headline="sequences",
    compute=_capacity,
    needs=lambda v: ("hbm_bytes", *dict.fromkeys((*parameter_needs(v), *cache_needs(v)))),
    checks=MODEL_CHECKS,
    budget=Budget(
        (
            part("Weights", "weight_bytes"),
            part("Reserved", "reserve_bytes"),
            part("Caches", "sequences", "kv_bytes_per_sequence"),
        ),
        capacity=("hbm_bytes", "devices", "memory_fraction"),
    ),
    notes=_notes,
    plot=("seq_len", "sequences"),
    sources=(
        Source(
            "Kwon et al. 2023: Efficient memory management for LLM serving with PagedAttention",
            "https://arxiv.org/abs/2309.06180",
            "1 and 3",
        ),
        *CACHE_SOURCES,
    ),
    leaves_out=(
        "Activations, workspaces and captured graphs, unless reserved.",
        "What a device reports: an H100 sold as 80 GB has 81,559 MiB (85.5 GB), less the driver's share.",
        "Weights and KV heads that tensor parallelism replicates, and shards that do not come out even.",
        "Pages that are not full, and prefixes that conversations share.",
    ),
    conventions=(
        convention(
            "Memory is the figure that the vendor prints; a card's 80 GB is 80·10⁹ bytes.",
            "hardware",
            "hbm_bytes",
        ),
        convention("Every conversation is counted at its full length from the start.", "seq_len"),
        convention("All weights are stored in one format, embeddings and norms too.", "dtype"),
        gigabytes("free_bytes"),
    ),
)
