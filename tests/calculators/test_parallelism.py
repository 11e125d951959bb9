"""tensor-parallel, data-parallel and context-parallel against devices simulated one by one."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calculators
from calculators.cost import DomainError
from calculators.cost.parallelism import context_parallel, data_parallel, tensor_parallel
from calculators.presets import MODELS
from calculators.spec import InvalidInputs

TENSOR = calculators.get("tensor-parallel")
DATA = calculators.get("data-parallel")
CONTEXT = calculators.get("context-parallel")
H100, NVLINK = 9894 * 10**11, 450 * 10**9


def test_tensor_parallelism_by_hand() -> None:
    # Llama 3 70B: a layer has 2*8192**2 + 2*8192*1024 + 3*8192*28672 = 855,638,016 parameters in matrices
    layer = 2 * 8192**2 + 2 * 8192 * 1024 + 3 * 8192 * 28672
    outputs = TENSOR.evaluate().exact
    assert outputs["communication_bytes_per_layer"] == 2 * 2 * 7 * 4096 * 8192 * 2 // 8 == 234_881_024
    assert outputs["time_compute_per_layer"] == Fraction(2 * 4096 * layer, 8 * H100)
    assert outputs["time_network_per_layer"] == Fraction(234_881_024, NVLINK)
    # 855,638,016 * 450e9 / (2 * 8192 * 2 * 989.4e12) = 11.88, and one more
    assert outputs["max_devices"] == 12


@given(
    devices=st.integers(1, 64),
    tokens=st.integers(1, 10**6),
    link=st.integers(10**9, 10**13),
    model=st.sampled_from(["llama-3-70b", "mixtral-8x7b", "deepseek-v3", "gpt2-small"]),
)
def test_the_largest_degree_is_the_last_at_which_compute_is_the_larger_part(
    devices: int, tokens: int, link: int, model: str
) -> None:
    inputs = {"model": model, "tokens": tokens, "link_bandwidth": link}
    most = TENSOR.evaluate(inputs, devices=devices).outputs["max_devices"]
    assert isinstance(most, int)
    for degree, holds in ((most, True), (most + 1, False)):
        at = TENSOR.evaluate(inputs, devices=degree).exact
        assert (at["time_network_per_layer"] <= at["time_compute_per_layer"]) is holds
        network, compute = Fraction(at["time_network_per_layer"]), Fraction(at["time_compute_per_layer"])
        assert at["network_fraction"] == network / (network + compute)


@pytest.mark.parametrize("model", ["llama-3-70b", "gpt2-small", "mixtral-8x7b"])
def test_shards_of_a_layer_multiply_as_much_as_the_layer(model: str) -> None:
    """Columns of the first matrix of each pair and rows of the second, on every device."""
    d, n, tokens = MODELS[model].dimensions, 4, 16
    mats = 2 if d.gated else 1
    width = d.expert_d_ff * d.experts_per_token if d.experts else d.d_ff
    flops = 0
    for _ in range(n):
        flops += 2 * tokens * d.d_model * (d.heads + 2 * d.kv_heads) * d.head_dim // n
        flops += 2 * tokens * (d.heads * d.head_dim // n) * d.d_model
        flops += mats * 2 * tokens * d.d_model * width // n
        flops += 2 * tokens * (width // n) * d.d_model
    flops += 2 * tokens * d.d_model * d.experts
    outputs = TENSOR.evaluate(model=model, tokens=tokens, devices=n).exact
    assert outputs["time_compute_per_layer"] == Fraction(flops, n * H100)
    ring = calculators.get("collective").evaluate(bytes=tokens * d.d_model * 2, devices=n, latency=0).exact
    assert outputs["communication_bytes_per_layer"] == 2 * ring["bytes_sent"]
    assert outputs["time_network_per_layer"] == 2 * ring["time"]


def test_tensor_notes_and_one_device() -> None:
    assert any("64 heads do not divide over 7" in note for note in TENSOR.evaluate(devices=7).notes)
    assert any("longer than it computes" in note for note in TENSOR.evaluate(devices=16).notes)
    alone = TENSOR.evaluate(devices=1).outputs
    assert (alone["communication_bytes_per_layer"], alone["network_fraction"]) == (0, 0)
    assert TENSOR.evaluate(tokens=10**30).outputs["communication_bytes_per_layer"] == 57_344 * 10**30


def test_data_parallelism_by_hand() -> None:
    # 2 * 63/64 * 7e9 * 2 B = 27.5625 GB, 0.55125 s at 50 GB/s; 6 * 7e9 * 8192 / (989.4e12 / 2) = 0.69550 s,
    # two thirds of which are 0.46367 s: not hidden. It is from 0.55125 * 1.5 / (84e9 / 989.4e12) = 9739.4
    # tokens on.
    outputs = DATA.evaluate().outputs
    assert outputs["communication_bytes"] == 27_562_500_000
    assert outputs["time_network"] == 0.55125
    assert outputs["time_compute"] == pytest.approx(0.695500, abs=1e-6)
    assert (outputs["hidden"], outputs["min_tokens_per_device"]) == (False, 9740)


def zero_3_traffic(devices: int, params: int) -> list[int]:
    """Elements that each device sends on rings: weights gathered for either pass, gradients scattered."""
    sent = [0] * devices
    for _ in ("gather for forward", "gather for backward", "scatter gradients"):
        for _ in range(devices - 1):
            for device in range(devices):
                sent[device] += params // devices
    return sent


@given(devices=st.integers(1, 32), each=st.integers(1, 10**9))
def test_traffic_of_replicas_and_shards(devices: int, each: int) -> None:
    params = devices * each
    sharded = DATA.evaluate(params=params, devices=devices, sharded=True).outputs["communication_bytes"]
    assert [sharded] * devices == [2 * elements for elements in zero_3_traffic(devices, params)]
    replicated = DATA.evaluate(params=params, devices=devices).outputs["communication_bytes"]
    ring = calculators.get("collective").evaluate(bytes=2 * params, devices=devices).outputs
    assert replicated == ring["bytes_sent"]
    # Rajbhandari et al. 2020, section 7.2.2: ZeRO-3 communicates one and a half times as much.
    assert sharded * 2 == replicated * 3  # type: ignore[operator]  # both are numbers here


@given(
    devices=st.integers(1, 10**5),
    link=st.integers(10**8, 10**12),
    sharded=st.booleans(),
    mfu=st.fractions(Fraction(1, 100), 1, max_denominator=100),
)
def test_the_least_tokens_are_the_first_that_hide(
    devices: int, link: int, sharded: bool, mfu: Fraction
) -> None:
    inputs: dict[str, Any] = {"devices": devices, "link_bandwidth": link, "sharded": sharded, "mfu": mfu}
    least = DATA.evaluate(inputs).outputs["min_tokens_per_device"]
    assert isinstance(least, int)
    assert DATA.evaluate(inputs, tokens_per_device=least).outputs["hidden"] is True
    if least > 1:
        assert DATA.evaluate(inputs, tokens_per_device=least - 1).outputs["hidden"] is False
    else:
        assert least == 1


def test_the_link_of_data_parallelism_is_its_own() -> None:
    for hardware in ("h100-sxm", "a100-80gb-sxm", "tpu-v4"):
        assert DATA.evaluate(hardware=hardware).inputs["link_bandwidth"] == 50 * 10**9
    assert DATA.evaluate(hardware="custom", peak_flops="1 PFLOP/s").outputs["time_network"] == 0.55125


def test_context_parallelism_by_hand() -> None:
    # 16,384 tokens * 2 * 8 heads * 128 * 2 B = 67,108,864 B, 149.13 us;
    # 16384**2 * 32 * 256 / 989.4e12 = 2.2226 ms; 4096 B * 989.4e12 / (450e9 * 8192) = 1099.3 tokens
    outputs = CONTEXT.evaluate().outputs
    assert outputs["kv_bytes_per_hop"] == 67_108_864
    assert outputs["time_hop"] == pytest.approx(149.13e-6, rel=1e-4)
    assert outputs["time_attention_hop"] == pytest.approx(2.2226e-3, rel=1e-4)
    assert (outputs["hidden"], outputs["min_tokens_per_device"]) == (True, 1100)


@pytest.mark.parametrize(
    ("tflops", "gigabytes", "thousands"), [(312, 300, 1.0), (123, 112, 1.1), (275, 268, 1.0), (196, 186, 1.1)]
)
def test_the_least_block_of_the_ring_attention_paper(tflops: int, gigabytes: int, thousands: float) -> None:
    # Liu et al. 2023, section 3 and table 2: F / B tokens, with multi-head attention, no mask and 16 bits, on
    # A100 with NVLink and three TPUs; printed in thousands, to one decimal and now and then rounded up.
    model = {"model": "llama-2-7b", "causal": False, "hardware": "custom"}
    rates = {"peak_flops": tflops * 10**12, "link_bandwidth": gigabytes * 10**9}
    least = CONTEXT.evaluate({**model, **rates}).outputs["min_tokens_per_device"]
    assert least == -(-tflops * 1000 // gigabytes)
    assert least == pytest.approx(1000 * thousands, abs=60)


@pytest.mark.parametrize("devices", [2, 3, 5])
@pytest.mark.parametrize("causal", [False, True])
def test_the_hops_of_a_ring_do_all_of_the_attention(devices: int, causal: bool) -> None:
    """Every query meets every key once; striped and causal, half of them, the diagonal aside."""
    n = 60
    blocks: dict[tuple[int, int], int] = {}
    for query in range(n):
        for key in range(n):
            if not causal or key <= query:
                pair = query % devices, key % devices
                blocks[pair] = blocks.get(pair, 0) + 1
    outputs = CONTEXT.evaluate(
        model="llama-2-7b", seq_len=n, devices=devices, causal=causal, hardware="custom", peak_flops=1,
        link_bandwidth=1,
    ).exact  # fmt: skip
    per_pair = 2 * 2 * 32 * 128
    for pairs in blocks.values():
        slack = n // devices if causal else 0  # the diagonal that an exact half does not have
        assert abs(pairs - Fraction(outputs["time_attention_hop"]) / per_pair) <= slack


@given(
    devices=st.integers(2, 100),
    batch=st.integers(1, 50),
    model=st.sampled_from(["llama-3-8b", "deepseek-v3", "gemma-3-27b"]),
    causal=st.booleans(),
)
def test_the_least_share_is_the_first_that_hides(devices: int, batch: int, model: str, causal: bool) -> None:
    inputs = {"devices": devices, "batch": batch, "model": model, "causal": causal}
    least = CONTEXT.evaluate(inputs).outputs["min_tokens_per_device"]
    assert isinstance(least, int)
    assert CONTEXT.evaluate(inputs, seq_len=least * devices).outputs["hidden"] is True
    if least > 1:
        assert CONTEXT.evaluate(inputs, seq_len=(least - 1) * devices).outputs["hidden"] is False


def test_one_device_moves_nothing() -> None:
    result = CONTEXT.evaluate(devices=1)
    assert (result.outputs["kv_bytes_per_hop"], result.outputs["time_hop"]) == (0, 0)
    assert (result.outputs["hidden"], result.outputs["min_tokens_per_device"]) == (True, 1)
    assert any("nothing moves" in note for note in result.notes)


def test_a_latent_is_what_a_latent_model_sends() -> None:
    outputs = CONTEXT.evaluate(model="deepseek-v3").outputs
    assert outputs["kv_bytes_per_hop"] == 16384 * 576 * 2
    assert CONTEXT.evaluate(seq_len=10**30).outputs["kv_bytes_per_hop"] == 512 * 10**30


def test_context_notes() -> None:
    assert any("do not divide over 3" in note for note in CONTEXT.evaluate(devices=3).notes)
    assert any("see 1,024 tokens only" in note for note in CONTEXT.evaluate(model="gemma-3-27b").notes)


@pytest.mark.parametrize("calculator", [TENSOR, CONTEXT], ids=lambda calculator: calculator.slug)
def test_what_is_missing_is_asked_for(calculator: calculators.Calculator) -> None:
    with pytest.raises(InvalidInputs) as caught:
        calculator.evaluate(model="custom", hardware="custom", devices=0)
    fields = [error.field for error in caught.value.errors]
    assert {"devices", "peak_flops", "link_bandwidth", "layers", "heads", "d_model"} <= set(fields)
    with pytest.raises(InvalidInputs, match="for which h100-sxm has no peak"):
        calculator.evaluate(dtype="int4")


def test_cost_functions_refuse_what_has_no_cost() -> None:
    rates: dict[str, Any] = {"devices": 0, "bytes_per_element": 2, "peak_flops": 1, "link_bandwidth": 1}
    dims = MODELS["llama-3-8b"].dimensions
    with pytest.raises(DomainError, match="devices is 0"):
        tensor_parallel(dims=dims, tokens=1, **rates)
    with pytest.raises(DomainError, match="devices is 0"):
        data_parallel(params=1, tokens_per_device=1, sharded=False, mfu=1, **rates)
    with pytest.raises(DomainError, match="devices is 0"):
        context_parallel(dims=dims, seq_len=1, batch=1, causal=True, **rates)


SWEEPS: list[tuple[calculators.Calculator, str, list[int]]] = [
    (TENSOR, "devices", [1, 2, 7, 64]),
    (TENSOR, "layers", [1, 80]),
    (TENSOR, "tokens", [1, 4096]),
    (DATA, "devices", [1, 2, 7, 64]),
    (DATA, "tokens_per_device", [1, 9739, 9740]),
    (DATA, "link_bandwidth", [10**9, 10**12]),
    (CONTEXT, "devices", [1, 2, 7, 64]),
    (CONTEXT, "seq_len", [1, 8792, 131072]),
    (CONTEXT, "head_dim", [64, 128]),
    (CONTEXT, "kv_heads", [1, 2, 32]),
]


@pytest.mark.parametrize("name", ["kv_lora_rank", "rope_head_dim", "v_head_dim"])
def test_a_sweep_of_a_latent_model_is_its_points(name: str) -> None:
    columns = CONTEXT.sweep(name, [16, 512], model="deepseek-v3")
    for index, value in enumerate((16, 512)):
        single = CONTEXT.evaluate({name: value}, model="deepseek-v3").outputs
        assert {output: column[index] for output, column in columns.items()} == pytest.approx(single)


@pytest.mark.parametrize(("calculator", "name", "values"), SWEEPS)
def test_a_sweep_is_its_points(calculator: calculators.Calculator, name: str, values: list[int]) -> None:
    columns = calculator.sweep(name, values)
    for index, value in enumerate(values):
        single = calculator.evaluate({name: value}).outputs
        assert {output: column[index] for output, column in columns.items()} == pytest.approx(single)
