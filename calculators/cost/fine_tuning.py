"""Fine-tuning a model whole or through low-rank adapters: what is trained, and the memory of it."""

from typing import Literal, NamedTuple

from calculators.cost.dimensions import Dimensions
from calculators.cost.errors import require
from calculators.cost.exact import Real, choose, quotient
from calculators.cost.ffn import matrices
from calculators.cost.parameters import attention_matrices, count_parameters, mixture_layers

Method = Literal["lora", "qlora", "full"]
Targets = Literal["all-linear", "attention", "qv"]
METHODS: tuple[Method, ...] = ("lora", "qlora", "full")
TARGETS: tuple[Targets, ...] = ("all-linear", "attention", "qv")

_NARROW = 2  # bytes of a weight, an adapter or a gradient in bf16
_OPTIMIZER = 12  # bytes of an fp32 master weight and Adam's two moments


class FineTuning(NamedTuple):
    """What fine-tuning trains, and the bytes that it holds, activations aside."""

    trainable_params: Real
    weight_bytes: Real
    gradient_bytes: Real
    optimizer_bytes: Real

    @property
    def total_bytes(self) -> Real:
        return self.weight_bytes + self.gradient_bytes + self.optimizer_bytes


def layer_matrix_parameters(*, dims: Dimensions) -> Real:
    """Parameters of every matmul of the layers: attention, feed-forward layers and all experts.

    Routers, embedding, positions, norms, biases and the head are not among them.
    """
    of_experts = mixture_layers(dims=dims)
    dense = (dims.layers - of_experts) * dims.d_ff
    experts = of_experts * (dims.experts + dims.shared_experts) * dims.expert_d_ff
    feed_forward = matrices(gated=dims.gated) * dims.d_model * (dense + experts)
    return dims.layers * attention_matrices(dims=dims) + feed_forward


def adapter_parameters(*, dims: Dimensions, rank: Real, targets: Targets) -> Real:
    """rank * (inputs + outputs), summed over the target matrices of all layers.

    all-linear: attention and feed-forward matrices, each expert's apart; routers and the head are not.
    attention: Q, K, V and output. Of a latent model the five matrices down to the latents, up from them and
    out, or four where queries have no latent.
    qv: Q and V alone.
    Raises DomainError for an unknown word, and for qv in a latent model, whose V has no matrix of its own.
    Source: Hu et al. 2021 (LoRA), section 4.2; Dettmers et al. 2023 (QLoRA), section 4, for all layers.
    """
    require(targets in TARGETS, "targets", targets, f"one of {', '.join(TARGETS)}")
    queries, keys = dims.heads * dims.head_dim, dims.kv_heads * dims.head_dim
    if targets == "qv":
        require(dims.kv_lora_rank == 0, "targets", targets, "all-linear or attention in a latent model")
        return rank * dims.layers * (2 * dims.d_model + queries + keys)
    multi_head = 4 * dims.d_model + 2 * queries + 2 * keys
    attention = choose(dims.kv_lora_rank > 0, _latent_ends(dims), multi_head)
    if targets == "attention":
        return rank * dims.layers * attention
    of_experts = mixture_layers(dims=dims)
    dense = (dims.layers - of_experts) * (dims.d_model + dims.d_ff)
    experts = of_experts * (dims.experts + dims.shared_experts) * (dims.d_model + dims.expert_d_ff)
    return rank * (dims.layers * attention + matrices(gated=dims.gated) * (dense + experts))


def _latent_ends(dims: Dimensions) -> Real:
    """Inputs plus outputs of a latent model's attention matrices in one layer."""
    queries = dims.heads * (dims.nope_head_dim + dims.rope_head_dim)
    through_latent = dims.d_model + 2 * dims.q_lora_rank + queries
    query = choose(dims.q_lora_rank > 0, through_latent, dims.d_model + queries)
    down = dims.d_model + dims.kv_lora_rank + dims.rope_head_dim
    up = dims.kv_lora_rank + dims.heads * (dims.nope_head_dim + dims.v_head_dim)
    return query + down + up + dims.heads * dims.v_head_dim + dims.d_model


def fine_tuning(*, dims: Dimensions, method: Method, rank: Real, targets: Targets) -> FineTuning:
    """Memory of fine-tuning in bf16 with Adam [B], activations aside.

    weight_bytes: lora 2 a base weight; qlora 1/2 for the layers' matrices and 2 for all else; both and 2 an
    adapter weight; full 2 a weight. gradient_bytes: 2 a trainable parameter. optimizer_bytes: 12 a trainable
    parameter, an fp32 master copy and two fp32 moments. rank and targets play no part in full.

    Leaves out activations, paging, and the scales of a quantised weight: 0.127 bits with double quantisation.
    Raises DomainError for an unknown word, and for qv in a latent model.
    Source: Hu et al. 2021 (LoRA), section 4; Dettmers et al. 2023 (QLoRA), section 3.
    """
    require(method in METHODS, "method", method, f"one of {', '.join(METHODS)}")
    total = count_parameters(dims=dims).total
    if method == "full":
        trainable, weights = total, _NARROW * total
    else:
        trainable = adapter_parameters(dims=dims, rank=rank, targets=targets)
        weights = _NARROW * (total + trainable)
        if method == "qlora":
            narrowed = layer_matrix_parameters(dims=dims)
            weights = weights - _NARROW * narrowed + quotient(narrowed, 2)
    return FineTuning(
        trainable_params=trainable,
        weight_bytes=weights,
        gradient_bytes=_NARROW * trainable,
        optimizer_bytes=_OPTIMIZER * trainable,
    )
