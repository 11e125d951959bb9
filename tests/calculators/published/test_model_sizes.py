"""transformer-params against the sizes that papers print of families of models, most to the last digit."""

from typing import Any

import pytest

import calculators

PARAMS = calculators.get("transformer-params")


def count(**dimensions: Any) -> dict[str, int]:
    outputs = PARAMS.evaluate(model="custom", **dimensions).outputs
    return {name: int(value or 0) for name, value in outputs.items()}


def gpt(**dimensions: Any) -> dict[str, int]:
    """Learned positions, biases everywhere, layer norms and a tied head."""
    kind = {"learned_positions": True, "bias": True, "norm_type": "layer", "tied_embeddings": True}
    return count(**kind, **dimensions)


# Biderman et al. 2023, table 1, and the checkpoints' own totals: layers, width, heads, vocabulary as padded
# (it grows with the tensor parallelism of the training), parameters without embeddings, and with both.
PYTHIA = (
    (6, 512, 8, 50304, 18_915_328, 70_426_624),
    (12, 768, 12, 50304, 85_056_000, 162_322_944),
    (24, 1024, 16, 50304, 302_311_424, 405_334_016),
    (16, 2048, 8, 50304, 805_736_448, 1_011_781_632),
    (24, 2048, 16, 50304, 1_208_602_624, 1_414_647_808),
    (32, 2560, 32, 50304, 2_517_652_480, 2_775_208_960),
    (32, 4096, 32, 50432, 6_444_163_072, 6_857_302_016),
    (36, 5120, 40, 50688, 11_327_027_200, 11_846_072_320),
)


@pytest.mark.parametrize(("layers", "d_model", "heads", "vocab_size", "non_embedding", "total"), PYTHIA)
def test_pythia(
    layers: int, d_model: int, heads: int, vocab_size: int, non_embedding: int, total: int
) -> None:
    counted = count(
        layers=layers, d_model=d_model, heads=heads, vocab_size=vocab_size, bias=True, norm_type="layer"
    )
    assert counted["total"] == counted["active"] == total
    # Embedding and head are apart (not tied), and both count as embedding there.
    assert total - counted["embedding"] - counted["head"] == non_embedding


# Gemma Team 2024a, tables 1 and 2, and 2024b, tables 1 and 2: width, layers, hidden width as printed, heads,
# KV heads, head width, norms of a layer, embedding and other parameters. The hidden width counts gate and up
# together: a matrix has half of it. The vocabulary is 256,128, of which the released configurations keep
# 256,000.
GEMMA = (
    (2048, 18, 32768, 8, 1, 256, 2, 524_550_144, 1_981_884_416),
    (3072, 28, 49152, 16, 16, 256, 2, 786_825_216, 7_751_248_896),
    (2304, 26, 18432, 8, 4, 256, 4, 590_118_912, 2_024_517_888),
    (3584, 42, 28672, 16, 8, 256, 4, 917_962_752, 8_324_201_984),
    (4608, 46, 73728, 32, 16, 128, 4, 1_180_237_824, 26_047_480_320),
)


@pytest.mark.parametrize(
    "row", GEMMA, ids=["gemma-2b", "gemma-7b", "gemma-2-2b", "gemma-2-9b", "gemma-2-27b"]
)
def test_gemma(row: tuple[int, ...]) -> None:
    d_model, layers, both_hidden, heads, kv_heads, head_dim, norms, embedding, others = row
    counted = count(
        d_model=d_model, layers=layers, d_ff=both_hidden // 2, heads=heads, kv_heads=kv_heads,
        head_dim=head_dim, norms_per_layer=norms, gated=True, tied_embeddings=True, vocab_size=256_128,
    )  # fmt: skip
    assert counted["embedding"] == embedding
    assert counted["total"] - embedding == others


# Brown et al. 2020, table 2.1 (layers, width, heads, head width) and table D.1 (millions of parameters).
# Two rows of table 2.1 are misprints: 24 heads of 128 on a width of 2,048, where only 16 give the 1,320 M of
# table D.1, and a width of 5,140 that 40 heads of 128 do not make. Positions are 2,048 in all.
GPT_3 = (
    (12, 768, 12, 64, 125),
    (24, 1024, 16, 64, 356),
    (24, 1536, 16, 96, 760),
    (24, 2048, 16, 128, 1_320),
    (32, 2560, 32, 80, 2_650),
    (32, 4096, 32, 128, 6_660),
    (40, 5120, 40, 128, 12_850),
    (96, 12288, 96, 128, 174_600),
)


@pytest.mark.parametrize(("layers", "d_model", "heads", "head_dim", "millions"), GPT_3)
def test_gpt_3(layers: int, d_model: int, heads: int, head_dim: int, millions: int) -> None:
    counted = gpt(
        layers=layers, d_model=d_model, heads=heads, head_dim=head_dim, vocab_size=50257, max_positions=2048
    )
    # Rounded to three or four figures; 1,315.6 M to 1,320.
    assert counted["total"] / 1e6 == pytest.approx(millions, rel=5e-3, abs=0.5)


def test_the_misprints_of_gpt_3_are_misprints() -> None:
    shape: dict[str, Any] = {"vocab_size": 50257, "max_positions": 2048, "head_dim": 128}
    assert gpt(layers=24, d_model=2048, heads=24, **shape)["total"] > 1.5e9  # against 1,320 M
    assert gpt(layers=40, d_model=5140, heads=40, **shape)["total"] > 12.89e9  # against 12,850 M


# Narayanan et al. 2021, table 1, then Shoeybi et al. 2019, table 1 of its scaling study: billions of
# parameters, heads, width, layers, positions. All pad the vocabulary to 51,200.
MEGATRON = (
    (1.7, 24, 2304, 24, 2048),
    (3.6, 32, 3072, 30, 2048),
    (7.5, 32, 4096, 36, 2048),
    (18.4, 48, 6144, 40, 2048),
    (39.1, 64, 8192, 48, 2048),
    (76.1, 80, 10240, 60, 2048),
    (145.6, 96, 12288, 80, 2048),
    (310.1, 128, 16384, 96, 2048),
    (529.6, 128, 20480, 105, 2048),
    (1008.0, 160, 25600, 128, 2048),
    (1.2, 16, 1536, 40, 1024),
    (2.5, 20, 1920, 54, 1024),
    (4.2, 24, 2304, 64, 1024),
    (8.3, 32, 3072, 72, 1024),
)


@pytest.mark.parametrize(("billions", "heads", "d_model", "layers", "positions"), MEGATRON)
def test_megatron(billions: float, heads: int, d_model: int, layers: int, positions: int) -> None:
    counted = gpt(layers=layers, d_model=d_model, heads=heads, vocab_size=51_200, max_positions=positions)
    assert counted["total"] / 1e9 == pytest.approx(billions, abs=0.05)
    # Their equation 2 stops at 13 / (12 h): the two vectors of the last norm are not in it.
    by_equation = 12 * layers * d_model**2 + 13 * layers * d_model + (51_200 + positions) * d_model
    assert counted["total"] - by_equation == 2 * d_model


def test_opt_and_bloom_to_the_last_digit() -> None:
    # Zhang et al. 2022: OPT-6.7B has 2,050 rows of positions, two of them an offset that is never used.
    opt = gpt(layers=32, d_model=4096, heads=32, d_ff=16384, vocab_size=50272, max_positions=2050)
    assert opt["total"] == 6_658_473_984
    # Le Scao et al. 2022: 176,247,271,424, 3,596,615,680 of them the embedding. ALiBi has no table of
    # positions; a norm behind the embedding, two vectors of the width, is what these dimensions cannot say.
    bloom = count(
        layers=70, d_model=14336, heads=112, vocab_size=250880, bias=True, norm_type="layer",
        tied_embeddings=True,
    )  # fmt: skip
    assert bloom["embedding"] == 3_596_615_680
    assert bloom["total"] + 2 * 14336 == 176_247_271_424


def test_mixtures_of_experts() -> None:
    # DeepSeek-AI 2024, section 3.1.2: 236 B parameters, 21 B activated for each token. The 21.4 B here have
    # the whole embedding table, 0.5 B.
    deepseek_v2 = count(
        layers=60, d_model=5120, heads=128, d_ff=12288, vocab_size=102400, gated=True, head_dim=128,
        experts=160, experts_per_token=6, shared_experts=2, expert_d_ff=1536, dense_layers=1,
        kv_lora_rank=512, q_lora_rank=1536, rope_head_dim=64, nope_head_dim=128, v_head_dim=128,
    )  # fmt: skip
    assert deepseek_v2["total"] / 1e9 == pytest.approx(236, abs=0.5)
    assert deepseek_v2["active"] / 1e9 == pytest.approx(21, abs=0.5)
    # Mixtral 8x22B, as announced: 141 B and 39 B. Experts share all but their feed-forward layers, so that it
    # is not 8 * 22.
    mixtral = count(
        layers=56, d_model=6144, heads=48, kv_heads=8, d_ff=16384, vocab_size=32768, gated=True, experts=8,
        experts_per_token=2, expert_d_ff=16384,
    )  # fmt: skip
    assert mixtral["total"] / 1e9 == pytest.approx(141, abs=0.5)
    assert mixtral["active"] / 1e9 == pytest.approx(39, abs=0.5)
