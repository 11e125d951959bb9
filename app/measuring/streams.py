"""Memory bandwidth: streams over arrays that no cache holds.

The bytes counted are those that a program names, as STREAM counts them: 4 for an element read or written.
What the hardware moves besides is left out, above all the write-allocate, by which a line that is about to be
overwritten is read first.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, Literal, NamedTuple

import numpy as np

from app.measuring.timing import Threads

ELEMENT: Final = 4  # bytes, fp32
ARRAYS: Final = 3
_BLOCK: Final = 32_768  # elements: what a triad works on at a time stays in a core's own cache
_FACTOR: Final = np.float32(3)


class Stream(NamedTuple):
    """One way through memory: what a run does, and the bytes that it names."""

    name: Literal["copy", "triad", "read"]
    bytes: int
    run: Callable[[], None]


def streams(elements: int, threads: Threads) -> Iterator[Stream]:
    """copy: a = b. triad: a = b + 3 * c. read: the dot product of a with itself, as a decode step reads."""
    a, b, c = (np.ones(elements, np.float32) for _ in range(ARRAYS))

    def copy(share: slice) -> None:
        np.copyto(a[share], b[share])

    def triad(share: slice) -> None:
        for start in range(share.start, share.stop, _BLOCK):
            block = slice(start, min(start + _BLOCK, share.stop))
            np.multiply(c[block], _FACTOR, out=a[block])
            np.add(a[block], b[block], out=a[block])

    def read(share: slice) -> None:
        np.dot(a[share], a[share])

    yield Stream("copy", 2 * elements * ELEMENT, partial(threads.each, copy, elements))
    yield Stream("triad", 3 * elements * ELEMENT, partial(threads.each, triad, elements))
    yield Stream("read", elements * ELEMENT, partial(threads.each, read, elements))
