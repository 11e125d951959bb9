"""A state as a link and back, and queries as strict and lenient readers take them."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calculators
from calculators.spec import Calculator, Change, InvalidInputs, LinkError

SCORES = calculators.get("attention-scores")
MFU = calculators.get("mfu")
ROOFLINE = calculators.get("roofline")


def query(calculator: Calculator, **inputs: object) -> list[tuple[str, str]]:
    return calculator.link_query(calculator.validate(inputs))


def test_a_link_has_the_version_and_every_default_of_its_own() -> None:
    assert query(SCORES) == [
        ("v", "1"),
        ("batch", "32"),
        ("heads", "16"),
        ("seq_len", "1024"),
        ("layers", "1"),
        ("dtype", "fp32"),
    ]


def test_followers_and_preset_figures_travel_only_when_given() -> None:
    assert ("kv_len", "128") in query(SCORES, kv_len=128)
    names = [name for name, _ in query(ROOFLINE)]
    assert names == ["v", "flops", "bytes", "dtype", "hardware"]
    assert ("peak_flops", "1 PFLOP/s") in query(ROOFLINE, peak_flops=" 1 PFLOP/s ")


def test_a_default_for_custom_travels_with_custom_only() -> None:
    assert {("params", "540e9"), ("layers", "118")} <= set(query(MFU))
    assert {name for name, _ in query(MFU, model="llama-2-7b")}.isdisjoint({"params", "layers", "heads"})


def test_values_travel_as_they_were_written_or_as_shortest_text() -> None:
    carried = dict(query(SCORES, seq_len="8k", batch=64, heads=2.0, dtype="FP32"))
    assert carried == {
        "v": "1", "batch": "64", "heads": "2", "seq_len": "8k", "layers": "1", "dtype": "fp32",
    }  # fmt: skip
    assert ("gated", "true") in query(calculators.get("ffn"), gated="YES")


def test_what_no_link_can_carry_is_said() -> None:
    resolved = SCORES.validate(batch=10**80 + 1)
    with pytest.raises(LinkError, match="batch takes more than the 64 characters"):
        SCORES.link_query(resolved)


@pytest.mark.parametrize("calculator", calculators.all(), ids=lambda calculator: calculator.slug)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_link_restores_the_state(draw: Any, calculator: Calculator, data: st.DataObject) -> None:
    resolved = calculator.validate(data.draw(draw(calculator)))
    try:
        link = calculator.link_query(resolved)
    except LinkError:
        return  # a drawn fraction may take more than 64 characters
    again = calculator.validate(calculator.parse_query(link))
    assert calculator.resolved_inputs(again) == calculator.resolved_inputs(resolved)
    assert calculator.link_query(again) == link


def test_strict_reads_what_a_link_says() -> None:
    assert SCORES.parse_query([("v", "1"), ("batch", "8")]) == {"batch": "8"}
    assert SCORES.parse_query([("batch", "8"), ("v", " ")]) == {"batch": "8"}
    assert SCORES.parse_query([]) == {}


def test_strict_refuses_repeats_strangers_and_other_versions_with_all_else() -> None:
    with pytest.raises(InvalidInputs) as caught:
        SCORES.parse_query(
            [("v", "2"), ("batch", "1"), ("batch", "1"), ("sequence", "3"), ("heads", "0"), ("seq_len", "2")]
        )
    messages = {error.field: error.message for error in caught.value.errors}
    assert messages.keys() == {"v", "batch", "heads", "sequence"}
    assert messages["v"] == "v is “2”, but must be 1."
    assert messages["batch"] == "batch is given more than once."


@pytest.mark.parametrize(
    "pairs", [[("v", "1"), ("v", "1")], [("v", "one")], [("", "1")], [("batch", "-1"), ("x", "")]]
)
def test_strict_refuses(pairs: list[tuple[str, str]]) -> None:
    with pytest.raises(InvalidInputs):
        SCORES.parse_query(pairs)


def test_strict_gives_each_field_one_message() -> None:
    pairs = [("model", "custom"), ("heads", "4"), ("d_model", "64"), ("layers", "2"), ("layers", "3")]
    with pytest.raises(InvalidInputs) as caught:
        calculators.get("kv-cache").parse_query(pairs)
    assert [error.message for error in caught.value.errors] == ["layers is given more than once."]


def test_strict_expects_nothing_of_the_input_that_is_swept_or_solved_for() -> None:
    pairs = [("model", "custom"), ("heads", "4"), ("d_model", "64"), ("layer", "3")]
    with pytest.raises(InvalidInputs) as caught:
        calculators.get("kv-cache").parse_query(pairs, "layers")
    assert [error.field for error in caught.value.errors] == ["layer"]


def test_strict_leaves_bad_values_to_the_evaluation() -> None:
    assert SCORES.parse_query([("batch", "0")]) == {"batch": "0"}


def test_lenient_takes_what_it_can_and_says_what_it_passed_over() -> None:
    raw, notices = SCORES.lenient_query(
        [("v", "3"), ("batch", "8"), ("batch", "9"), ("head", "4"), ("seq_len", "bad"), ("head", "5")]
    )
    assert raw == {"batch": "8", "seq_len": "bad"}
    assert [notice.split(" ")[0] for notice in notices] == ["This", "batch", "“head”"]
    assert notices[2] == "“head” is no input here and was left out. Did you mean heads?"
    assert SCORES.lenient_query([("v", "1"), ("batch", "8")]) == ({"batch": "8"}, [])
    assert SCORES.unknown_names(["batch", "head", "v"]) == ["head", "v"]


def test_a_link_of_many_unknown_names_is_passed_over_in_few_words() -> None:
    _, notices = SCORES.lenient_query([(f"zz{number}", "1") for number in range(300)])
    assert len(notices) == 5
    assert notices[0] == "“zz0” is no input here and was left out."
    assert notices[-1] == "Left out as well: 296 more names of that link."


CORRECTED = replace(
    SCORES,
    version=3,
    changes=(Change(2, "Layers are counted."), Change(3, "Half bytes too."), Change(3, "And more.")),
)


def test_a_link_carries_the_version_that_it_is_made_with() -> None:
    assert query(CORRECTED)[0] == ("v", "3")
    assert CORRECTED.parse_query(query(CORRECTED)) == SCORES.parse_query(query(SCORES))


def test_an_older_link_keeps_its_inputs_and_says_what_changed_since() -> None:
    old = [("v", "1"), ("batch", "8")]
    told = [
        "This link was made with version 1 of this calculator. Its inputs are kept, and the results "
        "are those of version 3.",
        "Corrected in version 2: Layers are counted.",
        "Corrected in version 3: Half bytes too.",
        "Corrected in version 3: And more.",
    ]
    assert CORRECTED.parse_query(old) == {"batch": "8"}
    assert CORRECTED.news(old) == told
    assert CORRECTED.lenient_query(old) == ({"batch": "8"}, told)
    assert CORRECTED.news([("v", " 2 ")])[1:] == told[2:]
    for current in ([("v", "3")], [("v", "")], [("batch", "8")]):
        assert CORRECTED.news(current) == []


@pytest.mark.parametrize("version", ["0", "4", "01", "1.0", "-1", "²", "1" * 5000])
def test_a_version_that_never_was_is_refused_and_passed_over(version: str) -> None:
    with pytest.raises(InvalidInputs, match="a version of attention-scores, from 1 to 3"):
        CORRECTED.parse_query([("v", version)])
    [notice] = CORRECTED.lenient_query([("v", version)])[1]
    assert notice.endswith("; it is read as version 3.")
    assert CORRECTED.news([("v", version)]) == []


def test_every_version_says_what_it_corrected() -> None:
    for calculator in calculators.all():
        versions = [change.version for change in calculator.changes]
        assert versions == sorted(versions)
        assert set(versions) == set(range(2, calculator.version + 1))
