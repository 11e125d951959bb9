"""What is to be measured on a machine, within a quarter of its free memory."""

from collections.abc import Iterable, Iterator
from math import isqrt
from typing import Final, Literal, NamedTuple

from app.measuring import streams
from app.measuring.machine import Machine
from calculators.cost.dimensions import Dimensions
from calculators.cost.kv_cache import kv_bytes_per_sequence
from calculators.cost.parameters import count_parameters
from calculators.presets import MODELS
from calculators.quantities import format_both_bytes, format_quantity

ELEMENT: Final = 4  # bytes, fp32
PROMPT: Final = 960
_SHARE: Final = 4  # of the free memory: one in so many bytes
_BEYOND: Final = 4  # times the caches, as STREAM asks of each array
_LEAST: Final = 48 * 2**20  # bytes in all
_LEAST_ARRAY, _LARGEST_ARRAY = 64 * 2**20, 2**30
_LARGEST_MATRIX, _LARGEST_QUICK = 3072, 1536
_TILE: Final = 64


class TooLittleMemory(Exception):  # noqa: N818 - named for what there is
    """Not even small arrays fit a quarter of what is free."""


class Effort(NamedTuple):
    """How often each thing is run, and for how long at most [s]."""

    runs: int
    budget: float


class PassPlan(NamedTuple):
    """A forward pass to run: a decode step over `context` tokens, or the prefill of as many."""

    name: str
    kind: Literal["decode", "prefill"]
    batch: int
    context: int


class Plan(NamedTuple):
    array_bytes: int
    matrix: int
    dims: Dimensions
    passes: tuple[PassPlan, ...]
    effort: Effort
    remarks: tuple[str, ...]

    @property
    def steps(self) -> int:
        """Things to wait for: three streams, the matrices, drawing the weights, and each pass."""
        return streams.ARRAYS + 1 + (1 + len(self.passes) if self.passes else 0)


def passes(prompt: int = PROMPT) -> tuple[PassPlan, ...]:
    """The same prompt prefilled, and decoded after: alone, and eight at once."""
    return (
        PassPlan("decode, batch 1", "decode", 1, prompt),
        PassPlan("decode, batch 8", "decode", 8, prompt),
        PassPlan(f"prefill, {prompt} tokens", "prefill", 1, prompt),
    )


def plan(
    machine: Machine,
    *,
    quick: bool = False,
    remarks: Iterable[str] = (),
    dims: Dimensions = MODELS["gpt2-small"].dimensions,
    wanted: tuple[PassPlan, ...] = passes(),
) -> Plan:
    """Arrays beyond the caches, large matrices, and the passes that fit. Remarks are added to those given."""
    most = machine.free_bytes // _SHARE
    if most < _LEAST:
        least, free = (format_quantity(size, "bytes") for size in (_SHARE * _LEAST, machine.free_bytes))
        raise TooLittleMemory(f"measuring takes {least} of free memory at least, and there are {free}")
    said = list(remarks)
    array = min(max(_BEYOND * machine.cache_bytes, _LEAST_ARRAY), _LARGEST_ARRAY)
    array = min(array, most // streams.ARRAYS) // ELEMENT * ELEMENT
    if array < 2 * machine.cache_bytes:
        caches, _ = format_both_bytes(machine.cache_bytes)
        said.append(f"The arrays are too small beside {caches} of caches: the bandwidth may be theirs.")
    side = min(_LARGEST_QUICK if quick else _LARGEST_MATRIX, isqrt(most // (3 * ELEMENT)))
    fitting = tuple(each for each in wanted if pass_bytes(dims, each) <= most)
    for each in wanted:
        if each not in fitting:
            needed, allowed = (format_quantity(size, "bytes") for size in (pass_bytes(dims, each), most))
            said.append(
                f"Left out: {each.name}, which needs {needed}; a quarter of what is free is {allowed}."
            )
    effort = Effort(2, 2.0) if quick else Effort(7, 6.0)
    return Plan(array, max(side // _TILE * _TILE, _TILE), dims, fitting, effort, tuple(said))


def weight_bytes(dims: Dimensions) -> int:
    """Every parameter in fp32: 498 MB for GPT-2 small."""
    return int(count_parameters(dims=dims).total) * ELEMENT


def pass_bytes(dims: Dimensions, planned: PassPlan) -> int:
    """The memory that a pass takes: weights, cache, and what one layer holds between its products."""
    cache = kv_bytes_per_sequence(dims=dims, seq_len=planned.context, bytes_per_element=ELEMENT)
    return weight_bytes(dims) + planned.batch * int(cache) + sum(_between(dims, planned)) * ELEMENT


def _between(dims: Dimensions, planned: PassPlan) -> Iterator[int]:
    """Elements: residuals and norms, queries, keys and values, the hidden layer twice; scores; logits."""
    tokens = planned.context if planned.kind == "prefill" else planned.batch
    yield tokens * (4 * dims.d_model + 5 * dims.heads * dims.head_dim + 2 * dims.d_ff)
    yield 2 * dims.heads * planned.context * (128 if planned.kind == "prefill" else planned.batch)
    yield planned.batch * dims.vocab_size
