"""What is printed for people."""

import math
from fractions import Fraction

import pytest

from calculators.quantities import format_both_bytes, format_exact, format_quantity, to_number

FORMATS: list[tuple[int | float | Fraction | None, str, str]] = [
    (None, "bytes", "none"),
    (math.nan, "bytes", "none"),
    (math.inf, "count", "none"),
    (0, "bytes", "0 B"),
    (0, "time", "0 s"),
    (0, "ratio", "0%"),
    (0.0, "count", "0"),
    (1, "bytes", "1 B"),
    (34_400_000_000, "bytes", "34.4 GB"),
    (2**31, "bytes", "2.15 GB"),
    (999_600_000, "bytes", "1 GB"),
    (999_499_999, "bytes", "999 MB"),
    (999.6, "bytes", "1 kB"),
    (-999_600_000, "bytes", "-1 GB"),
    (Fraction(1, 2), "bytes", "0.5 B"),
    (10**18, "bytes", "1,000 PB"),
    (10**24, "bytes", "1×10²⁴ B"),
    (5e-6, "time", "5 µs"),
    (Fraction(1, 3), "time", "333 ms"),
    (59.99, "time", "1 min"),
    (90, "time", "1.5 min"),
    (7200, "time", "2 h"),
    (180_000_000, "time", "2,083 d"),
    (2e-12, "time", "0.002 ns"),
    (5e-20, "time", "5×10⁻²⁰ s"),
    (312e12, "flop/s", "312 TFLOP/s"),
    (989.4e12, "flop/s", "989 TFLOP/s"),
    (3.14e23, "flop", "3.14×10²³ FLOP"),
    (3.35e12, "byte/s", "3.35 TB/s"),
    (0.415, "ratio", "41.5%"),
    (0.46278, "ratio", "46.3%"),
    (1.2, "ratio", "120%"),
    (4096, "ratio", "4,096"),
    (1e-12, "ratio", "1×10⁻¹⁰%"),
    (8192, "count", "8,192"),
    (6_738_415_616, "count", "6,738,415,616"),
    (0.463, "count", "0.463"),
    (2 / 3, "count", "0.667"),
    (4096.5, "count", "4,097"),
    (0.00012345, "count", "0.000123"),
    (1.2345e-5, "count", "1.23×10⁻⁵"),
    (9.999e-5, "count", "0.0001"),
    (9.994e-6, "count", "9.99×10⁻⁶"),
    (999_999_999_999_999.7, "count", "1×10¹⁵"),
    (123_456 * 10**15, "bytes", "123,456 PB"),
    (999_999_500_000_000_000_000, "bytes", "1×10²¹ B"),
    (355 * 365 * 86_400, "time", "129,575 d"),
    (10**6 * 86_400, "time", "8.64×10¹⁰ s"),
    (10**400, "count", "1×10⁴⁰⁰"),
    (9.996, "count", "10"),
    (1234.5, "money", "1,235 USD"),
    (0.3704, "money", "0.37 USD"),
    (153.0, "intensity", "153 FLOP/B"),
    (1, "tokens", "1 token"),
    (4096, "tokens", "4,096 tokens"),
    (238_300, "tokens/s", "238,300 token/s"),
    (66.666, "rate", "66.7/s"),
    (2, "price/h", "2 USD/h"),
    (3_600_000, "energy", "3.6 MJ"),
    (1500, "mass", "1.5 t"),
    (0.4, "carbon", "0.4 kg/kWh"),
]


@pytest.mark.parametrize(("value", "family", "text"), FORMATS)
def test_formatting(value: int | float | Fraction | None, family: str, text: str) -> None:
    assert format_quantity(value, family) == text


def test_formatting_in_a_given_unit_and_to_given_figures() -> None:
    assert format_quantity(2**31, "bytes", unit="GiB") == "2 GiB"
    assert format_quantity(2**31, "bytes", unit="B") == "2,147,483,648 B"
    assert format_quantity(2**31, "bytes", figures=6) == "2.14748 GB"
    assert format_quantity(1.7, "ratio", unit="1") == "1.7"
    assert format_quantity(12_345, "count", figures=1) == "12,345"


def test_bytes_in_both_bases() -> None:
    assert format_both_bytes(2**31) == ("2 GiB", "2.15 GB")
    assert format_both_bytes(1023.9 * 2**20) == ("1 GiB", "1.07 GB")
    assert format_both_bytes(2**30 - 1) == ("1 GiB", "1.07 GB")
    assert format_both_bytes(0) == ("0 B", "0 B")
    assert format_both_bytes(None) == ("none", "none")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2**31, "2,147,483,648"),
        (-1000, "-1,000"),
        (0.1, "0.1"),
        (Fraction(1, 8), "0.125"),
        (10**3999 + Fraction(1, 10**400), "≈1×10³⁹⁹⁹"),
        (Fraction(1, 3), "≈0.33333333333333333"),
        (Fraction(1, 2**20), "0.00000095367431640625"),
        (256 * (1 - Fraction(31, 32) ** 128), "≈251.60114596587062"),  # experts visited: some 640 digits
        (3.14e23, "314,000,000,000,000,000,000,000"),
        (1.5e-30, "1.5×10⁻³⁰"),
        (None, "none"),
    ],
)
def test_exact_formatting(value: int | float | Fraction | None, text: str) -> None:
    assert format_exact(value) == text


def test_exact_formatting_of_what_python_would_not_print() -> None:
    assert format_exact(10**5000) == "≈1×10⁵⁰⁰⁰"


def test_numbers_for_json() -> None:
    assert to_number(2**70) == 2**70
    assert isinstance(to_number(Fraction(4, 2)), int)
    assert to_number(Fraction(1, 8)) == 0.125
