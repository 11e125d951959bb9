"""Solving on the page: what is found in words that a reader expects."""

import pytest

import calculators
from app.pages.calculator_address import Kept
from app.pages.solving import SolutionView, SolveForm, solution_view


def solved(slug: str, name: str, output: str, target: str, **inputs: str) -> SolutionView:
    calculator = calculators.get(slug)
    return solution_view(calculator, calculator.solve(name, output, target, inputs), Kept())


def states(view: SolutionView) -> list[list[tuple[str, str]]]:
    return [[(state.value, state.reached) for state in root.states] for root in view.roots]


def test_a_count_has_the_whole_values_on_both_sides_told_apart_from_the_target() -> None:
    view = solved("kv-cache", "seq_len", "total_bytes", "80GiB", model="llama-3-8b", batch="3")
    assert view.question == "Sequence length at which whole batch is 80 GiB"
    assert [root.text for root in view.roots] == ["about 218,453.3"]
    assert states(view) == [[("218,453", "79.9999 GiB"), ("218,454", "80.0002 GiB")]]
    assert view.notes == ("No whole sequence length gives exactly 80 GiB: see those beside it.",)


def test_a_value_that_gives_the_target_exactly_stands_alone() -> None:
    view = solved("attention-scores", "seq_len", "score_bytes", "80 GB", batch="1", heads="2")
    assert [root.text for root in view.roots] == ["100,000"]
    assert states(view) == [[("100,000", "80 GB")]]
    assert view.notes == ()


def test_bytes_are_answered_in_the_units_of_the_target() -> None:
    for target, reached in (("1 GiB", "1 GiB"), ("1.073741824 GB", "1.073741824 GB")):
        view = solved("attention-scores", "heads", "score_bytes", target)
        assert states(view)[0][0] == ("8", reached)


def test_several_solutions_are_listed_and_what_they_share_is_said_once() -> None:
    view = solved("speculative-decoding", "draft_tokens", "speedup", "2")
    assert [[value for value, _ in row] for row in states(view)] == [["1", "2"], ["29", "30"]]
    assert len(view.notes) == 1


def test_a_stretch_and_one_without_an_end() -> None:
    [stretch] = solved("serving-capacity", "hbm_bytes", "sequences", "33").roots
    assert stretch.text == "81.3965 GB to 83.0743 GB"
    texts = [
        root.text
        for root in solved(
            "kv-cache", "window", "bytes_per_sequence", "1 GiB", model="mistral-7b", seq_len="8192"
        ).roots
    ]
    assert texts == ["0", "8,192 or more"]


@pytest.mark.parametrize(
    ("slug", "name", "output", "target", "says"),
    [
        (
            "decode",
            "batch",
            "tokens_per_second",
            "5000",
            "No batch gives 5,000 token/s: throughput is at most 3,797.93 token/s, however large batch is.",
        ),
        (
            "decode",
            "batch",
            "time",
            "1us",
            "No batch gives 1 µs: time of a step is at least 6.74427 ms, at batch = 1.",
        ),
        (
            "attention-scores",
            "heads",
            "ratio",
            "3",
            "Memory saved does not depend on heads: it is 1,024 at any value, never 3.",
        ),
    ],
)
def test_no_solution_is_explained_in_the_page_s_own_words(
    slug: str, name: str, output: str, target: str, says: str
) -> None:
    view = solved(slug, name, output, target)
    assert view.roots == ()
    assert view.notes == (says,)


def test_each_state_can_be_made_the_present_one() -> None:
    calculator = calculators.get("kv-cache")
    solution = calculator.solve("seq_len", "total_bytes", "1 GiB", {"batch": "3"})
    view = solution_view(calculator, solution, Kept(pins=("batch=2",)))
    paths = [state.path for root in view.roots for state in root.states]
    assert len(paths) == 2
    for path in paths:
        assert path is not None
        assert "batch=3" in path
        assert path.endswith("pin=batch%3D2")


def test_the_form_starts_at_the_headline_and_offers_the_inputs_by_group() -> None:
    calculator = calculators.get("decode")
    form = SolveForm.of(calculator, {})
    assert form.solved_for == "batch"
    assert form.output == (calculator.headline or calculator.outputs[0].name)
    assert [title for title, _ in form.groups] == [
        "",
        "Other figures for the hardware",
        "Other dimensions for the model",
    ]
    assert {each.name for _, inputs in form.groups for each in inputs} == {
        each.name for each in calculator.inputs if each.numeric
    }
