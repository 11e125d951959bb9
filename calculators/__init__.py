"""The catalogue of calculators. Nothing here knows of the web: numpy and the standard library are enough.

calculators.get("kv-cache").evaluate(model="llama-2-7b", seq_len="8k").outputs["total_bytes"]
"""

from difflib import get_close_matches
from functools import cache
from importlib import import_module

from calculators.spec import Calculator

LIBRARY_VERSION = "1"  # raised when a formula or a preset is corrected; stored beside answers

# Each calculator and the module that declares it, under its name in capitals; it is imported when one of its
# calculators is first asked for. In the order of the catalogue page: where the time goes, kernels, attention,
# models, training, serving.
_DECLARED_IN = {
    "roofline": "roofline",
    "matmul": "roofline",
    "ffn": "ffn",
    "launch-overhead": "kernels",
    "fusion": "kernels",
    "amdahl": "amdahl",
    "attention-scores": "attention",
    "attention-flops": "attention_work",
    "flash-attention-io": "attention_work",
    "transformer-params": "parameters",
    "transformer-flops": "transformer_flops",
    "mfu": "utilization",
    "training-time": "training_run",
    "compute-optimal": "training_run",
    "checkpoint-interval": "checkpoints",
    "logits": "training_memory",
    "training-memory": "training_memory",
    "activation-memory": "activation_memory",
    "fine-tune-memory": "fine_tuning",
    "collective": "collectives",
    "tensor-parallel": "parallelism",
    "data-parallel": "parallelism",
    "pipeline": "pipeline",
    "context-parallel": "context_parallel",
    "moe": "mixture",
    "kv-cache": "kv_cache",
    "decode": "decoding",
    "prefill": "prefill",
    "serving-capacity": "serving",
    "batching": "batching",
    "speculative-decoding": "speculation",
    "quantization": "quantization",
    "request-latency": "latency",
    "queue": "latency",
    "kv-transfer": "prefill",
    "inference-cost": "inference_cost",
    "data-loading": "data_loading",
}


class UnknownCalculator(KeyError):  # noqa: N818 - named for what it is about
    """No calculator has this slug; `close` is one that nearly does, or empty."""

    def __init__(self, slug: str) -> None:
        super().__init__(slug)
        self.slug = slug
        self.close = next(iter(get_close_matches(slug, _DECLARED_IN, n=1)), "")

    def __str__(self) -> str:
        hint = f" Did you mean {self.close}?" if self.close else ""
        return f"There is no calculator {self.slug[:64]}.{hint}"


def get(slug: str) -> Calculator:
    """The calculator of this slug, or UnknownCalculator."""
    if slug not in _DECLARED_IN:
        raise UnknownCalculator(slug)
    return _declared(slug)


def slugs() -> tuple[str, ...]:
    """The names of all calculators, in the order of the catalogue; none of them is imported for it."""
    return tuple(_DECLARED_IN)


def all() -> tuple[Calculator, ...]:
    """Every calculator, in the order of the catalogue."""
    return tuple(map(_declared, _DECLARED_IN))


@cache
def _declared(slug: str) -> Calculator:
    module = import_module(f"calculators.{_DECLARED_IN[slug]}")
    calculator: Calculator = getattr(module, slug.replace("-", "_").upper())
    return calculator


__all__ = ["LIBRARY_VERSION", "Calculator", "UnknownCalculator", "all", "get", "slugs"]
