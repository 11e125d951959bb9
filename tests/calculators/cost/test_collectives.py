"""The ring all-reduce against one that is carried out chunk by chunk."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.cost import DomainError
from calculators.cost.collectives import ring_all_reduce_bytes


def all_reduce_on_a_ring(devices: int, chunk_bytes: int) -> list[int]:
    """Carry out a reduce-scatter and an all-gather; bytes sent by each device, the results checked."""
    chunks = [[(device + 1) * 1000 + chunk for chunk in range(devices)] for device in range(devices)]
    wanted = [sum(own[chunk] for own in chunks) for chunk in range(devices)]
    sent = [0] * devices
    for phase in ("reduce-scatter", "all-gather"):
        for step in range(devices - 1):
            first = 0 if phase == "reduce-scatter" else 1
            parcels = []
            for device in range(devices):
                chunk = (device + first - step) % devices
                parcels.append(((device + 1) % devices, chunk, chunks[device][chunk]))
                sent[device] += chunk_bytes
            for receiver, chunk, value in parcels:
                if phase == "reduce-scatter":
                    chunks[receiver][chunk] += value
                else:
                    chunks[receiver][chunk] = value
    assert all(own == wanted for own in chunks)
    return sent


@given(devices=st.integers(1, 9), chunk_bytes=st.integers(1, 10**12))
def test_each_device_sends_what_the_ring_sends(devices: int, chunk_bytes: int) -> None:
    expected = ring_all_reduce_bytes(buffer_bytes=devices * chunk_bytes, devices=devices)
    assert all_reduce_on_a_ring(devices, chunk_bytes) == [expected] * devices


def test_one_device_sends_nothing_and_many_send_almost_twice_the_buffer() -> None:
    assert ring_all_reduce_bytes(buffer_bytes=10**9, devices=1) == 0
    assert ring_all_reduce_bytes(buffer_bytes=10**9, devices=8) == 1_750_000_000
    assert ring_all_reduce_bytes(buffer_bytes=1, devices=3) == Fraction(4, 3)
    assert ring_all_reduce_bytes(buffer_bytes=10**9, devices=10**6) < 2 * 10**9


def test_no_device_is_refused() -> None:
    with pytest.raises(DomainError, match="devices is 0, but must be at least 1"):
        ring_all_reduce_bytes(buffer_bytes=1, devices=0)
