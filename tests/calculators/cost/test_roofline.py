"""The roofline against the time a work/bandwidth pair takes, written the other way round."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.cost import DomainError
from calculators.cost.roofline import Roofline, ridge_point, roofline

amounts = st.integers(1, 10**24)
rates = st.integers(1, 10**18)


def simple(
    flops: int = 10**12, bytes_moved: int = 10**10, peak: int = 312 * 10**12, bandwidth: int = 2039 * 10**9
) -> Roofline:
    return roofline(flops=flops, bytes_moved=bytes_moved, peak_flops=peak, hbm_bandwidth=bandwidth)


def test_the_defaults_by_hand() -> None:
    result = simple()
    assert result.intensity == 100
    assert result.ridge_point == Fraction(312_000, 2039)
    assert result.attainable_flops == 203_900 * 10**9
    assert result.time_compute == Fraction(1, 312)
    assert result.time_memory == result.time == Fraction(10, 2039)
    assert result.bound == "memory"


@pytest.mark.parametrize(
    ("peak", "bandwidth", "printed"),
    [
        # NVIDIA, Deep Learning Performance Documentation, "Understanding Performance": V100, 125 TFLOP/s.
        (125 * 10**12, 900 * 10**9, 138.9),
        # 312 TFLOP/s over the 2,039 GB/s of the A100 80 GB SXM.
        (312 * 10**12, 2039 * 10**9, 153.0),
    ],
)
def test_ridge_points_in_print(peak: int, bandwidth: int, printed: float) -> None:
    assert float(ridge_point(peak_flops=peak, hbm_bandwidth=bandwidth)) == pytest.approx(printed, abs=0.05)


@given(flops=amounts, bytes_moved=amounts, peak=rates, bandwidth=rates)
def test_what_is_attained_is_the_work_over_its_time(
    flops: int, bytes_moved: int, peak: int, bandwidth: int
) -> None:
    result = simple(flops, bytes_moved, peak, bandwidth)
    assert result.attainable_flops == Fraction(flops) / result.time
    assert result.attainable_flops <= peak
    # Cross-multiplied, so that no quotient of the function's is used.
    compute_binds = flops * bandwidth >= bytes_moved * peak
    assert result.bound == ("compute" if compute_binds else "memory")
    assert (result.intensity >= result.ridge_point) == compute_binds


@given(flops=amounts, bytes_moved=amounts, more=amounts)
def test_more_work_or_traffic_never_takes_less_time(flops: int, bytes_moved: int, more: int) -> None:
    time = simple(flops, bytes_moved).time
    assert simple(flops + more, bytes_moved).time >= time
    assert simple(flops, bytes_moved + more).time >= time


def test_a_tie_is_exact_and_belongs_to_compute() -> None:
    # 0.1 + 0.2 is not 0.3 in floats; here the two times are the same number.
    result = simple(flops=3 * 10**17, bytes_moved=10**17, peak=3 * 10**5, bandwidth=10**5)
    assert result.time_compute == result.time_memory
    assert result.bound == "compute"
    assert result.intensity == result.ridge_point


@pytest.mark.parametrize("argument", ["flops", "bytes_moved", "peak_flops", "hbm_bandwidth"])
@pytest.mark.parametrize("value", [0, -1])
def test_nothing_is_divided_by_nothing(argument: str, value: int) -> None:
    arguments = {"flops": 1, "bytes_moved": 1, "peak_flops": 1, "hbm_bandwidth": 1, argument: value}
    with pytest.raises(DomainError, match=f"{argument} is {value}, but must be above 0") as caught:
        roofline(**arguments)
    assert caught.value.argument == argument
