"""Where a plot looks."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calculators
from app.plotting.points import Exact, Span, default_span, even_step, is_binary, points, typed
from calculators.spec import Input, amount, count
from calculators.spec.reading import read

MOST_ROWS = 65  # 60 points, the ends and the present value

LENGTH = count("length", "")
WINDOW = count("window", "", least=0)
SHARE = amount("share", "", family="ratio", maximum=1)
SPEED = amount("speed", "", family="byte/s")


def span(declared: Input, present: Exact | None) -> tuple[float, float, bool]:
    found = default_span(declared, present, declared.minimum, declared.maximum)
    return float(found.low), float(found.high), found.even


@pytest.mark.parametrize(
    ("declared", "present", "expected"),
    [
        (LENGTH, 1024, (32, 32768, False)),
        (LENGTH, 1, (1, 1024, False)),  # what is cut off below is added above
        (LENGTH, 1000, (20, 50000, False)),
        (SPEED, 2 * 10**12, (5e10, 1e14, False)),
        (SHARE, Fraction(2, 5), (0, 1, True)),
        (WINDOW, 4096, (0, 20000, True)),  # 0 switches it off, which no logarithm reaches
        (WINDOW, 0, (0, 100, True)),
        (SPEED, None, (0, 2e12, True)),  # round the example of its unit
    ],
)
def test_the_range_is_round_and_lies_about_the_present_value(
    declared: Input, present: Exact | None, expected: tuple[float, float, bool]
) -> None:
    assert span(declared, present) == expected


def test_bounds_narrow_the_range() -> None:
    found = default_span(LENGTH, 1024, 512, 4096)
    assert (float(found.low), float(found.high)) == (512, 4096)


@pytest.mark.parametrize(
    ("value", "binary"), [(1, True), (4096, True), (5120, True), (96, True), (1000, False), (50257, False)]
)
def test_powers_of_two_are_told_from_decimal_values(value: int, binary: bool) -> None:
    assert is_binary(value) is binary


@given(
    declared=st.sampled_from([LENGTH, WINDOW, SHARE, SPEED]),
    present=st.integers(0, 10**18),
    low=st.fractions(0, 10**9),
    width=st.fractions(Fraction(1, 1000), 10**12),
    log=st.booleans(),
)
def test_points_ascend_from_end_to_end_and_can_be_typed(
    declared: Input, present: int, low: Fraction, width: Fraction, log: bool
) -> None:
    log = log and low > 0
    if declared is SHARE:
        low, width = Fraction(0), Fraction(1)
    if declared.kind == "count":
        low, width = Fraction(round(low)), Fraction(round(width) + 1)
    binary = declared.kind == "count" and is_binary(present)
    found = points(declared, Span(low, low + width, even=not log), present, log=log, binary=binary)
    assert list(found) == sorted(set(found))
    assert len(found) <= MOST_ROWS
    assert low <= found[0]
    assert found[-1] == low + width
    if low <= present <= low + width and not (declared.exclusive and present == 0):
        assert present in found
    for value in found[1:-1]:
        reading = read(declared, typed(declared, value))
        assert getattr(reading, "value", None) == value


def test_a_value_is_typed_as_people_write_it() -> None:
    assert typed(LENGTH, Fraction(8192)) == "8192"
    assert typed(SPEED, Fraction(450 * 10**9)) == "450 GB/s"
    assert typed(SHARE, Fraction(9, 20)) == "45%"
    assert typed(amount("params", ""), Fraction(7 * 10**9)) == "7000000000"
    assert typed(SPEED, Fraction(123456789)) == "123456789"


def test_steps_are_round() -> None:
    assert even_step(Fraction(100), 7) == 20
    assert even_step(Fraction(1, 3), 7) == Fraction(1, 20)
    assert even_step(Fraction(100), 7, binary=True) == 16


def test_all_first_ranges_hold_the_present_value() -> None:
    for calculator in calculators.all():
        inputs = calculator.evaluate().exact_inputs
        for declared in calculator.inputs:
            present = inputs[declared.name]
            if declared.numeric and isinstance(present, int | Fraction):
                found = default_span(declared, present, declared.minimum, declared.maximum)
                assert found.low <= present <= found.high, (calculator.slug, declared.name)
                assert found.low < found.high
