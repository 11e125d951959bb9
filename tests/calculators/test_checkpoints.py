"""checkpoint-interval against the interval found by search, Daly's exact model and a published cluster."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calculators
from calculators.cost import DomainError
from calculators.cost.checkpoints import checkpoint_plan
from calculators.spec import InvalidInputs

PLAN = calculators.get("checkpoint-interval")
HOUR = 3600


def test_by_hand() -> None:
    # 50,000 h / 16,384 = 10,986.3 s; sqrt(2 * 60 * 10,986.3) = 1,148.2 s;
    # 1 - 60/1148.2 - (574.1 + 600)/10,986.3 = 1 - 0.05226 - 0.10687
    outputs = PLAN.evaluate().outputs
    assert outputs["mtbf"] == 10_986.328125
    assert outputs["interval"] == pytest.approx(1148.1983, abs=1e-4)
    assert outputs["goodput"] == pytest.approx(0.840875, abs=1e-6)


def test_a_rational_root_is_exact() -> None:
    # 2 * 50 * 10,000 s is a million
    outputs = PLAN.evaluate(devices=1, device_mtbf=10_000, checkpoint_time=50, restart_time=0).exact
    assert outputs["interval"] == 1000
    assert outputs["goodput"] == Fraction(9, 10)


def test_llama_3s_cluster_is_where_the_default_comes_from() -> None:
    # Grattafiori et al. 2024, section 3.3.4: 419 unexpected interruptions of 16,384 GPUs in 54 days, one in
    # 3.1 h.
    device_mtbf = Fraction(54 * 24 * HOUR * 16384, 419)
    assert float(device_mtbf / HOUR) == pytest.approx(50_000, rel=0.02)
    assert float(PLAN.evaluate(device_mtbf=device_mtbf).exact["mtbf"] / HOUR) == pytest.approx(3.1, abs=0.05)


plans = st.fixed_dictionaries(
    {
        "devices": st.integers(1, 10**5),
        "device_mtbf": st.integers(10**8, 10**10),
        "checkpoint_time": st.integers(1, 100),
        "restart_time": st.integers(0, 100),
    }
)


def first_order(interval: float, plan: dict[str, int]) -> float:
    mtbf = plan["device_mtbf"] / plan["devices"]
    return plan["checkpoint_time"] / interval + (interval / 2 + plan["restart_time"]) / mtbf


@given(plan=plans)
def test_no_other_interval_loses_less(plan: dict[str, int]) -> None:
    outputs = PLAN.evaluate(plan).exact
    best = float(outputs["interval"])
    lost = first_order(best, plan)
    for factor in (0.01, 0.5, 0.9, 0.99, 1.01, 1.1, 2, 100):
        assert first_order(best * factor, plan) >= lost
    assert float(outputs["goodput"]) == pytest.approx(max(0.0, 1 - lost), abs=1e-12)


@pytest.mark.parametrize("devices", [64, 1024, 16384])
def test_close_to_dalys_exact_model(devices: int) -> None:
    # Daly 2006, equation 20: work of tau takes M e^(R/M) (e^((tau + delta)/M) - 1).
    outputs = PLAN.evaluate(devices=devices, restart_time=60).exact
    mtbf, interval = float(outputs["mtbf"]), float(outputs["interval"])
    exact = interval / (mtbf * math.exp(60 / mtbf) * math.expm1((interval + 60) / mtbf))
    assert float(outputs["goodput"]) == pytest.approx(exact, abs=0.01)


@given(plan=plans, more=st.integers(1, 100))
def test_more_devices_never_leave_more(plan: dict[str, int], more: int) -> None:
    few = PLAN.evaluate(plan).exact
    many = PLAN.evaluate({**plan, "devices": plan["devices"] * more}).exact
    assert many["goodput"] <= few["goodput"]
    assert many["interval"] <= few["interval"]
    assert 0 <= many["goodput"] < 1


def test_nothing_is_left_where_failures_come_faster_than_restarts() -> None:
    result = PLAN.evaluate(devices=10**6)
    assert result.outputs["goodput"] == 0
    assert any("nothing is left" in note for note in result.notes)
    late = PLAN.evaluate(device_mtbf=60, devices=1)
    assert any("does not hold" in note for note in late.notes)


def test_any_size_has_an_answer() -> None:
    tiny = PLAN.evaluate(devices=10**300, device_mtbf="1e-290 s", checkpoint_time="1e-290 s")
    assert tiny.outputs["goodput"] == 0
    assert tiny.outputs["interval"] is None
    assert "interval: too small to write as a number" in tiny.notes
    assert PLAN.evaluate(devices=2**70, device_mtbf=2**70).outputs["mtbf"] == 1


def test_what_is_refused() -> None:
    bad = {"devices": 0, "device_mtbf": "0 h", "checkpoint_time": 0, "restart_time": -1}
    with pytest.raises(InvalidInputs) as caught:
        PLAN.evaluate(bad)
    assert {error.field for error in caught.value.errors} == set(bad)
    with pytest.raises(DomainError, match="restart_time is -1"):
        checkpoint_plan(devices=1, device_mtbf=1, checkpoint_time=1, restart_time=-1)


@pytest.mark.parametrize(
    ("name", "values"),
    [("devices", [1, 100, 10**6]), ("checkpoint_time", [0.5, 60, 600]), ("restart_time", [0, 10, 1e5])],
)
def test_a_sweep_is_its_points(name: str, values: list[float]) -> None:
    columns = PLAN.sweep(name, values)
    for index, value in enumerate(values):
        single = PLAN.evaluate({name: value}).outputs
        assert {output: column[index] for output, column in columns.items()} == pytest.approx(single)
