"""A transformer small enough to be run in a test, and two threads to run it with."""

from collections.abc import Iterator

import pytest

from app.measuring.blas import loaded_blas
from app.measuring.timing import Threads, as_many_threads
from calculators.cost.dimensions import Dimensions

TINY = Dimensions(
    layers=2,
    d_model=24,
    heads=3,
    kv_heads=3,
    head_dim=8,
    d_ff=96,
    vocab_size=50,
    max_positions=300,
    tied_embeddings=True,
    bias=True,
    learned_positions=True,
    norm_type="layer",
)


@pytest.fixture
def tiny() -> Dimensions:
    return TINY


@pytest.fixture
def threads() -> Iterator[Threads]:
    with as_many_threads(loaded_blas()._replace(threads=2)) as threads:
        yield threads
