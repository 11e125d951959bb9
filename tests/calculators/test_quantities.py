"""The grammar of numbers, by table."""

from fractions import Fraction

import pytest

from calculators.quantities import parse


@pytest.mark.parametrize(
    ("text", "family", "value", "reading"),
    [
        ("34.4 GB", "bytes", 34_400_000_000, "34.4 GB"),
        ("2^-3", "count", Fraction(1, 8), "0.125"),
        ("$2.5M", "money", 2_500_000, "2.5M USD"),
    ],
)
def test_text_is_read(text: str, family: str, value: int | Fraction, reading: str) -> None:
    read = parse(text, family)
    assert (read.value, read.reading) == (value, reading)
