"""Launches and fusion against schedules that are played event by event."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.cost import DomainError
from calculators.cost.kernels import LaunchOverhead, fusion, launch_overhead

microseconds = st.fractions(0, 100, max_denominator=1000).map(lambda value: value / 10**6)
counts = st.integers(1, 60)


def play_eager(kernels: int, kernel_time: Fraction, launch_time: Fraction) -> tuple[Fraction, Fraction]:
    """When the last kernel ends, and how long the device stood idle, launch by launch."""
    host = device = idle = Fraction(0)
    for _ in range(kernels):
        host += launch_time  # the host goes on to the next launch at once
        start = max(host, device)
        idle += start - device
        device = start + kernel_time
    return device, idle


def play_graph(
    kernels: int, kernel_time: Fraction, graph_launch_time: Fraction, graph_node_time: Fraction
) -> Fraction:
    device = graph_launch_time
    for _ in range(kernels):
        device += graph_node_time
        device += kernel_time
    return device


def launches(
    kernels: int = 1000,
    kernel_time: Fraction = Fraction(3, 10**6),
    launch_time: Fraction = Fraction(5, 10**6),
    graph_launch_time: Fraction = Fraction(10, 10**6),
    graph_node_time: Fraction = Fraction(1, 10**6),
) -> LaunchOverhead:
    return launch_overhead(
        kernels=kernels,
        kernel_time=kernel_time,
        launch_time=launch_time,
        graph_launch_time=graph_launch_time,
        graph_node_time=graph_node_time,
    )


@given(counts, microseconds, microseconds, microseconds, microseconds)
def test_both_schedules_played_event_by_event(
    kernels: int, kernel: Fraction, launch: Fraction, graph_launch: Fraction, node: Fraction
) -> None:
    result = launches(kernels, kernel, launch, graph_launch, node)
    eager, idle = play_eager(kernels, kernel, launch)
    graph = play_graph(kernels, kernel, graph_launch, node)
    assert result.time_eager == eager
    assert result.time_graph == graph
    assert result.time_gpu == eager - idle
    assert result.gpu_idle_eager == (idle / eager if eager else None)
    assert result.speedup == (eager / graph if graph else None)


def test_the_defaults_by_hand() -> None:
    result = launches()
    assert result.time_eager == Fraction(5003, 10**6)  # 5 us each, the last kernel's 3 us after them
    assert result.time_graph == Fraction(4010, 10**6)
    assert result.time_launch == Fraction(5000, 10**6)
    assert result.gpu_idle_eager == Fraction(2003, 5003)
    assert float(result.speedup) == pytest.approx(1.2476, abs=1e-4)


def test_long_kernels_hide_their_launches_and_a_graph_gains_nothing() -> None:
    result = launches(kernel_time=Fraction(1, 10**3))
    assert result.gpu_idle_eager < Fraction(1, 10**5)
    assert result.speedup < 1


@given(counts, microseconds, microseconds, microseconds)
def test_a_longer_launch_never_ends_earlier(
    kernels: int, kernel: Fraction, launch: Fraction, more: Fraction
) -> None:
    shorter = launches(kernels, kernel, launch)
    assert launches(kernels, kernel, launch + more).time_eager >= shorter.time_eager
    assert launches(kernels + 1, kernel, launch).time_eager >= shorter.time_eager


def test_no_kernel_is_refused() -> None:
    with pytest.raises(DomainError, match="kernels is 0, but must be at least 1"):
        launches(kernels=0)


@given(
    elements=st.integers(1, 10**10),
    operations=st.integers(1, 40),
    size=st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4)]),
    launch=microseconds,
)
def test_fusion_operation_by_operation(
    elements: int, operations: int, size: Fraction, launch: Fraction
) -> None:
    bandwidth = 2039 * 10**9
    tensor = elements * size
    traffic, clock = Fraction(0), Fraction(0)
    for _ in range(operations):
        clock += launch
        for _ in ("read", "write"):
            traffic += tensor
            clock += tensor / bandwidth

    result = fusion(
        elements=elements,
        operations=operations,
        bytes_per_element=size,
        hbm_bandwidth=bandwidth,
        launch_time=launch,
    )
    assert result.bytes_unfused == traffic
    assert result.time_unfused == clock
    assert result.traffic_ratio == operations
    assert result.bytes_fused == 2 * tensor
    assert result.time_fused == launch + 2 * tensor / bandwidth
    assert result.speedup == operations  # launches in series and traffic shrink by the same factor


def test_fusing_nothing_is_refused() -> None:
    with pytest.raises(DomainError, match="elements is 0"):
        fusion(elements=0, operations=4, bytes_per_element=2, hbm_bandwidth=1, launch_time=0)
