"""moe against tokens sent one by one, draws counted out, and published counts."""

from fractions import Fraction
from itertools import combinations, product
from math import ceil
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calculators
from calculators.cost import DomainError
from calculators.cost.expert_parallel import expert_parallel
from calculators.presets import MODELS
from calculators.spec import InvalidInputs

MOE = calculators.get("moe")
MIXTURES = [slug for slug, model in MODELS.items() if model.dimensions.experts]
H100 = {"flops": 9894 * 10**11, "bytes": 3350 * 10**9, "link": 450 * 10**9}


def test_by_hand() -> None:
    # Mixtral, 4,096 tokens over 8 H100: an expert has 3 * 4096 * 14336 = 176,160,768 parameters
    expert = 3 * 4096 * 14336
    outputs = MOE.evaluate().exact
    assert outputs["tokens_per_expert"] == 4096 * 2 / 8 * 1.25 == 1280
    assert float(outputs["experts_touched"]) == 8.0
    assert outputs["all_to_all_bytes"] == 2 * 7 * 512 * 2 * 4096 * 2 // 8 == 14_680_064
    assert outputs["time_compute"] == Fraction(2 * expert * 2 * 512, H100["flops"])
    assert outputs["time_network"] == Fraction(14_680_064, H100["link"])
    assert float(outputs["time_memory"]) == pytest.approx(expert * 2 / 3350e9)
    assert MOE.evaluate().bound == "compute"


@pytest.mark.parametrize(
    ("model", "total", "active"),
    [
        # Jiang et al. 2024 print 47 B and 13 B for Mixtral; DeepSeek-AI 2024 prints 671 B, and 37 B without
        # the embedding table, which is 0.9 B here.
        ("mixtral-8x7b", 46_702_792_704, 12_879_925_248),
        ("deepseek-v3", 671_026_419_200, 37_552_297_472),
    ],
)
def test_counts_of_published_models(model: str, total: int, active: int) -> None:
    outputs = MOE.evaluate(model=model).outputs
    assert (outputs["total_params"], outputs["active_params"]) == (total, active)


@pytest.mark.parametrize(("experts", "picked", "tokens"), [(4, 1, 4), (4, 2, 3), (5, 3, 2), (3, 3, 2)])
def test_experts_visited_counted_over_every_draw(experts: int, picked: int, tokens: int) -> None:
    choices = list(combinations(range(experts), picked))
    draws = list(product(choices, repeat=tokens))
    mean = Fraction(sum(len(set().union(*draw)) for draw in draws), len(draws))
    outputs = MOE.evaluate(experts=experts, experts_per_token=picked, tokens=tokens).exact
    assert outputs["experts_touched"] == mean


def test_experts_visited_by_random_tokens() -> None:
    random = Random(1)
    experts, picked, tokens, rounds = 256, 8, 32, 400
    visited = 0
    for _ in range(rounds):
        visited += len({expert for _ in range(tokens) for expert in random.sample(range(experts), picked)})
    outputs = MOE.evaluate(model="deepseek-v3", tokens=tokens).outputs
    assert outputs["experts_touched"] == pytest.approx(visited / rounds, rel=0.01)


@pytest.mark.parametrize("model", MIXTURES)
@pytest.mark.parametrize("devices", [1, 4, 8])
def test_every_token_sent_and_every_matmul_done(model: str, devices: int) -> None:
    """Tokens visit experts in turn, so that all is even; expert e lives on device e mod devices."""
    d = MODELS[model].dimensions
    tokens = d.experts * devices * 2  # every device's tokens visit every expert equally often
    sent = [0] * devices
    flops = [0] * devices
    loads = [0] * d.experts
    matrices = [(d.d_model, d.expert_d_ff)] * (2 if d.gated else 1) + [(d.expert_d_ff, d.d_model)]
    for token in range(tokens):
        home = token % devices
        for index in range(d.experts_per_token):
            expert = (token // devices * d.experts_per_token + index) % d.experts
            there = expert % devices
            loads[expert] += 1
            flops[there] += sum(2 * rows * columns for rows, columns in matrices)
            if there != home:
                sent[home] += 2 * d.d_model
                sent[there] += 2 * d.d_model
        flops[home] += d.shared_experts * sum(2 * rows * columns for rows, columns in matrices)
    outputs = MOE.evaluate(model=model, devices=devices, tokens=tokens, capacity_factor=1).exact
    assert set(loads) == {outputs["tokens_per_expert"]}
    assert sum(sent) == outputs["all_to_all_bytes"] * devices
    assert sum(flops) == outputs["time_compute"] * devices * H100["flops"]


@given(
    tokens=st.integers(1, 10**6),
    factor=st.fractions(Fraction(1, 10), 10, max_denominator=100),
    model=st.sampled_from(MIXTURES),
)
def test_capacity_is_rounded_up_exactly(tokens: int, factor: Fraction, model: str) -> None:
    d = MODELS[model].dimensions
    outputs = MOE.evaluate(model=model, tokens=tokens, capacity_factor=factor).outputs
    assert outputs["tokens_per_expert"] == ceil(Fraction(tokens * d.experts_per_token, d.experts) * factor)


@given(tokens=st.integers(1, 5000), more=st.integers(1, 5000), model=st.sampled_from(MIXTURES))
def test_more_tokens_visit_more_experts_but_no_more_than_there_are(
    tokens: int, more: int, model: str
) -> None:
    d = MODELS[model].dimensions
    few, many = (
        MOE.evaluate(model=model, tokens=n).exact["experts_touched"] for n in (tokens, tokens + more)
    )
    assert d.experts_per_token <= few <= many <= d.experts


def test_one_token_visits_its_own_experts() -> None:
    assert MOE.evaluate(model="deepseek-v3", tokens=1).outputs["experts_touched"] == 8
    assert MOE.evaluate(tokens=1, devices=1).bound == "memory"
    slow_link = MOE.evaluate(link_bandwidth="1 GB/s")
    assert slow_link.bound == "network"
    assert slow_link.margins["network"] == 1


def test_exact_beyond_64_bits() -> None:
    outputs = MOE.evaluate(tokens=8 * 10**20, capacity_factor=1).outputs
    assert outputs["tokens_per_expert"] == 2 * 10**20
    assert outputs["experts_touched"] == 8


def test_a_dense_model_is_refused() -> None:
    with pytest.raises(InvalidInputs) as caught:
        MOE.evaluate(model="llama-3-8b")
    assert [error.field for error in caught.value.errors] == ["model"]
    assert "must be a mixture of experts" in str(caught.value)
    with pytest.raises(InvalidInputs, match="must be a mixture of experts"):
        MOE.evaluate(model="mixtral-8x7b", experts=0, experts_per_token=0)
    custom = {"model": "custom", "layers": 2, "heads": 4, "d_model": 64, "vocab_size": 100}
    mixture = {"experts": 4, "experts_per_token": 1, "expert_d_ff": 32}
    assert MOE.evaluate(custom, **mixture).outputs["tokens_per_expert"] == 1280
    with pytest.raises(InvalidInputs, match="must be a mixture of experts"):
        MOE.evaluate(custom)
    swept = MOE.sweep("experts", [0, 4])
    assert swept["bound"].tolist() == [None, "compute"]
    arguments: dict[str, Any] = {
        "tokens": 1, "devices": 1, "bytes_per_element": 2, "capacity_factor": 1, "peak_flops": 1,
        "hbm_bandwidth": 1, "link_bandwidth": 1,
    }  # fmt: skip
    with pytest.raises(DomainError, match="experts is 0, but must be at least 1"):
        expert_parallel(dims=MODELS["llama-3-8b"].dimensions, **arguments)
    for name in arguments:
        if name != "bytes_per_element":
            with pytest.raises(DomainError, match=f"{name} is 0"):
                expert_parallel(dims=MODELS["mixtral-8x7b"].dimensions, **{**arguments, name: 0})


def test_notes() -> None:
    assert any("8 experts do not divide over 3" in note for note in MOE.evaluate(devices=3).notes)
    assert MOE.evaluate(devices=16).notes == []
    assert any("drops tokens" in note for note in MOE.evaluate(capacity_factor="0.9").notes)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("tokens", [1, 7, 4096]),
        ("devices", [1, 2, 7, 64]),
        ("experts", [2, 8, 64]),
        ("expert_d_ff", [1, 14336]),
    ],
)
def test_a_sweep_is_its_points(name: str, values: list[int]) -> None:
    columns = MOE.sweep(name, values)
    for index, value in enumerate(values):
        single = MOE.evaluate({name: value}).outputs
        assert {output: column[index] for output, column in columns.items()} == pytest.approx(single)


def test_capacity_in_a_sweep_is_the_exact_one() -> None:
    # 40 * 2 / 8 * 1.1 is 11 tokens; in floats it comes out a little above.
    tokens = list(range(8, 4000, 8))
    swept = MOE.sweep("tokens", tokens, capacity_factor="1.1")["tokens_per_expert"]
    assert swept.tolist() == [-(-n * 2 * 11 // 80) for n in tokens]
    assert MOE.evaluate(tokens=40, capacity_factor="1.1").outputs["tokens_per_expert"] == 11
