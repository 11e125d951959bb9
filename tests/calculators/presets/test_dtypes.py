"""Bytes of an element, against numpy where it has the format."""

from fractions import Fraction

import numpy as np
import pytest

from calculators.presets import DTYPES


@pytest.mark.parametrize(("dtype", "name"), [("fp32", "float32"), ("fp16", "float16"), ("int8", "int8")])
def test_formats_that_numpy_has(dtype: str, name: str) -> None:
    assert DTYPES[dtype] == np.dtype(name).itemsize


def test_the_digits_in_a_name_are_its_bits_but_for_the_nineteen_of_tf32() -> None:
    for dtype, size in DTYPES.items():
        bits = 32 if dtype == "tf32" else int(dtype.lstrip("bfpint"))
        assert size == Fraction(bits, 8)
