"""transformer-flops against every matmul of a training step, listed by shape, and published figures."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calculators
from calculators.presets import MODELS
from calculators.spec import InvalidInputs

FLOPS = calculators.get("transformer-flops")
Matmul = tuple[int, int, int]  # (m, k) times (k, n), for one token m is 1


def weights_of_a_token(slug: str) -> Iterator[Matmul]:
    """The weight matrices that one token meets, from the configuration alone."""
    d = MODELS[slug].dimensions
    for layer in range(d.layers):
        if d.kv_lora_rank:
            key = d.nope_head_dim + d.rope_head_dim
            yield (1, d.d_model, d.q_lora_rank)
            yield (1, d.q_lora_rank, d.heads * key)
            yield (1, d.d_model, d.kv_lora_rank + d.rope_head_dim)
            for _ in range(d.heads):
                yield (1, d.kv_lora_rank, d.nope_head_dim)
                yield (1, d.kv_lora_rank, d.v_head_dim)
            yield (1, d.heads * d.v_head_dim, d.d_model)
        else:
            for heads in (d.heads, d.kv_heads, d.kv_heads):
                yield (1, d.d_model, heads * d.head_dim)
            yield (1, d.heads * d.head_dim, d.d_model)
        up_matrices = 2 if d.gated else 1
        if d.experts and layer >= d.dense_layers:
            yield (1, d.d_model, d.experts)
            widths = [d.expert_d_ff] * (d.experts_per_token + d.shared_experts)
        else:
            widths = [d.d_ff]
        for width in widths:
            for _ in range(up_matrices):
                yield (1, d.d_model, width)
            yield (1, width, d.d_model)
    yield (1, d.d_model, d.vocab_size)


def core_of_a_token(slug: str, seq_len: int) -> Iterator[Matmul]:
    """Scores of one query, and scores times values, head by head."""
    d = MODELS[slug].dimensions
    for layer in range(d.layers):
        seen = min(seq_len, d.window) if layer < d.window_layers else seq_len
        key, value = (
            (d.nope_head_dim + d.rope_head_dim, d.v_head_dim) if d.kv_lora_rank else (d.head_dim, d.head_dim)
        )
        for _ in range(d.heads):
            yield (1, key, seen)
            yield (1, seen, value)


def work(matmuls: Iterator[Matmul]) -> int:
    return sum(2 * m * k * n for m, k, n in matmuls)


@pytest.mark.parametrize("seq_len", [100, 5000])
@pytest.mark.parametrize("slug", MODELS)
def test_every_matmul_of_a_step(slug: str, seq_len: int) -> None:
    linear, core = work(weights_of_a_token(slug)), work(core_of_a_token(slug, seq_len))
    for attention, share in (("none", Fraction(0)), ("full", Fraction(1)), ("causal", Fraction(1, 2))):
        for recompute, again in (("none", 0), ("selective", core * share), ("full", linear + core * share)):
            outputs = FLOPS.evaluate(
                model=slug, seq_len=seq_len, attention=attention, recompute=recompute
            ).exact
            assert outputs["forward_per_token"] == linear + core * share
            assert outputs["backward_per_token"] == 2 * outputs["forward_per_token"]
            assert outputs["model_flops_per_token"] == 3 * (linear + core * share)
            assert outputs["hardware_flops_per_token"] == outputs["model_flops_per_token"] + again


def test_by_hand() -> None:
    # 32 * (4 * 4096**2 + 3 * 4096 * 11008) + 32000 * 4096 = 6,607,077,376 parameters that multiply, and
    # 4 * 32 layers * 4096 * 4096 tokens = 2,147,483,648 FLOP of attention
    outputs = FLOPS.evaluate().outputs
    assert outputs["forward_per_token"] == 2 * 6_607_077_376 + 2_147_483_648 == 15_361_638_400
    assert outputs["six_n_per_token"] == 6 * 6_738_415_616


@pytest.mark.parametrize(
    ("model", "active"), [("mixtral-8x7b", 12_879_925_248), ("deepseek-v3", 37_552_297_472)]
)
def test_six_n_takes_the_active_parameters(model: str, active: int) -> None:
    assert FLOPS.evaluate(model=model).outputs["six_n_per_token"] == 6 * active


def test_gpt_3_as_printed() -> None:
    # Brown et al. 2020, table D.1: 3.14e23 FLOP for 300 B tokens, 6 FLOP for each of 174,600 M parameters.
    six_n = FLOPS.evaluate(model="gpt-3-175b").outputs["six_n_per_token"]
    assert isinstance(six_n, int)
    assert six_n * 300 * 10**9 == pytest.approx(3.14e23, rel=2e-3)


@pytest.mark.parametrize(
    ("layers", "hidden", "heads", "vocab"),
    [(48, 6144, 64, 51200), (96, 12288, 96, 51200), (105, 20480, 128, 51200), (128, 25600, 160, 51200)],
)
def test_equation_7_of_korthikanti_et_al(layers: int, hidden: int, heads: int, vocab: int) -> None:
    """Model FLOP of a batch, 72 B L s h^2 (1 + s/6h + v/12hL), for the paper's four models."""
    seq_len = 2048
    printed = (
        72 * layers * hidden**2 * (1 + Fraction(seq_len, 6 * hidden) + Fraction(vocab, 12 * hidden * layers))
    )
    model: dict[str, Any] = {
        "model": "custom", "layers": layers, "d_model": hidden, "heads": heads, "vocab_size": vocab,
    }  # fmt: skip
    assert FLOPS.evaluate(model, seq_len=seq_len).exact["model_flops_per_token"] == printed


@given(short=st.integers(1, 10**5), more=st.integers(0, 10**5), model=st.sampled_from(sorted(MODELS)))
def test_longer_sequences_never_take_less(short: int, more: int, model: str) -> None:
    one, two = (FLOPS.evaluate(model=model, seq_len=n).exact for n in (short, short + more))
    assert one["forward_per_token"] <= two["forward_per_token"]
    assert one["model_flops_per_token"] <= one["hardware_flops_per_token"]


def test_window_layers_stop_growing() -> None:
    one, two = (
        FLOPS.evaluate(model="mistral-7b", seq_len=n).outputs["forward_per_token"] for n in (4096, 10**6)
    )
    assert one == two


def test_whole_numbers_beyond_64_bits_and_sweeps() -> None:
    seq_len = 10**25
    huge = FLOPS.evaluate(seq_len=seq_len).outputs["forward_per_token"]
    assert huge == 2 * 6_607_077_376 + 4 * 32 * 4096 * seq_len
    column = FLOPS.sweep("seq_len", [1, 4096, 10**6], attention="causal", recompute="selective")
    for index, n in enumerate((1, 4096, 10**6)):
        single = FLOPS.evaluate(seq_len=n, attention="causal", recompute="selective").outputs
        assert {name: values[index] for name, values in column.items()} == pytest.approx(single)


def test_a_dimension_that_is_missing_is_asked_for() -> None:
    with pytest.raises(InvalidInputs) as caught:
        FLOPS.evaluate(model="custom", attention="some")
    assert [error.field for error in caught.value.errors] == [
        "attention",
        "layers",
        "d_model",
        "heads",
        "vocab_size",
    ]


def test_more_tokens_than_positions_is_noted() -> None:
    assert any("1,024 positions" in note for note in FLOPS.evaluate(model="gpt2-small").notes)
    assert FLOPS.evaluate(model="gpt2-small", seq_len=1024).notes == []
