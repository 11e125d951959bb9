"""collective against operations that are carried out chunk by chunk, and against nccl-tests' definitions."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import calculators
from calculators.cost import DomainError
from calculators.cost.collectives import collective, doublings
from calculators.spec import InvalidInputs

COLLECTIVE = calculators.get("collective")
GB = 10**9


class Network:
    """Devices that send in steps; bytes and steps are counted."""

    def __init__(self, devices: int) -> None:
        self.sent = [0] * devices
        self.steps = 0

    def step(self, parcels: list[tuple[int, int]]) -> None:
        """One step: (sender, bytes) of every parcel on its way."""
        self.steps += 1
        for sender, size in parcels:
            self.sent[sender] += size


def reduce_scatter(n: int, chunk: int, network: Network) -> None:
    has = [{c: {d} for c in range(n)} for d in range(n)]  # whose parts each chunk of a device sums up
    for step in range(n - 1):
        moving = [((d - step) % n, has[d][(d - step) % n]) for d in range(n)]
        for d, (c, parts) in enumerate(moving):
            has[(d + 1) % n][c] = has[(d + 1) % n][c] | parts
        network.step([(d, chunk) for d in range(n)])
    assert all(any(parts == set(range(n)) for parts in own.values()) for own in has)


def all_gather(n: int, chunk: int, network: Network) -> None:
    has = [{d} for d in range(n)]
    for step in range(n - 1):
        moving = [(d - step) % n for d in range(n)]
        for d, c in enumerate(moving):
            assert c in has[d]
            has[(d + 1) % n].add(c)
        network.step([(d, chunk) for d in range(n)])
    assert all(own == set(range(n)) for own in has)


def all_reduce(n: int, chunk: int, network: Network) -> None:
    reduce_scatter(n, chunk, network)
    all_gather(n, chunk, network)


def all_to_all(n: int, chunk: int, network: Network) -> None:
    has = [{(d, d)} for d in range(n)]
    for distance in range(1, n):
        for d in range(n):
            has[(d + distance) % n].add((d, (d + distance) % n))
        network.step([(d, chunk) for d in range(n)])
    assert all(own == {(s, d) for s in range(n)} for d, own in enumerate(has))


@pytest.mark.parametrize(
    ("operation", "carry_out"),
    [
        ("all-reduce", all_reduce),
        ("all-gather", all_gather),
        ("reduce-scatter", reduce_scatter),
        ("all-to-all", all_to_all),
    ],
)
@given(devices=st.integers(1, 9), chunk=st.integers(1, 10**15))
def test_rings_carried_out(
    operation: str, carry_out: Callable[[int, int, Network], None], devices: int, chunk: int
) -> None:
    network = Network(devices)
    carry_out(devices, chunk, network)
    outputs = COLLECTIVE.evaluate(operation=operation, devices=devices, bytes=devices * chunk).outputs
    assert [outputs["bytes_sent"]] * devices == network.sent
    assert outputs["steps"] == network.steps


@given(devices=st.integers(2, 40), chunks=st.integers(1, 200))
def test_a_chain_of_chunks_nears_the_pipelined_broadcast(devices: int, chunks: int) -> None:
    """Chunk c leaves device d in step c + d: the last arrives after chunks + devices - 2 steps."""
    arrived = max(c + d + 1 for c in range(chunks) for d in range(devices - 1))
    latency = Fraction(1, 1000)
    outputs = COLLECTIVE.evaluate(
        operation="broadcast", devices=devices, bytes=chunks, bandwidth=1, latency=latency
    ).exact
    # Every chunk takes 1 s; the chain's filling, devices - 2 chunks, is what the formula leaves to latency.
    assert outputs["time"] == chunks + (devices - 1) * latency
    assert arrived - outputs["bytes_sent"] == devices - 2


@given(devices=st.integers(1, 600))
def test_trees_carried_out(devices: int) -> None:
    reached, rounds = 1, 0
    while reached < devices:
        reached, rounds = min(2 * reached, devices), rounds + 1  # everyone who has it sends it on, whole
    for operation, phases in (("broadcast", 1), ("all-reduce", 2)):
        outputs = COLLECTIVE.evaluate(operation=operation, algorithm="tree", devices=devices, bytes=7).outputs
        assert outputs["steps"] == phases * rounds
        assert outputs["bytes_sent"] == phases * rounds * 7


@given(exponent=st.integers(1, 52), beside=st.sampled_from([-1, 0, 1]))
def test_doublings_next_to_powers_of_two(exponent: int, beside: int) -> None:
    devices = 2**exponent + beside
    expected = exponent + (beside == 1) if devices > 1 else 0
    if exponent == 1 and beside == -1:
        expected = 0
    assert doublings(devices) == expected
    assert doublings(np.array([float(devices)])).tolist() == [expected]
    assert doublings(2**90 + 1) == 91


def test_bus_bandwidth_as_nccl_tests_define_it() -> None:
    # doc/PERFORMANCE.md: algbw = S / t, and busbw = algbw times 2(n-1)/n, (n-1)/n, (n-1)/n, 1 and (n-1)/n.
    factors = {
        "all-reduce": Fraction(14, 8),
        "all-gather": Fraction(7, 8),
        "reduce-scatter": Fraction(7, 8),
        "broadcast": Fraction(1),
        "all-to-all": Fraction(7, 8),
    }
    for operation, factor in factors.items():
        outputs = COLLECTIVE.evaluate(operation=operation).exact
        assert outputs["algorithm_bandwidth"] == GB / Fraction(outputs["time"])
        assert outputs["bus_bandwidth"] == outputs["algorithm_bandwidth"] * factor
        # Without latency a ring reaches exactly the link's own rate.
        assert COLLECTIVE.evaluate(operation=operation, latency=0).outputs["bus_bandwidth"] == 450 * GB


def test_by_hand() -> None:
    # 14 steps of 5 us and 1.75e9 B at 450e9 B/s: 70 us + 3.8889 ms
    outputs = COLLECTIVE.evaluate().exact
    assert outputs["time"] == 14 * Fraction(5, 10**6) + Fraction(175, 45000)
    assert COLLECTIVE.evaluate(bytes=10**30).outputs["bytes_sent"] == 175 * 10**28


def test_notes() -> None:
    assert any("into 7 chunks" in note for note in COLLECTIVE.evaluate(devices=7).notes)
    assert any("latency" in note for note in COLLECTIVE.evaluate(bytes=8000).notes)
    assert COLLECTIVE.evaluate().notes == []


def test_one_device_sends_nothing_in_no_time() -> None:
    for operation in ("all-reduce", "all-gather", "reduce-scatter", "broadcast", "all-to-all"):
        result = COLLECTIVE.evaluate(operation=operation, devices=1)
        assert (result.outputs["bytes_sent"], result.outputs["steps"], result.outputs["time"]) == (0, 0, 0)
        assert result.outputs["bus_bandwidth"] is None
        assert "bus_bandwidth: a single device sends nothing" in result.notes
    assert COLLECTIVE.evaluate(algorithm="tree", devices=1).outputs["algorithm_bandwidth"] is None


def test_a_tree_is_refused_by_name_for_other_operations() -> None:
    for operation in ("all-gather", "reduce-scatter", "all-to-all"):
        with pytest.raises(InvalidInputs, match=f"algorithm is tree, but must be ring for {operation}"):
            COLLECTIVE.evaluate(operation=operation, algorithm="tree")
    arguments: dict[str, Any] = {
        "operation": "all-gather", "algorithm": "tree", "buffer_bytes": 1, "devices": 2, "bandwidth": 1,
        "latency": 0,
    }  # fmt: skip
    with pytest.raises(DomainError, match="algorithm is tree, but must be ring for all-gather"):
        collective(**arguments)
    for name, value in (("operation", "gather"), ("algorithm", "star"), ("devices", 0), ("bandwidth", 0)):
        with pytest.raises(DomainError, match=f"{name} is {value}"):
            collective(**{**arguments, "algorithm": "ring", name: value})


@given(devices=st.integers(2, 10**6), size=st.integers(1, 10**15))
def test_limits(devices: int, size: int) -> None:
    ring = COLLECTIVE.evaluate(devices=devices, bytes=size).exact
    tree = COLLECTIVE.evaluate(devices=devices, bytes=size, algorithm="tree").exact
    assert ring["bytes_sent"] < 2 * size <= tree["bytes_sent"]
    assert tree["steps"] <= ring["steps"]
    parts = [
        COLLECTIVE.evaluate(operation=each, devices=devices, bytes=size).exact["time"]
        for each in ("reduce-scatter", "all-gather")
    ]
    assert sum(parts) == ring["time"]


@pytest.mark.parametrize("algorithm", ["ring", "tree"])
@pytest.mark.parametrize("operation", ["all-reduce", "broadcast"])
def test_a_sweep_is_its_points(operation: str, algorithm: str) -> None:
    values = [1, 2, 3, 8, 1000]
    inputs = {"operation": operation, "algorithm": algorithm}
    columns = COLLECTIVE.sweep("devices", values, inputs)
    for index, value in enumerate(values):
        single = COLLECTIVE.evaluate(inputs, devices=value).outputs
        for output, column in columns.items():
            expected = np.nan if single[output] is None else single[output]
            assert column[index] == pytest.approx(expected, nan_ok=True), output
