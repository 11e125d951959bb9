"""The feed-forward layer against its matmuls listed one by one, on whole arrays and on one device's shard."""

from fractions import Fraction
from math import prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.cost import DomainError
from calculators.cost.ffn import FeedForward, feed_forward

H100 = {"peak_flops": 9894 * 10**11, "hbm_bandwidth": 3350 * 10**9, "link_bandwidth": 450 * 10**9}
DEFAULTS: dict[str, Any] = {
    "tokens": 1,
    "d_model": 4096,
    "d_ff": 16384,
    "gated": False,
    "devices": 1,
    "bytes_per_element": 2,
    **H100,
}

layers = st.fixed_dictionaries(
    {
        "tokens": st.integers(1, 10**6),
        "d_model": st.integers(1, 20_000),
        "shard": st.integers(1, 10_000),
        "gated": st.booleans(),
        "devices": st.integers(1, 64),
        "bytes_per_element": st.sampled_from([Fraction(1, 2), 1, 2, 4]),
    }
)


def ffn(**changes: Any) -> FeedForward:
    return feed_forward(**{**DEFAULTS, **changes})


@given(layer=layers)
def test_one_devices_share_listed_matmul_by_matmul(layer: dict[str, Any]) -> None:
    tokens, d_model, devices = layer["tokens"], layer["d_model"], layer["devices"]
    shard = layer.pop("shard")  # the hidden width on one device
    result = ffn(d_ff=shard * devices, **layer)

    # Every matmul of one device as (input, weight, output) shapes.
    widen = ((tokens, d_model), (d_model, shard), (tokens, shard))
    narrow = ((tokens, shard), (shard, d_model), (tokens, d_model))
    matmuls = [widen, widen, narrow] if layer["gated"] else [widen, narrow]
    flops = sum(2 * prod(source) * weight[1] for source, weight, _ in matmuls)
    weights = sum(prod(weight) for _, weight, _ in matmuls)
    hidden = sum(prod(output) for _, _, output in matmuls[:-1])
    activations = prod(widen[0]) + hidden + prod(narrow[2])

    size = layer["bytes_per_element"]
    assert result.flops == devices * flops
    assert result.weight_bytes == devices * weights * size
    assert result.activation_bytes_per_device == activations * size
    assert result.activation_bytes == (2 * tokens * d_model + devices * hidden) * size
    assert result.intensity == Fraction(flops) / ((weights + activations) * size)
    assert result.time_compute == Fraction(flops, H100["peak_flops"])
    assert result.time_memory == Fraction((weights + activations) * size) / H100["hbm_bandwidth"]
    # The all-reduce passes 2 * (devices - 1) chunks of the output on.
    sent = Fraction(tokens * d_model, devices) * size * 2 * (devices - 1)
    assert result.communication_bytes == sent
    assert result.time_network == sent / H100["link_bandwidth"]


@given(layer=layers)
def test_the_limit_that_binds_is_the_largest_time(layer: dict[str, Any]) -> None:
    result = ffn(d_ff=layer.pop("shard"), **layer)
    times = {"compute": result.time_compute, "memory": result.time_memory, "network": result.time_network}
    assert result.time == times[result.bound] == max(times.values())
    assert result.time <= result.time_exposed <= sum(times.values())
    assert result.time_exposed - result.time_network == max(result.time_compute, result.time_memory)


def test_decode_is_bound_by_memory_and_a_long_prompt_by_compute() -> None:
    assert ffn(tokens=1).bound == "memory"
    assert ffn(tokens=8192).bound == "compute"


def test_a_slow_link_binds_once_the_layer_is_sharded() -> None:
    assert ffn(tokens=8192, devices=8, link_bandwidth=25 * 10**9).bound == "network"
    assert ffn(tokens=8192, devices=1, link_bandwidth=1).time_network == 0


@given(devices=st.integers(1, 63))
def test_more_devices_compute_and_read_less_but_send_more(devices: int) -> None:
    fewer, more = ffn(tokens=512, devices=devices), ffn(tokens=512, devices=devices + 1)
    assert more.time_compute < fewer.time_compute
    assert more.time_memory < fewer.time_memory
    assert more.communication_bytes > fewer.communication_bytes


@pytest.mark.parametrize(
    "argument", ["tokens", "d_model", "d_ff", "peak_flops", "hbm_bandwidth", "link_bandwidth", "devices"]
)
def test_zero_is_refused_by_name(argument: str) -> None:
    with pytest.raises(DomainError, match=f"{argument} is 0"):
        ffn(**{argument: 0})
