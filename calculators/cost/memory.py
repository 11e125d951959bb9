"""The memory of training: weights, gradients, optimizer states, activations and logits."""

from typing import Literal, NamedTuple

from calculators.cost.errors import require, require_positive
from calculators.cost.exact import Real, choose, quotient
from calculators.cost.utilization import RECOMPUTES, Recompute

Optimizer = Literal["adam", "momentum", "muon", "adam8bit", "sgd", "adafactor"]
Precision = Literal["mixed", "fp32"]

# Bytes a parameter beside a master copy: two fp32 moments, one, one (Muon's momentum), two of one byte each,
# none, and none because Adafactor's row and column sums are next to nothing.
STATE_BYTES: dict[Optimizer, int] = {
    "adam": 8,
    "momentum": 4,
    "muon": 4,
    "adam8bit": 2,
    "sgd": 0,
    "adafactor": 0,
}
PRECISIONS: tuple[Precision, ...] = ("mixed", "fp32")
ZERO_STAGES = 3

_NARROW = 2  # bytes of a bf16 or fp16 weight
_WIDE = 4  # bytes of an fp32 one


class ModelStates(NamedTuple):
    """What training holds of a model on one device, in bytes."""

    weight_bytes: Real
    gradient_bytes: Real
    optimizer_bytes: Real

    @property
    def total_bytes(self) -> Real:
        return self.weight_bytes + self.gradient_bytes + self.optimizer_bytes


def weight_bytes_per_param(*, precision: Precision) -> int:
    """2 in mixed precision, 4 in fp32 [B]. Raises DomainError for another word."""
    require(precision in PRECISIONS, "precision", precision, "one of mixed, fp32")
    return _NARROW if precision == "mixed" else _WIDE


def gradient_bytes_per_param(*, precision: Precision, gradient_bytes: Real) -> Real:
    """Those of the gradients' format in mixed precision, 4 in fp32 [B]."""
    return gradient_bytes if weight_bytes_per_param(precision=precision) == _NARROW else _WIDE


def optimizer_bytes_per_param(*, optimizer: Optimizer, precision: Precision) -> int:
    """The optimizer's states, and in mixed precision the fp32 master weights [B].

    Raises DomainError for an unknown optimizer or precision.
    """
    require(optimizer in STATE_BYTES, "optimizer", optimizer, f"one of {', '.join(STATE_BYTES)}")
    master = _WIDE if weight_bytes_per_param(precision=precision) == _NARROW else 0
    return master + STATE_BYTES[optimizer]


def model_states(
    *,
    params: Real,
    optimizer: Optimizer,
    precision: Precision,
    gradient_bytes: Real,
    zero_stage: Real,
    data_parallel: Real,
    tensor_parallel: Real,
    pipeline_parallel: Real,
) -> ModelStates:
    """Weights, gradients and optimizer states on one device [B].

    Each is params * bytes a parameter / (tensor_parallel * pipeline_parallel), and divided by data_parallel
    as well from the ZeRO stage that shards it: 1 the optimizer, 2 the gradients too, 3 the weights too.
    gradient_bytes are those of one gradient in mixed precision; in fp32 weights and gradients take 4 and
    there is no master copy.

    Leaves out activations, buffers, fragmentation, and the layers that a stage gathers while it uses them.
    Raises DomainError for an unknown optimizer or precision, a stage outside 0 to 3, params or gradient_bytes
    not above 0, or a degree below 1.
    Source: Rajbhandari et al. 2020 (ZeRO), section 3.1, figure 1 and table 1.
    """
    require_positive(params=params, gradient_bytes=gradient_bytes)
    require((zero_stage >= 0) & (zero_stage <= ZERO_STAGES), "zero_stage", zero_stage, "from 0 to 3")
    for name, degree in (
        ("data_parallel", data_parallel),
        ("tensor_parallel", tensor_parallel),
        ("pipeline_parallel", pipeline_parallel),
    ):
        require(degree >= 1, name, degree, "at least 1")

    def share(bytes_per_param: Real, sharded_from: int) -> Real:
        shards = choose(zero_stage >= sharded_from, data_parallel, 1)
        return quotient(params * bytes_per_param, tensor_parallel * pipeline_parallel * shards)

    return ModelStates(
        weight_bytes=share(weight_bytes_per_param(precision=precision), 3),
        gradient_bytes=share(gradient_bytes_per_param(precision=precision, gradient_bytes=gradient_bytes), 2),
        optimizer_bytes=share(optimizer_bytes_per_param(optimizer=optimizer, precision=precision), 1),
    )


def activation_bytes_per_layer(
    *,
    seq_len: Real,
    micro_batch: Real,
    d_model: Real,
    heads: Real,
    tensor_parallel: Real,
    sequence_parallel: bool,
    recompute: Recompute,
) -> Real:
    """Activations of one layer that one device keeps for the backward pass [B].

    With s tokens, b sequences, width h, a heads and t = tensor_parallel:
    none       s*b*h * (10 + 24/t + 5*a*s/(h*t)), with sequence parallelism s*b*h/t * (34 + 5*a*s/h)
    selective  the same without the term of 5*a*s/h, the attention core
    full       2*s*b*h, the layer's input, whatever the rest

    2 bytes an activation and 1 a dropout mask, of a GELU layer with hidden width 4*h and multi-head
    attention.
    Leaves out the embedding, the last norm and the logits.
    Raises DomainError for an unknown recompute or where a count is below 1.
    Source: Korthikanti et al. 2022, section 4 and table 2.
    """
    require(recompute in RECOMPUTES, "recompute", recompute, "one of none, selective, full")
    require(tensor_parallel >= 1, "tensor_parallel", tensor_parallel, "at least 1")
    require_positive(seq_len=seq_len, micro_batch=micro_batch, d_model=d_model, heads=heads)
    plane = seq_len * micro_batch * d_model
    if recompute == "full":
        return 2 * plane
    whole = 0 if sequence_parallel else 10  # bytes of what tensor parallelism leaves on every device
    kept = whole + quotient(34 - whole, tensor_parallel)
    if recompute == "none":
        kept = kept + quotient(5 * heads * seq_len, d_model * tensor_parallel)
    return plane * kept


def logits_bytes(*, batch: Real, seq_len: Real, vocab_size: Real, bytes_per_element: Real) -> Real:
    """batch * seq_len * vocab_size * bytes_per_element [B]: one number for each token and word."""
    return batch * seq_len * vocab_size * bytes_per_element
