"""How many parameters a transformer has, part by part."""

from typing import NamedTuple

from calculators.cost.attention import key_width
from calculators.cost.dimensions import Dimensions
from calculators.cost.exact import Real, choose
from calculators.cost.ffn import matrices


class ParameterCount(NamedTuple):
    """The parameters of a model; the five parts add up to the total."""

    embedding: Real  # the token table, and the position table where positions are learned
    attention: Real
    ffn: Real  # dense layers, experts and routers
    norms: Real  # of the layers, of queries and keys, of the latents, and the last one
    head: Real  # 0 where the token table serves as the head
    active: Real  # those that one token uses, the whole embedding table and the head included

    @property
    def total(self) -> Real:
        return self.embedding + self.attention + self.ffn + self.norms + self.head


def count_parameters(*, dims: Dimensions) -> ParameterCount:
    """Every parameter of a model as its checkpoint holds them, and those that one token uses.

    embedding = vocab_size * d_model, plus max_positions * d_model where positions are learned
    attention = layers * (matrices and biases of one layer, see `attention_matrices`)
    ffn = dense layers * (2 or 3 * d_model * d_ff + biases) + mixture layers * (all experts + router)
    norms = (layers * norms_per_layer + 1) * d_model, doubled for layer norms with a bias, plus layers *
    2 * head_dim with qk_norm, plus layers * (kv_lora_rank + q_lora_rank) in a latent model
    head = vocab_size * d_model, 0 when tied
    active = total without the routed experts that a token does not visit.

    Leaves out what the dimensions do not describe: a second head, attention sinks, a vision tower.
    """
    token_table = dims.vocab_size * dims.d_model
    of_experts = mixture_layers(dims=dims)
    expert = feed_forward_parameters(dims=dims, width=dims.expert_d_ff)
    used_experts = dims.experts_per_token + dims.shared_experts
    all_experts = dims.experts + dims.shared_experts

    embedding = token_table + (dims.max_positions * dims.d_model if dims.learned_positions else 0)
    attention = dims.layers * (attention_matrices(dims=dims) + _attention_biases(dims))
    dense = (dims.layers - of_experts) * feed_forward_parameters(dims=dims, width=dims.d_ff)
    routers = of_experts * (dims.d_model + (1 if dims.router_bias else 0)) * dims.experts
    norms = _norms(dims)
    head = 0 if dims.tied_embeddings else token_table
    rest = embedding + attention + dense + routers + norms + head
    return ParameterCount(
        embedding=embedding,
        attention=attention,
        ffn=dense + routers + of_experts * all_experts * expert,
        norms=norms,
        head=head,
        active=rest + of_experts * used_experts * expert,
    )


def active_matmul_parameters(*, dims: Dimensions) -> Real:
    """Parameters that multiply one token: 2 FLOP each, forward.

    Those of the layers and the head, which may be the tied token table. Not the embedding and position
    tables, which are looked up, nor norms and biases.
    """
    return active_layer_parameters(dims=dims) + dims.vocab_size * dims.d_model


def active_layer_parameters(*, dims: Dimensions) -> Real:
    """Those of the layers alone: attention, feed-forward layers or the experts of a token, and routers.

    Not the head, nor anything that `active_matmul_parameters` leaves out.
    """
    of_experts = mixture_layers(dims=dims)
    gated = matrices(gated=dims.gated)
    used_experts = dims.experts_per_token + dims.shared_experts
    dense = (dims.layers - of_experts) * gated * dims.d_model * dims.d_ff
    experts = of_experts * used_experts * gated * dims.d_model * dims.expert_d_ff
    routers = of_experts * dims.d_model * dims.experts
    return dims.layers * attention_matrices(dims=dims) + dense + experts + routers


def attention_matrices(*, dims: Dimensions) -> Real:
    """Parameters in one layer's attention matrices.

    d_model * head_dim * (2*heads + 2*kv_heads) for Q, K, V and output. A latent model projects d_model down
    to q_lora_rank (or straight to the queries where that is 0) and to kv_lora_rank + rope_head_dim, and from
    those latents up to every head's query, key and value.
    Source of the latent form: DeepSeek-AI 2024, DeepSeek-V2, section 2.1.
    """
    shared = dims.d_model * dims.head_dim * (2 * dims.heads + 2 * dims.kv_heads)
    queries = dims.heads * key_width(dims=dims)
    query = choose(dims.q_lora_rank > 0, dims.q_lora_rank * (dims.d_model + queries), dims.d_model * queries)
    down = dims.d_model * (dims.kv_lora_rank + dims.rope_head_dim)
    up = dims.kv_lora_rank * dims.heads * (dims.nope_head_dim + dims.v_head_dim)
    output = dims.heads * dims.v_head_dim * dims.d_model
    return choose(dims.kv_lora_rank > 0, query + down + up + output, shared)


def _attention_biases(dims: Dimensions) -> Real:
    """One layer's biases: on QKV, which in a latent model are the projections out of d_model, and output."""
    shared = (dims.heads + 2 * dims.kv_heads) * dims.head_dim
    query = choose(dims.q_lora_rank > 0, dims.q_lora_rank, dims.heads * key_width(dims=dims))
    qkv = choose(dims.kv_lora_rank > 0, query + dims.kv_lora_rank + dims.rope_head_dim, shared)
    return (qkv if dims.bias or dims.qkv_bias else 0) + (dims.d_model if dims.bias else 0)


def feed_forward_parameters(*, dims: Dimensions, width: Real) -> Real:
    """One feed-forward layer or expert: its matrices, and a bias for each of them where there are biases."""
    count = matrices(gated=dims.gated)
    biases = (count - 1) * width + dims.d_model if dims.bias else 0
    return count * dims.d_model * width + biases


def mixture_layers(*, dims: Dimensions) -> Real:
    """Layers whose feed-forward part is a mixture of experts."""
    return choose(dims.experts > 0, dims.layers - dims.dense_layers, 0 * dims.layers)


def _norms(dims: Dimensions) -> Real:
    width = 2 * dims.d_model if dims.norm_type == "layer" and dims.bias else dims.d_model
    of_heads = 2 * dims.head_dim if dims.qk_norm else 0
    of_latents = choose(dims.kv_lora_rank > 0, dims.kv_lora_rank + dims.q_lora_rank, 0)
    return (dims.layers * dims.norms_per_layer + 1) * width + dims.layers * (of_heads + of_latents)
