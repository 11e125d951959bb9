"""Formatters: what they print, and that the number grammar reads it back in their family."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.bank.exact_math import UnusableError
from app.bank.formatters import FORMATTERS
from calculators import quantities

GIB = 2**30


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("gib", 2 * GIB, "2 GiB"),
        ("gb", 2 * GIB, "2.15 GB"),
        ("mib", 2 * GIB, "2,048 MiB"),
        ("kib", Fraction(1024), "1 KiB"),
        ("bytes", 34_400_000_000, "34.4 GB"),
        ("bytes", Fraction(1, 2), "0.5 B"),
        ("tflop", 3_436_000_000_000, "3.44 TFLOP"),
        ("tflops", 312 * 10**12, "312 TFLOP/s"),
        ("gbps", 450 * 10**9, "450 GB/s"),
        ("tbps", 3_350 * 10**9, "3.35 TB/s"),
        ("us", Fraction(5, 10**6), "5 µs"),
        ("ms", Fraction(123_456, 10**6), "123 ms"),
        ("time", Fraction(5, 10**6), "5 µs"),
        ("days", 86_400 * 3, "3 d"),
        ("pct", Fraction(415, 1000), "41.5%"),
        ("pct", Fraction(1, 3), "33.3%"),
        ("times", Fraction(172, 100), "1.72×"),
        ("times", 1024, "1,024×"),
        ("int", 2_147_483_648, "2,147,483,648"),
        ("int", Fraction(5, 2), "3"),
        ("int", 10**50, "1×10⁵⁰"),
        ("sig2", Fraction(842, 100), "8.4"),
        ("sig3", Fraction(8425, 1000), "8.43"),
        ("sig3", 156, "156"),
        ("sci", 314_000_000_000, "3.14×10¹¹"),
        ("sci", Fraction(1, 3), "3.33×10⁻¹"),
        ("sci", Fraction(9996, 10), "1×10³"),
        ("sci", 0, "0"),
        ("sci", -1500, "-1.5×10³"),
        ("count", 7_241_732_096, "7.24B"),
        ("count", -2_000_000, "-2M"),
        ("count", 8192, "8,192"),
        ("usd", Fraction(5, 2), "2.5 USD"),
        ("tokens", 1, "1 token"),
        ("intensity", 153, "153 FLOP/B"),
    ],
)
def test_what_is_printed(name: str, value: int | Fraction, text: str) -> None:
    assert FORMATTERS[name](value) == text


READABLE = sorted(name for name, formatter in FORMATTERS.items() if formatter.family)


@settings(deadline=None)
@given(
    st.sampled_from(READABLE),
    st.fractions(min_value=-(10**20), max_value=10**20, max_denominator=10**12),
)
def test_the_number_grammar_reads_back_what_is_printed(name: str, value: Fraction) -> None:
    formatter = FORMATTERS[name]
    assert formatter.family is not None
    text = formatter(value)
    read = quantities.parse(text, formatter.family).value
    # Three figures are off by half a unit in the third, at most 0.5 %.
    assert abs(read - value) <= abs(value) / 200, text


@settings(deadline=None)
@given(st.sampled_from(sorted(FORMATTERS)), st.fractions())
def test_every_number_prints_shortly(name: str, value: Fraction) -> None:
    assert 0 < len(FORMATTERS[name](value)) < 80


@pytest.mark.parametrize("value", [True, "fp32", None, 0.5])
def test_only_exact_numbers_are_printed(value: object) -> None:
    with pytest.raises(UnusableError, match=r"gb\(\) prints a number"):
        FORMATTERS["gb"](value)


def test_each_formatter_is_explained_and_fixes_a_unit_of_its_family() -> None:
    for name, formatter in FORMATTERS.items():
        assert formatter.name == name
        assert formatter.doc
        if formatter.family is not None:
            assert formatter.family in quantities.FAMILIES
        if formatter.unit is not None:
            assert formatter.print(0).endswith(formatter.unit)
