"""fine-tune-memory against adapters listed matrix by matrix, and against what libraries and papers print."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calculators
from calculators.cost import DomainError
from calculators.cost.fine_tuning import adapter_parameters, fine_tuning
from calculators.presets import MODELS
from calculators.spec import InvalidInputs

TUNE = calculators.get("fine-tune-memory")
Matrix = tuple[str, int, int]  # name, inputs, outputs


def matrices(slug: str) -> Iterator[Matrix]:
    """Every linear layer inside the blocks, by the names of the published checkpoints."""
    d = MODELS[slug].dimensions
    for layer in range(d.layers):
        if d.kv_lora_rank:
            key = d.nope_head_dim + d.rope_head_dim
            yield "q_a", d.d_model, d.q_lora_rank
            yield "q_b", d.q_lora_rank, d.heads * key
            yield "kv_a", d.d_model, d.kv_lora_rank + d.rope_head_dim
            yield "kv_b", d.kv_lora_rank, d.heads * (d.nope_head_dim + d.v_head_dim)
            yield "o", d.heads * d.v_head_dim, d.d_model
        else:
            yield "q", d.d_model, d.heads * d.head_dim
            yield "k", d.d_model, d.kv_heads * d.head_dim
            yield "v", d.d_model, d.kv_heads * d.head_dim
            yield "o", d.heads * d.head_dim, d.d_model
        of_experts = d.experts and layer >= d.dense_layers
        for _ in range(d.experts + d.shared_experts if of_experts else 1):
            width = d.expert_d_ff if of_experts else d.d_ff
            yield "up", d.d_model, width
            if d.gated:
                yield "gate", d.d_model, width
            yield "down", width, d.d_model


def is_target(name: str, targets: str) -> bool:
    if targets == "all-linear":
        return True
    if targets == "qv":
        return name in ("q", "v")
    return name not in ("up", "gate", "down")


@pytest.mark.parametrize("slug", MODELS)
def test_every_adapter_and_every_byte(slug: str) -> None:
    total = calculators.get("transformer-params").evaluate(model=slug).exact["total"]
    listed = list(matrices(slug))
    for targets in ("all-linear", "attention", "qv"):
        if targets == "qv" and MODELS[slug].dimensions.kv_lora_rank:
            continue
        trained = sum(8 * rows + 8 * columns for name, rows, columns in listed if is_target(name, targets))
        in_matrices = sum(rows * columns for _, rows, columns in listed)
        for method, base in (("lora", 2 * total), ("qlora", in_matrices / 2 + 2 * (total - in_matrices))):
            outputs = TUNE.evaluate(model=slug, method=method, rank=8, targets=targets).outputs
            assert outputs["trainable_params"] == trained
            assert outputs["weight_bytes"] == base + 2 * trained
            assert outputs["gradient_bytes"] == 2 * trained
            assert outputs["optimizer_bytes"] == 12 * trained
            assert outputs["total_bytes"] == base + 16 * trained
    full = TUNE.evaluate(model=slug, method="full").outputs
    assert (full["trainable_params"], full["total_bytes"]) == (total, 16 * total)


@pytest.mark.parametrize(
    ("model", "rank", "targets", "printed"),
    [
        # What PEFT's print_trainable_parameters says of these models.
        ("llama-2-7b", 16, "all-linear", 39_976_960),
        ("llama-2-7b", 8, "qv", 4_194_304),
        ("llama-3-8b", 16, "all-linear", 41_943_040),
        ("mistral-7b", 16, "all-linear", 41_943_040),
        # Hu et al. 2021, tables 4 and 5: 4.7 M and 37.7 M for GPT-3 (r = 1 and 8 on Q and V).
        ("gpt-3-175b", 1, "qv", 4_718_592),
        ("gpt-3-175b", 8, "qv", 37_748_736),
    ],
)
def test_published_counts(model: str, rank: int, targets: str, printed: int) -> None:
    assert TUNE.evaluate(model=model, rank=rank, targets=targets).outputs["trainable_params"] == printed


def test_by_hand() -> None:
    # 32 layers of 4 * (4096 + 4096) + 3 * (4096 + 11008) ends, times 16
    assert 16 * 32 * (4 * 8192 + 3 * 15104) == 39_976_960
    # 6,476,005,376 matrix parameters in half a byte, 262,410,240 others in 2, adapters in 2
    outputs = TUNE.evaluate(method="qlora").outputs
    assert outputs["weight_bytes"] == 6_476_005_376 // 2 + 2 * 262_410_240 + 2 * 39_976_960
    assert outputs["total_bytes"] == 4_402_454_528


def test_qv_is_refused_by_name_for_a_latent_model() -> None:
    with pytest.raises(InvalidInputs, match="targets is qv, but must be all-linear or attention"):
        TUNE.evaluate(model="deepseek-v3", targets="qv")
    assert TUNE.evaluate(model="deepseek-v3", targets="qv", method="full").outputs["trainable_params"]
    swept = TUNE.sweep("kv_lora_rank", [0, 512], model="deepseek-v3", targets="qv")
    assert [value > 0 for value in swept["trainable_params"]] == [True, False]
    with pytest.raises(DomainError, match="targets is qv"):
        adapter_parameters(dims=MODELS["deepseek-v3"].dimensions, rank=1, targets="qv")


def test_unknown_words_are_refused() -> None:
    bad = {"method": "dora", "targets": "q", "rank": 0}
    with pytest.raises(InvalidInputs) as caught:
        TUNE.evaluate(bad)
    assert {error.field for error in caught.value.errors} == set(bad)
    word: Any = "dora"
    with pytest.raises(DomainError, match="method is dora"):
        fine_tuning(dims=MODELS["llama-2-7b"].dimensions, method=word, rank=1, targets="qv")


@given(rank=st.integers(1, 10**20), slug=st.sampled_from(sorted(MODELS)))
def test_adapters_grow_with_their_rank_alone(rank: int, slug: str) -> None:
    one = TUNE.evaluate(model=slug, rank=1).exact["trainable_params"]
    assert TUNE.evaluate(model=slug, rank=rank).outputs["trainable_params"] == rank * one


@pytest.mark.parametrize("name", ["rank", "layers", "d_ff", "experts", "kv_lora_rank", "q_lora_rank"])
@pytest.mark.parametrize("method", ["lora", "qlora", "full"])
def test_a_sweep_is_its_points(method: str, name: str) -> None:
    inputs = {"model": "deepseek-v3", "method": method}
    values = [8, 61, 512]
    columns = TUNE.sweep(name, values, inputs)
    for index, value in enumerate(values):
        single = TUNE.evaluate(inputs, **{name: value}).outputs
        assert {output: column[index] for output, column in columns.items()} == pytest.approx(single)


def test_notes_say_what_plays_no_part() -> None:
    assert any("rank and targets play no part" in note for note in TUNE.evaluate(method="full").notes)
    assert any("outgrow" in note for note in TUNE.evaluate(rank=5000).notes)
    assert any("8 experts" in note for note in TUNE.evaluate(model="mixtral-8x7b").notes)
