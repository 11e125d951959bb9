"""States side by side: which inputs are shown, and each output against the first state's."""

from fractions import Fraction

import pytest

import calculators
from app.comparison import Cell, against, compare, ratio_text
from calculators.spec import Output

SCORES = calculators.get("attention-scores")
NUMBER = Output(name="n", label="N", formula="", meaning="")
BYTES = Output(name="b", label="B", formula="", meaning="", family="bytes")
WORD = Output(name="bound", label="Bound", formula="", meaning="", family=None)


def test_inputs_that_differ_are_apart_from_those_that_follow_and_those_that_do_not() -> None:
    compared = compare(SCORES, [SCORES.evaluate(), SCORES.evaluate(seq_len=2048, dtype="bf16")])
    assert [(row.declared.name, row.texts) for row in compared.chosen] == [
        ("seq_len", ("1,024", "2,048")),
        ("dtype", ("fp32", "bf16")),
    ]
    assert [(row.declared.name, row.texts) for row in compared.followed] == [("kv_len", ("1,024", "2,048"))]
    assert [(declared.name, text) for declared, text in compared.same] == [
        ("batch", "32"),
        ("heads", "16"),
        ("layers", "1"),
    ]


def test_a_preset_brings_its_figures_as_what_follows() -> None:
    decode = calculators.get("decode")
    compared = compare(decode, [decode.evaluate(), decode.evaluate(hardware="h100-sxm")])
    assert [row.declared.name for row in compared.chosen] == ["hardware"]
    assert "hbm_bandwidth" in [row.declared.name for row in compared.followed]
    assert all(name.name != "hbm_bandwidth" for name, _ in compared.same)


def test_every_output_stands_against_the_first_state() -> None:
    states = [SCORES.evaluate(seq_len=length) for length in (1024, 2048, 512, 1024)]
    rows = {row.declared.name: row.cells for row in compare(SCORES, states).outputs}
    assert list(rows) == list(SCORES.output_names)
    assert rows["score_bytes"] == (
        Cell("2 GiB"),
        Cell("8 GiB", "4×"),
        Cell("512 MiB", "0.25×"),
        Cell("2 GiB", "same"),
    )


def test_values_that_differ_are_told_apart() -> None:
    lengths = [100_000, 100_001]
    compared = compare(SCORES, [SCORES.evaluate(seq_len=length) for length in lengths])
    rows = {row.declared.name: row.cells for row in compared.outputs}
    first, second = rows["score_bytes"]
    assert first.text != second.text
    assert second.against == "1.00002×"


@pytest.mark.parametrize(
    ("base", "value", "text"),
    [
        (2, 3, "1.5×"),
        (Fraction(1, 3), Fraction(2, 3), "2×"),
        (3, 0, "0×"),
        (0, 0, "same"),
        (0, 3, "+3"),
        (-1, 2, "+3"),
        (5, -1, "−6"),
        (None, 3, ""),
        (3, None, ""),
        (None, None, "same"),
    ],
)
def test_there_is_a_ratio_where_it_means_something(base: object, value: object, text: str) -> None:
    assert against(NUMBER, base, value) == text


def test_a_difference_has_its_unit_and_words_have_none() -> None:
    assert against(BYTES, 0, 2**31) == "+2 GiB"
    assert against(WORD, "memory", "compute") == ""
    assert against(WORD, True, True) == "same"


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (Fraction(1, 4096), "1/4,096"),
        (Fraction(4, 3), "1.33×"),
        (Fraction(4096), "4,096×"),
        (Fraction(10**9 + 1, 10**9), "≈1×"),
        (Fraction(10001, 10000), "1.0001×"),
        (Fraction(10**40), "1×10⁴⁰ times"),
    ],
)
def test_ratios_read_as_people_write_them(ratio: Fraction, text: str) -> None:
    assert ratio_text(ratio) == text
