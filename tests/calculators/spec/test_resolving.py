"""Defaults, presets, followers, and all that is wrong at once."""

from fractions import Fraction

import pytest

import calculators
from calculators.presets import MODELS
from calculators.spec import Calculator, FieldError, InvalidInputs

FFN = calculators.get("ffn")
KV_CACHE = calculators.get("kv-cache")
MFU = calculators.get("mfu")
PARAMS = calculators.get("transformer-params")
ROOFLINE = calculators.get("roofline")
SCORES = calculators.get("attention-scores")
SERVING = calculators.get("serving-capacity")


def errors(calculator: Calculator, **inputs: object) -> dict[str, FieldError]:
    with pytest.raises(InvalidInputs) as caught:
        calculator.evaluate(inputs)
    return {error.field: error for error in caught.value.errors}


def test_blank_counts_as_not_given() -> None:
    resolved = SCORES.validate({"batch": "", "heads": "  ", "seq_len": None, "kv_len": "\t"})
    assert resolved.given == frozenset()
    assert SCORES.evaluate(resolved).inputs == SCORES.evaluate().inputs


def test_all_errors_come_at_once_in_the_order_of_the_declaration() -> None:
    found = errors(SCORES, dtype="bf99", batch=0, head=4, seq_len="long")
    assert list(found) == ["batch", "seq_len", "dtype", "head"]
    assert found["head"].message.endswith("Did you mean heads?")
    assert "batch, heads, seq_len, kv_len, layers, dtype" in found["head"].message


def test_an_unknown_name_may_be_anything() -> None:
    assert list(errors(SCORES, **{"x" * 5000: 1})) == ["x" * 39 + "…"]


def test_a_follower_follows_until_it_is_given() -> None:
    assert SCORES.evaluate(seq_len=4096).inputs["kv_len"] == 4096
    assert SCORES.evaluate(seq_len=4096, kv_len=128).inputs["kv_len"] == 128


def test_a_figure_given_beside_a_preset_replaces_that_one_only() -> None:
    inputs = ROOFLINE.evaluate(hardware="h100-sxm", hbm_bandwidth="2TB/s").exact_inputs
    assert inputs["hbm_bandwidth"] == 2 * 10**12
    assert inputs["peak_flops"] == Fraction("989.4e12")
    assert inputs["hbm_bytes"] == 80 * 10**9


def test_custom_hardware_is_asked_for_what_is_used_and_nothing_else() -> None:
    assert list(errors(ROOFLINE, hardware="custom")) == ["peak_flops", "hbm_bandwidth"]
    assert list(errors(FFN, hardware="custom")) == ["peak_flops", "hbm_bandwidth", "link_bandwidth"]
    assert list(errors(MFU, hardware="custom")) == ["peak_flops"]
    assert list(errors(SERVING, hardware="custom")) == ["hbm_bytes"]
    result = ROOFLINE.evaluate(hardware="custom", peak_flops="1 PFLOP/s", hbm_bandwidth="1 TB/s")
    assert result.outputs["ridge_point"] == 1000
    assert result.inputs["hbm_bytes"] is None


def test_a_device_without_a_figure_lists_those_it_has_and_takes_one_given() -> None:
    found = errors(ROOFLINE, hardware="v100-32gb-sxm", dtype="bf16")
    assert list(found) == ["dtype"]
    assert found["dtype"].message == (
        "dtype is bf16, for which v100-32gb-sxm has no peak: it has one for fp16, int8, fp32. "
        "Choose one of these, or give peak_flops."
    )
    given = ROOFLINE.evaluate(hardware="v100-32gb-sxm", dtype="bf16", peak_flops="60 TFLOP/s")
    assert given.inputs["peak_flops"] == 60 * 10**12


def test_a_peak_is_looked_up_only_where_it_is_needed() -> None:
    fusion = calculators.get("fusion").evaluate(hardware="h100-sxm", dtype="int4")
    assert fusion.outputs["bytes_fused"] == 2 * 16777216 // 2
    assert fusion.inputs["peak_flops"] is None
    assert SERVING.evaluate(hardware="h100-sxm", dtype="int4").outputs["fits"] is True


def test_an_unconfirmed_figure_is_said_to_be_so_where_it_is_used() -> None:
    assert any("peak compute of NVIDIA A10G" in note for note in ROOFLINE.evaluate(hardware="a10g").notes)
    assert ROOFLINE.evaluate(hardware="a10g", peak_flops="70 TFLOP/s").notes == []
    assert ROOFLINE.evaluate(hardware="a100-80gb-sxm").notes == []
    assert SERVING.evaluate(hardware="a10g", dtype="int4").notes == []


def test_a_custom_model_is_asked_for_what_is_used_and_nothing_else() -> None:
    assert list(errors(KV_CACHE, model="custom")) == ["layers", "d_model", "heads"]
    assert list(errors(PARAMS, model="custom")) == ["layers", "d_model", "heads", "vocab_size"]
    assert list(errors(KV_CACHE, model="custom", head_dim=64)) == ["layers", "heads"]
    cache = KV_CACHE.evaluate(model="custom", layers=2, heads=4, head_dim=8, seq_len=1, dtype="int8")
    assert cache.outputs["total_bytes"] == 2 * 2 * 4 * 8
    assert cache.inputs["d_model"] is None
    assert cache.inputs["vocab_size"] is None


def test_a_custom_model_derives_the_rest() -> None:
    inputs = PARAMS.evaluate(model="custom", layers=2, heads=4, d_model=64, vocab_size=100).inputs
    derived = {"kv_heads": 4, "head_dim": 16, "d_ff": 256, "gated": False, "norm_type": "rms", "experts": 0}
    assert derived.items() <= inputs.items()
    assert inputs["norms_per_layer"] == 2


def test_head_dim_is_asked_for_where_heads_do_not_divide() -> None:
    found = errors(PARAMS, model="custom", layers=2, heads=3, d_model=64, vocab_size=100)
    assert list(found) == ["head_dim"]
    given = PARAMS.evaluate(model="custom", layers=2, heads=3, d_model=64, vocab_size=100, head_dim=20)
    assert given.inputs["head_dim"] == 20


def test_a_dimension_given_beside_a_preset_replaces_that_one_only() -> None:
    inputs = PARAMS.evaluate(model="llama-3-8b", d_model=2048).inputs
    assert inputs["d_model"] == 2048
    assert inputs["head_dim"] == 128
    assert inputs["d_ff"] == 14336


@pytest.mark.parametrize(
    ("given", "field", "allowed"),
    [
        ({"kv_heads": 5}, "kv_heads", "a divisor of heads (32)"),
        ({"heads": 12}, "kv_heads", "a divisor of heads (12)"),
        ({"window": 4, "window_layers": 33}, "window_layers", "at most layers (32)"),
        ({"dense_layers": 40}, "dense_layers", "at most layers (32)"),
        (
            {"experts": 4, "experts_per_token": 5, "expert_d_ff": 8},
            "experts_per_token",
            "at most experts (4)",
        ),
        ({"experts": 4, "experts_per_token": 2}, "expert_d_ff", "at least 1 where experts (4) is above 0"),
    ],
)
def test_dimensions_that_cannot_be_are_refused_by_name(
    given: dict[str, int], field: str, allowed: str
) -> None:
    found = errors(PARAMS, model="llama-3-8b", **given)
    assert found[field].allowed == allowed
    assert f"but must be {allowed}." in found[field].message


def test_a_default_that_hangs_on_custom_does_not_follow_into_a_preset() -> None:
    custom, preset = MFU.evaluate(), MFU.evaluate(model="llama-2-7b")
    assert (custom.inputs["layers"], custom.inputs["params"]) == (118, 540 * 10**9)
    assert (preset.inputs["layers"], preset.inputs["params"]) == (32, 6738415616)
    assert MFU.evaluate(model="custom", layers=10).inputs["params"] == 540 * 10**9
    assert MFU.evaluate(model="mixtral-8x7b").inputs["params"] == 12879925248
    assert MFU.evaluate(model="llama-2-7b", params="7B").inputs["params"] == 7 * 10**9


def test_a_refused_choice_hides_what_hangs_on_it_and_nothing_else() -> None:
    assert list(errors(SERVING, hardware="h1000", model="llama-9", seq_len=0)) == [
        "seq_len",
        "hardware",
        "model",
    ]


def test_numbers_of_any_kind_and_text_resolve_alike() -> None:
    by_text = ROOFLINE.evaluate(flops="1 TFLOP", bytes="10GB")
    by_float = ROOFLINE.evaluate(flops=1e12, bytes=1e10)
    by_int = ROOFLINE.evaluate({"flops": 10**12}, bytes=10**10)
    assert by_text.exact == by_float.exact == by_int.exact


def test_a_default_that_its_own_input_refuses_is_a_mistake_of_the_declaration() -> None:
    from dataclasses import replace

    broken = replace(SCORES, inputs=(replace(SCORES.inputs[0], default="0"), *SCORES.inputs[1:]))
    with pytest.raises(TypeError, match="attention-scores: the default of batch is “0”"):
        broken.evaluate()


@pytest.mark.parametrize("slug", ["kv-cache", "mfu", "serving-capacity", "transformer-params"])
@pytest.mark.parametrize("model", MODELS)
def test_presets_alone_pass_every_check(slug: str, model: str) -> None:
    """So that a check is asked only where one of its inputs was given."""
    calculator = calculators.get(slug)
    values = calculator.validate(model=model).values
    for check in calculator.checks:
        assert check.holds(values), check.field
