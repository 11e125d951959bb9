"""A whole measurement of a tiny model by a clock that ticks, and its predictions by the calculators."""

from datetime import UTC, datetime
from itertools import count

import pytest

import calculators
from app.measuring.blas import loaded_blas
from app.measuring.machine import Machine
from app.measuring.measure import measure, predict, rounded
from app.measuring.planning import Effort, PassPlan, Plan, passes
from app.measuring.record import MeasuredMachine
from calculators.cost.dimensions import Dimensions

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
MACHINE = Machine("Test 9000", "testblas 1", 2, 2**20, 2**34, 2**33)


@pytest.fixture
def begun() -> list[str]:
    return []


@pytest.fixture
def measured(tiny: Dimensions, begun: list[str]) -> MeasuredMachine:
    """Every run takes 1 ms, since the clock is asked before and after it."""
    ticks = count()
    plan = Plan(64_000, 64, tiny, passes(100), Effort(2, 1.0), ("Said before.",))
    return measure(
        MACHINE,
        loaded_blas()._replace(threads=2),
        plan,
        slug="measured-test",
        name="Test",
        now=NOON,
        clock=lambda: next(ticks) / 1000,
        begin=begun.append,
    )


def test_what_was_measured_follows_from_sizes_and_times(measured: MeasuredMachine, begun: list[str]) -> None:
    assert begun == [
        "memory: copy",
        "memory: triad",
        "memory: read",
        "matrix product",
        "weights",
        "decode, batch 1",
        "decode, batch 8",
        "prefill, 100 tokens",
    ]
    assert [(stream.name, stream.bytes) for stream in measured.streams] == [
        ("copy", 2 * 64_000),
        ("triad", 3 * 64_000),
        ("read", 64_000),
    ]
    assert measured.hbm_bandwidth == 192_000_000  # the triad's
    assert measured.product.flops == 2 * 64**3
    assert measured.peak_flops == {"fp32": rounded(2 * 64**3 / 0.001)} == {"fp32": 524_300_000}
    assert [run.seconds for run in measured.passes] == pytest.approx([0.001] * 3)
    assert measured.remarks == ("Said before.",)


@pytest.mark.parametrize("batch", [1, 8])
def test_a_decode_step_is_predicted_as_the_calculator_does(tiny: Dimensions, batch: int) -> None:
    ours = predict(tiny, PassPlan("step", "decode", batch, 100), 10**11, 10**10)
    theirs = calculators.get("decode").evaluate(
        **custom(tiny), batch=batch, context=100, dtype="fp32", peak_flops=10**11, hbm_bandwidth=10**10
    )
    assert ours["flops"] == theirs.exact["flops"]
    assert ours["bytes"] == theirs.exact["weight_bytes"] + theirs.exact["kv_bytes"]
    assert (ours["time_compute"], ours["time_memory"]) == pytest.approx(
        (float(theirs.exact["time_compute"]), float(theirs.exact["time_memory"]))
    )
    assert ours["limit"] == theirs.bound


def test_prefill_is_predicted_as_the_calculator_does(tiny: Dimensions) -> None:
    ours = predict(tiny, PassPlan("prompt", "prefill", 1, 100), 10**11, 10**10)
    theirs = calculators.get("prefill").evaluate(
        **custom(tiny), prompt=100, dtype="fp32", peak_flops=10**11, hbm_bandwidth=10**10
    )
    assert (ours["flops"], ours["bytes"]) == (theirs.exact["flops"], theirs.exact["bytes"])
    assert ours["limit"] == theirs.bound
    assert ours["tokens"] == 100


def custom(dims: Dimensions) -> dict[str, object]:
    """The model as a calculator's inputs, on custom hardware."""
    given = {name: getattr(dims, name) for name in Dimensions.__dataclass_fields__ if getattr(dims, name)}
    return {"model": "custom", "hardware": "custom", **given}


def test_gpt2_small_turns_from_memory_to_compute() -> None:
    """On a laptop's figures: a step of 1 or 8 sequences waits for memory, a prompt of 960 for arithmetic."""
    gpt2 = calculators.presets.MODELS["gpt2-small"].dimensions
    runs = [predict(gpt2, planned, 150 * 10**9, 20 * 10**9) for planned in passes()]
    assert [run["limit"] for run in runs] == ["memory", "memory", "compute"]
    assert runs[0]["bytes"] == 497_759_232 - 1024 * 768 * 4 + 960 * 2 * 12 * 768 * 4
    assert runs[2]["flops"] / runs[2]["tokens"] == pytest.approx(2 * 85e6, rel=0.12)
