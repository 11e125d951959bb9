"""A plot computed: what is drawn is what the calculator says at each point."""

import math
from itertools import pairwise

import pytest

import calculators
from app.plotting.choice import ALL_OUTPUTS, MAX_CURVES, Choice, first_choice, read_choice
from app.plotting.drawing import draw
from app.plotting.plot import Extra, Plot
from calculators.presets import MODELS


def plot(slug: str, text: str = "", **inputs: object) -> Plot:
    calculator = calculators.get(slug)
    choice, problem = read_choice(calculator, text)
    assert problem == ""
    return draw(calculator.evaluate(inputs), choice)


@pytest.mark.parametrize("slug", [calculator.slug for calculator in calculators.all()])
def test_every_first_plot_shows_numbers_and_the_present_state(slug: str) -> None:
    calculator = calculators.get(slug)
    found = draw(calculator.evaluate(), first_choice(calculator))
    assert found.now is not None
    assert found.errors == {}
    assert all(
        len(curve.values) == len(found.xs) == len(found.texts) == len(found.typed) for curve in found.curves
    )
    assert sum(value is not None for value in found.main.values) > 10
    assert all(before < after for before, after in pairwise(found.xs))
    assert found.y.low < found.y.high
    drawn = [value for curve in found.curves for value in curve.values if value is not None]
    assert found.y.low <= min(drawn)
    assert max(drawn) <= found.y.high
    assert len(found.y.ticks) > 1


def test_each_point_is_what_the_calculator_evaluates_to_there() -> None:
    found = plot("decode", "batch:tokens_per_second:dtype")
    decode = calculators.get("decode")
    for curve in found.curves:
        for index in (0, len(found.xs) // 2, -1):
            result = decode.evaluate(batch=found.typed[index], dtype=curve.label)
            assert curve.values[index] == pytest.approx(result.outputs["tokens_per_second"])
            assert curve.limits[index] == result.bound


def test_a_line_of_a_model_has_its_own_figures_and_not_the_custom_models_defaults() -> None:
    mfu = calculators.get("mfu")
    for typed in ({}, {"params": "7B"}):
        found = plot("mfu", "devices:model_flops_per_token:model", **typed)
        neighbours = [*MODELS, "custom"][-len(found.curves) :]
        expected = [mfu.evaluate(typed, model=slug).outputs["model_flops_per_token"] for slug in neighbours]
        assert [curve.values[0] for curve in found.curves] == pytest.approx(expected)


def test_lines_are_few_and_the_present_one_is_among_them() -> None:
    found = plot("decode", "batch:time:hardware", hardware="h100-sxm")
    assert len(found.curves) == MAX_CURVES
    assert [curve.label for curve in found.curves if curve.present] == ["NVIDIA H100 SXM"]
    assert any("neighbours" in note for note in found.notes)
    flags = plot("ffn", "tokens:time:gated")
    assert [(curve.label, curve.present) for curve in flags.curves] == [
        ("gated no", True),
        ("gated yes", False),
    ]
    stages = plot("training-memory")
    assert [curve.label for curve in stages.curves] == [f"ZeRO stage {stage}" for stage in range(4)]


def test_a_line_that_cannot_be_computed_is_named_and_left_out() -> None:
    found = plot("decode", "batch:time:dtype")
    assert "fp8" not in [curve.label for curve in found.curves]
    assert any("fp8" in note for note in found.notes)


def test_outputs_of_one_unit_lie_side_by_side() -> None:
    found = plot("ffn", f"tokens:time_compute:{ALL_OUTPUTS}")
    labels = {output.label for output in calculators.get("ffn").outputs if output.family == "time"}
    assert {curve.label for curve in found.curves} == labels
    assert found.main.label == "Time of compute"
    assert found.levels == ()


def test_the_roofline_has_its_roofs() -> None:
    found = plot("roofline")
    assert found.over.name == "intensity"
    assert found.varied.name == "flops"
    compute, memory = found.levels
    assert (compute.title, compute.limit) == ("Peak compute 312 TFLOP/s", "compute")
    assert (memory.title, memory.limit) == ("Memory bandwidth 2.04 TB/s", "memory")
    for x, y, flat, slope in zip(found.xs, found.main.values, compute.values, memory.values, strict=True):
        assert slope == pytest.approx(x * 2039e9)
        assert y == pytest.approx(min(flat or 0, slope or 0))
    ridge = 312e12 / 2039e9
    assert list(found.main.limits) == ["memory" if x < ridge else "compute" for x in found.xs]


def test_a_resource_is_said_as_its_vendor_prints_it_and_within_the_axis() -> None:
    found = plot("serving-capacity", "seq_len:weight_bytes")
    [level] = found.levels
    assert level.title == "Usable memory 80 GB"
    assert found.y.high > 80e9


def test_numbers_that_there_are_not_are_gaps() -> None:
    found = plot("kv-cache", "heads:total_bytes")
    assert None in found.main.values
    assert all(value is None or math.isfinite(value) for value in found.main.values)
    queue = plot("queue")
    assert queue.xs[-1] < 8  # the first range ends where the queue has a mean
    chosen = plot("queue", "arrival_rate:mean_latency::::1:20")
    assert chosen.main.values[-1] is None


@pytest.mark.parametrize(
    ("text", "field", "says"),
    [
        ("seq_len:score_bytes::::many", "from", "from is “many”, but must be"),
        ("seq_len:score_bytes::::0", "from", "from is “0”, but must be"),
        ("seq_len:score_bytes:::::8", "to", "to is “8”, but must be above from, which is 32."),
        ("seq_len:score_bytes::::99999", "from", "from is “99999”, but must be below to, which is 32,768."),
        ("seq_len:score_bytes::::5:2", "to", "to is “2”, but must be above from, which is 5."),
    ],
)
def test_an_end_that_cannot_be_is_told_at_its_field_and_the_rest_is_drawn(
    text: str, field: str, says: str
) -> None:
    found = plot("attention-scores", text)
    assert found.errors[field].startswith(says)
    assert sum(value is not None for value in found.main.values) > 10


def test_a_log_axis_has_no_place_for_nothing() -> None:
    window = plot("kv-cache", "window:total_bytes::log", model="mistral-7b")
    assert window.x.log
    assert window.x.low == 1
    share = plot("tensor-parallel", "devices:network_fraction:::log")
    assert share.y.log
    assert any("log axis" in note for note in share.notes)
    errors = plot("kv-cache", "window:total_bytes::log::0:64", model="mistral-7b").errors
    assert errors["from"] == "from is “0”, but a log axis begins above 0."


def test_the_range_stands_still_while_it_holds_the_present_value() -> None:
    ends = [
        (found.typed[0], found.typed[-1])
        for found in (plot("attention-scores", seq_len=n) for n in (64, 9000))
    ]
    assert ends == [("32", "32768"), ("32", "32768")]
    far = plot("attention-scores", seq_len=2**20)
    assert (far.typed[0], far.typed[-1]) == ("32768", str(2**25))
    scores = calculators.get("attention-scores").evaluate(seq_len=8192)
    usual = draw(scores, Choice("seq_len", "score_bytes"), usual=4096)
    assert (usual.typed[0], usual.typed[-1]) == ("128", "131072")


def test_bounds_and_levels_of_a_question() -> None:
    scores = calculators.get("attention-scores")
    extra = (Extra("Card", 80 * 10**9), Extra("Fused", output="flash_bytes"), Extra("Nothing"))
    found = draw(scores.evaluate(), Choice("seq_len", "score_bytes"), bounds=(256, 4096), extra=extra)
    assert (found.typed[0], found.typed[-1]) == ("256", "4096")
    assert [level.title for level in found.levels] == ["Kept by a fused kernel", "Card 80 GB", "Fused"]
