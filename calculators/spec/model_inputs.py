"""The inputs of a model: a preset, and every dimension, which a custom model has to give or derive."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any

import numpy as np

from calculators.cost.dimensions import RULES, Dimensions, Rule
from calculators.cost.exact import Real, choose, divides, quotient
from calculators.presets import MODELS
from calculators.spec.declare import Check, Input, choice, count, flag
from calculators.spec.errors import FieldError, Unavailable
from calculators.spec.hardware_inputs import CUSTOM
from calculators.spec.reading import shown
from calculators.spec.values import Values

_FIELDS = fields(Dimensions)
_DEFAULTS = {field.name: field.default for field in _FIELDS}
DIMENSIONS = tuple(_DEFAULTS)

# name, label, symbol, help; a custom model's rule is in _CUSTOM, else the default of `Dimensions`.
_COUNTS = (
    ("layers", "Layers", "L", "Transformer blocks."),
    ("d_model", "Model width", "d", "Width of the residual stream."),
    ("heads", "Query heads", "h", "Attention heads of the queries."),
    ("kv_heads", "KV heads", "h_kv", "Heads of keys and values, which the query heads share."),
    ("head_dim", "Head width", "d_h", "Width of one head's query, key and value."),
    ("d_ff", "Hidden width", "f", "Hidden width of a dense feed-forward layer."),
    ("vocab_size", "Vocabulary", "V", "Tokens that the model knows."),
    ("norms_per_layer", "Norms per layer", "n_norms", "Normalisations of the model's width in each layer."),
)
_SWITCHES_AND_PARTS = (
    (
        "max_positions",
        "Positions",
        "n_pos",
        "The longest sequence: rows of the table where positions are learned.",
    ),
    ("experts", "Experts", "E", "Routed experts of a mixture's layer; 0 for a dense model."),
    ("experts_per_token", "Experts per token", "k", "Routed experts that each token visits."),
    ("shared_experts", "Shared experts", "E_shared", "Experts that every token visits besides."),
    ("expert_d_ff", "Expert width", "f_e", "Hidden width of one expert."),
    ("dense_layers", "Dense layers", "L_dense", "Layers of a mixture that keep a dense feed-forward layer."),
    ("kv_lora_rank", "KV latent", "r_kv", "Width of the latent that stands for K and V; 0 for none."),
    ("q_lora_rank", "Query latent", "r_q", "Width of the queries' latent; 0 for none."),
    (
        "rope_head_dim",
        "Rotary key width",
        "d_rope",
        "The part of a latent model's key with the position.",
    ),
    ("nope_head_dim", "Plain key width", "d_nope", "The part of a latent model's key without the position."),
    ("v_head_dim", "Value width", "d_v", "Width of one head's value in a latent model."),
    ("window", "Window", "n_w", "Tokens that a sliding-window layer sees; 0 for no window."),
    ("window_layers", "Window layers", "L_w", "Layers with that window."),
)
_FLAGS = (
    ("gated", "Gated", "Three matrices in a feed-forward layer instead of two."),
    ("tied_embeddings", "Tied embeddings", "The token table serves as the head."),
    ("bias", "Biases", "On QKV, output, feed-forward layers, experts and layer norms."),
    ("qkv_bias", "QKV biases", "On queries, keys and values alone."),
    ("learned_positions", "Learned positions", "A table of positions beside that of tokens."),
    ("qk_norm", "QK norm", "Queries and keys are normalised in each layer."),
    ("router_bias", "Router bias", "One number an expert beside the router's weights."),
)


def model_inputs(default: str, **changed: dict[str, Any]) -> tuple[Input, ...]:
    """A model and its dimensions. `changed` adjusts single inputs, such as a default for a custom model."""
    preset = choice(
        "model",
        "Model",
        (*MODELS, CUSTOM),
        default=default,
        group="model",
        help="A published model, or custom with dimensions of your own. A dimension given replaces that one.",
    )
    made = {
        name: _dimension(
            count, name, label, least=least, symbol=symbol, help=help_text, **changed.get(name, {})
        )
        for least, rows in ((1, _COUNTS), (0, _SWITCHES_AND_PARTS))
        for name, label, symbol, help_text in rows
    }
    made |= {name: _dimension(flag, name, label, help=help_text) for name, label, help_text in _FLAGS}
    norm_help = "rms: one vector of weights; layer: a bias beside it where biases are on."
    made["norm_type"] = _dimension(choice, "norm_type", "Norm", choices=("rms", "layer"), help=norm_help)
    return (preset, *(made[name] for name in DIMENSIONS))


def dimensions(v: Values, **fixed: Real) -> Dimensions:
    """All dimensions as resolved, or as fixed here.

    One that a custom model lacks is 0; `needs` sees to it that no output depends on it.
    """
    if v.model != CUSTOM and not v.sweeping:
        preset, by_name = MODELS[v.model].dimensions, _of_preset(v.model)
        if not by_name.keys() <= vars(v).keys():
            v.supply(by_name)
        if not fixed and by_name.items() <= vars(v).items():
            return preset
        known = {**vars(v), **fixed}
        changed = {name: known[name] for name in known.keys() & _DEFAULTS.keys()}
        changed = {name: value for name, value in changed.items() if value != getattr(preset, name)}
        return replace(preset, **changed) if changed else preset
    resolved: dict[str, Any] = {
        name: getattr(v, name) if v.has(name) else 0 for name in DIMENSIONS if name not in fixed
    }
    return Dimensions(**resolved, **fixed)


def is_latent(v: Values) -> bool:
    """Whether keys and values share a latent, at every point of a sweep."""
    latent = v.kv_lora_rank > 0
    return bool(latent.all()) if isinstance(latent, np.ndarray) else latent


def _check(rule: Rule) -> Check:
    return Check(
        field=rule.field,
        names=(rule.field, rule.beside),
        holds=lambda v: rule.holds(getattr(v, rule.field), getattr(v, rule.beside)),
        allowed=lambda v: rule.allowed.format(shown(getattr(v, rule.beside))),
        whole=rule.whole,
    )


def model_checks(*, unused: Collection[str] = ()) -> tuple[Check, ...]:
    """What dimensions have to be beside one another. Those `unused` may be missing, not contradictory."""
    return tuple(_check(rule) for rule in RULES if not (rule.needed and rule.field in unused))


MODEL_CHECKS = model_checks()


def _dimension(make: Callable[..., Input], name: str, label: str, **rest: Any) -> Input:
    def derive(v: Values) -> Any:
        if v.model != CUSTOM:
            v.supply(_of_preset(v.model))
            return vars(v)[name]
        rule = _CUSTOM.get(name)
        return rule(v) if rule else _DEFAULTS[name]

    return make(name, label, **{"group": "model", "follows": "the model", "derive": derive, **rest})


@cache
def _of_preset(model: str) -> Mapping[str, Any]:
    """A published model's dimensions by name."""
    return {name: getattr(MODELS[model].dimensions, name) for name in DIMENSIONS}


def _required(name: str, example: int) -> Callable[[Values], Real]:
    def rule(_: Values) -> Real:
        message = f"{name} is needed: a custom model has none of its own. Give it, such as {example}."
        raise Unavailable(name, FieldError(name, "", "a whole number, 1 or more", message))

    return rule


def _head_dim(v: Values) -> Real:
    d_model, heads = v.d_model, v.heads
    whole = divides(heads, d_model)
    if v.sweeping:
        width = quotient(d_model, heads)
        return width if v.relaxed else choose(whole, width, float("nan"))
    if whole:
        return d_model // heads
    message = f"head_dim is needed: d_model ({shown(d_model)}) does not divide by heads ({shown(heads)})."
    raise Unavailable("head_dim", FieldError("head_dim", "", "a whole number, 1 or more", message))


_CUSTOM: dict[str, Callable[[Values], Real]] = {
    "layers": _required("layers", 32),
    "d_model": _required("d_model", 4096),
    "heads": _required("heads", 32),
    "vocab_size": _required("vocab_size", 32000),
    "kv_heads": lambda v: v.heads,
    "head_dim": _head_dim,
    "d_ff": lambda v: 4 * v.d_model,
}
