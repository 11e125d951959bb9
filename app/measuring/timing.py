"""How long something takes, and how it is spread over threads."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeAlias

from app.measuring.blas import Blas

Clock: TypeAlias = Callable[[], float]


def best_of(run: Callable[[], object], *, runs: int, budget: float, clock: Clock) -> float:
    """The shortest of several runs [s]: whatever else happens on a machine only makes one longer.

    A first run that does not count touches the memory and wakes the threads. Runs end early when they have
    taken `budget` seconds, that first one included, but there is always one that counts.
    """
    begun = clock()
    run()
    best = float("inf")
    for _ in range(runs):
        started = clock()
        run()
        ended = clock()
        best = min(best, ended - started)
        if ended - begun >= budget:
            break
    return best


class Threads:
    """As many threads as BLAS has, for work that numpy alone would do on one."""

    def __init__(self, blas: Blas, pool: ThreadPoolExecutor) -> None:
        self._blas = blas
        self._pool = pool

    def each(self, run: Callable[[slice], object], total: int) -> None:
        """Run on equal shares of range(total) at once, each share with a BLAS of one thread."""
        count = self._blas.threads
        ends = [total * share // count for share in range(count + 1)]
        with self._blas.one_thread():
            list(self._pool.map(run, map(slice, ends[:-1], ends[1:])))


@contextmanager
def as_many_threads(blas: Blas) -> Iterator[Threads]:
    """Threads that end with the block."""
    with ThreadPoolExecutor(blas.threads) as pool:
        yield Threads(blas, pool)
