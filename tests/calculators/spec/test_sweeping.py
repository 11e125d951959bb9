"""Sweeps: the same as one evaluation after another, with what is not allowed taken out."""

import math
from fractions import Fraction
from timeit import repeat
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calculators
from calculators.spec import Calculator, InvalidInputs

FFN = calculators.get("ffn")
KV_CACHE = calculators.get("kv-cache")
LAUNCH = calculators.get("launch-overhead")
PARAMS = calculators.get("transformer-params")
ROOFLINE = calculators.get("roofline")
SCORES = calculators.get("attention-scores")
SERVING = calculators.get("serving-capacity")


ROUNDED = (
    "sequences",
    "ridge_batch",
    "best_draft_tokens",
    "max_devices",
    "min_tokens_per_device",
    "tokens_per_expert",
)


def expected(
    calculator: Calculator, inputs: dict[str, Any], name: str, point: int | Fraction
) -> dict[str, Any]:
    """One point by evaluation; None where it is refused."""
    try:
        return dict(calculator.evaluate({**inputs, name: point}).outputs)
    except InvalidInputs:
        return dict.fromkeys(calculator.output_names)


@pytest.mark.parametrize("calculator", calculators.all(), ids=lambda calculator: calculator.slug)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_sweep_is_one_evaluation_after_another(
    draw: Any, calculator: Calculator, data: st.DataObject
) -> None:
    inputs = data.draw(draw(calculator))
    numeric = [declared for declared in calculator.inputs if declared.numeric]
    swept = data.draw(st.sampled_from(numeric))
    if swept.kind == "count":
        points = [Fraction(each) for each in data.draw(st.lists(st.integers(0, 300), min_size=1, max_size=4))]
    else:
        points = data.draw(st.lists(st.fractions(-1, 10**12, max_denominator=8), min_size=1, max_size=4))
    columns = calculator.sweep(swept.name, [float(point) for point in points], inputs)
    assert list(columns) == list(calculator.output_names)
    for index, point in enumerate(points):
        whole = point.numerator if point.denominator == 1 else point
        by_itself = expected(calculator, inputs, swept.name, whole)
        for output, column in columns.items():
            value, single = column[index], by_itself[output]
            if isinstance(value, float) and single is None:
                assert math.isnan(value), output
            elif isinstance(single, str | bool) or single is None:
                assert value == single or _nearly_tied(calculator, by_itself), output
            elif output in ROUNDED:  # rounding may pass a whole number in float64
                assert abs(value - single) <= 1 + 1e-12 * single
            else:
                assert value == pytest.approx(single, rel=1e-9, abs=1e-9 * _scale(by_itself)), output


def _nearly_tied(calculator: Calculator, outputs: dict[str, Any]) -> bool:
    times = sorted(outputs[name] for name in (calculator.limits or {}).values())
    return len(times) > 1 and times[-2] == pytest.approx(times[-1])


def _scale(outputs: dict[str, Any]) -> float:
    """Differences such as free_bytes lose figures to the size of what they are differences of."""
    return float(outputs.get("weight_bytes") or 0) if "free_bytes" in outputs else 0.0


def test_counts_past_64_bits_do_not_wrap() -> None:
    columns = SCORES.sweep("seq_len", [1e9, 1e12], batch=10**6)
    assert columns["score_elements"] == pytest.approx([16e24, 16e30])


def test_any_shape_and_any_kind_of_array() -> None:
    assert SCORES.sweep("seq_len", 1024)["score_bytes"].tolist() == [2.0**31]
    assert SCORES.sweep("seq_len", range(1, 4))["score_elements"].tolist() == [512.0, 2048.0, 4608.0]
    grid = SCORES.sweep("seq_len", np.array([[1, 2], [3, 4]], dtype=np.int16))
    assert grid["score_elements"].shape == (2, 2)
    assert SCORES.sweep("seq_len", [])["ratio"].size == 0


def test_sweeping_a_source_moves_its_follower() -> None:
    moving = SCORES.sweep("seq_len", [10, 20])
    assert moving["score_elements"].tolist() == [512.0 * 100, 512.0 * 400]
    held = SCORES.sweep("seq_len", [10, 20], kv_len=10)
    assert held["score_elements"].tolist() == [512.0 * 100, 512.0 * 200]


def test_the_value_given_for_the_swept_input_plays_no_part() -> None:
    assert SCORES.sweep("batch", [1], batch="nonsense")["score_elements"].tolist() == [16 * 2.0**20]


def test_figures_and_dimensions_can_be_swept_beside_a_preset() -> None:
    peaks = ROOFLINE.sweep("peak_flops", [1e14, 1e15], hardware="h100-sxm")
    assert peaks["time_compute"].tolist() == [0.01, 0.001]
    custom = ROOFLINE.sweep("peak_flops", [1e14], hardware="custom", hbm_bandwidth="1TB/s")
    assert custom["ridge_point"].tolist() == [100.0]
    widths = PARAMS.sweep("d_model", [768.0, 1024.0], model="gpt2-small")
    assert widths["total"][0] == 124439808
    assert widths["total"][1] == PARAMS.evaluate(model="gpt2-small", d_model=1024).outputs["total"]


def test_what_is_not_allowed_is_taken_out_and_the_rest_stays() -> None:
    columns = FFN.sweep("tokens", [-1, 0, 1, np.nan, np.inf, 2])
    assert np.isnan(columns["flops"]).tolist() == [True, True, False, True, True, False]
    assert columns["bound"].tolist() == [None, None, "memory", None, None, "memory"]
    heads = PARAMS.sweep("heads", [7, 8, 12, 16, 20], model="llama-3-8b")["total"]
    assert np.isnan(heads).tolist() == [True, False, True, False, True]
    fits = SERVING.sweep("memory_fraction", [0.1, 1.0, 1.1])
    assert fits["fits"].tolist() == [False, True, None]
    derived = PARAMS.sweep("heads", [3, 4], model="custom", layers=2, d_model=64, vocab_size=10)
    assert np.isnan(derived["total"]).tolist() == [True, False]


def test_nothing_allowed_is_nothing_at_all() -> None:
    columns = ROOFLINE.sweep("flops", [-1, 0])
    assert np.isnan(columns["time"]).all()
    assert columns["bound"].tolist() == [None, None]


def test_no_number_and_too_large_a_number_are_nan() -> None:
    still = {"launch_time": 0, "graph_launch_time": 0, "graph_node_time": 0}
    speedups = LAUNCH.sweep("kernel_time", [0, 1], still)["speedup"]
    assert np.isnan(speedups).tolist() == [True, False]
    assert np.isnan(SCORES.sweep("seq_len", [1e200])["score_elements"]).all()


def test_columns_are_the_callers_own() -> None:
    columns = ROOFLINE.sweep("flops", [1e12, 1e13])
    for column in columns.values():
        column[0] = column[1]
    assert ROOFLINE.sweep("flops", [1e12, 1e13])["time"][0] == pytest.approx(10 / 2039)


def test_what_cannot_be_swept_is_refused_by_name() -> None:
    with pytest.raises(InvalidInputs, match="dtype is no number; the inputs that have a range are flops"):
        ROOFLINE.sweep("dtype", [1])
    with pytest.raises(InvalidInputs, match="Did you mean flops"):
        ROOFLINE.sweep("flop", [1])
    with pytest.raises(InvalidInputs) as caught:
        ROOFLINE.sweep("flops", [1], hardware="custom", bytes=0)
    assert [error.field for error in caught.value.errors] == ["bytes", "peak_flops", "hbm_bandwidth"]


def test_what_is_needed_only_beside_the_swept_input_is_refused_by_name_too() -> None:
    """Which dimensions a cache needs hangs on kv_lora_rank, so nothing was asked for before the sweep."""
    with pytest.raises(InvalidInputs, match="dtype is fp4, for which h100-sxm has no peak"):
        calculators.get("kv-transfer").sweep("kv_lora_rank", [0, 64], dtype="fp4")


def test_a_million_points_cost_about_as_much_as_numpy_takes() -> None:
    points = np.geomspace(1e9, 1e15, 1_000_000)

    def bare() -> tuple[Any, ...]:
        intensity, compute = points / 1e10, points / 312e12
        memory, ridge = np.full(points.shape, 1e10 / 2039e9), np.full(points.shape, 312e12 / 2039e9)
        attainable, time = np.minimum(312e12, intensity * 2039e9), np.maximum(compute, memory)
        bound = np.where(compute >= memory, "compute", "memory")
        return intensity, ridge, attainable, compute, memory, time, bound

    floor = min(repeat(bare, number=1, repeat=5))
    taken = min(repeat(lambda: ROOFLINE.sweep("flops", points), number=1, repeat=5))
    assert taken < 6 * floor
