"""What is stored of a sheet of answers: the verdicts, what they were reached by, and what they suggest."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from app.bank.load import Bank
from app.bank.variants import Variant, make_variant
from app.practice import answering, attempts, question_state, sittings
from app.practice.answering import Sheet
from app.practice.schedule import Rating

if TYPE_CHECKING:
    from tests.practice.conftest import Practice

PACK = Path(__file__).parents[1] / "pages" / "pack"
HALF = "0.839 GB"  # of a conversation: K or V alone


@pytest.fixture(scope="module")
def variant() -> Variant:
    return make_variant(Bank.load([PACK]).questions["sample-carried"])


def submit(practice: "Practice", variant: Variant, texts: Mapping[str, str], key: str) -> None:
    now = practice.clock()
    taken = question_state.begin(practice.session, practice.user, practice.browser, variant, now)
    sheet = Sheet(variant, taken, texts, "", key)
    assert answering.submit(practice.session, practice.user, practice.browser, sheet, now) == {}


def stored(practice: "Practice", variant: Variant) -> tuple[question_state.QuestionState, dict[str, Any]]:
    state = question_state.load(practice.session, practice.user, practice.browser, variant, practice.clock())
    return state, {answer.part: answer.graded for answer in state.answers}


def test_right_values_and_what_was_carried_are_kept(practice: "Practice", variant: Variant) -> None:
    submit(practice, variant, {"a": HALF, "d": "fits"}, "first")
    submit(practice, variant, {"b": "59", "c": "120,832"}, "second")
    state, graded = stored(practice, variant)
    assert state.sitting is not None
    right = state.sitting.right["parts"]
    assert right["b"]["answer"]["value"] == "29"
    assert right["d"] == {"choices": ["too-large"], "mode": "single"}
    assert set(right) == {"a", "b", "c", "d"}
    assert graded["a"].mistake_id == "one-tensor"
    assert "carried" not in graded["a"].verdict
    for part, carried in {
        "b": {"uses": {"a": "839000000"}, "value": "59"},
        "c": {"uses": {"b": "59"}, "value": "120832"},
        "d": {"uses": {"a": "839000000"}, "choices": ["fits"]},
    }.items():
        assert (graded[part].outcome, graded[part].credit) == ("right", 1.0)
        assert graded[part].verdict["carried"] == carried
    assert graded["b"].verdict["own_parts"] == ["a"]
    assert graded["b"].verdict["value"] == "59"


@pytest.mark.parametrize(
    ("texts", "hints", "rating"),
    [
        ({"a": "1.68 GB", "b": "29", "c": "59392", "d": "too-large"}, 0, Rating.GOOD),
        ({"a": "1.68 GB", "b": "29", "c": "59392", "d": "too-large"}, 1, Rating.HARD),
        ({"a": HALF, "b": "59", "c": "120832", "d": "fits"}, 0, Rating.HARD),
        ({"a": HALF, "b": "1", "c": "1", "d": "fits"}, 0, Rating.AGAIN),
        ({"a": "1.68 GB"}, 0, Rating.AGAIN),
    ],
)
def test_the_rating_that_parts_suggest(
    practice: "Practice", variant: Variant, texts: dict[str, str], hints: int, rating: Rating
) -> None:
    """Every part counts; those in words by their key points, of which all are ticked here."""
    submit(practice, variant, texts, "once")
    if hints:
        taken = question_state.snapshot(variant)
        sittings.take_hint(practice.session, practice.user, practice.browser, taken, hints, practice.clock())
    state, _ = stored(practice, variant)
    suggested = answering.suggest(variant, state, ["cache", "weights", "devices"])
    assert suggested is not None
    assert suggested.rating == rating
    unticked = answering.suggest(variant, state, [])
    assert unticked is not None
    assert unticked.rating == Rating.AGAIN


def test_only_the_first_answer_to_a_part_counts(practice: "Practice", variant: Variant) -> None:
    submit(practice, variant, {"a": "7 GB", "b": "29", "c": "59392", "d": "too-large"}, "first")
    submit(practice, variant, {"a": "1.68 GB"}, "second")
    state, _ = stored(practice, variant)
    suggested = answering.suggest(variant, state, ["cache", "weights", "devices"])
    assert suggested is not None
    assert suggested.reason == "Hard is suggested: 3 of 4 parts right at once."
    assert attempts.tries(state.answers, "a") == 2
