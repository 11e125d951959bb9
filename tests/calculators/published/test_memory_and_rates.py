"""Memory, intensities, ridge points and the sizes from which communication hides, as guides print them."""

from fractions import Fraction
from typing import Any

import pytest

import calculators

STATES = calculators.get("training-memory")
MATMUL = calculators.get("matmul")
ROOFLINE = calculators.get("roofline")

# Megatron-LM, documentation of the distributed optimizer: bytes a parameter with d replicas, without and with
# sharding. Its first row, 20 and 4 + 16/d for fp16 gradients, keeps them in fp32 a second time; the ZeRO
# paper, as this calculator, has 16 and 4 + 12/d.
MEGATRON = (
    ({"precision": "mixed", "gradient_dtype": "fp32"}, 18, 6, 12),
    ({"precision": "fp32"}, 16, 8, 8),
    ({"precision": "mixed", "gradient_dtype": "fp16"}, 20 - 4, 4, 16 - 4),
)


@pytest.mark.parametrize(("inputs", "whole", "kept", "sharded"), MEGATRON)
def test_bytes_of_a_parameter_in_megatron(
    inputs: dict[str, str], whole: int, kept: int, sharded: int
) -> None:
    for replicas in (1, 8, 96):
        run: dict[str, Any] = {**inputs, "params": 1, "data_parallel": replicas}
        assert STATES.evaluate(run).exact["total_bytes"] == whole
        with_shards = STATES.evaluate(run, zero_stage=1).exact["total_bytes"]
        assert with_shards == kept + Fraction(sharded, replicas)


# NVIDIA, Matrix Multiplication Background User's Guide, "Math and memory bounds", and GPU Performance
# Background User's Guide, table 1: rows, shared dimension, columns, FLOP/B in fp16. 2730.7 is cut to 2730,
# and a batch of one, 0.999, is printed as 1.
NVIDIA = (
    (8192, 8192, 128, 124.1, "memory"),
    (8192, 8192, 8192, 2730, "compute"),
    (512, 1024, 4096, 315, "compute"),
    (1, 1024, 4096, 1, "memory"),
)


@pytest.mark.parametrize(("m", "k", "n", "intensity", "bound"), NVIDIA)
def test_intensities_in_nvidias_guides(m: int, k: int, n: int, intensity: float, bound: str) -> None:
    # On a V100, whose ridge point both print: 138.9.
    result = MATMUL.evaluate(m=m, k=k, n=n, dtype="fp16", hardware="v100-16gb-sxm")
    assert float(result.exact["intensity"]) == pytest.approx(intensity, rel=2e-3)
    assert float(result.exact["ridge_point"]) == pytest.approx(138.9, abs=0.05)
    assert result.bound == bound


# Jouppi et al. 2017, table 2 and figures 5 to 7: peak TOP/s, GB/s and the ridge. Their roofline counts
# multiply-adds for each byte of weights, half of what FLOP/B are.
@pytest.mark.parametrize(
    ("tera", "gigabytes", "ridge"), [("92", "34", 1350), ("2.8", "160", 9), ("1.3", "51", 13)]
)
def test_ridge_points_of_the_first_tpu_paper(tera: str, gigabytes: str, ridge: int) -> None:
    outputs = ROOFLINE.evaluate(
        hardware="custom", peak_flops=f"{tera} TFLOP/s", hbm_bandwidth=f"{gigabytes} GB/s"
    ).exact
    assert float(outputs["ridge_point"]) / 2 == pytest.approx(ridge, rel=0.03)


def test_the_batch_of_the_scaling_book() -> None:
    # Austin et al. 2025, How to scale your model, part 1: a matmul of B tokens with much wider matrices is
    # compute-bound from about 240 tokens on a TPU v5e in bf16 (197e12 over 8.1e11 or 8.2e11), and from about
    # 300 on an H100 (990e12 over 3.35e12, 295).
    for hardware, printed in (("tpu-v5e", 240), ("h100-sxm", 295)):
        wide = MATMUL.solve("m", "intensity", MATMUL.evaluate(hardware=hardware).exact["ridge_point"], {
            "k": 10**7, "n": 10**7, "hardware": hardware,
        })  # fmt: skip
        assert wide.solutions[0].value == pytest.approx(printed, rel=0.01)


def test_parallelism_of_the_scaling_book() -> None:
    # The same, part 5, on TPU v5p: 4.59e14 FLOP/s over 1.8e11 B/s of one axis, both of its directions, is
    # 2,550: the tokens of a device from which data parallelism hides, sharded or not, and the hidden width
    # that tensor parallelism needs for each device.
    v5p: dict[str, Any] = {"hardware": "tpu-v5p", "link_bandwidth": "180 GB/s"}
    for sharded in (False, True):
        outputs = (
            calculators.get("data-parallel").evaluate(v5p, sharded=sharded, mfu=1, devices=10**9).outputs
        )
        assert outputs["min_tokens_per_device"] == 2550
    for d_ff in (30_000, 28_672):
        # One device more than the book's F / 2550, which takes (n-1)/n for 1.
        most = 1 + d_ff // 2550
        limits = [
            calculators.get("ffn").evaluate(v5p, tokens=10**6, d_model=8192, d_ff=d_ff, devices=n).bound
            for n in (most, most + 1)
        ]
        assert limits == ["compute", "network"]
