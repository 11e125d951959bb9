"""The search itself, on functions whose solutions are known."""

import numpy as np
import pytest
from numpy.typing import NDArray

from calculators.spec.searching import Floats, Function, first_change, search

GRID = np.linspace(0.0, 100.0, 401)


def lows(function: Function, goal: float, grid: Floats = GRID) -> list[float]:
    return [stretch.low for stretch in search(function, grid, goal).stretches]


def test_a_slope_has_one_solution() -> None:
    found = search(lambda x: 3 * x, GRID, 100.0)
    (stretch,) = found.stretches
    assert (stretch.low, stretch.high) == pytest.approx((100 / 3, 100 / 3), rel=1e-14)
    assert (found.least, found.most, found.flat, found.jumps) == (0.0, 300.0, False, ())


def test_several_solutions_come_in_order() -> None:
    assert lows(lambda x: (x - 10.1) * (x - 20.2) * (x - 30.3), 0.0) == pytest.approx([10.1, 20.2, 30.3])


def test_two_solutions_between_neighbours_of_the_grid_are_found_at_the_turn() -> None:
    assert lows(lambda x: (x - 50.1) ** 2, 1e-4) == pytest.approx([50.09, 50.11], rel=1e-9)


def test_a_solution_at_an_end_and_one_on_the_grid() -> None:
    assert lows(lambda x: x, 0.0) == [0.0]
    assert lows(lambda x: x, 100.0) == pytest.approx([100.0], rel=1e-14)
    assert lows(lambda x: x, 25.0) == pytest.approx([25.0])


def test_a_step_at_the_goal_is_a_stretch() -> None:
    (stretch,) = search(lambda x: np.floor(x / 7), GRID, 3.0).stretches
    assert stretch.low == 21.0
    assert stretch.high == np.nextafter(28.0, 0.0)


def test_a_step_narrower_than_the_grid_is_found() -> None:
    (stretch,) = search(lambda x: np.floor(x * 1000), GRID, 12345.0).stretches
    assert (stretch.low, stretch.high) == pytest.approx((12.345, 12.346))


def test_a_jump_over_the_goal_is_no_solution() -> None:
    found = search(lambda x: np.where(x < 12.3, 1.0, 5.0), GRID, 3.0)
    assert found.stretches == ()
    (jump,) = found.jumps
    assert (jump.at, jump.below, jump.above) == (12.3, 1.0, 5.0)


def test_a_slope_through_nought_that_loses_figures_is_no_jump() -> None:
    found = search(lambda x: 1e9 * x - 26031728640.0, GRID, 0.0)
    assert found.jumps == ()
    assert found.stretches[0].low == pytest.approx(26.03172864, rel=1e-14)


def test_a_function_with_gaps_is_searched_up_to_their_ends() -> None:
    def function(x: Floats) -> Floats:
        return np.where(x <= 33.33, x, np.nan)

    assert lows(function, 33.3299) == pytest.approx([33.3299])
    assert lows(function, 34.0) == []


def test_nothing_anywhere_and_the_same_everywhere() -> None:
    nowhere = search(lambda x: np.full_like(x, np.nan), GRID, 1.0)
    assert nowhere.stretches == ()
    assert np.isnan(nowhere.least)
    assert search(lambda x: np.full_like(x, 7.0), GRID, 7.0).flat
    assert search(lambda x: np.full_like(x, 0.0), GRID, 7.0).flat


def test_the_first_change_is_closed_in_from_the_side_it_is_seen_from() -> None:
    def changed(x: Floats) -> NDArray[np.bool_]:
        return (x > 10.1) & (x < 20.2) | (x > 30.3)

    near, far = first_change(changed, GRID, 1e-9) or (0.0, 0.0)
    assert near <= 10.1 < far
    assert far - near <= 1e-9
    near, far = first_change(changed, GRID[GRID <= 25][::-1], 0.0) or (0.0, 0.0)
    assert far < 20.2 <= near
    assert np.nextafter(far, near) == near, "neighbouring floats where no width is wide enough"
    assert first_change(changed, GRID[GRID < 10], 0.0) is None
