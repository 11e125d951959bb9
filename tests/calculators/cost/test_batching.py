"""Both schedules against a simulation that steps token by token through a table of slots."""

import hashlib
from fractions import Fraction
from operator import le
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calculators
from calculators.cost import DomainError
from calculators.cost.batching import MOST_REQUESTS, Batching, Distribution, batching, play, reply_lengths
from calculators.spec import InvalidInputs

BATCHING = calculators.get("batching")


def step_by_step(lengths: list[int], slots: int, *, refill: bool) -> tuple[int, list[int]]:
    """How many steps there are, and the step at which each reply ends."""
    waiting = list(enumerate(lengths))
    table: dict[int, list[int] | None] = dict.fromkeys(range(slots))  # slot -> [reply, tokens to go]
    ends = [0] * len(lengths)
    step = 0
    while waiting or any(table.values()):
        if refill or not any(table.values()):
            for slot in sorted(table):
                if table[slot] is None and waiting:
                    reply, length = waiting.pop(0)
                    table[slot] = [reply, length]
        step += 1
        for slot, held in table.items():
            if held is not None:
                held[1] -= 1
                if held[1] == 0:
                    ends[held[0]] = step
                    table[slot] = None
    return step, ends


@settings(deadline=None)
@given(lengths=st.lists(st.integers(1, 12), min_size=1, max_size=30), slots=st.integers(1, 9))
def test_both_schedules_step_by_step(lengths: list[int], slots: int) -> None:
    run = play(slots=slots, lengths=lengths)
    static_steps, static_ends = step_by_step(lengths, slots, refill=False)
    continuous_steps, continuous_ends = step_by_step(lengths, slots, refill=True)
    assert (run.static_steps[-1], run.static_ends[-1]) == (static_steps, sum(static_ends))
    assert (run.continuous_steps[-1], run.continuous_ends[-1]) == (continuous_steps, sum(continuous_ends))
    assert run.tokens[-1] == sum(lengths)
    some = len(lengths) // 2 + 1  # the run of the first few requests is the beginning of the whole run
    shorter = play(slots=slots, lengths=lengths[:some])
    assert all(whole[:some] == part for whole, part in zip(run, shorter, strict=True))
    # When a batch starts, all before it have ended if slots are refilled too: no reply ends later for it.
    assert all(map(le, continuous_ends, static_ends))
    assert max(max(lengths), -(-sum(lengths) // slots)) <= continuous_steps <= sum(lengths)
    if slots >= len(lengths) or slots == 1:
        assert static_steps == continuous_steps


def test_reply_lengths_are_those_of_sha256() -> None:
    lengths = reply_lengths(requests=300, min_output=8, max_output=256, distribution="uniform", seed=7)
    for index, length in enumerate(lengths):
        drawn = int(hashlib.sha256(f"7|{index}".encode()).hexdigest()[:16], 16)
        assert length == 8 + drawn % 249
    assert reply_lengths(requests=3, min_output=1, max_output=9, distribution="fixed", seed=0) == [9, 9, 9]


def test_the_defaults_give_the_promised_steps() -> None:
    outputs = BATCHING.evaluate().outputs
    assert (outputs["static_steps"], outputs["continuous_steps"]) == (7496, 4252)
    lengths = reply_lengths(requests=256, min_output=8, max_output=256, distribution="uniform", seed=0)
    _, static_ends = step_by_step(lengths, 8, refill=False)
    _, continuous_ends = step_by_step(lengths, 8, refill=True)
    assert outputs["static_mean_latency"] == pytest.approx(0.02 * sum(static_ends) / 256)
    assert outputs["continuous_mean_latency"] == pytest.approx(0.02 * sum(continuous_ends) / 256)
    assert outputs["continuous_utilization"] == pytest.approx(sum(lengths) / (8 * 4252))


def test_fixed_lengths_gain_nothing_and_few_requests_need_no_refilling() -> None:
    fixed = BATCHING.evaluate(distribution="fixed").outputs
    assert fixed["static_steps"] == fixed["continuous_steps"] == 256 / 8 * 256
    assert fixed["speedup"] == fixed["static_utilization"] == 1
    few = BATCHING.evaluate(requests=5, slots=2**70)
    assert few.outputs["speedup"] == 1
    assert few.exact["static_utilization"] == Fraction(few.exact["static_steps"], 1) ** -1 * Fraction(
        sum(reply_lengths(requests=5, min_output=8, max_output=256, distribution="uniform", seed=0)), 2**70
    )
    assert "a slot for every request" in few.notes[0]


def test_long_replies_stay_exact() -> None:
    result = BATCHING.evaluate(min_output=2**70, max_output=2**70 + 5, requests=9, slots=4)
    assert 3 * 2**70 <= result.exact["static_steps"] <= 3 * (2**70 + 5)
    assert result.exact["speedup"] >= 1


@settings(deadline=None, max_examples=25)
@given(
    requests=st.lists(st.integers(1, 60), min_size=2, max_size=5),
    slots=st.integers(1, 70),
    least=st.integers(1, 40),
    more=st.integers(0, 40),
    seed=st.integers(0, 3),
)
def test_a_sweep_is_its_points(requests: list[int], slots: int, least: int, more: int, seed: int) -> None:
    rest = {"slots": slots, "min_output": least, "max_output": least + more, "seed": seed}
    swept = BATCHING.sweep("requests", requests, rest)
    for index, each in enumerate(requests):
        for name, value in BATCHING.evaluate(rest, requests=each).outputs.items():
            assert swept[name][index] == pytest.approx(value, rel=1e-12)


@settings(deadline=None, max_examples=15)
@given(
    name=st.sampled_from(["max_output", "min_output", "seed"]),
    requests=st.integers(1, 60),
    slots=st.integers(1, 70),
    distribution=st.sampled_from(["uniform", "fixed"]),
)
def test_many_runs_side_by_side_are_each_run_alone(
    name: str, requests: int, slots: int, distribution: str
) -> None:
    rest = {"requests": requests, "slots": slots, "distribution": distribution, "max_output": 50}
    points = range(1, 41)  # enough to be played side by side
    rest["min_output"] = 1 if name == "max_output" else 10
    swept = BATCHING.sweep(name, points, rest)
    for index, point in enumerate(points):
        for output, value in BATCHING.evaluate({**rest, name: point}).outputs.items():
            assert swept[output][index] == pytest.approx(value, rel=1e-12)


def test_replies_longer_than_any_number_drawn() -> None:
    lengths = np.array([2.0**63, 2.0**64, 2.0**70, *range(1, 30)])
    steps = BATCHING.sweep("max_output", lengths, min_output=1, requests=9, slots=4)["static_steps"]
    for length, found in zip(lengths[:3], steps, strict=False):
        alone = BATCHING.evaluate(max_output=int(length), min_output=1, requests=9, slots=4)
        assert found == pytest.approx(alone.outputs["static_steps"])


def test_parts_of_requests_are_cut_off_and_nothing_is_nothing() -> None:
    shape = {"slots": 2.5, "min_output": 1.0, "max_output": 9.0, "seed": 0.0, "step_time": 1.0}
    found = batching(requests=np.array([3.0, 3.9]), distribution="uniform", **shape)
    assert found.static_steps[0] == found.static_steps[1]
    assert all(column.size == 0 for column in BATCHING.sweep("seed", []).values())


def test_a_thousand_points_and_what_is_too_much() -> None:
    start = perf_counter()
    swept = BATCHING.sweep("seed", np.arange(1000))
    assert perf_counter() - start < 20
    assert (swept["speedup"] >= 1).all()
    with pytest.raises(InvalidInputs, match="requests is 9999, but must be at most 100 on average for 10000"):
        BATCHING.sweep("seed", np.arange(10_000), requests=9999)
    with pytest.raises(
        InvalidInputs, match="requests is “10001”, but must be a whole number, from 1 to 10000"
    ):
        BATCHING.evaluate(requests="10001")
    with pytest.raises(InvalidInputs, match=r"max_output is 7, but must be at least min_output \(8\)"):
        BATCHING.evaluate(max_output=7)
    assert np.isnan(BATCHING.sweep("max_output", [7, 8])["speedup"]).tolist() == [True, False]


def test_scalars_refuse_what_the_page_would() -> None:
    shape = {"slots": 1, "min_output": 1, "max_output": 1, "seed": 0, "step_time": 1}
    single = batching(requests=1, distribution="fixed", **shape)
    assert isinstance(single, Batching)
    assert single == (1,) * 10
    with pytest.raises(DomainError, match=f"requests is {MOST_REQUESTS + 1}"):
        batching(requests=MOST_REQUESTS + 1, distribution="fixed", **shape)
    zipf: Distribution = "zipf"  # type: ignore[assignment]  # what an unchecked caller may pass
    with pytest.raises(DomainError, match="distribution is zipf, but must be one of uniform, fixed"):
        batching(requests=1, distribution=zipf, **shape)
