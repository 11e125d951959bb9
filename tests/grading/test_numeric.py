"""Read, right, named mistakes, slips of the unit, near, wrong: in that order."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.grading import NamedMistake, NumericTruth, Standard, Tolerance, following, grade_numeric

FIVE_PERCENT = Tolerance("relative", Fraction(5, 100))
SCORES = NumericTruth(2**31, "bytes", "GiB", FIVE_PERCENT)
ONE_HEAD = NamedMistake("one-head", 2**27, Fraction(3, 10), "That is one head.")
NO_BATCH = NamedMistake("no-batch", 2**26, Fraction(0), "That leaves the batch out.")


@pytest.mark.parametrize(
    ("text", "outcome", "mistake_id", "reading"),
    [
        ("2 GiB", "right", None, "2 GiB"),
        ("2", "right", None, "2 GiB"),
        ("2.15 GB", "right", None, "2.15 GB"),
        ("2147483648 B", "right", None, "2,147,483,648 B"),
        ("17.2 Gb", "right", None, "17.2 Gb"),
        ("2^31 bytes", "right", None, "2,147,483,648 B"),
        ("2 GB", "mistake", "gib-as-gb", "2 GB"),
        ("2.15 GiB", "mistake", "gb-as-gib", "2.15 GiB"),
        ("2.15", "mistake", "gb-as-gib", "2.15 GiB"),
        ("17.2 GB", "mistake", "bits-as-bytes", "17.2 GB"),
        ("2.15 Gb", "mistake", "bytes-as-bits", "2.15 Gb"),
        ("2 Gb", "mistake", "bytes-as-bits", "2 Gb"),
        ("2 MiB", "mistake", "wrong-prefix", "2 MiB"),
        ("2 TiB", "mistake", "wrong-prefix", "2 TiB"),
        ("134 MB", "mistake", "one-head", "134 MB"),
        ("128 MiB", "mistake", "one-head", "128 MiB"),
        ("67 MB", "mistake", "no-batch", "67 MB"),
        ("2.3 GB", "near", None, "2.3 GB"),
        ("1.94 GB", "near", None, "1.94 GB"),
        ("1 GiB", "wrong", None, "1 GiB"),
        ("0", "wrong", None, "0 GiB"),
        ("-2 GiB", "wrong", None, "-2 GiB"),
        ("2,5 GiB", "format", None, None),
        ("2 G", "format", None, None),
        ("", "format", None, None),
        ("lots", "format", None, None),
    ],
)
def test_the_verdicts_of_the_attention_matrix(
    text: str, outcome: str, mistake_id: str | None, reading: str | None
) -> None:
    verdict = grade_numeric(text, SCORES, [ONE_HEAD, NO_BATCH])
    assert (verdict.outcome, verdict.mistake_id, verdict.reading) == (outcome, mistake_id, reading)


def test_credit_value_and_message() -> None:
    right = grade_numeric("2 GiB", SCORES)
    assert (right.credit, right.value, right.message) == (1.0, 2**31, "Exact.")
    assert grade_numeric("2.15 GB", SCORES).message == "That is within 5%."
    near = grade_numeric("2.3 GB", SCORES)
    assert (near.credit, near.value) == (0.5, 2_300_000_000)
    assert near.message == "Close: within 5% is right, and this is within twice that."
    mistake = grade_numeric("134 MB", SCORES, [ONE_HEAD])
    assert (mistake.credit, mistake.message) == (0.3, "That is one head.")
    slip = grade_numeric("2 GB", SCORES)
    assert slip.credit == 0.5
    assert slip.message.startswith(
        "That is GiB labelled as GB: the first is 1,073,741,824 B, the second 1,000,"
    )
    wrong = grade_numeric("100 kB", SCORES)
    assert (wrong.credit, wrong.value) == (0.0, 100_000)
    unread = grade_numeric("2,5 GiB", SCORES)
    assert (unread.credit, unread.value, unread.message) == (
        None,
        None,
        "A decimal comma is not read: type 2.5 GiB.",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1.5 GB", "Too low."),
        ("1 GB", "Too low, by a factor of 2 or more."),
        ("900 kB", "Too low, by a factor of 1,000 or more."),
        ("3 GB", "Too high."),
        ("90 GB", "Too high, by a factor of 10 or more."),
        ("0", "Too low."),
        ("-5 GB", "Too low."),
    ],
)
def test_a_wrong_answer_is_told_the_way_but_not_the_truth(text: str, message: str) -> None:
    assert grade_numeric(text, SCORES).message == message


def test_mistakes_are_tried_in_their_order_and_only_when_not_right() -> None:
    first = NamedMistake("first", 134_217_728, Fraction(0), "First.")
    second = NamedMistake("second", 134_300_000, Fraction(1), "Second.")
    within = NamedMistake("within", 2**31, Fraction(0), "The truth itself.")
    assert grade_numeric("134.3 MB", SCORES, [first, second]).mistake_id == "first"
    assert grade_numeric("134.3 MB", SCORES, [second, first]).mistake_id == "second"
    assert grade_numeric("2 GiB", SCORES, [within]).outcome == "right"


def test_an_authors_mistake_comes_before_a_slip_of_the_unit_and_before_near() -> None:
    decimal = NamedMistake("decimal", 2 * 10**9, Fraction(1, 10), "GB for GiB.")
    close = NamedMistake("close", 2_310_000_000, Fraction(0), "You counted the mask.")
    assert grade_numeric("2 GB", SCORES, [decimal]).mistake_id == "decimal"
    assert grade_numeric("2.31 GB", SCORES, [close]).mistake_id == "close"
    assert grade_numeric("2.31 GB", SCORES).outcome == "near"


def test_a_mistake_is_recognised_within_half_a_percent_to_three_percent() -> None:
    wide = NumericTruth(10**9, "count", None, Tolerance("decade", Fraction(1)))
    tight = NumericTruth(10**9, "count", None, Tolerance("relative", Fraction(1, 1000)))
    exact = NumericTruth(10**9, "count", None, Tolerance("relative", Fraction(0)))
    mistake = [NamedMistake("m", 10**6, Fraction(0), "No.")]
    for truth, inside, outside in [
        (wide, "1.03e6", "1.031e6"),
        (tight, "1.005e6", "1.006e6"),
        (exact, "1e6", "1000001"),
    ]:
        assert grade_numeric(inside, truth, mistake).mistake_id == "m"
        assert grade_numeric(outside, truth, mistake).outcome == "wrong"


def test_a_mistake_of_zero_is_recognised_by_zero_alone() -> None:
    mistake = [NamedMistake("m", 0, Fraction(0), "Not nothing.")]
    assert grade_numeric("0", SCORES, mistake).mistake_id == "m"
    assert grade_numeric("1 B", SCORES, mistake).mistake_id is None


def test_slips_are_of_bytes_bytes_a_second_and_ratios_only() -> None:
    link = NumericTruth(50 * 10**9, "byte/s", None, FIVE_PERCENT)
    slip = grade_numeric("400 GB/s", link)
    assert (slip.mistake_id, slip.credit) == ("bits-as-bytes", 0.25)
    assert slip.message == "That is Gb/s labelled as GB/s: a byte is 8 bits."
    prefix = grade_numeric("50 MB/s", link)
    assert prefix.message == "That is GB/s labelled as MB/s: they differ by a factor of 1,000."
    assert (
        grade_numeric("50 bit/s", NumericTruth(50, "byte/s", None, FIVE_PERCENT)).mistake_id
        == "bytes-as-bits"
    )
    assert grade_numeric("5 ms", NumericTruth(5, "time", None, FIVE_PERCENT)).outcome == "wrong"
    assert (
        grade_numeric(
            "8Ki", NumericTruth(8000, "count", None, Tolerance("relative", Fraction(1, 100)))
        ).outcome
        == "wrong"
    )


def test_a_share_typed_where_percent_is_meant_and_the_other_way_round() -> None:
    in_percent = NumericTruth(Fraction(4225, 10_000), "ratio", "%", FIVE_PERCENT)
    assert grade_numeric("42.25", in_percent).outcome == "right"
    slip = grade_numeric("0.4225", in_percent)
    assert (slip.mistake_id, slip.credit, slip.reading) == ("share-as-percent", 0.5, "0.4225%")
    as_share = NumericTruth(Fraction(4225, 10_000), "ratio", None, FIVE_PERCENT)
    assert grade_numeric("42.25%", as_share).outcome == "right"
    assert grade_numeric("42.25", as_share).mistake_id == "percent-as-share"
    assert grade_numeric("4.225", as_share).outcome == "wrong"


def test_a_slip_needs_more_than_a_wide_tolerance() -> None:
    wide = NumericTruth(10**15, "bytes", None, Tolerance("factor", Fraction(12, 10)))
    assert grade_numeric("0.75 PB", wide).outcome == "near"  # as PiB within the factor, but 16% off
    assert grade_numeric("1 PiB", wide).outcome == "right"
    assert grade_numeric("1.98 GB", SCORES).mistake_id == "gib-as-gb"
    assert grade_numeric("1.97 GB", SCORES).outcome == "near"


def test_an_error_of_an_earlier_part_is_carried_forward() -> None:
    own = NumericTruth(2**30, "bytes", "GiB", FIVE_PERCENT)
    half = NamedMistake("one-head", 2**26, Fraction(3, 10), "One head of yours.")
    carried = Standard(own, [half], ("a",))
    assert grade_numeric("1 GiB", SCORES).outcome == "wrong"
    verdicts = {
        text: grade_numeric(text, SCORES, [ONE_HEAD], carried)
        for text in ("1 GiB", "2 GiB", "64 MiB", "128 MiB", "1 GB", "1.09 GiB", "2.3 GB", "7 GB")
    }
    told = {text: (each.outcome, each.credit, each.own_parts) for text, each in verdicts.items()}
    assert told == {
        "1 GiB": ("right", 1.0, ("a",)),
        "2 GiB": ("right", 1.0, ()),
        "64 MiB": ("mistake", 0.3, ("a",)),
        "128 MiB": ("mistake", 0.3, ()),
        "1 GB": ("mistake", 0.5, ("a",)),
        "1.09 GiB": ("near", 0.5, ("a",)),
        "2.3 GB": ("near", 0.5, ()),
        "7 GB": ("wrong", 0.0, ()),
    }
    assert verdicts["1 GiB"].message == "It follows from what you had there, and counts in full."
    assert verdicts["2 GiB"].message == "Exact."
    assert following(("a",)) == "From your own part a"
    assert following(("a", "b", "c")) == "From your own parts a, b and c"


def test_an_estimate_is_scored_on_the_logarithm() -> None:
    decade = NumericTruth(1000, "count", None, Tolerance("decade", Fraction(1)))
    factor = NumericTruth(1000, "count", None, Tolerance("factor", Fraction(3, 2)))
    told = [
        (text, verdict.outcome, verdict.decades and round(verdict.decades, 3))
        for truth, texts in [
            (decade, ("1000", "3100", "330", "9900", "10001", "0")),
            (factor, ("670", "2200")),
        ]
        for text in texts
        for verdict in [grade_numeric(text, truth)]
    ]
    assert told == [
        ("1000", "right", 0),
        ("3100", "right", 0.491),
        ("330", "right", 0.481),
        ("9900", "near", 0.996),
        ("10001", "wrong", 1.0),
        ("0", "wrong", None),
        ("670", "right", 0.174),
        ("2200", "near", 0.342),
    ]
    assert (
        grade_numeric("3100", decade).message == "That is within half a power of ten, off by a factor of 3.1."
    )
    assert grade_numeric("1.01e3", NumericTruth(1000, "count", None, FIVE_PERCENT)).decades is None


@given(
    text=st.text(max_size=70) | st.from_regex(r"\A[-~]?[0-9]{1,4}(\.[0-9]{1,3})? ?([KMGTk]i?[Bb]|)\Z"),
    truth=st.integers(-(10**15), 10**15),
    tolerance=st.sampled_from(
        [
            FIVE_PERCENT,
            Tolerance("relative", Fraction(0)),
            Tolerance("factor", Fraction(2)),
            Tolerance("figures", Fraction(3)),
            Tolerance("decade", Fraction(1)),
        ]
    ),
)
def test_any_text_gets_a_verdict(text: str, truth: int, tolerance: Tolerance) -> None:
    verdict = grade_numeric(text, NumericTruth(truth, "bytes", "GB", tolerance), [ONE_HEAD])
    assert (verdict.outcome == "format") == (verdict.credit is None) == (verdict.reading is None)
    assert verdict.credit is None or 0 <= verdict.credit <= 1
    assert (verdict.outcome == "mistake") == (verdict.mistake_id is not None)
    assert verdict.message.endswith(".")


@given(number=st.integers(1, 999), symbol=st.sampled_from(["k", "M", "G", "T", "P"]))
def test_binary_labelled_as_decimal_is_always_told_from_right(number: int, symbol: str) -> None:
    power = "kMGTP".index(symbol) + 1
    truth = NumericTruth(number * 2 ** (10 * power), "bytes", None, Tolerance("relative", Fraction(2, 100)))
    verdict = grade_numeric(f"{number} {symbol}B", truth)
    assert (verdict.outcome, verdict.mistake_id) == ("mistake", "gib-as-gb")
