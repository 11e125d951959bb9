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
    """As many threads as BLAS has, each with a BLAS of one thread.

    BLAS's own threads wait for one another many times within a product, which on a busy machine takes longer
    than the product. These meet once, at its end.
    """

    def __init__(self, count: int, pool: ThreadPoolExecutor) -> None:
        self.count = count
        self._pool = pool

    def each(self, run: Callable[[slice], object], total: int) -> None:
        """Run on equal shares of range(total) at once, the first of them in this thread."""
        ends = [total * share // self.count for share in range(self.count + 1)]
        first, *others = map(slice, ends[:-1], ends[1:])
        started = [self._pool.submit(run, share) for share in others]
        run(first)
        for other in started:
            other.result()


@contextmanager
def as_many_threads(blas: Blas) -> Iterator[Threads]:
    """Threads that end with the block, within which BLAS has one."""
    with blas.one_thread(), ThreadPoolExecutor(blas.threads) as pool:
        yield Threads(blas.threads, pool)
