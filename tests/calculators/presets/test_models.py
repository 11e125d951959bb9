"""Model presets: all of the contract's, each with its source, and how far their counts are off."""

import pytest

from calculators.cost.parameters import count_parameters
from calculators.presets import MODELS

CONTRACT = """
gpt2-small gpt2-medium gpt2-large gpt2-xl llama-2-7b llama-2-13b llama-2-70b llama-3-8b llama-3-70b
llama-3.1-405b qwen3-4b mixtral-8x7b deepseek-v3 gpt-3-175b mistral-7b qwen2.5-7b qwen2.5-72b gemma-2-27b
gemma-3-27b gpt-oss-120b palm-540b
"""


def test_all_models_of_the_contract_and_no_other() -> None:
    assert set(MODELS) == set(CONTRACT.split())


@pytest.mark.parametrize("slug", MODELS)
def test_every_preset_says_where_its_dimensions_were_read(slug: str) -> None:
    model = MODELS[slug]
    assert model.slug == slug
    assert model.name
    assert model.source
    assert model.url.startswith("https://")
    assert model.read_on.year >= 2026


@pytest.mark.parametrize("slug", [slug for slug, model in MODELS.items() if model.published_total])
def test_a_count_that_is_off_says_by_how_much(slug: str) -> None:
    model = MODELS[slug]
    assert model.published_total is not None
    missing = model.published_total - count_parameters(dims=model.dimensions).total
    if missing:
        assert any(f"{missing:,} parameters short" in note for note in model.notes)


def test_only_the_attention_sinks_of_gpt_oss_are_missing() -> None:
    off = {
        slug: model.published_total - count_parameters(dims=model.dimensions).total
        for slug, model in MODELS.items()
        if model.published_total
    }
    assert {slug: missing for slug, missing in off.items() if missing} == {"gpt-oss-120b": 36 * 64}


@pytest.mark.parametrize(
    ("slug", "printed", "digits"),
    [
        ("palm-540b", 540.35e9, 10**7),  # Chowdhery et al. 2022, table 1
        ("gpt-3-175b", 174.6e9, 10**8),  # Brown et al. 2020, table D.1, which table 2.1 rounds to 175.0
    ],
)
def test_counts_that_only_a_paper_prints(slug: str, printed: float, digits: int) -> None:
    assert abs(count_parameters(dims=MODELS[slug].dimensions).total - printed) < digits


def test_a_paper_that_prints_another_total_is_mentioned() -> None:
    assert any("175.0 B" in note for note in MODELS["gpt-3-175b"].notes)
    assert any("540.35 B" in note for note in MODELS["palm-540b"].notes)


@pytest.mark.parametrize(
    ("slug", "printed", "without_embedding"),
    [
        ("mixtral-8x7b", 12.9e9, False),  # Jiang et al. 2024, Mixtral of Experts: 13B of 47B
        ("deepseek-v3", 36.7e9, True),  # README_WEIGHTS.md of the model's repository
        ("gpt-oss-120b", 5.13e9, True),  # gpt-oss model card, table 1
    ],
)
def test_active_parameters_in_print(slug: str, printed: float, without_embedding: bool) -> None:
    count = count_parameters(dims=MODELS[slug].dimensions)
    active = count.active - (count.embedding if without_embedding else 0)
    assert active == pytest.approx(printed, rel=0.005)


def test_the_images_of_gemma_are_what_its_checkpoint_holds_beyond_the_text_model() -> None:
    # A SigLIP tower of 27 layers of 1152 at 896 pixels, and the projection of its outputs.
    layer = 4 * (1152 * 1152 + 1152) + (1152 * 4304 + 4304) + (4304 * 1152 + 1152) + 2 * 2 * 1152
    tower = 27 * layer + 14 * 14 * 3 * 1152 + 1152 + 64 * 64 * 1152 + 2 * 1152
    projection = 1152 * 5376 + 1152
    assert tower + projection == 423_060_336
    note = next(note for note in MODELS["gemma-3-27b"].notes if "images" in note)
    assert f"{tower + projection:,}" in note
    assert MODELS["gemma-3-27b"].published_total == 27_432_406_640 - tower - projection
