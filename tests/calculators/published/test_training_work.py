"""transformer-flops and mfu against throughputs that papers print beside step times or tokens a second."""

from fractions import Fraction
from typing import Any

import pytest

import calculators

FLOPS = calculators.get("transformer-flops")
MFU = calculators.get("mfu")
A100, H100 = 312 * 10**12, Fraction("989.4") * 10**12
DAY = 86_400

MEGATRON: dict[str, Any] = {"model": "custom", "vocab_size": 51_200, "seq_len": 2048}

# Korthikanti et al. 2022, tables 3 and 5: layers, width, heads, sequences of a step, GPUs, seconds of a step,
# MFU in percent.
STEPS = (
    (48, 6144, 64, 4, 8, "1.10", "41.5"),
    (96, 12288, 96, 64, 64, "13.75", "51.4"),
    (105, 20480, 128, 280, 280, "37.83", "56.0"),
    (128, 25600, 160, 512, 512, "71.49", "56.3"),
)


@pytest.mark.parametrize(("layers", "d_model", "heads", "sequences", "gpus", "seconds", "percent"), STEPS)
def test_utilization_from_the_time_of_a_step(
    layers: int, d_model: int, heads: int, sequences: int, gpus: int, seconds: str, percent: str
) -> None:
    tokens_per_second = sequences * 2048 / Fraction(seconds)
    work = FLOPS.evaluate(MEGATRON, layers=layers, d_model=d_model, heads=heads).exact
    by_matmul = work["model_flops_per_token"] * tokens_per_second / (gpus * A100)
    # The first step time has three figures, which is half a percent.
    assert float(100 * by_matmul) == pytest.approx(float(percent), abs=0.2)
    # The same from parameters: equation 7 counts the matrices and the head, no biases, norms or positions.
    params = 12 * layers * d_model**2 + 51_200 * d_model
    by_params = MFU.evaluate(
        params=params, layers=layers, heads=heads, head_dim=d_model // heads,
        seq_len=2048, tokens_per_second=tokens_per_second, devices=gpus, hardware="a100-80gb-sxm",
    ).exact  # fmt: skip
    assert by_params["mfu"] == by_matmul


# Smith et al. 2022, section 2.4: DGX servers of 8 A100, seconds of a step of 1,920 sequences, TFLOP/s a GPU.
MT_NLG = ((280, "60.1", 126), (420, "44.4", 113))


@pytest.mark.parametrize(("servers", "seconds", "tflops"), MT_NLG)
def test_throughput_with_everything_computed_twice(servers: int, seconds: str, tflops: int) -> None:
    shape = {"layers": 105, "d_model": 20480, "heads": 128}
    work = FLOPS.evaluate(MEGATRON, recompute="full", **shape).exact["hardware_flops_per_token"]
    # Their formula, 96 B s l h^2 (1 + s/6h + V/16lh) of Narayanan et al. 2021, does not compute the head a
    # second time; ours counts the whole forward pass again.
    work -= 2 * 51_200 * 20480
    assert work == 96 * 105 * 20480**2 * (1 + Fraction(2048, 6 * 20480) + Fraction(51_200, 16 * 105 * 20480))
    rate = work * 1920 * 2048 / Fraction(seconds) / (8 * servers)
    assert float(rate / 10**12) == pytest.approx(tflops, abs=0.5)


DEEPSEEK_V2: dict[str, Any] = {
    "model": "custom", "layers": 60, "d_model": 5120, "heads": 128, "head_dim": 128, "d_ff": 12288,
    "vocab_size": 102400, "gated": True, "experts": 160, "experts_per_token": 6, "shared_experts": 2,
    "expert_d_ff": 1536, "dense_layers": 1, "kv_lora_rank": 512, "q_lora_rank": 1536, "rope_head_dim": 64,
    "nope_head_dim": 128, "v_head_dim": 128,
}  # fmt: skip


@pytest.mark.parametrize(("model", "gflop"), [(DEEPSEEK_V2, 155), ({"model": "deepseek-v3"}, 250)])
def test_cost_of_a_token_of_deepseek(model: dict[str, Any], gflop: int) -> None:
    # DeepSeek-AI 2025 (Insights into DeepSeek-V3), table 2, in training, 4,096 tokens: causal, the embedding
    # not counted, key width 192 and value width 128, each routed expert of a token. 155.3 and 250.4. The
    # dense rows of that table are no neighbours: 394 for a 72 B model is 6 FLOP for each of 65.7 B.
    work = FLOPS.evaluate(model, seq_len=4096, attention="causal").exact["model_flops_per_token"]
    assert float(work / 10**9) == pytest.approx(gflop, abs=0.5)


@pytest.mark.parametrize(
    ("attention", "tflops", "percent"), [("causal", 385, "38.94"), ("full", 432, "43.73")]
)
def test_utilization_of_deepseek_v3(attention: str, tflops: int, percent: str) -> None:
    # The same paper, table 4, two-layer fat tree: 272.80 B tokens a day on 2,048 H800, whose bf16 peak is the
    # H100's. Both conventions are printed; they part by an eighth.
    work = FLOPS.evaluate(model="deepseek-v3", attention=attention).exact["model_flops_per_token"]
    rate = work * Fraction("272.80e9") / DAY / 2048
    assert float(rate / 10**12) == pytest.approx(tflops, rel=0.005)
    assert float(100 * rate / H100) == pytest.approx(float(percent), rel=0.005)


def test_llama_65b() -> None:
    # Touvron et al. 2023a, section 2.4: about 380 tokens a second on each of 2,048 A100, 1.4 T tokens in 21
    # days. The days follow from the rate alone: 20.8.
    rate = 380 * 2048
    assert 1.4e12 / rate / DAY == pytest.approx(21, abs=0.25)
    run: dict[str, Any] = {"params": "65.2e9", "tokens_per_second": rate, "devices": 2048}
    run |= {"hardware": "a100-80gb-sxm", "layers": 80, "heads": 64, "head_dim": 128}
    bare = MFU.evaluate(run, attention="none").exact["mfu"]
    assert float(bare) == pytest.approx(0.4764, abs=1e-4)
    # The same run through training-time: MFU and days are two readings of one number.
    time = (
        calculators.get("training-time")
        .evaluate(params="65.2e9", tokens="1.4e12", devices=2048, mfu=bare)
        .exact["time"]
    )
    assert time == Fraction(14 * 10**11, rate)
    with_core = MFU.evaluate(run, attention="full").exact["mfu"]
    assert float(with_core / bare) == pytest.approx(1.041, abs=1e-3)


# Grattafiori et al. 2024, table 4: BF16 TFLOP/s a GPU and MFU in percent. 43.5 is printed 43 and 40.4 is
# printed 41, so the rates were rounded to ten.
@pytest.mark.parametrize(("tflops", "percent"), [(430, 43), (400, 41), (380, 38)])
def test_llama_3_405b(tflops: int, percent: int) -> None:
    params = 405_853_388_800
    tokens_per_second = Fraction(tflops * 10**12, 6 * params)
    outputs = MFU.evaluate(
        model="llama-3.1-405b", attention="none", hardware="h100-sxm", devices=1,
        tokens_per_second=tokens_per_second,
    ).exact  # fmt: skip
    assert outputs["achieved_flops_per_device"] == tflops * 10**12
    assert float(100 * outputs["mfu"]) == pytest.approx(percent, abs=0.6)
