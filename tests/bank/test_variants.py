"""Variants: drawn by the published formula, edited within bounds, the same everywhere."""

import json
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from hashlib import sha256

import pytest

from app.bank.load import Bank
from app.bank.params import MAX_SEED, read_seed
from app.bank.problems import BrokenQuestionError, VariantError
from app.bank.question import Question
from app.bank.variants import Variant, make_variant
from calculators.spec import FieldError

ReadQuestion = Callable[[str], Question]
WriteBank = Callable[[Mapping[str, str]], Bank]


def drawn(variant: Variant) -> dict[str, object]:
    return {name: chosen.value for name, chosen in variant.params.items()}


def refusals(question: Question, given: Mapping[str, str], seed: int = 0) -> VariantError:
    with pytest.raises(VariantError) as caught:
        make_variant(question, seed, given)
    return caught.value


# ---------------------------------------------------------------- drawing


def test_seed_0_is_the_written_values(read_question: ReadQuestion, numeric: str) -> None:
    variant = make_variant(read_question(numeric))
    assert drawn(variant) == {
        "batch": 32, "heads": 16, "seq_len": 1024, "dtype": "fp32", "hardware": "h100-sxm",
    }  # fmt: skip
    assert variant.answer is not None
    assert variant.answer.value == 32 * 16 * 1024**2 * 4
    assert variant.answer.display == "2 GiB"
    assert variant.mistakes[0].value == 2**31 // 16
    assert variant.mistakes[0].credit == Fraction(3, 10)
    assert "That is one head of <span" in variant.mistakes[0].say


def test_a_seed_draws_what_the_formula_says(read_question: ReadQuestion, numeric: str) -> None:
    question = read_question(numeric)
    # sha256 of "a-question|7|batch|0" and so on, its first 8 bytes modulo the number of choices
    assert drawn(make_variant(question, 7)) == {
        "batch": 8, "heads": 16, "seq_len": 4096, "dtype": "bf16", "hardware": "a100-80gb-sxm",
    }  # fmt: skip
    assert drawn(make_variant(question, 1))["batch"] == 32
    for seed in (2, 3, 1000, MAX_SEED):
        digest = sha256(f"a-question|{seed}|seq_len|0".encode()).digest()
        expected = (1024, 2048, 4096, 8192)[int.from_bytes(digest[:8], "big") % 4]
        assert drawn(make_variant(question, seed))["seq_len"] == expected


def test_a_new_param_does_not_move_the_others(read_question: ReadQuestion, numeric: str) -> None:
    before = [drawn(make_variant(read_question(numeric), seed)) for seed in range(1, 20)]
    more = numeric.replace("  dtype: ", "  layers:   {value: 1, choices: [1, 2, 3]}\n  dtype: ")
    after = [drawn(make_variant(read_question(more), seed)) for seed in range(1, 20)]
    assert len({values.pop("layers") for values in after}) == 3
    assert after == before


def test_require_draws_all_again_with_the_next_try(read_question: ReadQuestion, numeric: str) -> None:
    text = numeric.replace("require: [scores.score_bytes < 1e12]", "require: [batch == 32, heads < 32]")
    question = read_question(text)
    tries = set()
    for seed in range(1, 30):
        variant = make_variant(question, seed)
        assert drawn(variant)["batch"] == 32
        for name, chosen in variant.params.items():
            choices = [choice.value for choice in chosen.param.choices]
            key = f"a-question|{seed}|{name}|{variant.try_number}"
            index = int.from_bytes(sha256(key.encode()).digest()[:8], "big") % len(choices)
            assert chosen.value == choices[index]
        tries.add(variant.try_number)
    assert max(tries) > 3


def test_a_require_that_nothing_satisfies_ends(read_question: ReadQuestion, numeric: str) -> None:
    text = numeric.replace("{value: 32, choices: [8, 16, 32, 64]}", "{value: 128, choices: [8, 16, 32, 64]}")
    question = read_question(text.replace("[scores.score_bytes < 1e12]", "[batch > 100]"))
    with pytest.raises(BrokenQuestionError, match="100 tries"):
        make_variant(question, 5)


@pytest.mark.parametrize("text", ["0", "7", " 7 ", str(MAX_SEED)])
def test_seeds_that_are_read(text: str) -> None:
    assert read_seed(text) == int(text)


@pytest.mark.parametrize(
    "text", ["", "-1", "1.5", "1e3", "٣", "seven", str(MAX_SEED + 1), "9" * 5000, "0x7", "7;", "1_0"]
)
def test_a_bad_seed_is_refused_by_name(text: str) -> None:
    outcome = read_seed(text)
    assert isinstance(outcome, FieldError)
    assert outcome.field == "seed"
    assert "from 0 to 9007199254740992" in outcome.allowed
    assert len(outcome.message) < 200


def test_a_seed_out_of_range_is_refused(read_question: ReadQuestion, numeric: str) -> None:
    question = read_question(numeric)
    for seed in (-1, MAX_SEED + 1):
        with pytest.raises(VariantError) as caught:
            make_variant(question, seed)
        assert caught.value.errors[0].field == "seed"


# ---------------------------------------------------------------- editing


def test_given_params_replace_the_drawn_ones(read_question: ReadQuestion, numeric: str) -> None:
    question = read_question(numeric)
    variant = make_variant(question, 7, {"seq_len": "8k", "dtype": "FP32", "batch": " ", "heads": "16"})
    assert drawn(variant)["seq_len"] == 8000
    assert drawn(variant)["dtype"] == "fp32"
    assert drawn(variant)["batch"] == 8
    assert variant.edited
    assert variant.query == [("v", "1"), ("seed", "7"), ("seq_len", "8k"), ("dtype", "fp32")]
    assert variant.answer is not None
    assert variant.answer.value == 8 * 16 * 8000**2 * 4
    again = make_variant(question, 7, dict(variant.query[2:]))
    assert drawn(again) == drawn(variant)
    assert again.answer == variant.answer


def test_a_value_equal_to_the_drawn_one_leaves_the_link_alone(
    read_question: ReadQuestion, numeric: str
) -> None:
    variant = make_variant(read_question(numeric), 0, {"seq_len": "1Ki"})
    assert not variant.edited
    assert variant.query == [("v", "1"), ("seed", "0")]


@pytest.mark.parametrize(
    ("name", "text", "allowed"),
    [
        ("seq_len", "0", "from 1 to 1048576"),
        ("seq_len", "2000000", "from 1 to 1048576"),
        ("seq_len", "1e999", "from 1 to 1048576"),
        ("seq_len", "12.5", "from 1 to 1048576"),
        ("seq_len", "<script>", "from 1 to 1048576"),
        ("seq_len", "1" * 5000, "from 1 to 1048576"),
        ("batch", "65", "from 8 to 64"),
        ("dtype", "fp8", "one of fp32, bf16"),
        ("hardware", "t4", "one of h100-sxm, a100-80gb-sxm"),
        ("hardware", "custom", "one of h100-sxm, a100-80gb-sxm"),
        ("seq_lenn", "1", "one of batch, heads, seq_len, dtype, hardware"),
        ("reveal", "1", "one of batch, heads, seq_len, dtype, hardware"),
    ],
)
def test_a_refused_param_says_what_is_allowed(
    read_question: ReadQuestion, numeric: str, name: str, text: str, allowed: str
) -> None:
    error = refusals(read_question(numeric), {name: text})
    assert [each.field for each in error.errors] == [name]
    assert allowed in error.errors[0].allowed
    assert name in error.errors[0].message
    assert len(error.errors[0].message) < 400


def test_all_refusals_come_at_once_and_the_rest_is_kept(read_question: ReadQuestion, numeric: str) -> None:
    error = refusals(read_question(numeric), {"batch": "16", "seq_len": "-1", "dtype": "x"}, seed=7)
    assert [each.field for each in error.errors] == ["seq_len", "dtype"]
    assert error.fallback is not None
    assert drawn(error.fallback)["batch"] == 16
    assert drawn(error.fallback)["seq_len"] == 4096


def test_an_edit_that_a_passage_cannot_say_is_refused(read_question: ReadQuestion, numeric: str) -> None:
    text = numeric.replace("Say the unit.", "{{ sig3(1 / (batch - 17)) }}").replace(
        "[8, 16, 32, 64]}", "[8, 16, 32, 64], min: 1, max: 64}"
    )
    error = refusals(read_question(text), {"batch": "17"})
    [refused] = error.errors
    assert refused.field == "batch"
    assert "divides by zero" in refused.message


def test_values_that_do_not_go_together_are_refused_at_each_changed_field(
    read_question: ReadQuestion, numeric: str
) -> None:
    question = read_question(numeric)
    error = refusals(question, {"seq_len": "1048576", "batch": "64"})
    assert [each.field for each in error.errors] == ["seq_len", "batch"]
    assert "scores.score_bytes < 1e12" in error.errors[0].message
    assert error.fallback is not None
    assert not error.fallback.edited


def test_what_a_calculator_refuses_stands_at_the_field_that_it_names(
    read_question: ReadQuestion, multi: str
) -> None:
    text = multi.replace("params:\n", "params:\n  kv_heads: {value: 8, choices: [4, 8], min: 1, max: 40}\n")
    error = refusals(read_question(text), {"kv_heads": "7", "seq_len": "1024"})
    assert [each.field for each in error.errors] == ["kv_heads"]
    assert "40" in error.errors[0].message


def test_a_division_by_zero_of_an_edit_is_a_refusal(read_question: ReadQuestion, numeric: str) -> None:
    text = numeric.replace(
        "batch:    {value: 32,", "spare: {value: 1, min: 0, max: 4}\n  batch:    {value: 32,"
    )
    question = read_question(text.replace("  times_over:", "  share: batch / spare\n  times_over:"))
    assert [each.field for each in refusals(question, {"spare": "0"}).errors] == ["spare"]


def test_a_param_without_choices_or_bounds_is_fixed(read_question: ReadQuestion, numeric: str) -> None:
    text = numeric.replace("{value: h100-sxm, choices: [h100-sxm, a100-80gb-sxm]}", "{value: h100-sxm}")
    variant = make_variant(read_question(text), 9)
    assert variant.params["hardware"].param.fixed
    assert not variant.params["batch"].param.fixed
    assert variant.params["hardware"].display == "NVIDIA H100 SXM"


def test_a_param_takes_unit_label_and_symbol_of_the_calculator_input(
    read_question: ReadQuestion, numeric: str
) -> None:
    text = numeric.replace("  batch: ", "  kernel_time: {value: 3us, min: 0.5us, max: 1ms}\n  batch: ")
    text = text.replace("let:", "  launch: {use: launch-overhead}\nlet:").replace(
        "For batch", "Kernels of {{ kernel_time }}. For batch"
    )
    question = read_question(text)
    param = question.program.params["kernel_time"]
    assert (param.input.family, param.input.unit, param.kind) == ("time", "s", "amount")
    assert param.input.label
    assert param.allowed == "from 0.5us to 1ms"
    variant = make_variant(question, 0, {"kernel_time": "5 µs"})
    assert variant.params["kernel_time"].value == Fraction(5, 10**6)
    assert variant.calculators["launch"].result.exact["time_gpu"] == Fraction(5, 1000)
    assert ">5 µs</span>" in variant.render(question.sections.question)


# ---------------------------------------------------------------- prose that follows


def test_the_prose_follows_the_values(read_question: ReadQuestion, numeric: str) -> None:
    question = read_question(numeric)
    small = make_variant(question).render(question.sections.answer)
    assert ">2 GiB</span>" in small
    assert ">8 GiB</span>" in small
    assert re.search('<span class="limit limit-compute" data-key="[0-9a-f]{12}">compute</span>', small)
    assert "It fits" in small
    large = make_variant(question, 0, {"seq_len": "8192"}).render(question.sections.answer)
    assert ">128 GiB</span>" in large
    assert "It does not fit: <span" in large
    assert "NVIDIA H100 SXM</span> holds" in large
    assert 'title="80,000,000,000 B">80 GB</span>' in large


def test_calculators_of_a_variant_link_to_their_pages(read_question: ReadQuestion, numeric: str) -> None:
    calculation = make_variant(read_question(numeric), 0).calculators["read"]
    assert ("bytes", "4294967296") in calculation.query
    assert ("hardware", "h100-sxm") in calculation.query


# ---------------------------------------------------------------- choices and parts


def test_choices_are_shuffled_by_the_seed_and_last_is_pinned(
    read_question: ReadQuestion, choice: str
) -> None:
    question = read_question(choice)
    assert [each.id for each in make_variant(question).choices] == ["thin", "wide", "tall", "none"]
    orders = [tuple(each.id for each in make_variant(question, seed).choices) for seed in range(1, 40)]
    assert len(set(orders)) > 3
    assert {order[-1] for order in orders} == {"none"}
    assert orders == [
        tuple(each.id for each in make_variant(question, seed).choices) for seed in range(1, 40)
    ]


def test_the_right_choice_follows_the_values(read_question: ReadQuestion, choice: str) -> None:
    question = read_question(choice)
    variant = make_variant(question)
    assert variant.right_choices == ("wide",)
    assert variant.to_json()["right"] == {"choices": ["wide"], "mode": "single"}
    assert ">32</span> rows" in variant.choices[0].text
    both = choice.replace("{value: 32, choices: [8, 16, 32, 64]}", "{value: 32, min: 1, max: 4096}")
    error = refusals(read_question(both), {"batch": "4096"})
    assert "one right choice" in error.errors[0].message


def test_parts_carry_their_own_answers(read_question: ReadQuestion, multi: str) -> None:
    question = read_question(multi)
    variant = make_variant(question)
    assert [part.id for part in variant.parts] == ["a", "b", "c"]
    a, b, c = variant.parts
    assert a.answer is not None
    assert a.answer.value == 2 * 40 * 40 * 128 * 2 * 2048
    assert a.mistakes[0].value * 2 == a.answer.value
    assert b.answer is not None
    assert b.answer.value == 50_000_000_000 // int(a.answer.value)
    assert b.uses == ("a",)
    assert c.answer is None
    assert [(point.id, point.weight, point.must) for point in c.key_points] == [("cache", 3, True)]
    assert "<math>" in c.key_points[0].text
    assert ">1.68 GB</span>" in variant.render(question.sections.answer)
    assert set(variant.to_json()["right"]["parts"]) == {"a", "b"}


# ---------------------------------------------------------------- what an attempt keeps


def test_an_attempt_keeps_exact_values_as_json(read_question: ReadQuestion, numeric: str) -> None:
    stored = json.loads(json.dumps(make_variant(read_question(numeric), 7).to_json()))
    assert stored == {
        "seed": 7,
        "try": 0,
        "params": {
            "batch": "8", "heads": "16", "seq_len": "4096", "dtype": "bf16", "hardware": "a100-80gb-sxm",
        },
        "right": {
            "answer": {
                "value": str(8 * 16 * 4096**2 * 2),
                "family": "bytes",
                "unit": "GiB",
                "tolerance": {"form": "relative", "size": "1/20"},
            },
            "mistakes": [{"id": "one-head", "value": str(8 * 4096**2 * 2), "credit": "3/10"}],
        },
    }  # fmt: skip


def test_an_open_question_has_nothing_to_grade(read_question: ReadQuestion, open_: str) -> None:
    variant = make_variant(read_question(open_))
    assert variant.to_json() == {"seed": 0, "try": 0, "params": {}, "right": {}}
    assert variant.query == [("v", "1"), ("seed", "0")]
