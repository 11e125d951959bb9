"""The catalogue of calculators. Nothing here knows of the web: numpy and the standard library are enough.

calculators.get("kv-cache").evaluate(model="llama-2-7b", seq_len="8k").outputs["total_bytes"]
"""

from difflib import get_close_matches

from calculators.amdahl import AMDAHL
from calculators.attention import ATTENTION_SCORES
from calculators.attention_work import ATTENTION_FLOPS, FLASH_ATTENTION_IO
from calculators.batching import BATCHING
from calculators.checkpoints import CHECKPOINT_INTERVAL
from calculators.collectives import COLLECTIVE
from calculators.context_parallel import CONTEXT_PARALLEL
from calculators.data_loading import DATA_LOADING
from calculators.decoding import DECODE
from calculators.ffn import FFN
from calculators.fine_tuning import FINE_TUNE_MEMORY
from calculators.inference_cost import INFERENCE_COST
from calculators.kernels import FUSION, LAUNCH_OVERHEAD
from calculators.kv_cache import KV_CACHE
from calculators.latency import QUEUE, REQUEST_LATENCY
from calculators.mixture import MOE
from calculators.parallelism import DATA_PARALLEL, TENSOR_PARALLEL
from calculators.parameters import TRANSFORMER_PARAMS
from calculators.pipeline import PIPELINE
from calculators.prefill import KV_TRANSFER, PREFILL
from calculators.quantization import QUANTIZATION
from calculators.roofline import MATMUL, ROOFLINE
from calculators.serving import SERVING_CAPACITY
from calculators.spec import Calculator
from calculators.speculation import SPECULATIVE_DECODING
from calculators.training_memory import ACTIVATION_MEMORY, LOGITS, TRAINING_MEMORY
from calculators.training_run import COMPUTE_OPTIMAL, TRAINING_TIME
from calculators.transformer_flops import TRANSFORMER_FLOPS
from calculators.utilization import MFU

LIBRARY_VERSION = "1"  # raised when a formula or a preset is corrected; stored beside answers

# In the order of the catalogue page: where the time goes, kernels, attention, models, training, serving.
_CATALOGUE = {
    calculator.slug: calculator
    for calculator in (
        ROOFLINE,
        MATMUL,
        FFN,
        LAUNCH_OVERHEAD,
        FUSION,
        AMDAHL,
        ATTENTION_SCORES,
        ATTENTION_FLOPS,
        FLASH_ATTENTION_IO,
        TRANSFORMER_PARAMS,
        TRANSFORMER_FLOPS,
        MFU,
        TRAINING_TIME,
        COMPUTE_OPTIMAL,
        CHECKPOINT_INTERVAL,
        LOGITS,
        TRAINING_MEMORY,
        ACTIVATION_MEMORY,
        FINE_TUNE_MEMORY,
        COLLECTIVE,
        TENSOR_PARALLEL,
        DATA_PARALLEL,
        PIPELINE,
        CONTEXT_PARALLEL,
        MOE,
        KV_CACHE,
        DECODE,
        PREFILL,
        SERVING_CAPACITY,
        BATCHING,
        SPECULATIVE_DECODING,
        QUANTIZATION,
        REQUEST_LATENCY,
        QUEUE,
        KV_TRANSFER,
        INFERENCE_COST,
        DATA_LOADING,
    )
}


class UnknownCalculator(KeyError):  # noqa: N818 - named for what it is about
    """No calculator has this slug; `close` is one that nearly does, or empty."""

    def __init__(self, slug: str) -> None:
        super().__init__(slug)
        self.slug = slug
        self.close = next(iter(get_close_matches(slug, _CATALOGUE, n=1)), "")

    def __str__(self) -> str:
        hint = f" Did you mean {self.close}?" if self.close else ""
        return f"There is no calculator {self.slug[:64]}.{hint}"


def get(slug: str) -> Calculator:
    """The calculator of this slug, or UnknownCalculator."""
    try:
        return _CATALOGUE[slug]
    except KeyError:
        raise UnknownCalculator(slug) from None


def all() -> tuple[Calculator, ...]:
    """Every calculator, in the order of the catalogue."""
    return tuple(_CATALOGUE.values())


__all__ = ["LIBRARY_VERSION", "Calculator", "UnknownCalculator", "all", "get"]
