"""The labels of an axis."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.plotting.ticks import MOST_TICKS, Measure, ticks
from calculators.quantities import FAMILIES


def texts(measure: Measure, low: float, high: float, *, log: bool) -> list[str]:
    return [tick.text for tick in ticks(measure, low, high, log=log)]


@pytest.mark.parametrize(
    ("measure", "low", "high", "log", "expected"),
    [
        (Measure("count", binary=True), 1, 1024, True, "1 4 16 64 256 1Ki"),
        (Measure("count"), 20, 50000, True, "30 100 300 1k 3k 10k 30k"),
        (Measure("count"), 1e9, 1e13, True, "1B 10B 100B 1T 10T"),
        (
            Measure("bytes", binary=True),
            2**21,
            2**41,
            True,
            "2 MiB|16 MiB|128 MiB|1 GiB|8 GiB|64 GiB|512 GiB",
        ),
        (Measure("bytes", binary=True), 0, 100 * 2**30, False, "0 B|32 GiB|64 GiB|96 GiB"),
        (Measure("bytes"), 1e6, 1e10, True, "1 MB|10 MB|100 MB|1 GB|10 GB"),
        (Measure("time"), 1e-3, 1e6, True, "10 ms|1 s|1 min|1 h|1 d"),
        (Measure("time"), 0, 3e-4, False, "0 s|50 µs|100 µs|150 µs|200 µs|250 µs|300 µs"),
        (Measure("ratio"), 0, 1, False, "0% 20% 40% 60% 80% 100%"),
        (Measure("tokens/s"), 0, 4500, False, "0 1k 2k 3k 4k"),
        (Measure("intensity"), 100, 130, True, "100 105 110 115 120 125 130"),  # no decade is crossed
    ],
)
def test_labels_are_round_and_short(
    measure: Measure, low: float, high: float, log: bool, expected: str
) -> None:
    assert texts(measure, low, high, log=log) == expected.split("|" if "|" in expected else " ")


def test_a_label_says_the_unit_or_the_axis_does() -> None:
    assert Measure("bytes").says_units
    assert Measure("ratio").says_units
    assert not Measure("tokens/s").says_units
    assert not Measure("count").says_units


@given(
    family=st.sampled_from(sorted(FAMILIES)),
    binary=st.booleans(),
    low=st.floats(1e-30, 1e30),
    times=st.floats(1.01, 1e60),
    log=st.booleans(),
)
def test_labels_lie_within_and_are_few_and_different(
    family: str, binary: bool, low: float, times: float, log: bool
) -> None:
    measure = Measure(family, binary and family in ("bytes", "count"))
    found = ticks(measure, low, low * times, log=log)
    assert 1 <= len(found) <= MOST_TICKS
    assert all(low <= value <= low * times for value, _ in found)
    assert len({value for value, _ in found}) == len(found)
