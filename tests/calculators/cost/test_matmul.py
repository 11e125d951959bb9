"""Matrix products against a product computed with three loops and against real arrays."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.cost.matmul import matmul_bytes, matmul_flops

small = st.integers(1, 6)


@given(batch=small, m=small, k=small, n=small)
def test_flops_are_the_multiplies_and_adds_of_the_loops(batch: int, m: int, k: int, n: int) -> None:
    multiplies = adds = 0
    for _entry, _row, _column, _term in product(range(batch), range(m), range(n), range(k)):
        multiplies += 1
        adds += 1  # to a sum that starts at zero, as an accumulator does
    assert matmul_flops(m=m, k=k, n=n, batch=batch) == multiplies + adds


@given(batch=small, m=small, k=small, n=small, dtype=st.sampled_from([np.float16, np.float32, np.float64]))
def test_bytes_are_those_of_the_arrays(
    batch: int, m: int, k: int, n: int, dtype: type[np.floating[np.typing.NBitBase]]
) -> None:
    a, b = np.zeros((batch, m, k), dtype), np.zeros((batch, k, n), dtype)
    size = np.dtype(dtype).itemsize
    moved = a.nbytes + b.nbytes + (a @ b).nbytes
    assert matmul_bytes(m=m, k=k, n=n, batch=batch, bytes_per_element=size) == moved


def test_a_square_product_has_a_third_of_its_width_as_intensity_in_bf16() -> None:
    n = 4096
    flops = matmul_flops(m=n, k=n, n=n)
    moved = matmul_bytes(m=n, k=n, n=n, bytes_per_element=2)
    assert flops / moved == pytest.approx(n / 3)


def test_counts_beyond_64_bits_stay_exact() -> None:
    assert matmul_flops(m=10**9, k=10**9, n=10**9, batch=7) == 14 * 10**27
