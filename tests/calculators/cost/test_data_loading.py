"""A loading pipeline against one that is played sample by sample."""

from fractions import Fraction
from heapq import heappop, heappush

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calculators
from calculators.cost import DomainError
from calculators.cost.data_loading import data_loading

rates = st.fractions(1, 50, max_denominator=4)


def play(need: Fraction, size: Fraction, workers: int, pace: Fraction, bandwidth: Fraction) -> Fraction:
    """Samples a second in the long run: storage reads one by one, workers decode, the device takes them."""
    samples = 400
    storage = device = half_way = Fraction(0)
    free = [Fraction(0)] * workers
    for sample in range(samples):
        storage += size / bandwidth
        decoded = max(storage, heappop(free)) + 1 / pace
        heappush(free, decoded)
        device = max(device, decoded) + 1 / need
        if sample == samples // 2 - 1:
            half_way = device
    return samples // 2 / (device - half_way)


@settings(deadline=None, max_examples=30)
@given(
    need=rates,
    size=rates,
    workers=st.sampled_from([1, 2, 4]),
    pace=rates,
    bandwidth=st.fractions(50, 500, max_denominator=2),
)
def test_the_pace_of_the_slowest_stage(
    need: Fraction, size: Fraction, workers: int, pace: Fraction, bandwidth: Fraction
) -> None:
    found = data_loading(
        samples_per_second=need,
        bytes_per_sample=size,
        workers=workers,
        worker_samples_per_second=pace,
        storage_bandwidth=bandwidth,
    )
    played = play(need, size, workers, pace, bandwidth)
    assert float(found.achieved_samples_per_second) == pytest.approx(float(played), rel=0.05)
    assert found.bytes_per_second == need * size
    stages = {"device": need, "workers": workers * pace, "storage": bandwidth / size}
    assert stages[found.bound] == found.achieved_samples_per_second == min(stages.values())


def test_ties_and_words() -> None:
    loading = calculators.get("data-loading")
    tied = {"samples_per_second": 3, "workers": 3, "worker_samples_per_second": 1, "bytes_per_sample": "1/3"}
    assert loading.evaluate(tied, storage_bandwidth=1).bound == "device"
    assert loading.evaluate(tied, storage_bandwidth=1, samples_per_second=4).bound == "workers"
    slow = loading.evaluate(tied, storage_bandwidth=Fraction(1, 2), samples_per_second=4)
    assert slow.bound == "storage"
    assert slow.exact["storage_limit"] == Fraction(3, 2)
    assert slow.notes == [
        "Workers and storage are both too slow: lifting one of the two limits leaves the other."
    ]


def test_a_sweep_passes_from_one_limit_to_the_next() -> None:
    swept = calculators.get("data-loading").sweep("workers", [1, 7, 8, 100])
    assert swept["bound"].tolist() == ["workers", "workers", "device", "device"]
    assert swept["achieved_samples_per_second"].tolist() == [400, 2800, 3000, 3000]
    with pytest.raises(DomainError, match="bytes_per_sample is 0"):
        data_loading(
            samples_per_second=1,
            bytes_per_sample=0,
            workers=1,
            worker_samples_per_second=1,
            storage_bandwidth=1,
        )
