"""The search over whole numbers, against looking at each of them."""

from collections.abc import Callable
from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import calculators
from calculators.spec.counting import search_whole, whole_grid
from calculators.spec.searching import Floats, Stretch

BATCHING = calculators.get("batching")
QUEUE = calculators.get("queue")


def runs_at(values: list[int], goal: int) -> list[Stretch]:
    """Each run of numbers whose value is the goal, found one by one."""
    runs = [list(run) for there, run in groupby(range(len(values)), lambda n: values[n] == goal) if there]
    return [Stretch(run[0], run[-1]) for run in runs]


@given(
    values=st.lists(st.integers(0, 6), min_size=2, max_size=60),
    goal=st.integers(0, 6),
    every=st.integers(1, 9),
)
def test_every_number_is_looked_at_or_closed_in_on(values: list[int], goal: int, every: int) -> None:
    def function(points: Floats) -> Floats:
        return np.array([values[int(point)] for point in points], dtype=np.float64)

    grid = np.array(sorted({*range(0, len(values), every), len(values) - 1}), dtype=np.float64)
    found = search_whole(function, grid, goal)
    if every == 1:
        assert list(found.stretches) == runs_at(values, goal)
    for stretch in found.stretches:
        assert values[int(stretch.low)] == values[int(stretch.high)] == goal
    for jump in found.jumps:
        pair = values[int(jump.at) - 1], values[int(jump.at)]
        assert pair == (jump.below, jump.above)
        assert min(pair) < goal < max(pair)
    assert not (found.stretches and found.jumps)


@pytest.mark.parametrize(
    ("function", "goal", "stretches"),
    [
        (lambda n: n // 1000, 77, [(77_000, 77_999)]),
        (lambda n: np.where(n < 123_456, np.nan, 1e6 - n), 1e6 - 123_456, [(123_456, 123_456)]),
        (lambda n: n * n, 1e24, [(10**12, 10**12)]),
        (lambda n: np.minimum(n, 5000), 5000, [(5000, 10**18)]),
        (lambda n: np.where(n > 10**17, 1.0, 0.0), 0.5, []),  # neighbours in floats are no neighbours there
    ],
)
def test_far_numbers_are_closed_in_on(
    function: Callable[[Floats], Floats], goal: float, stretches: list[tuple[int, int]]
) -> None:
    found = search_whole(function, whole_grid(1, 1e18), goal)
    assert found.stretches == tuple(Stretch(*pair) for pair in stretches)
    if not stretches:
        assert [(round(jump.at / 1e17, 12), jump.below, jump.above) for jump in found.jumps] == [(1, 0, 1)]


def test_the_grid_keeps_to_what_is_allowed() -> None:
    assert whole_grid(0, 7).tolist() == list(range(8))
    far = whole_grid(1, 10_000)
    assert (far[0], far[-1]) == (1, 10_000)
    assert (np.diff(far) >= 1).all()


def test_the_present_value_of_a_chaotic_output_is_found() -> None:
    """Steps go up and down by hundreds from one length to the next; only the number itself will do."""
    for name, value in (("max_output", 256), ("min_output", 8), ("slots", 8), ("requests", 256)):
        roots = BATCHING.solve(name, "static_steps", 7496).solutions
        assert any(root.value <= value <= (root.through or root.value) for root in roots), name
        for root in roots:
            assert {result.outputs["static_steps"] for result in root.whole} == {7496}


def test_a_target_between_two_whole_numbers_has_both_beside_it() -> None:
    solution = QUEUE.solve("servers", "mean_wait", "100 ms")
    (root,) = solution.solutions
    assert [result.inputs["servers"] for result in root.whole] == [4, 5]
    below, above = (result.exact["mean_wait"] for result in root.whole)
    assert below > 0.1 > above
    assert 4 < root.value < 5
    assert solution.notes == ("No whole servers gives exactly 100 ms: see those beside it.",)
    # Where the formula holds between whole numbers too, its own solution: 5/s of 0.5 s on 2.5 servers.
    (root,) = QUEUE.solve("servers", "utilization", 1).solutions
    assert root.value == pytest.approx(2.5)
    # A hundred thousand servers are no grid: the first that keep up are found all the same.
    crowd = {"arrival_rate": 99_999, "service_time": 1}
    (root,) = QUEUE.solve("servers", "mean_wait", "1 ms", crowd).solutions
    below, above = (result.exact["mean_wait"] for result in root.whole)
    assert below > 0.001 > above


def test_of_hundreds_of_passings_the_smallest_are_given() -> None:
    solution = BATCHING.solve("max_output", "continuous_mean_latency", "1 min")
    assert len(solution.solutions) == 8
    assert solution.notes[-1] == "There are more solutions; these are the 8 smallest."
    for root in solution.solutions:
        below, above = sorted(result.exact["continuous_mean_latency"] for result in root.whole)
        assert below < 60 < above
