"""The dimensions of a transformer that decide its size, its work and its cache."""

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from calculators.cost.exact import Real, Truth, divides

NormType = Literal["rms", "layer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimensions:
    """A decoder-only transformer, every dimension resolved.

    Counts are whole numbers, or float64 arrays of them in a sweep. The fields that only some models have are
    0 where a model lacks them, and every formula over them then counts nothing for that part.
    """

    layers: Real
    d_model: Real
    heads: Real
    kv_heads: Real  # K and V heads that the query heads share; without part in a model with a latent cache
    head_dim: Real  # width of one head's query, key and value; likewise
    d_ff: Real  # hidden width of a dense feed-forward layer
    vocab_size: Real
    max_positions: Real = 0  # the longest sequence; rows of the position table where positions are learned
    gated: bool = False  # three matrices in a feed-forward layer (SwiGLU, GeGLU) instead of two
    tied_embeddings: bool = False  # the token table serves as the head
    bias: bool = False  # on QKV, output, feed-forward, experts and layer norms
    qkv_bias: bool = False  # on QKV alone
    learned_positions: bool = False
    norm_type: NormType = "rms"  # rms: one weight vector; layer: a bias beside it where `bias` is true
    norms_per_layer: Real = 2
    qk_norm: bool = False  # one norm of head_dim for the queries, one for the keys, in each layer
    experts: Real = 0  # routed experts of a mixture's layer; 0 in a dense model
    experts_per_token: Real = 0
    shared_experts: Real = 0  # used by every token beside the routed ones
    expert_d_ff: Real = 0
    dense_layers: Real = 0  # layers of a mixture that keep a dense feed-forward layer
    router_bias: bool = False  # one number an expert beside the router's weights
    kv_lora_rank: Real = 0  # width of the latent that serves K and V (multi-head latent attention); 0: none
    q_lora_rank: Real = 0  # width of the queries' own latent; 0: queries are projected directly
    rope_head_dim: Real = 0  # of a latent model: the part of query and key that carries the position
    nope_head_dim: Real = 0  # and the part that does not
    v_head_dim: Real = 0  # width of one head's value in a latent model
    window: Real = 0  # tokens that a sliding-window layer sees; 0: every layer sees the whole sequence
    window_layers: Real = 0  # how many layers have that window


class Rule(NamedTuple):
    """What one dimension has to be beside another; `holds` takes the two, single numbers or arrays."""

    field: str
    beside: str
    holds: Callable[[Real, Real], Truth]
    allowed: str  # how it ends a message, {} standing for the other's value
    whole: bool = False  # about whole numbers only: nothing between them can keep it
    needed: bool = False  # that there is the dimension at all, for those who compute with it


def _at_most(field: str, beside: str) -> Rule:
    return Rule(field, beside, operator.le, f"at most {beside} ({{}})")


def _needed_with(field: str, switch: str) -> Rule:
    def holds(width: Real, switched: Real) -> Truth:
        return (width > 0) | (switched == 0)

    return Rule(field, switch, holds, f"at least 1 where {switch} ({{}}) is above 0", needed=True)


RULES = (
    Rule("kv_heads", "heads", divides, "a divisor of heads ({})", whole=True),
    _at_most("window_layers", "layers"),
    _at_most("dense_layers", "layers"),
    _at_most("experts_per_token", "experts"),
    _needed_with("experts_per_token", "experts"),
    _needed_with("expert_d_ff", "experts"),
    _needed_with("nope_head_dim", "kv_lora_rank"),
    _needed_with("v_head_dim", "kv_lora_rank"),
)


class Conflict(NamedTuple):
    """Dimensions that cannot go together: the one to change, what it was and what it may be."""

    field: str
    given: Real
    allowed: str


def conflicts(dims: Dimensions) -> Iterator[Conflict]:
    """What makes these dimensions impossible, one `Conflict` each; nothing when they go together."""
    for rule in RULES:
        given, beside = getattr(dims, rule.field), getattr(dims, rule.beside)
        if not np.all(rule.holds(given, beside)):
            yield Conflict(rule.field, given, rule.allowed.format(beside))
