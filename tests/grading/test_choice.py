"""One choice or several: outcome, credit, and feedback on what was taken."""

import pytest

from app.grading import Choice, ChoiceFeedback, grade_choice

ONE = (
    Choice("kv", True, "Yes: it grows with every token."),
    Choice("weights", False, "They stay."),
    Choice("none", False),
)
MANY = (
    Choice("a", True, "A."),
    Choice("b", True),
    Choice("c", False, "Not C."),
    Choice("d", False),
    Choice("e", True),
)


def test_the_right_one() -> None:
    graded = grade_choice(["kv"], ONE)
    assert (graded.verdict.outcome, graded.verdict.credit) == ("right", 1.0)
    assert graded.feedback == (ChoiceFeedback("kv", True, "Yes: it grows with every token."),)


def test_a_wrong_one_is_told_nothing_of_the_others() -> None:
    graded = grade_choice(["weights"], ONE)
    assert (graded.verdict.outcome, graded.verdict.credit) == ("wrong", 0.0)
    assert graded.feedback == (ChoiceFeedback("weights", False, "They stay."),)


@pytest.mark.parametrize("taken", [[], ["kv", "none"], ["elsewhere"], ["kv", "elsewhere"], [""]])
def test_what_cannot_be_graded_costs_nothing(taken: list[str]) -> None:
    graded = grade_choice(taken, ONE)
    assert (graded.verdict.outcome, graded.verdict.credit, graded.feedback) == ("format", None, ())
    assert graded.verdict.message


def test_the_same_one_twice_is_one() -> None:
    assert grade_choice(["kv", "kv"], ONE).verdict.outcome == "right"


@pytest.mark.parametrize(
    ("taken", "outcome", "credit", "message"),
    [
        ("abe", "right", 1.0, "Right, and complete."),
        ("eba", "right", 1.0, "Right, and complete."),
        ("ab", "near", 2 / 3, "2 of 3 right ones taken."),
        ("abec", "near", 2 / 3, "3 of 3 right ones taken, and 1 that is not right."),
        ("a", "wrong", 1 / 3, "1 of 3 right ones taken."),
        ("abc", "wrong", 1 / 3, "2 of 3 right ones taken, and 1 that is not right."),
        ("abcde", "wrong", 1 / 3, "3 of 3 right ones taken, and 2 that are not right."),
        ("cd", "wrong", 0.0, "0 of 3 right ones taken, and 2 that are not right."),
    ],
)
def test_several(taken: str, outcome: str, credit: float, message: str) -> None:
    verdict = grade_choice(taken, MANY, "several").verdict
    assert (verdict.outcome, verdict.message) == (outcome, message)
    assert verdict.credit == pytest.approx(credit)


def test_half_of_two_is_near() -> None:
    assert grade_choice("a", MANY[:4], "several").verdict.outcome == "near"


def test_feedback_on_several_stands_in_the_order_of_the_page() -> None:
    feedback = grade_choice(["c", "a"], MANY, "several").feedback
    assert [(each.id, each.right, each.say) for each in feedback] == [
        ("a", True, "A."),
        ("c", False, "Not C."),
    ]


def test_none_of_several_has_to_be_said() -> None:
    assert grade_choice([], MANY, "several").verdict.outcome == "format"
    assert grade_choice(["c"], MANY[2:4], "several").verdict.credit == 0.0
