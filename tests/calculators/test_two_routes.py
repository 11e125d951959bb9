"""Two calculators that count the same thing agree, to the last digit."""

from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import calculators

Exact = dict[str, Fraction]
H100 = Fraction("989.4e12")  # FLOP/s in bf16, the default of these


def outputs(slug: str, **inputs: Any) -> Exact:
    """The numbers of a result."""
    result = calculators.get(slug).evaluate(inputs)
    return {name: Fraction(value) for name, value in result.exact.items()}


widths = st.integers(1, 10**6)
models = st.sampled_from(["gpt2-small", "llama-3-70b", "qwen3-4b", "gemma-3-27b"])
some = settings(max_examples=30)
devices = st.sampled_from(["a100-80gb-sxm", "h100-sxm", "mi300x", "tpu-v4"])


@some
@given(tokens=widths, d_model=widths, d_ff=widths, gated=st.booleans(), hardware=devices)
def test_a_feed_forward_layer_is_its_matrix_products(
    tokens: int, d_model: int, d_ff: int, gated: bool, hardware: str
) -> None:
    layer = outputs("ffn", tokens=tokens, d_model=d_model, d_ff=d_ff, gated=gated, hardware=hardware)
    up = outputs("matmul", m=tokens, k=d_model, n=d_ff, hardware=hardware)
    down = outputs("matmul", m=tokens, k=d_ff, n=d_model, hardware=hardware)
    ups = 2 if gated else 1
    assert layer["flops"] == ups * up["flops"] + down["flops"]
    assert layer["time_compute"] == ups * up["time_compute"] + down["time_compute"]
    # Apart, the products read the input once each and pass the hidden layer through memory; fused, it counts
    # once for each of `up` and gate.
    passed_again = 2 * tokens * (d_ff + (d_model if gated else 0))
    apart = ups * up["bytes"] + down["bytes"] - passed_again
    assert layer["weight_bytes"] + layer["activation_bytes"] == apart
    roof = outputs("roofline", flops=layer["flops"], bytes=apart, hardware=hardware)
    assert {name: roof[name] for name in ("intensity", "ridge_point", "time_memory", "time")} == {
        name: layer[name] for name in ("intensity", "ridge_point", "time_memory", "time")
    }


@some
@given(tokens=widths, n=st.integers(1, 512), d_model=widths)
def test_an_all_reduce_is_the_same_wherever_it_is_counted(tokens: int, n: int, d_model: int) -> None:
    ring = outputs("collective", bytes=2 * tokens * d_model, devices=n, latency=0)
    layer = outputs("ffn", tokens=tokens, d_model=d_model, devices=n)
    assert (layer["communication_bytes"], layer["time_network"]) == (ring["bytes_sent"], ring["time"])
    both = outputs("tensor-parallel", model="llama-3-70b", tokens=tokens, d_model=d_model, devices=n)
    assert both["communication_bytes_per_layer"] == 2 * ring["bytes_sent"]
    replicas = outputs("data-parallel", params=tokens * d_model, devices=n, link_bandwidth="450 GB/s")
    assert (replicas["communication_bytes"], replicas["time_network"]) == (ring["bytes_sent"], ring["time"])
    halves = [
        outputs("collective", operation=word, bytes=2 * tokens * d_model, devices=n, latency=0)
        for word in ("reduce-scatter", "all-gather")
    ]
    sharded = outputs("data-parallel", params=tokens * d_model, devices=n, sharded=True)
    assert sharded["communication_bytes"] == halves[0]["bytes_sent"] + 2 * halves[1]["bytes_sent"]


@some
@given(model=models, seq_len=st.integers(1, 10**6), causal=st.booleans())
def test_attention_of_a_model_is_attention_of_its_shape(model: str, seq_len: int, causal: bool) -> None:
    dims: dict[str, Any] = dict(calculators.get("transformer-params").evaluate(model=model).exact_inputs)
    shape = {name: dims[name] for name in ("heads", "kv_heads", "head_dim", "d_model", "layers")}
    whole = outputs("attention-flops", seq_len=seq_len, causal=causal, **shape)
    # Without its windows, of which attention-flops knows nothing.
    per_token: dict[str, Any] = {"model": model, "seq_len": seq_len, "window": 0}
    masked, none = (
        outputs("transformer-flops", attention=word, **per_token)["forward_per_token"]
        for word in ("causal" if causal else "full", "none")
    )
    assert (masked - none) * seq_len == whole["attention_flops"]
    layer = outputs("tensor-parallel", model=model, tokens=seq_len, devices=1)["time_compute_per_layer"]
    feed_forward = outputs(
        "ffn", tokens=seq_len, d_model=dims["d_model"], d_ff=dims["d_ff"], gated=dims["gated"]
    )
    projections, core = whole["projection_flops"] / dims["layers"], whole["attention_flops"] / dims["layers"]
    assert layer == feed_forward["time_compute"] + projections / H100
    hop = outputs("context-parallel", model=model, seq_len=seq_len, devices=1, causal=causal)
    assert hop["time_attention_hop"] == core / H100


@some
@given(batch=widths, heads=widths, n=widths, d=st.integers(1, 512))
def test_what_standard_attention_moves_is_its_scores_four_times(
    batch: int, heads: int, n: int, d: int
) -> None:
    moved = outputs("flash-attention-io", batch=batch, heads=heads, seq_len=n, head_dim=d, dtype="bf16")
    scores = outputs("attention-scores", batch=batch, heads=heads, seq_len=n, dtype="bf16")
    vectors = batch * heads * n * d * 2  # bytes of each of Q, K, V and O
    assert moved["standard_bytes"] == 4 * scores["score_bytes"] + 4 * vectors
    products = [
        outputs("matmul", m=n, k=d, n=n, batch=batch * heads)["bytes"],
        outputs("matmul", m=n, k=n, n=d, batch=batch * heads)["bytes"],
    ]
    assert moved["standard_bytes"] == sum(products) + 2 * scores["score_bytes"]  # softmax reads and writes


@some
@given(
    model=st.sampled_from(["gpt-3-175b", "mixtral-8x7b", "palm-540b"]),
    seq_len=st.integers(1, 10**5),
    rate=st.integers(1, 10**7),
    n=st.integers(1, 10**5),
)
def test_a_run_at_a_throughput_takes_its_tokens_over_it(model: str, seq_len: int, rate: int, n: int) -> None:
    run: dict[str, Any] = {"devices": n, "hardware": "custom", "peak_flops": 10**18}
    used = outputs("mfu", model=model, attention="none", seq_len=seq_len, tokens_per_second=rate, **run)
    params = outputs("transformer-params", model=model)["active"]
    six_n = outputs("transformer-flops", model=model, seq_len=seq_len)["six_n_per_token"]
    assert used["model_flops_per_token"] == six_n == 6 * params
    if used["mfu"] <= 1:
        time = outputs("training-time", params=params, tokens=10**12, mfu=used["mfu"], **run)["time"]
        assert time == Fraction(10**12, rate)
    step = outputs("data-parallel", params=params, tokens_per_device=seq_len, mfu=1, **run)["time_compute"]
    assert step == 6 * params * seq_len / Fraction(10**18)


@some
@given(
    model=st.sampled_from(["mixtral-8x7b", "deepseek-v3", "gpt-oss-120b", "llama-2-7b"]),
    dtype=st.sampled_from(["bf16", "fp32"]),
)
def test_the_same_parameters_everywhere(model: str, dtype: str) -> None:
    counted = outputs("transformer-params", model=model, dtype=dtype)
    whole = outputs("fine-tune-memory", model=model, method="full")
    assert whole["trainable_params"] == counted["total"]
    states = outputs("training-memory", params=counted["total"])
    assert whole["total_bytes"] == states["total_bytes"] == 16 * counted["total"]
    if model != "llama-2-7b":
        spread = outputs("moe", model=model)
        assert (spread["total_params"], spread["active_params"]) == (counted["total"], counted["active"])
        # One device reads and computes what the layer does on one.
        alone = outputs("moe", model=model, devices=1, tokens=1, capacity_factor=1)
        assert alone["all_to_all_bytes"] == 0


@some
@given(elements=widths, operations=st.integers(1, 1000), hardware=devices)
def test_fusing_saves_the_memory_time_of_all_but_one(elements: int, operations: int, hardware: str) -> None:
    fused = outputs("fusion", elements=elements, operations=operations, launch_time=0, hardware=hardware)
    one = outputs("roofline", flops=1, bytes=fused["bytes_fused"], hardware=hardware)
    assert fused["time_fused"] == one["time_memory"]
    assert fused["time_unfused"] == operations * one["time_memory"]
    assert fused["speedup"] == operations
    # Amdahl's law, all of the job sped up by as much.
    assert outputs("amdahl", parallel_fraction=1, speedup=operations)["overall_speedup"] == fused["speedup"]
