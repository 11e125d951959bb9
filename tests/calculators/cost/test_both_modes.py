"""Every cost function in both of its modes: exact on ints and Fractions, elementwise on float64 arrays."""

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

from calculators.cost import (
    attention,
    checkpoints,
    collectives,
    ffn,
    fine_tuning,
    kernels,
    kv_cache,
    matmul,
    memory,
    parallelism,
    parameters,
    pipeline,
    roofline,
    scaling,
    serving,
)
from calculators.cost import training as training_work
from calculators.cost import utilization as training
from calculators.cost.dimensions import Dimensions
from calculators.cost.exact import Real
from calculators.presets import MODELS

PEAK, HBM, LINK = Fraction(9894 * 10**11), Fraction(3350 * 10**9), Fraction(450 * 10**9)
SHAPE = {"params": 540 * 10**9, "layers": 118, "heads": 48, "head_dim": 256, "seq_len": 2048}
MICROSECOND = Fraction(1, 10**6)
SWEPT = (1, 2, 3, 7, 64, 1000, 131072)

# Each function with the arguments to sweep one by one, and those to hold.
CASES: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "roofline": (
        roofline.roofline,
        {"flops": 10**12, "bytes_moved": 10**10, "peak_flops": PEAK, "hbm_bandwidth": HBM},
    ),
    "matmul_flops": (matmul.matmul_flops, {"m": 4096, "k": 4096, "n": 4096, "batch": 3}),
    "matmul_bytes": (
        matmul.matmul_bytes,
        {"m": 4096, "k": 4096, "n": 4096, "batch": 3, "bytes_per_element": Fraction(1, 2)},
    ),
    "all_reduce": (collectives.ring_all_reduce_bytes, {"buffer_bytes": 10**9, "devices": 8}),
    "feed_forward": (
        partial(ffn.feed_forward, gated=True),
        {
            "tokens": 512,
            "d_model": 4096,
            "d_ff": 14336,
            "devices": 3,
            "bytes_per_element": Fraction(2),
            "peak_flops": PEAK,
            "hbm_bandwidth": HBM,
            "link_bandwidth": LINK,
        },
    ),
    "score_elements": (
        attention.score_elements,
        {"batch": 32, "heads": 16, "seq_len": 1024, "kv_len": 1024, "layers": 2},
    ),
    "flash_bytes": (attention.flash_bytes, {"batch": 32, "heads": 16, "seq_len": 1024, "layers": 2}),
    "model_flops": (partial(training.model_flops_per_token, attention="causal"), SHAPE),
    "hardware_flops": (
        partial(training.hardware_flops_per_token, attention="causal", recompute="selective"),
        SHAPE,
    ),
    "full_recomputation": (
        partial(training.hardware_flops_per_token, attention="none", recompute="full"),
        SHAPE,
    ),
    "utilization": (
        training.utilization,
        {
            "model_flops": 10**12,
            "hardware_flops": 2 * 10**12,
            "tokens_per_second": 238_300,
            "devices": 6144,
            "peak_flops": PEAK,
        },
    ),
    "launch_overhead": (
        kernels.launch_overhead,
        {
            "kernels": 1000,
            "kernel_time": 3 * MICROSECOND,
            "launch_time": 5 * MICROSECOND,
            "graph_launch_time": 10 * MICROSECOND,
            "graph_node_time": MICROSECOND,
        },
    ),
    "fusion": (
        kernels.fusion,
        {
            "elements": 2**24,
            "operations": 4,
            "bytes_per_element": Fraction(2),
            "hbm_bandwidth": HBM,
            "launch_time": 5 * MICROSECOND,
        },
    ),
    "serving_capacity": (
        serving.serving_capacity,
        {
            "weight_bytes": 10**9,
            "kv_bytes_per_sequence": 10**6,
            "hbm_bytes": 80 * 10**9,
            "devices": 2,
            "memory_fraction": Fraction(9, 10),
            "reserve_bytes": 10**9,
        },
    ),
    "training_run": (
        training_work.training_run,
        {
            "params": 175 * 10**9,
            "tokens": 300 * 10**9,
            "devices": 1024,
            "peak_flops": PEAK,
            "mfu": Fraction(9, 20),
            "price_per_device_hour": Fraction(2),
            "device_watts": 700,
            "pue": Fraction(11, 10),
            "kg_co2_per_kwh": Fraction(2, 5),
        },
    ),
    "compute_optimal": (scaling.compute_optimal, {"compute": 576 * 10**21, "tokens_per_param": 20}),
    "fitted_loss": (
        partial(scaling.fitted_loss, fit=scaling.FITS["besiroglu"]),
        {"params": 70 * 10**9, "tokens": 1400 * 10**9},
    ),
    "model_states": (
        partial(memory.model_states, optimizer="adam", precision="mixed", zero_stage=2),
        {
            "params": 7 * 10**9,
            "gradient_bytes": 2,
            "data_parallel": 64,
            "tensor_parallel": 3,
            "pipeline_parallel": 2,
        },
    ),
    "activations": (
        partial(memory.activation_bytes_per_layer, sequence_parallel=False, recompute="none"),
        {"seq_len": 2048, "micro_batch": 2, "d_model": 12288, "heads": 96, "tensor_parallel": 8},
    ),
    "logits": (
        memory.logits_bytes,
        {"batch": 8, "seq_len": 4096, "vocab_size": 128256, "bytes_per_element": Fraction(1, 2)},
    ),
    "ring": (
        partial(collectives.collective, operation="all-reduce", algorithm="ring"),
        {"buffer_bytes": 10**9, "devices": 8, "bandwidth": LINK, "latency": 5 * MICROSECOND},
    ),
    "tree": (
        partial(collectives.collective, operation="broadcast", algorithm="tree"),
        {"buffer_bytes": 10**9, "devices": 8, "bandwidth": LINK, "latency": 5 * MICROSECOND},
    ),
    "data_parallel": (
        partial(parallelism.data_parallel, sharded=False),
        {
            "params": 7 * 10**9,
            "tokens_per_device": 8192,
            "devices": 64,
            "bytes_per_element": 2,
            "mfu": Fraction(1, 2),
            "peak_flops": PEAK,
            "link_bandwidth": LINK,
        },
    ),
    "pipeline": (
        partial(pipeline.pipeline, schedule="interleaved"),
        {"stages": 8, "micro_batches": 32, "interleave": 2},
    ),
    "checkpoint_plan": (
        checkpoints.checkpoint_plan,
        {"devices": 64, "device_mtbf": 18 * 10**7, "checkpoint_time": 60, "restart_time": 600},
    ),
}
OVER_DIMENSIONS: dict[str, Callable[[Dimensions], Any]] = {
    "count_parameters": lambda dims: parameters.count_parameters(dims=dims),
    "active_matmul_parameters": lambda dims: parameters.active_matmul_parameters(dims=dims),
    "kv_bytes_per_sequence": lambda dims: kv_cache.kv_bytes_per_sequence(
        dims=dims, seq_len=5000, bytes_per_element=2
    ),
    "mha_ratio": lambda dims: kv_cache.mha_ratio(dims=dims, seq_len=5000),
    "attention_flops": lambda dims: attention.attention_flops_per_token(
        dims=dims, seq_len=5000, attention="causal"
    ),
    "token_flops": lambda dims: training_work.token_flops(
        dims=dims, seq_len=5000, attention="causal", recompute="selective"
    ),
    "fine_tuning": lambda dims: fine_tuning.fine_tuning(
        dims=dims, method="qlora", rank=16, targets="all-linear"
    ),
    "tensor_parallel": lambda dims: parallelism.tensor_parallel(
        dims=dims, tokens=512, devices=8, bytes_per_element=2, peak_flops=int(PEAK), link_bandwidth=int(LINK)
    ),
    "mean_head_dim": lambda dims: attention.mean_head_dim(dims=dims),
}
NUMBERS = [field.name for field in fields(Dimensions) if field.type is Real]
SWITCHES = ("experts", "kv_lora_rank", "q_lora_rank", "window", "window_layers")  # 0 turns a part off


def results(value: Any) -> Iterator[tuple[str, Any]]:
    """The numbers of a result, with the properties that are computed from its fields."""
    if not hasattr(value, "_asdict"):
        yield "value", value
        return
    yield from value._asdict().items()
    if isinstance(value, parameters.ParameterCount):
        yield "total", value.total


def as_floats(arguments: dict[str, Any]) -> dict[str, Any]:
    return {name: float(value) for name, value in arguments.items()}


def assert_elementwise(swept: Any, points: list[Any]) -> None:
    for (name, array), *singles in zip(results(swept), *map(results, points), strict=True):
        expected = [single for _, single in singles]
        if isinstance(expected[0], str | bool):
            assert np.broadcast_to(array, len(points)).tolist() == expected, name
        else:
            np.testing.assert_allclose(
                np.broadcast_to(array, len(points)), np.array(expected, float), rtol=1e-12, err_msg=name
            )


@pytest.mark.parametrize(("case", "argument"), [(case, name) for case in CASES for name in CASES[case][1]])
def test_a_sweep_is_its_points(case: str, argument: str) -> None:
    function, arguments = CASES[case]
    scale = arguments[argument] if isinstance(arguments[argument], Fraction) else 1
    points = [function(**{**arguments, argument: value * scale}) for value in SWEPT]
    swept = function(**{**as_floats(arguments), argument: np.array(SWEPT, float) * float(scale)})
    assert_elementwise(swept, points)


@pytest.mark.parametrize("slug", ["gpt2-small", "gpt-oss-120b", "deepseek-v3", "gemma-3-27b"])
@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("function", OVER_DIMENSIONS)
def test_a_sweep_of_a_dimension_is_its_points(function: str, name: str, slug: str) -> None:
    dims = MODELS[slug].dimensions
    own = getattr(dims, name)
    values = sorted({1, 2, 64, own, own + 1, *((0,) if name in SWITCHES else ())})
    compute = OVER_DIMENSIONS[function]
    points = [compute(replace(dims, **{name: value})) for value in values]
    numbers: dict[str, Any] = {field: float(getattr(dims, field)) for field in NUMBERS}
    swept = compute(replace(dims, **{**numbers, name: np.array(values, float)}))
    assert_elementwise(swept, points)


def test_two_arrays_broadcast_against_each_other() -> None:
    tokens, devices = np.array([1.0, 64.0, 8192.0])[:, None], np.array([1.0, 8.0])[None, :]
    arguments = as_floats(CASES["feed_forward"][1]) | {"tokens": tokens, "devices": devices}
    result = ffn.feed_forward(**arguments, gated=False)
    assert result.time.shape == result.bound.shape == (3, 2)
    for row, column in np.ndindex(3, 2):
        point = ffn.feed_forward(
            **{**CASES["feed_forward"][1], "tokens": int(tokens[row, 0]), "devices": int(devices[0, column])},
            gated=False,
        )
        assert result.time[row, column] == pytest.approx(float(point.time), rel=1e-12)
        assert result.bound[row, column] == point.bound


@pytest.mark.parametrize("case", CASES)
def test_scalars_stay_exact_however_large(case: str) -> None:
    function, arguments = CASES[case]
    huge = {
        name: value * (10**30 + 7) if isinstance(value, int) else value for name, value in arguments.items()
    }
    for name, value in results(function(**huge)):
        assert isinstance(value, int | Fraction | str), name


def test_counts_of_a_model_stay_exact_far_beyond_64_bits() -> None:
    dims = replace(MODELS["llama-3-8b"].dimensions, layers=10**30)
    small = replace(dims, layers=1), replace(dims, layers=2)
    one, two = (parameters.count_parameters(dims=each).total for each in small)
    assert parameters.count_parameters(dims=dims).total == one + (10**30 - 1) * (two - one)


def test_nothing_in_a_sweep_is_counted_in_int64() -> None:
    lengths = np.array([2.0**31, 2.0**40])
    elements = attention.score_elements(batch=1.0, heads=1.0, seq_len=lengths, kv_len=lengths)
    assert elements.dtype == np.float64
    assert elements.tolist() == [2.0**62, 2.0**80]
