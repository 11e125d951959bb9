"""A gate that lets a few through at a time and turns away what would wait too long.

For work that is dear (a password's hash takes 64 MiB) or that waits for others (a provider's answer):
requests are served by a few dozen threads, and no flood of one kind may take them all.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Busy(Exception):  # noqa: N818 (reads as what it is)
    """Too many are at it already."""


class Gate:
    def __init__(self, *, at_once: int, waiting: int, patience: float) -> None:
        """`at_once` go through, `waiting` more queue for up to `patience` s, others are turned away."""
        self._inside = threading.BoundedSemaphore(at_once)
        self._near = threading.BoundedSemaphore(at_once + waiting)
        self._patience = patience

    @contextmanager
    def through(self) -> Iterator[None]:
        """Raises `Busy`."""
        if not self._near.acquire(blocking=False):
            raise Busy
        try:
            if not self._inside.acquire(timeout=self._patience):
                raise Busy
            try:
                yield
            finally:
                self._inside.release()
        finally:
            self._near.release()
