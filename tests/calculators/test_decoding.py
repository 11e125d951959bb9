"""The pages of decode, prefill and kv-transfer: what agrees with what, and what is looked up where."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calculators
from calculators.spec import InvalidInputs, Result

DECODE = calculators.get("decode")
PREFILL = calculators.get("prefill")
TRANSFER = calculators.get("kv-transfer")
ROOFLINE = calculators.get("roofline")
MODELS = st.sampled_from(
    ["gpt2-small", "llama-2-7b", "llama-3-70b", "gemma-3-27b", "mixtral-8x7b", "deepseek-v3"]
)


def roofline_of(
    result: Result, bytes_moved: int | Fraction, devices: int, share: Fraction = Fraction(1)
) -> Result:
    """The roofline of the same work and bytes, on one device with the strength of all."""
    peak, bandwidth = result.exact_inputs["peak_flops"], result.exact_inputs["hbm_bandwidth"]
    assert isinstance(peak, int)  # for the type checker: a preset's figures are whole
    assert isinstance(bandwidth, int)
    return ROOFLINE.evaluate(
        flops=result.exact["flops"],
        bytes=bytes_moved,
        peak_flops=peak * devices * share,
        hbm_bandwidth=bandwidth * devices,
    )


@settings(max_examples=25, deadline=None)
@given(model=MODELS, batch=st.integers(1, 4096), context=st.integers(1, 200_000), devices=st.integers(1, 64))
def test_decode_is_the_roofline_of_its_own_flops_and_bytes(
    model: str, batch: int, context: int, devices: int
) -> None:
    step = DECODE.evaluate(model=model, batch=batch, context=context, devices=devices, hardware="h100-sxm")
    roof = roofline_of(step, step.exact["weight_bytes"] + step.exact["kv_bytes"], devices)
    for name in ("intensity", "time_compute", "time_memory", "time"):
        assert step.exact[name] == roof.exact[name]
    assert step.bound == roof.bound
    assert step.exact["tokens_per_second"] * step.exact["time"] == batch
    prompt = PREFILL.evaluate(model=model, batch=batch, prompt=context, devices=devices, mfu="1/2")
    roof = roofline_of(prompt, prompt.exact["bytes"], devices, Fraction(1, 2))
    assert [prompt.exact[name] for name in ("time_compute", "time_memory", "time")] == [
        roof.exact[name] for name in ("time_compute", "time_memory", "time")
    ]


def test_the_defaults_by_hand() -> None:
    step = DECODE.evaluate().exact
    # 6,738,415,616 parameters less the table of 32,000 * 4,096, at 2 bytes; 524,288 B of cache a token.
    assert step["weight_bytes"] == 2 * (6_738_415_616 - 131_072_000)
    assert step["kv_bytes"] == 1024 * 524_288
    # Matrices: the same less 65 norms of 4,096. Attention: 4 * 32 layers * 32 heads * 128 * 1,024 tokens.
    assert step["flops"] == 2 * (6_738_415_616 - 131_072_000 - 65 * 4096) + 4 * 32 * 4096 * 1024
    assert step["time"] == Fraction(13_214_687_232 + 536_870_912, 2039 * 10**9)
    prompt = PREFILL.evaluate().exact
    matrices = 6_607_077_376
    head = 131_072_000
    assert prompt["flops"] == 1024 * (2 * (matrices - head) + 2 * 32 * 4096 * 1024) + 2 * head
    assert prompt["bytes"] == 2 * 6_607_343_616 + 1024 * 524_288


def test_the_cache_that_pope_et_al_begin_with() -> None:
    """Section 1: 500B+ parameters, multi-head attention, batch 512, 2,048 tokens: 3 TB of cache.

    The multi-head variant of their table 1 has 48 heads of width 128: 3.04 TB.
    """
    found = DECODE.evaluate(
        model="palm-540b", kv_heads=48, head_dim=128, batch=512, context=2048, hardware="tpu-v4", devices=64
    )
    assert round(found.exact["kv_bytes"] / 10**12, 2) == 3.04


@settings(max_examples=20, deadline=None)
@given(model=MODELS, context=st.integers(1, 20_000), dtype=st.sampled_from(["bf16", "fp8"]))
def test_the_ridge_batch_is_where_the_bound_turns(model: str, context: int, dtype: str) -> None:
    at: dict[str, Any] = {"model": model, "context": context, "dtype": dtype, "hardware": "h100-sxm"}
    ridge = DECODE.evaluate(at).exact.get("ridge_batch")
    if ridge is None:
        assert DECODE.evaluate(at, batch=10**9).bound == "memory"
        return
    assert DECODE.evaluate(at, batch=ridge).bound == "compute"
    assert DECODE.evaluate(at, batch=ridge + 1).bound == "compute"
    assert ridge == 1 or DECODE.evaluate(at, batch=ridge - 1).bound == "memory"
    assert DECODE.evaluate(at, batch=ridge, devices=16).exact["ridge_batch"] == ridge


def test_ridge_batches_known_and_none() -> None:
    # With hardly any context, bf16 on an A100 turns near P / BW = 153: one multiply-add for two bytes.
    near = DECODE.evaluate(context=1).exact["ridge_batch"]
    assert near == 154
    none = DECODE.evaluate()
    assert none.outputs["ridge_batch"] is None
    assert any(note.startswith("ridge_batch: each further sequence") for note in none.notes)
    sparse = DECODE.evaluate(model="mixtral-8x7b", context=1, hardware="h100-sxm").exact["ridge_batch"]
    assert sparse > 2 * DECODE.evaluate(context=1, hardware="h100-sxm").exact["ridge_batch"]


def test_why_no_batch_gets_there_is_derived() -> None:
    # 13.75 GFLOP at 312 TFLOP/s leave time for 89.9 MB, and each sequence's cache is 537 MB.
    (step,) = DECODE.explain(DECODE.evaluate(), ["ridge_batch"])
    assert (step.formula, step.substituted, step.value_text) == ("g ≤ 0", "(-447.004 MB) ≤ 0", "none")


def test_what_attention_over_latents_would_cost_is_said() -> None:
    # Queries of 512 + 64 against the latent and values of 512, for keys of 128 + 64 and values of 128.
    (note,) = DECODE.evaluate(model="deepseek-v3").notes
    assert note.endswith("does 3.4 times this attention work.")
    assert (512 + 64 + 512) / (128 + 64 + 128) == 3.4


def test_a_batch_reads_the_experts_that_it_visits() -> None:
    expert = 2 * 32 * 3 * 4096 * 14336
    one, two, many = (
        DECODE.evaluate(model="mixtral-8x7b", batch=batch).exact["weight_bytes"] for batch in (1, 2, 10**6)
    )
    assert two - one == Fraction(3, 2) * expert
    assert many - one == pytest.approx(6 * expert)
    long = PREFILL.evaluate(model="mixtral-8x7b", prompt=1, batch=2).exact["bytes"]
    assert long == two + 2 * 131_072


def test_narrow_weights_compute_in_a_wider_format() -> None:
    with pytest.raises(InvalidInputs, match="compute_dtype is int4, for which h100-sxm has no peak"):
        DECODE.evaluate(dtype="int4", hardware="h100-sxm")
    step = DECODE.evaluate(dtype="int4", compute_dtype="bf16", kv_dtype="fp8", hardware="h100-sxm")
    assert step.exact["weight_bytes"] == 6_607_343_616 / 2
    assert step.exact["kv_bytes"] == 1024 * 262_144
    assert step.inputs["peak_flops"] == 989.4e12
    assert DECODE.evaluate(dtype="int4", hardware="h100-sxm", peak_flops="1e15").bound == "memory"
    assert DECODE.evaluate(dtype="int4", hardware="a100-80gb-sxm").inputs["peak_flops"] == 1248e12


def test_custom_asks_for_what_is_used_and_no_more() -> None:
    with pytest.raises(InvalidInputs) as caught:
        DECODE.evaluate(model="custom", hardware="custom")
    fields = [error.field for error in caught.value.errors]
    assert sorted(fields) == ["d_model", "hbm_bandwidth", "heads", "layers", "peak_flops", "vocab_size"]
    shape = {"model": "custom", "layers": 2, "d_model": 64, "heads": 4, "vocab_size": 100}
    figures = {"hardware": "custom", "peak_flops": "1e12"}
    assert TRANSFER.evaluate(shape, **figures).outputs["kv_bytes"] == 4096 * 2 * 2 * 64 * 2
    with pytest.raises(InvalidInputs, match="hbm_bandwidth is needed"):
        PREFILL.evaluate(shape, **figures)


def test_a_cache_is_sent_unless_the_path_is_slow() -> None:
    found = TRANSFER.evaluate()
    assert found.exact["kv_bytes"] == 4096 * 327_680
    assert found.outputs["faster"] == "transfer"
    prefill = PREFILL.evaluate(model="llama-3-70b", prompt=4096, hardware="h100-sxm", devices=8, mfu=0.5)
    assert found.exact["time_recompute"] == prefill.exact["time_compute"]
    swept = TRANSFER.sweep("bandwidth", [1e9, 9e9, 50e9])
    assert swept["faster"].tolist() == ["recompute", "recompute", "transfer"]
    windows = TRANSFER.evaluate(model="gemma-3-27b", tokens=131_072)
    assert windows.exact["kv_bytes"] == 11_173_625_856


@settings(max_examples=20, deadline=None)
@given(
    model=MODELS,
    batches=st.lists(st.integers(1, 10**6), min_size=2, max_size=4),
    context=st.integers(1, 10**6),
)
def test_sweeps_are_their_points_and_more_never_takes_less(
    model: str, batches: list[int], context: int
) -> None:
    batches = sorted(batches)
    swept = DECODE.sweep("batch", batches, model=model, context=context)
    for index, batch in enumerate(batches):
        for name, value in DECODE.evaluate(model=model, context=context, batch=batch).outputs.items():
            found = swept[name][index]
            if name == "ridge_batch" and value is not None:
                assert abs(found - value) <= 1
            elif value is None:
                assert np.isnan(found)
            else:
                assert found == (value if isinstance(value, str) else pytest.approx(value, rel=1e-9))
    for name in ("time", "weight_bytes", "tokens_per_second"):
        assert (np.diff(swept[name]) >= -1e-9 * swept[name][1:]).all()
    prompts = PREFILL.sweep("prompt", batches, model=model)
    assert (np.diff(prompts["time"]) >= 0).all()


def test_a_million_batches_in_one_call() -> None:
    swept = DECODE.sweep("batch", np.arange(1, 1_000_001))
    assert swept["time"].shape == (1_000_000,)
    assert swept["kv_bytes"][-1] == 10**6 * 536_870_912
    assert DECODE.evaluate(batch=10**30).exact["kv_bytes"] == 10**30 * 536_870_912
