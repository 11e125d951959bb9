"""The best of several runs by a clock that the test turns, and shares that cover everything once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from app.measuring.timing import Threads, best_of


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def run_taking(self, *seconds: float) -> Callable[[], None]:
        """Something whose runs take these times, one after the other."""
        left = iter(seconds)

        def run() -> None:
            self.now += next(left)

        return run


@pytest.mark.parametrize(
    ("seconds", "runs", "budget", "best"),
    [
        ((1.0, 5.0, 3.0, 4.0), 3, 100, 3.0),  # the first run, which is the quickest here, only warms
        ((4.0, 6.0), 5, 10, 6.0),  # the budget is spent after the second
        ((50.0, 7.0), 5, 10, 7.0),  # or by the first: still one counts
    ],
)
def test_the_best_run_counts(seconds: tuple[float, ...], runs: int, budget: float, best: float) -> None:
    clock = Clock()
    assert best_of(clock.run_taking(*seconds), runs=runs, budget=budget, clock=clock) == best
    assert clock.now == sum(seconds)


@pytest.mark.parametrize(("count", "total"), [(1, 5), (3, 7), (4, 2), (2, 0)])
def test_shares_cover_everything_once(count: int, total: int) -> None:
    done = np.zeros(total, int)

    def run(share: slice) -> None:
        done[share] += 1

    with ThreadPoolExecutor(count) as pool:
        Threads(count, pool).each(run, total)
    assert (done == 1).all()


def test_what_fails_in_a_share_fails_in_all() -> None:
    def run(share: slice) -> None:
        if share.start:
            raise ZeroDivisionError

    with ThreadPoolExecutor(2) as pool, pytest.raises(ZeroDivisionError):
        Threads(2, pool).each(run, 10)
