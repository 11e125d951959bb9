"""The library that multiplies numpy's matrices, and how many threads it has."""

import os
from contextlib import AbstractContextManager
from typing import Final, NamedTuple

from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]  # it comes without types

_VARIABLES: Final = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")


class Blas(NamedTuple):
    name: str
    threads: int
    controller: ThreadpoolController

    def one_thread(self) -> AbstractContextManager[object]:
        """Within the block it has a single one."""
        limit: AbstractContextManager[object] = self.controller.limit(limits=1)
        return limit


def loaded_blas() -> Blas:
    """The library that numpy loaded, its threads by its own word, else by the environment."""
    controller = ThreadpoolController().select(user_api="blas")
    for library in controller.info():
        name = f"{library['internal_api']} {library['version'] or ''}".strip()
        return Blas(name, int(library["num_threads"]), controller)
    named = (os.environ.get(name, "") for name in _VARIABLES)
    given = next((int(text) for text in named if text.isdigit() and int(text)), 0)
    return Blas("unknown BLAS", given or os.cpu_count() or 1, controller)
