"""Parameter counts against the tensors of each checkpoint, listed by name and shape.

The listings are written from the checkpoints' layouts and their own configurations, and share no code with
the cost library: a model's parameters are the product of each shape, summed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.cost.dimensions import Dimensions
from calculators.cost.parameters import active_matmul_parameters, count_parameters
from calculators.presets import MODELS

Tensor = tuple[str, tuple[int, ...]]


def gpt(n_layer: int, n_embd: int, n_positions: int) -> Iterator[Tensor]:
    yield "wte.weight", (50257, n_embd)
    yield "wpe.weight", (n_positions, n_embd)
    for layer in range(n_layer):
        for norm in ("ln_1", "ln_2"):
            yield f"h.{layer}.{norm}.weight", (n_embd,)
            yield f"h.{layer}.{norm}.bias", (n_embd,)
        for name, into, out in (
            ("attn.c_attn", n_embd, 3 * n_embd),
            ("attn.c_proj", n_embd, n_embd),
            ("mlp.c_fc", n_embd, 4 * n_embd),
            ("mlp.c_proj", 4 * n_embd, n_embd),
        ):
            yield f"h.{layer}.{name}.weight", (into, out)
            yield f"h.{layer}.{name}.bias", (out,)
    yield "ln_f.weight", (n_embd,)
    yield "ln_f.bias", (n_embd,)


def grouped_attention(layer: str, config: dict[str, Any]) -> Iterator[Tensor]:
    hidden, size = config["hidden_size"], config["head_dim"]
    queries, keys = config["num_attention_heads"] * size, config["num_key_value_heads"] * size
    for name, out in (("q_proj", queries), ("k_proj", keys), ("v_proj", keys)):
        yield f"{layer}.self_attn.{name}.weight", (out, hidden)
        if config.get("qkv_bias"):
            yield f"{layer}.self_attn.{name}.bias", (out,)
    yield f"{layer}.self_attn.o_proj.weight", (hidden, queries)
    if config.get("o_bias"):
        yield f"{layer}.self_attn.o_proj.bias", (hidden,)
    if config.get("qk_norm"):
        yield f"{layer}.self_attn.q_norm.weight", (size,)
        yield f"{layer}.self_attn.k_norm.weight", (size,)


def latent_attention(layer: str, config: dict[str, Any]) -> Iterator[Tensor]:
    """Multi-head latent attention as DeepSeek-V2 and V3 store it."""
    hidden, heads, latent = config["hidden_size"], config["num_attention_heads"], config["kv_lora_rank"]
    nope, rope, value = config["qk_nope_head_dim"], config["qk_rope_head_dim"], config["v_head_dim"]
    if config["q_lora_rank"]:
        yield f"{layer}.self_attn.q_a_proj.weight", (config["q_lora_rank"], hidden)
        yield f"{layer}.self_attn.q_a_layernorm.weight", (config["q_lora_rank"],)
        yield f"{layer}.self_attn.q_b_proj.weight", (heads * (nope + rope), config["q_lora_rank"])
    else:
        yield f"{layer}.self_attn.q_proj.weight", (heads * (nope + rope), hidden)
    yield f"{layer}.self_attn.kv_a_proj_with_mqa.weight", (latent + rope, hidden)
    yield f"{layer}.self_attn.kv_a_layernorm.weight", (latent,)
    yield f"{layer}.self_attn.kv_b_proj.weight", (heads * (nope + value), latent)
    yield f"{layer}.self_attn.o_proj.weight", (hidden, heads * value)


def gated_mlp(name: str, hidden: int, width: int) -> Iterator[Tensor]:
    yield f"{name}.gate_proj.weight", (width, hidden)
    yield f"{name}.up_proj.weight", (width, hidden)
    yield f"{name}.down_proj.weight", (hidden, width)


def mixture(layer: str, config: dict[str, Any]) -> Iterator[Tensor]:
    hidden, experts, width = config["hidden_size"], config["n_experts"], config["moe_intermediate_size"]
    yield f"{layer}.mlp.router.weight", (experts, hidden)
    if config.get("router_bias"):
        yield f"{layer}.mlp.router.bias", (experts,)
    for expert in range(experts):
        yield from gated_mlp(f"{layer}.mlp.experts.{expert}", hidden, width)
        if config.get("expert_bias"):
            yield f"{layer}.mlp.experts.{expert}.gate_up_bias", (2 * width,)
            yield f"{layer}.mlp.experts.{expert}.down_bias", (hidden,)
    for expert in range(config.get("n_shared_experts", 0)):
        yield from gated_mlp(f"{layer}.mlp.shared_experts.{expert}", hidden, width)


def modern(config: dict[str, Any]) -> Iterator[Tensor]:
    """Llama and what has come after it."""
    hidden = config["hidden_size"]
    yield "embed_tokens.weight", (config["vocab_size"], hidden)
    for index in range(config["num_hidden_layers"]):
        layer = f"layers.{index}"
        for norm in range(config.get("norms", 2)):
            yield f"{layer}.norm_{norm}.weight", (hidden,)
        yield from (latent_attention if "kv_lora_rank" in config else grouped_attention)(layer, config)
        if "n_experts" in config and index >= config.get("first_k_dense", 0):
            yield from mixture(layer, config)
        else:
            yield from gated_mlp(f"{layer}.mlp", hidden, config["intermediate_size"])
    yield "norm.weight", (hidden,)
    if not config.get("tied"):
        yield "lm_head.weight", (config["vocab_size"], hidden)


def llama(
    layers: int, hidden: int, heads: int, kv: int, width: int, vocab: int, **more: Any
) -> dict[str, Any]:
    return {
        "num_hidden_layers": layers,
        "hidden_size": hidden,
        "num_attention_heads": heads,
        "num_key_value_heads": kv,
        "head_dim": hidden // heads,
        "intermediate_size": width,
        "vocab_size": vocab,
        **more,
    }


CONFIGS: dict[str, dict[str, Any]] = {
    "llama-2-7b": llama(32, 4096, 32, 32, 11008, 32000),
    "llama-2-13b": llama(40, 5120, 40, 40, 13824, 32000),
    "llama-2-70b": llama(80, 8192, 64, 8, 28672, 32000),
    "llama-3-8b": llama(32, 4096, 32, 8, 14336, 128256),
    "llama-3-70b": llama(80, 8192, 64, 8, 28672, 128256),
    "llama-3.1-405b": llama(126, 16384, 128, 8, 53248, 128256),
    "mistral-7b": llama(32, 4096, 32, 8, 14336, 32000),
    "mixtral-8x7b": llama(32, 4096, 32, 8, 0, 32000, n_experts=8, moe_intermediate_size=14336),
    "qwen2.5-7b": llama(28, 3584, 28, 4, 18944, 152064, qkv_bias=True),
    "qwen2.5-72b": llama(80, 8192, 64, 8, 29568, 152064, qkv_bias=True),
    "qwen3-4b": llama(36, 2560, 32, 8, 9728, 151936, head_dim=128, qk_norm=True, tied=True),
    "gemma-2-27b": llama(46, 4608, 32, 16, 36864, 256000, head_dim=128, norms=4, tied=True),
    "gemma-3-27b": llama(62, 5376, 32, 16, 21504, 262208, head_dim=128, norms=4, tied=True, qk_norm=True),
    "palm-540b": llama(118, 18432, 48, 1, 4 * 18432, 256000, head_dim=256, norms=1, tied=True),
    "deepseek-v3": {
        "num_hidden_layers": 61,
        "hidden_size": 7168,
        "num_attention_heads": 128,
        "intermediate_size": 18432,
        "vocab_size": 129280,
        "first_k_dense": 3,
        "n_experts": 256,
        "n_shared_experts": 1,
        "moe_intermediate_size": 2048,
        "router_bias": True,
        "kv_lora_rank": 512,
        "q_lora_rank": 1536,
        "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64,
        "v_head_dim": 128,
    },
    "gpt-oss-120b": llama(
        36,
        2880,
        64,
        8,
        0,
        201088,
        head_dim=64,
        qkv_bias=True,
        o_bias=True,
        n_experts=128,
        moe_intermediate_size=2880,
        router_bias=True,
        expert_bias=True,
    ),
}
GPTS = {
    "gpt2-small": (12, 768, 1024),
    "gpt2-medium": (24, 1024, 1024),
    "gpt2-large": (36, 1280, 1024),
    "gpt2-xl": (48, 1600, 1024),
    "gpt-3-175b": (96, 12288, 2048),
}
EXPERTS_OF_A_TOKEN = {"mixtral-8x7b": 2, "deepseek-v3": 8, "gpt-oss-120b": 4}

# The list of the project's contract, word for word.
TOTALS = {
    "gpt2-small": 124439808,
    "gpt2-medium": 354823168,
    "gpt2-large": 774030080,
    "gpt2-xl": 1557611200,
    "llama-2-7b": 6738415616,
    "llama-2-13b": 13015864320,
    "llama-2-70b": 68976648192,
    "llama-3-8b": 8030261248,
    "llama-3-70b": 70553706496,
    "llama-3.1-405b": 405853388800,
    "qwen3-4b": 4022468096,
    "mixtral-8x7b": 46702792704,
    "deepseek-v3": 671026419200,
}
ACTIVE = {"mixtral-8x7b": 12879925248, "deepseek-v3": 37552297472}


def checkpoint(slug: str) -> list[Tensor]:
    return list(gpt(*GPTS[slug]) if slug in GPTS else modern(CONFIGS[slug]))


def size(tensors: Iterable[Tensor]) -> int:
    return sum(prod(shape) for _, shape in tensors)


def part(name: str) -> str:
    if "norm" in name or ".ln_" in name or name.startswith("ln_"):
        return "norms"
    if name.startswith(("wte", "wpe", "embed")):
        return "embedding"
    if "attn" in name:
        return "attention"
    return "head" if name.startswith("lm_head") else "ffn"


def visited(slug: str, name: str) -> bool:
    """Whether a token that takes the first experts of each layer uses the tensor."""
    expert = name.split(".experts.")[1].split(".")[0] if ".experts." in name else "0"
    return int(expert) < EXPERTS_OF_A_TOKEN.get(slug, 1)


@pytest.mark.parametrize("slug", MODELS)
def test_every_part_is_the_sum_of_its_tensors(slug: str) -> None:
    count = count_parameters(dims=MODELS[slug].dimensions)
    parts = dict.fromkeys(("embedding", "attention", "ffn", "norms", "head"), 0)
    for name, shape in checkpoint(slug):
        parts[part(name)] += prod(shape)
    assert {name: getattr(count, name) for name in parts} == parts
    assert count.total == sum(parts.values())


@pytest.mark.parametrize("slug", MODELS)
def test_active_parameters_are_the_tensors_that_a_token_visits(slug: str) -> None:
    count = count_parameters(dims=MODELS[slug].dimensions)
    assert count.active == size(tensor for tensor in checkpoint(slug) if visited(slug, tensor[0]))


@pytest.mark.parametrize("slug", MODELS)
def test_matmul_parameters_are_the_matrices_that_a_token_visits(slug: str) -> None:
    tensors = checkpoint(slug)
    matrices: list[Tensor] = [
        (name, shape)
        for name, shape in tensors
        if len(shape) == 2 and visited(slug, name) and part(name) != "embedding"
    ]
    if not any(part(name) == "head" for name, _ in tensors):
        matrices.append(next(tensor for tensor in tensors if part(tensor[0]) == "embedding"))
    assert active_matmul_parameters(dims=MODELS[slug].dimensions) == size(matrices)


@pytest.mark.parametrize(("slug", "total"), TOTALS.items())
def test_totals_of_the_contract(slug: str, total: int) -> None:
    count = count_parameters(dims=MODELS[slug].dimensions)
    assert count.total == total
    assert count.active == ACTIVE.get(slug, total)


@st.composite
def dimensions(draw: st.DrawFn) -> Dimensions:
    whole = st.integers(1, 12)
    some = st.integers(0, 5)
    flag = st.booleans()
    kv_heads, group = draw(whole), draw(whole)
    layers = draw(whole)
    experts = draw(some)
    return Dimensions(
        layers=layers,
        d_model=draw(whole),
        heads=kv_heads * group,
        kv_heads=kv_heads,
        head_dim=draw(whole),
        d_ff=draw(whole),
        vocab_size=draw(whole),
        max_positions=draw(some),
        gated=draw(flag),
        tied_embeddings=draw(flag),
        bias=draw(flag),
        qkv_bias=draw(flag),
        learned_positions=draw(flag),
        norm_type=draw(st.sampled_from(["rms", "layer"])),
        norms_per_layer=draw(some),
        qk_norm=draw(flag),
        experts=experts,
        experts_per_token=draw(st.integers(0, experts)),
        shared_experts=draw(some),
        expert_d_ff=draw(whole),
        dense_layers=draw(st.integers(0, layers)),
        router_bias=draw(flag),
        kv_lora_rank=draw(some),
        q_lora_rank=draw(some),
        rope_head_dim=draw(some),
        nope_head_dim=draw(whole),
        v_head_dim=draw(whole),
    )


def linear(name: str, into: int, out: int, bias: bool) -> Iterator[Tensor]:
    yield f"{name}.weight", (out, into)
    if bias:
        yield f"{name}.bias", (out,)


def listing(dims: Dimensions) -> Iterator[Tensor]:
    """The tensors of any model that dimensions can describe, layer by layer."""
    d, bias, qkv_bias = dims.d_model, dims.bias, dims.bias or dims.qkv_bias
    heads, kv = dims.heads, dims.kv_heads

    def norm(name: str) -> Iterator[Tensor]:
        yield f"{name}.norm", (d,)
        if dims.norm_type == "layer" and bias:
            yield f"{name}.norm_bias", (d,)

    def ffn(name: str, width: int) -> Iterator[Tensor]:
        for matrix in ("up", "gate") if dims.gated else ("up",):
            yield from linear(f"{name}.{matrix}", d, width, bias)
        yield from linear(f"{name}.down", width, d, bias)

    yield "embed.tokens", (dims.vocab_size, d)
    if dims.learned_positions:
        yield "embed.positions", (dims.max_positions, d)
    for layer in range(dims.layers):
        name = f"layers.{layer}"
        for index in range(dims.norms_per_layer):
            yield from norm(f"{name}.{index}")
        if dims.qk_norm:
            yield f"{name}.q_norm", (dims.head_dim,)
            yield f"{name}.k_norm", (dims.head_dim,)
        if dims.kv_lora_rank:
            width = dims.nope_head_dim + dims.rope_head_dim
            if dims.q_lora_rank:
                yield from linear(f"{name}.attn.q_down", d, dims.q_lora_rank, qkv_bias)
                yield f"{name}.q_latent_norm", (dims.q_lora_rank,)
                yield from linear(f"{name}.attn.q_up", dims.q_lora_rank, heads * width, False)
            else:
                yield from linear(f"{name}.attn.q", d, heads * width, qkv_bias)
            yield from linear(f"{name}.attn.kv_down", d, dims.kv_lora_rank + dims.rope_head_dim, qkv_bias)
            yield f"{name}.kv_latent_norm", (dims.kv_lora_rank,)
            for _ in range(heads):
                yield from linear(f"{name}.attn.k_up", dims.kv_lora_rank, dims.nope_head_dim, False)
                yield from linear(f"{name}.attn.v_up", dims.kv_lora_rank, dims.v_head_dim, False)
            yield from linear(f"{name}.attn.out", heads * dims.v_head_dim, d, bias)
        else:
            for _ in range(heads):
                yield from linear(f"{name}.attn.q", d, dims.head_dim, qkv_bias)
            for _ in range(2 * kv):
                yield from linear(f"{name}.attn.kv", d, dims.head_dim, qkv_bias)
            yield from linear(f"{name}.attn.out", heads * dims.head_dim, d, bias)
        if dims.experts and layer >= dims.dense_layers:
            yield from linear(f"{name}.mlp.router", d, dims.experts, dims.router_bias)
            for expert in range(dims.experts):
                yield from ffn(f"{name}.mlp.experts.{expert}", dims.expert_d_ff)
            for expert in range(dims.shared_experts):
                yield from ffn(f"{name}.mlp.shared.{expert}", dims.expert_d_ff)
        else:
            yield from ffn(f"{name}.mlp", dims.d_ff)
    yield from norm("last")
    if not dims.tied_embeddings:
        yield "lm_head", (dims.vocab_size, d)


@given(dims=dimensions())
def test_any_model_is_the_sum_of_its_tensors(dims: Dimensions) -> None:
    count = count_parameters(dims=dims)
    parts = dict.fromkeys(("embedding", "attention", "ffn", "norms", "head"), 0)
    active = 0
    for name, shape in listing(dims):
        parts[part(name)] += prod(shape)
        idle = ".experts." in name and int(name.split(".experts.")[1].split(".")[0]) >= dims.experts_per_token
        active += 0 if idle else prod(shape)
    assert {name: getattr(count, name) for name in parts} == parts
    assert count.active == active
    assert count.total == sum(parts.values())


@given(dims=dimensions(), field=st.sampled_from(["layers", "d_model", "d_ff", "vocab_size", "experts"]))
def test_a_larger_dimension_never_has_fewer_parameters(dims: Dimensions, field: str) -> None:
    larger = replace(dims, **{field: getattr(dims, field) + 1})
    # From 0 to 1 experts a layer trades its dense width for an expert's, which may be narrower.
    if field != "experts" or dims.experts:
        assert count_parameters(dims=larger).total >= count_parameters(dims=dims).total


def test_a_tied_head_is_counted_once() -> None:
    dims = MODELS["gpt2-small"].dimensions
    tied, apart = count_parameters(dims=dims), count_parameters(dims=replace(dims, tied_embeddings=False))
    assert tied.head == 0
    assert apart.total - tied.total == apart.head == 50257 * 768
    assert active_matmul_parameters(dims=dims) == active_matmul_parameters(
        dims=replace(dims, tied_embeddings=False)
    )
