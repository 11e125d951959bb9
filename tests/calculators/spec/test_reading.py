"""What is read as an input's value, what is refused, and what the refusal says."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calculators
from calculators.presets import HARDWARE
from calculators.spec import Calculator, FieldError, Input, InvalidInputs, amount, choice, count, flag
from calculators.spec.reading import Read, as_text, meant, read

BATCH = count("batch", "Batch")
WINDOW = count("window", "Window", least=0)
TIME = amount("kernel_time", "Time", family="time", zero=True)
BYTES = amount("bytes", "Bytes", family="bytes")
SHARE = amount("memory_fraction", "Share", family="ratio", maximum=1)
DTYPE = choice("dtype", "Format", ("fp32", "bf16", "int4"))
GATED = flag("gated", "Gated")

GOOD: list[tuple[Input, Any, Any]] = [
    (BATCH, "8k", 8000),
    (BATCH, " 8 ", 8),
    (BATCH, "1e12", 10**12),
    (BATCH, "3.14e11", 314_000_000_000),
    (BATCH, "2^20", 2**20),
    (BATCH, "4Ki", 4096),
    (BATCH, "1,024", 1024),
    (BATCH, "8k tokens", 8000),
    (BATCH, 3.0, 3),
    (BATCH, 1e23, 10**23),
    (BATCH, 10**300, 10**300),
    (BATCH, Fraction(6, 2), 3),
    (BATCH, Decimal("1e3"), 1000),
    (BATCH, np.int64(7), 7),
    (BATCH, np.float32(7), 7),
    (WINDOW, 0, 0),
    (WINDOW, "0", 0),
    (TIME, "5us", Fraction(5, 10**6)),
    (TIME, "0", 0),
    (TIME, 3e-6, Fraction(3, 10**6)),
    (TIME, np.float32(0.1), Fraction(1, 10)),
    (BYTES, "1GiB", 2**30),
    (BYTES, "1 GB", 10**9),
    (SHARE, "45%", Fraction(9, 20)),
    (SHARE, 1, 1),
    (SHARE, 0.9, Fraction(9, 10)),
    (DTYPE, "BF16", "bf16"),
    (DTYPE, " fp32 ", "fp32"),
    *((GATED, text, True) for text in ("true", "1", "YES", "On", True, 1, np.True_)),
    *((GATED, text, False) for text in ("false", "0", "no", "OFF", False, 0, np.False_)),
]

BAD: list[tuple[Input, Any, str]] = [
    (BATCH, "2.5", "batch is “2.5”, but must be a whole number, 1 or more."),
    (BATCH, 2.5, "batch is 2.5, but must be a whole number, 1 or more."),
    (BATCH, "0", "batch is “0”, but must be a whole number, 1 or more."),
    (BATCH, -3, "batch is -3, but must be a whole number, 1 or more."),
    (BATCH, True, "batch is True, but must be a whole number, 1 or more."),
    (BATCH, float("nan"), "batch is nan, but must be a whole number, 1 or more."),
    (BATCH, Decimal("NaN"), "batch is NaN, but must be a whole number, 1 or more."),
    (BATCH, np.float64("inf"), "batch is inf, but must be a whole number, 1 or more."),
    (BATCH, [1], "batch is [1], but must be a whole number, 1 or more."),
    (
        BATCH,
        -(10**50),
        "batch is -10000000000000000000000000000000000000…, but must be a whole number, 1 or more.",
    ),
    (WINDOW, -1, "window is -1, but must be a whole number, 0 or more."),
    (TIME, "-1s", "kernel_time is “-1s”, but must be a number, 0 s or more."),
    (BYTES, "0 B", "bytes is “0 B”, but must be a number above 0."),
    (SHARE, 0, "memory_fraction is 0, but must be a number above 0 and at most 1."),
    (SHARE, "101%", "memory_fraction is “101%”, but must be a number above 0 and at most 1."),
    (DTYPE, "bf61", "dtype is “bf61”, but must be one of fp32, bf16, int4. Did you mean bf16?"),
    (DTYPE, 16, "dtype is 16, but must be one of fp32, bf16, int4."),
    (DTYPE, "x", "dtype is “x”, but must be one of fp32, bf16, int4."),
    (GATED, "maybe", "gated is “maybe”, but must be true or false (1 or 0, yes or no, on or off)."),
    (GATED, 2, "gated is 2, but must be true or false (1 or 0, yes or no, on or off)."),
    (GATED, 1.0, "gated is 1.0, but must be true or false (1 or 0, yes or no, on or off)."),
    (
        BATCH,
        "9" * 65,
        "batch is “999999999999999999999999999999999999999…”, but must be a whole number, 1 or more. "
        "A value has at most 64 characters, this one has 65.",
    ),
]


@pytest.mark.parametrize(("declared", "raw", "expected"), GOOD)
def test_read(declared: Input, raw: object, expected: object) -> None:
    outcome = read(declared, raw)
    assert isinstance(outcome, Read)
    assert outcome.value == expected
    assert type(outcome.value) is type(expected)  # a whole number is an int, of an amount too


@pytest.mark.parametrize(("declared", "raw", "message"), BAD)
def test_refused(declared: Input, raw: object, message: str) -> None:
    outcome = read(declared, raw)
    assert isinstance(outcome, FieldError)
    assert outcome.message == message
    assert outcome.field == declared.name
    assert outcome.allowed == declared.allowed


def test_a_text_that_is_no_quantity_is_told_what_to_type() -> None:
    outcome = read(TIME, "5 GB")
    assert isinstance(outcome, FieldError)
    assert outcome.message.startswith("kernel_time is “5 GB”, but must be a number, 0 s or more. ")
    assert len(outcome.message) > len("kernel_time is “5 GB”, but must be a number, 0 s or more. ")


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("a100", "Did you mean a100-40gb-sxm, a100-80gb-sxm or a100-80gb-pcie?"),
        ("h200", "Did you mean h200-sxm?"),
        ("rtx-4080", "Did you mean rtx-4090?"),
        ("abacus", ""),
        ("", ""),
    ],
)
def test_what_may_have_been_meant(word: str, says: str) -> None:
    assert meant(word, HARDWARE) == says


def test_a_number_that_python_would_not_print_is_refused() -> None:
    for raw in (10**5000, -(10**5000), Fraction(1, 10**5000), Decimal("1e5000")):
        outcome = read(TIME, raw)
        assert isinstance(outcome, FieldError)
        assert outcome.message.endswith("A number has at most 4,000 digits.")


@settings(deadline=None)
@given(
    st.one_of(
        st.integers(),
        st.integers(-(10**60), 10**60),
        st.fractions(max_denominator=10**6),
        st.decimals(allow_nan=False, allow_infinity=False, places=9).map(Fraction),
    )
)
def test_a_number_as_text_reads_as_itself(number: int | Fraction) -> None:
    text = as_text(number)
    assert 0 < len(text) <= 64
    signed = Input(name="x", kind="amount", label="", minimum=-(10**80))
    outcome = read(signed, text)
    assert isinstance(outcome, Read)
    assert outcome.value == number


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (8192, "8192"),
        (10**30, "1e30"),
        (-25 * 10**40, "-25e40"),
        (Fraction(1, 8), "0.125"),
        (Fraction(3, 10**6), "0.000003"),
        (Fraction(3, 10**9), "3e-9"),
        (Fraction(1, 3), "1/3"),
        (10**80 + 1, ""),
        (2**1024, ""),
        (Fraction(1, 3**150), ""),
    ],
)
def test_shortest_text(number: int | Fraction, text: str) -> None:
    assert as_text(number) == text


NONSENSE = ["-1", "nan", "inf", "1e999", "text", "x" * 10_000, "9**9**9", "\u0663", "1;2", "0x10", "1 parsec"]
NUMERIC = [
    pytest.param(calculator, declared, id=f"{calculator.slug}-{declared.name}")
    for calculator in calculators.all()
    for declared in calculator.inputs
]


@pytest.mark.parametrize(("calculator", "declared"), NUMERIC)
def test_every_input_of_every_calculator_refuses_nonsense_by_name(
    calculator: Calculator, declared: Input
) -> None:
    wrong_unit = "5 s" if declared.family != "time" else "5 GB"
    bad = [*NONSENSE, *([wrong_unit] if declared.numeric else [])]
    if not (
        declared.kind == "flag" or (declared.numeric and declared.minimum == 0 and not declared.exclusive)
    ):
        bad.append("0")
    if declared.kind == "count":
        bad.append("2.5")
    for text in bad:
        with pytest.raises(InvalidInputs) as caught:
            calculator.validate({declared.name: text})
        fields = [error.field for error in caught.value.errors]
        assert fields == [declared.name], text
        (error,) = caught.value.errors
        assert error.message.startswith(f"{declared.name} is “{text[:39]}")
        assert declared.allowed in error.message
        assert len(error.message) < 1000
