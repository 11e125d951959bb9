"""What to draw, as an address says it."""

import pytest

import calculators
from app.plotting.choice import (
    MAX_PLOT_LENGTH,
    Choice,
    address_text,
    choosable,
    first_choice,
    from_parts,
    read_choice,
)

SCORES = calculators.get("attention-scores")
TRAINING = calculators.get("training-memory")


@pytest.mark.parametrize("calculator", calculators.all(), ids=lambda calculator: calculator.slug)
def test_every_first_choice_and_every_roof_names_what_there_is(calculator: calculators.Calculator) -> None:
    first = first_choice(calculator)
    assert from_parts(calculator, {"over": first.over, "output": first.output, "lines": first.lines}) == (
        first,
        "",
    )
    names = calculator.input_names.keys() | calculator.output_names.keys()
    for output in calculator.outputs:
        assert {name for roof in output.roofs for name in roof.names} <= names
    for output_name, input_name in (calculator.traces or {}).items():
        assert calculator.output_names[output_name].family
        assert calculator.input_names[input_name].numeric
    assert "outputs" not in calculator.input_names


def test_a_choice_is_read_back_from_its_text() -> None:
    choice = Choice("batch", "score_bytes", "dtype", "log", "", "1", "8:1 of 100%")
    assert choice.text == "batch:score_bytes:dtype:log::1:8%3A1 of 100%25"
    assert read_choice(SCORES, choice.text) == (choice, "")
    assert Choice("batch", "ratio").text == "batch:ratio"


def test_the_first_choice_takes_no_place_in_an_address() -> None:
    assert read_choice(SCORES, "") == (Choice("seq_len", "score_bytes"), "")
    assert address_text(SCORES, Choice("seq_len", "score_bytes")) == ""
    assert address_text(SCORES, Choice("batch", "score_bytes")) == "batch:score_bytes"
    assert address_text(TRAINING, Choice("data_parallel", "total_bytes")) == "data_parallel:total_bytes"


def test_lines_are_told_apart_by_choices_flags_and_counts_of_few_values() -> None:
    assert [declared.name for declared in choosable(SCORES).kinds] == ["dtype"]
    assert "zero_stage" in [declared.name for declared in choosable(TRAINING).kinds]
    assert "params" not in [declared.name for declared in choosable(TRAINING).kinds]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("seq_len", "“seq_len” does not say over what to draw which output"),
        ("seq_ln:score_bytes", "“seq_ln” is no number to draw over. Did you mean seq_len?"),
        ("dtype:score_bytes", "“dtype” is no number to draw over"),
        ("seq_len:bound", "“bound” is no number that comes out"),
        ("seq_len:score_bytes:heads", "“heads” cannot tell lines apart"),
        ("seq_len:score_bytes::cubic", "“cubic” is no kind of axis"),
        ("seq_len:score_bytes::::" + "9" * 65, "has more than 64 characters"),
        ("seq_len:score_bytes:::::::", "does not say"),
        ("x" * (MAX_PLOT_LENGTH + 1), "does not say"),
        ("<script>:score_bytes", "“<script>” is no number"),
    ],
)
def test_what_cannot_be_drawn_gives_the_first_choice_and_a_sentence(text: str, says: str) -> None:
    choice, problem = read_choice(SCORES, text)
    assert choice == first_choice(SCORES)
    assert problem.startswith("The plot that was asked for cannot be drawn: ")
    assert says in problem
