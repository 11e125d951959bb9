"""The twelve topics. Each is a folder of the bank; a question's first topic names its folder."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Topic:
    slug: str
    name: str
    summary: str


_ALL = (
    Topic(
        "where-the-time-goes",
        "Where the time goes",
        "Which of compute, memory and network a piece of work waits for.",
    ),
    Topic(
        "transformer-arithmetic",
        "Transformer arithmetic",
        "Parameters, FLOPs and bytes of a transformer, counted layer by layer.",
    ),
    Topic(
        "attention",
        "Attention",
        "What attention costs in memory and compute, and how fused kernels avoid it.",
    ),
    Topic("kernels", "Kernels", "Launches, fusion, tiling and what a single kernel can reach."),
    Topic(
        "kv-cache-and-decoding",
        "KV cache and decoding",
        "What a decode step reads, and what the cache takes as the context grows.",
    ),
    Topic("serving", "Serving", "Batching, latency, throughput and how many conversations fit on a device."),
    Topic(
        "quantization-and-speculation",
        "Quantization and speculation",
        "Fewer bytes per weight, and more than one token per step.",
    ),
    Topic(
        "training-memory",
        "Training memory",
        "Weights, gradients, optimizer states and activations, and ways to shrink each.",
    ),
    Topic(
        "parallelism",
        "Parallelism",
        "Splitting work over devices, and the communication that each split costs.",
    ),
    Topic(
        "utilization-and-profiling",
        "Utilization and profiling",
        "How much of the peak is used, and how to find where the rest went.",
    ),
    Topic("scaling-and-cost", "Scaling and cost", "Training time, compute-optimal sizes, money and energy."),
    Topic(
        "hardware-and-data",
        "Hardware and data",
        "What accelerators, links and storage can deliver, and how to feed them.",
    ),
)

TOPICS: Mapping[str, Topic] = MappingProxyType({topic.slug: topic for topic in _ALL})
