"""Decode, prefill, drafts, bits, waits and prices, as papers and guides print them."""

from fractions import Fraction
from typing import Any

import pytest

import calculators

COST = calculators.get("inference-cost")
DECODE = calculators.get("decode")
LATENCY = calculators.get("request-latency")
PREFILL = calculators.get("prefill")
QUANTIZATION = calculators.get("quantization")
QUEUE = calculators.get("queue")
SPECULATION = calculators.get("speculative-decoding")

# Austin et al. 2025, How to scale your model, part 7: Llama 2 13B in bf16 with 8,192 tokens a sequence on
# eight TPU v5e of 820 GB/s: batch, GB of cache, ms of a step, token/s. They read 26 GB of weights, the token
# table with them, of which a step reads single rows: 0.33 GB less here, 1 % of a step at batch 1. What they
# call GiB are GB: 819,200 B a token are 6.71 GB or 6.25 GiB a sequence.
STEPS = (
    (1, 6.7, 4.98, 200.61),
    (8, 53.6, 12.13, 659.30),
    (16, 107.2, 20.30, 787.99),
    (32, 214.4, 36.65, 873.21),
    (64, 428.8, 69.33, 923.13),
    (240, 1608, 249.09, 963.53),
)


@pytest.mark.parametrize(("batch", "cache", "step", "rate"), STEPS)
def test_steps_of_the_scaling_book(batch: int, cache: float, step: float, rate: float) -> None:
    found = DECODE.evaluate(
        model="llama-2-13b", batch=batch, context=8192, hardware="tpu-v5e", hbm_bandwidth="820GB/s", devices=8
    )
    assert float(found.exact["kv_bytes"] / 10**9) == pytest.approx(cache, rel=2e-3)
    assert float(1000 * found.exact["time"]) == pytest.approx(step, rel=1e-2)
    assert float(found.exact["tokens_per_second"]) == pytest.approx(rate, rel=1e-2)
    assert found.bound == "memory"


# The batch from which decode is bound by compute while caches are short: peak over bandwidth times the bytes
# of a weight over 2. Norms are read and not multiplied with, and one token of cache is read by each sequence:
# some tenths of a percent more. The scaling book, part 7: 240 for bf16 on a v5e, 120 with int8 weights and
# bf16 arithmetic, again 240 with both in int8; 298 on an H100 (its 990e12 over 3.35e12 is 295.5).
# Chen 2022 (kipply): 208 on an A100 of 312e12 and 1.5e12. Shenoy and Kiely 2023: 208.3 on an A10.
@pytest.mark.parametrize(
    ("device", "dtype", "compute_dtype", "batch"),
    [
        ({"hardware": "tpu-v5e"}, "bf16", "bf16", 240),
        ({"hardware": "tpu-v5e"}, "int8", "bf16", 120),
        ({"hardware": "tpu-v5e"}, "int8", "int8", 240),
        ({"hardware": "h100-sxm"}, "bf16", "bf16", 296),
        ({"hardware": "a100-40gb-sxm", "hbm_bandwidth": "1.5TB/s"}, "bf16", "bf16", 208),
        ({"hardware": "custom", "peak_flops": "125e12", "hbm_bandwidth": "600GB/s"}, "fp16", "fp16", 208.3),
    ],
)
def test_critical_batches(device: dict[str, str], dtype: str, compute_dtype: str, batch: float) -> None:
    found = DECODE.evaluate(device, model="llama-2-13b", context=1, dtype=dtype, compute_dtype=compute_dtype)
    assert found.exact["ridge_batch"] == pytest.approx(batch, rel=2e-2)


def test_the_bandwidth_that_databricks_uses() -> None:
    # Agarwal et al. 2023, LLM inference performance engineering: 7 B parameters at 2 bytes with 14 ms a token
    # move 1 TB/s, half of the 2 TB/s there are. Without a cache, and with 7e9 for the 6.74e9 of Llama 2 7B.
    step = DECODE.evaluate(model="llama-2-7b", context=1, hbm_bandwidth="2TB/s", hardware="a100-80gb-sxm")
    used = float(step.exact["time"] / Fraction("0.014"))
    assert used == pytest.approx(0.5 * (6.738 - 0.131) / 7, rel=1e-3)


def test_baseten_reads_a_prompt_and_replies() -> None:
    # Shenoy and Kiely 2023: Llama 2 7B on an A10 of 125 TFLOP/s and 600 GB/s: 350 tokens of prompt in 39 ms,
    # 14 GB read in 24 ms (23.3, printed as 24) a token, both with 7 B parameters.
    device: dict[str, Any] = {
        "hardware": "custom", "peak_flops": "125 TFLOP/s", "hbm_bandwidth": "600 GB/s", "dtype": "fp16",
    }  # fmt: skip
    prompt = PREFILL.evaluate(device, model="llama-2-7b", prompt=350)
    # Less the table and, but for one token, the head: 6.48 B; and half of 350 tokens of attention.
    assert float(prompt.exact["time_compute"]) == pytest.approx(0.039 * 6.476 / 7 + 0.0003, rel=6e-3)
    assert float(DECODE.evaluate(device, model="llama-2-7b", context=1).exact["time"]) == pytest.approx(
        0.0233 * 6.607 / 7, rel=3e-3
    )
    reply = LATENCY.evaluate(time_to_first_token="39ms", time_per_token="24ms", output_tokens=151)
    assert round(float(reply.exact["latency"]), 1) == 3.6


def test_palm_in_large_batches() -> None:
    # Pope et al. 2022, table 2, on 64 TPU v4: 512 prompts of 2,048 tokens in 85.2 s, printed as 76 % of the
    # peak; decode for 512 sequences, 64 tokens in 6.0 s, as 33 %. They count 2 N FLOP a token. Attention,
    # counted here, is 1.3 % more of the prompts' work, and in decode 2 to 3 %.
    device = {"model": "palm-540b", "hardware": "tpu-v4", "devices": 64, "batch": 512}
    peak = 64 * 275 * 10**12
    prompts = PREFILL.evaluate(device, prompt=2048).exact["flops"] / Fraction("85.2") / peak
    assert float(prompts) == pytest.approx(0.76, abs=0.01)
    step = DECODE.evaluate(device, context=2048 + 32).exact["flops"] / Fraction(6, 64) / peak
    assert float(step) == pytest.approx(0.33, abs=0.015)


# Leviathan et al. 2023, the table of expected and measured speed-ups for English to German (T5 XXL, argmax):
# approximating model, acceptance, draft, its cost, expected.
@pytest.mark.parametrize(
    ("acceptance", "draft", "cost", "expected"),
    [("0.75", 7, "0.02", 3.2), ("0.8", 7, "0.04", 3.3), ("0.82", 7, "0.11", 2.5)],
)
def test_expected_speedups_of_t5(acceptance: str, draft: int, cost: str, expected: float) -> None:
    found = SPECULATION.evaluate(acceptance=acceptance, draft_tokens=draft, cost_ratio=cost).exact
    assert round(float(found["speedup"]), 1) == expected


# Bits a weight. Where scales have a scale of their own, a block has its share of that: an 8th of fp16, say.
# llama.cpp, ggml-quants: K-quants are super-blocks of 256 weights in blocks of 32, or of 16 in Q2, Q3 and Q6.
# Dettmers et al. 2023 (QLoRA), 3: 32-bit constants for 64 weights are 0.5 bits; quantized to 8 bits, with one
# 32-bit constant for 256 of them, 0.127. OCP MX 1.0: 8 bits for 32 weights. NVFP4: an fp8 scale for 16.
@pytest.mark.parametrize(
    ("bits", "group_size", "scale_bits", "zero_bits", "printed"),
    [
        ("2", 16, 4 + 16 // 16, 4 + 16 // 16, "2.625"),  # Q2_K
        ("3", 16, 6 + 16 // 16, 0, "3.4375"),  # Q3_K
        ("4", 32, 6 + 16 // 8, 6 + 16 // 8, "4.5"),  # Q4_K
        ("5", 32, 6 + 16 // 8, 6 + 16 // 8, "5.5"),  # Q5_K
        ("6", 16, 8 + 16 // 16, 0, "6.5625"),  # Q6_K
        ("5", 32, 16, 16, "6"),  # Q5_1
        ("4", 64 * 256, 256 * 8 + 32, 0, "4.127"),  # NF4 with double quantization
        ("4", 32, 8, 0, "4.25"),  # MXFP4
        ("4", 16, 8, 0, "4.5"),  # NVFP4
    ],
)
def test_bits_of_a_weight(bits: str, group_size: int, scale_bits: int, zero_bits: int, printed: str) -> None:
    found = QUANTIZATION.evaluate(
        bits=bits, group_size=group_size, scale_bits=scale_bits, zero_bits=zero_bits
    ).exact["bits_per_weight"]
    assert abs(found - Fraction(printed)) <= Fraction(1, 20_000)


def test_what_double_quantization_saves() -> None:
    # QLoRA, 3: 0.373 bits a parameter, about 3 GB of a 65B model.
    plain = QUANTIZATION.evaluate(params="65B", group_size=64, scale_bits=32, zero_bits=0).exact
    double = QUANTIZATION.evaluate(params="65B", group_size=64 * 256, scale_bits=2080, zero_bits=0).exact
    assert round(float(plain["bits_per_weight"] - double["bits_per_weight"]), 3) == 0.373
    assert round(float(plain["weight_bytes"] - double["weight_bytes"]) / 1e9) == 3


# Erlang C in textbooks: arrivals an hour, minutes of service, servers; probability of a wait, mean wait in
# minutes, mean number waiting. Hillier and Lieberman, Introduction to operations research, 17.6: the county
# hospital's doctors, 2 patients an hour of 20 minutes each. Gross et al., Fundamentals of queueing theory,
# 3.3: the eye clinic's three doctors, 6 patients an hour of 20 minutes.
@pytest.mark.parametrize(
    ("rate", "minutes", "servers", "waits", "wait", "waiting"),
    [(2, 20, 1, 2 / 3, 40, 4 / 3), (2, 20, 2, 1 / 6, 2.5, 1 / 12), (6, 20, 3, 4 / 9, 80 / 9, 8 / 9)],
)
def test_waits_of_textbooks(
    rate: int, minutes: int, servers: int, waits: float, wait: float, waiting: float
) -> None:
    found = QUEUE.evaluate(
        arrival_rate=Fraction(rate, 3600), service_time=f"{minutes}min", servers=servers
    ).exact
    assert float(found["probability_wait"]) == pytest.approx(waits)
    assert float(found["mean_wait"]) == pytest.approx(60 * wait)
    assert float(found["mean_in_queue"]) == pytest.approx(waiting)


def test_a_day_of_deepseek() -> None:
    # DeepSeek-AI 2025, V3/R1 inference system overview: 226.75 nodes of eight on average at 2 USD an hour
    # each are 87,072 USD a day, for 168 B tokens of output (and 608 B of input): 0.52 USD a million.
    devices = round(8 * 226.75)
    found = COST.evaluate(
        tokens_per_second=Fraction(168 * 10**9, 86_400),
        price_per_device_hour=2,
        devices=devices,
        utilization=1,
    ).exact
    assert found["tokens_per_day"] == 168 * 10**9
    assert found["cost_per_million_tokens"] * 168_000 == 87_072
    assert round(float(found["cost_per_million_tokens"]), 2) == 0.52
