"""Exactness, ties, nothing where there is no number, and results checked by hand."""

import json
import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calculators
from calculators.cost.errors import DomainError
from calculators.spec import Calculator, Input, InvalidInputs, Output, amount, count
from calculators.spec.evaluating import plain

BY_HAND: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    # 1e12 / 312e12 s and 1e10 / 2039e9 s
    (
        "roofline",
        {},
        {"intensity": 100, "time_compute": 1 / 312, "time_memory": 10 / 2039},
    ),
    # 2 * 2 * 3 * 5 * 7 and 2 * (15 + 35 + 21) * 4
    ("matmul", {"batch": 2, "m": 3, "k": 5, "n": 7, "dtype": "tf32"}, {"flops": 420, "bytes": 568}),
    # 6 * 8 * 16 * 64, three matrices; 8 * (32 + 128/4) * 2; 2 * 3/4 * 8 * 16 * 2
    (
        "ffn",
        {"tokens": 8, "d_model": 16, "d_ff": 64, "gated": True, "devices": 4},
        {
            "flops": 49152,
            "weight_bytes": 6144,
            "activation_bytes_per_device": 1024,
            "communication_bytes": 384,
        },
    ),
    ("attention-scores", {}, {"score_bytes": 2 * 2**30, "flash_bytes": 2 * 2**20, "ratio": 1024}),
    # the published 46.2 % of PaLM 540B
    ("mfu", {}, {"mfu": pytest.approx(0.462, abs=5e-4)}),
    # recomputing everything is a third more
    ("mfu", {"recompute": "full", "mfu": None}, {"hfu": pytest.approx(0.616, abs=5e-4)}),
    ("transformer-params", {}, {"total": 124439808, "embedding": 38597376 + 786432, "head": 0}),
    ("kv-cache", {}, {"bytes_per_token": 524288, "total_bytes": 2 * 2**30, "mha_ratio": 1}),
    ("kv-cache", {"model": "llama-3-8b"}, {"bytes_per_token": 131072, "mha_ratio": 4}),
    # 61 layers of 512 + 64 numbers
    ("kv-cache", {"model": "deepseek-v3"}, {"bytes_per_token": 61 * 576 * 2}),
    # half of gpt-oss's 36 layers see 128 tokens: 18 * (4096 + 128) * 2 * 8 * 64 * 2
    ("kv-cache", {"model": "gpt-oss-120b"}, {"bytes_per_sequence": 18 * 4224 * 2048}),
    # (80e9 - 26031728640) / (2048 * 819200) = 32.17
    ("serving-capacity", {}, {"weight_bytes": 26031728640, "sequences": 32, "fits": True}),
    ("serving-capacity", {"hardware": "l4"}, {"free_bytes": -2031728640, "sequences": 0, "fits": False}),
    # 5 us + 999 * 5 us + 3 us; 10 us + 1000 * 4 us
    ("launch-overhead", {}, {"time_eager": 5.003e-3, "time_graph": 4.01e-3, "time_gpu": 3e-3}),
    ("fusion", {"operations": 6, "launch_time": 0}, {"traffic_ratio": 6, "speedup": 6}),
]


@pytest.mark.parametrize(("slug", "inputs", "expected"), BY_HAND)
def test_by_hand(slug: str, inputs: dict[str, Any], expected: dict[str, Any]) -> None:
    inputs = {name: value for name, value in inputs.items() if value is not None}
    outputs = calculators.get(slug).evaluate(inputs).outputs
    assert {name: outputs[name] for name in expected} == expected


def test_scalars_are_exact() -> None:
    result = calculators.get("attention-scores").evaluate(batch=10**30 + 1, dtype="int4")
    assert result.exact["score_bytes"] == (10**30 + 1) * 16 * 2**20 // 2
    assert result.outputs["score_bytes"] == result.exact["score_bytes"]
    roofline = calculators.get("roofline").evaluate(flops="1e12", bytes="3e10")
    assert roofline.exact["intensity"] == Fraction(100, 3)
    half = calculators.get("matmul").evaluate(m=1, k=1, n=1, dtype="int4", hardware="a100-80gb-sxm",
                                              peak_flops="1248 TFLOP/s")  # fmt: skip
    assert half.outputs["bytes"] == 1.5


def test_a_tie_is_a_tie_and_compute_comes_first() -> None:
    tie = {"hardware": "custom", "peak_flops": "0.3 TFLOP/s", "hbm_bandwidth": "0.1 TB/s"}
    result = calculators.get("roofline").evaluate(tie, flops="0.9 GFLOP", bytes="0.3 GB")
    assert result.exact["time_compute"] == result.exact["time_memory"]
    assert result.bound == "compute"
    assert result.margins == {"compute": 1.0, "memory": 1.0}


def test_margins_say_how_far_the_other_limits_are() -> None:
    result = calculators.get("roofline").evaluate()
    assert result.bound == "memory"
    assert result.margins == {"compute": pytest.approx(100 / (312e12 / 2039e9)), "memory": 1.0}
    assert calculators.get("kv-cache").evaluate().margins == {}
    assert calculators.get("kv-cache").evaluate().bound is None


def test_no_number_is_null_with_the_reason() -> None:
    result = calculators.get("launch-overhead").evaluate(
        kernel_time=0, launch_time=0, graph_launch_time=0, graph_node_time=0
    )
    assert result.outputs["speedup"] is None
    assert result.outputs["gpu_idle_eager"] is None
    assert "speedup: the graph takes no time" in result.notes
    assert "gpu_idle_eager: nothing takes any time" in result.notes
    assert "speedup" not in result.exact


def test_what_no_float_can_hold_is_null_or_stays_whole() -> None:
    huge = calculators.get("matmul").evaluate(m=10**200, n=10**200, k=10**200)
    assert huge.outputs["flops"] == 2 * 10**600
    assert huge.outputs["time"] is None or isinstance(huge.outputs["time"], int)
    odd = calculators.get("roofline").evaluate(flops=10**308, bytes="1e-290 B")
    assert odd.outputs["intensity"] == 10**598
    assert odd.outputs["time_memory"] == pytest.approx(1e-290 / 2039e9)
    small = calculators.get("roofline").evaluate(flops="1e-290 FLOP", bytes="1e300 B")
    assert small.outputs["intensity"] is None
    assert "intensity: too small to write as a number" in small.notes


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Fraction(1, 3), (1 / 3, "")),
        (Fraction(10**400, 3), (None, "too large to write as a number")),
        (Fraction(1, 10**400), (None, "too small to write as a number")),
        (10**400, (10**400, "")),
        (math.inf, (None, "no finite number")),
        (math.nan, (None, "no finite number")),
        (2.5, (2.5, "")),
        (None, (None, "")),
        ("memory", ("memory", "")),
        (True, (True, "")),
    ],
)
def test_plain_numbers(value: Any, expected: tuple[Any, str]) -> None:
    assert plain(value) == expected


def test_notes_where_a_result_needs_one() -> None:
    ffn = calculators.get("ffn").evaluate(d_ff=100, devices=3)
    assert any("d_ff (100) does not divide by 3 devices" in note for note in ffn.notes)
    assert calculators.get("ffn").evaluate(d_ff=100, devices=4).notes == []
    mfu = calculators.get("mfu").evaluate(tokens_per_second="1M")
    assert mfu.outputs["mfu"] == pytest.approx(1.9387, abs=1e-4)
    assert any("MFU above 1" in note for note in mfu.notes)
    hfu = calculators.get("mfu").evaluate(tokens_per_second="500k", recompute="full")
    assert hfu.outputs["mfu"] < 1 < hfu.outputs["hfu"]  # type: ignore[operator]  # both are numbers here
    assert any("HFU above 1" in note for note in hfu.notes)
    tight = calculators.get("serving-capacity").evaluate(hardware="l4")
    assert any("The weights do not fit: " in note for note in tight.notes)
    reserved = calculators.get("serving-capacity").evaluate(reserve_bytes="80GB")
    assert any("do not fit beside what is reserved" in note for note in reserved.notes)
    almost = calculators.get("serving-capacity").evaluate(hardware="rtx-5090", seq_len="8k")
    assert (almost.outputs["fits"], almost.outputs["sequences"]) == (True, 0)
    assert any("not one sequence" in note for note in almost.notes)
    shared = calculators.get("serving-capacity").evaluate(devices=3)
    assert any("40 KV heads do not divide over 3 devices" in note for note in shared.notes)
    latent = calculators.get("serving-capacity").evaluate(model="deepseek-v3", devices=48)
    assert latent.notes == []  # one latent serves every head, so no heads are shared out
    short = calculators.get("transformer-params").evaluate(model="gpt-oss-120b")
    assert len([note for note in short.notes if "2,304 parameters" in note]) == 1
    assert calculators.get("transformer-params").evaluate(model="gpt-oss-120b", layers=20).notes == []


def test_a_cost_function_that_refuses_names_the_input() -> None:
    def compute(_: object) -> dict[str, Any]:
        raise DomainError("size", 3, "even")

    calculator = Calculator(
        slug="x", title="X", topic="attention", summary="", inputs=(count("size", "Size", default="3"),),
        outputs=(Output(name="y", label="Y", formula="size", meaning=""),), compute=compute,
        sources=(), leaves_out=(), conventions=(),
    )  # fmt: skip
    with pytest.raises(InvalidInputs, match="size is 3, but must be even"):
        calculator.evaluate()
    with pytest.raises(InvalidInputs, match="size is 3, but must be even"):
        calculator.sweep("size", [1, 2])


def test_a_range_in_words() -> None:
    declared: Input = amount("share", "Share", family="ratio", maximum=1)
    assert declared.allowed == "a number above 0 and at most 1"
    assert amount("part", "Part", family="ratio", zero=True, maximum=1).allowed == "a number from 0 to 1"


@pytest.mark.parametrize("calculator", calculators.all(), ids=lambda calculator: calculator.slug)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_every_result_is_json(draw: Any, calculator: Calculator, data: st.DataObject) -> None:
    result = calculator.evaluate(data.draw(draw(calculator)))
    json.dumps({"inputs": dict(result.inputs), "outputs": dict(result.outputs)}, allow_nan=False)
    for declared in calculator.outputs:
        value = result.outputs[declared.name]
        if value is None:
            assert any(note.startswith(f"{declared.name}: ") for note in result.notes)
        elif declared.family is not None:
            assert result.exact[declared.name] == pytest.approx(value)


@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_hfu_is_never_below_mfu(draw: Any, data: st.DataObject) -> None:
    result = calculators.get("mfu").evaluate(data.draw(draw(calculators.get("mfu"))))
    assert result.exact["hfu"] >= result.exact["mfu"]


@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_parts_add_up_and_active_never_exceeds_total(draw: Any, data: st.DataObject) -> None:
    exact = (
        calculators.get("transformer-params")
        .evaluate(data.draw(draw(calculators.get("transformer-params"))))
        .exact
    )
    assert sum(exact[part] for part in ("embedding", "attention", "ffn", "norms", "head")) == exact["total"]
    assert exact["active"] <= exact["total"]
