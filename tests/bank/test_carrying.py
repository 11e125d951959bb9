"""Errors carried forward: parts recomputed from the learner's own answers to the parts that they use."""

from collections.abc import Callable
from pathlib import Path

import pytest

from app.bank.carrying import follow, own_values
from app.bank.graded import Number
from app.bank.load import Bank
from app.bank.question import Question
from app.bank.variants import Variant, make_variant

PACK = Path(__file__).parents[1] / "pages" / "pack"
ReadQuestion = Callable[[str], Question]


@pytest.fixture(scope="module")
def variant() -> Variant:
    return make_variant(Bank.load([PACK]).questions["sample-carried"])


def value(variant: Variant, part: str, own: dict[str, Number]) -> Number:
    followed = follow(variant, part, own)
    assert followed is not None
    assert followed.answer is not None
    return followed.answer.value


def test_a_part_follows_from_what_the_learner_had(variant: Variant) -> None:
    assert variant.part_answers["b"].value == 29
    assert value(variant, "b", {"a": 10**9}) == 50
    followed = follow(variant, "b", {"a": 10**9})
    assert followed is not None
    [mistake] = followed.mistakes
    assert mistake.value == 51
    assert ">51</span>" in mistake.say


def test_a_chain_goes_on_from_the_nearest_answer_there_is(variant: Variant) -> None:
    assert own_values(variant, {"a": 10**9}) == {"a": 10**9, "b": 50, "c": 50 * 2048}
    assert own_values(variant, {"a": 10**9, "b": 40}) == {"a": 10**9, "b": 40, "c": 40 * 2048}
    assert own_values(variant, {"b": 40}) == {"b": 40, "c": 40 * 2048}
    assert own_values(variant, {}) == {}


def test_the_right_choice_follows_too(variant: Variant) -> None:
    followed = follow(variant, "d", {"a": 5 * 10**8})
    assert followed is not None
    assert [choice.id for choice in followed.choices if choice.right] == ["fits"]
    assert [choice.id for choice in variant.parts[3].choices if choice.right] == ["too-large"]


def test_what_needs_no_recomputing_or_has_no_value(variant: Variant) -> None:
    right = variant.part_answers["a"].value
    assert follow(variant, "b", {"a": right}) is None
    assert follow(variant, "a", {"a": 1}) is None
    assert follow(variant, "c", {"a": 1}) is None, "c uses b, and the learner gave none"
    assert follow(variant, "b", {"a": 0}) is None, "a division by zero judges nobody"
    assert follow(variant, "b", {"a": 10**2000}) is None


REFUSED = [
    ("uses: [a]", "uses: [c]", "`c`, which is not an earlier part"),
    ("uses: [a]", "uses: [b]", "`b`, which is not an earlier part"),
    ("uses: [a]", "uses: [a, a]", "names `a` twice"),
    ("    uses: [a]\n", "", "part `b` is computed from answer.a, which it does not name (uses: [a])"),
    ("value: floor(50e9 / answer.a)", "value: floor(50e9 / a)", "`a` is not known here (answer.a)"),
    ("value: floor(50e9 / answer.a)", "value: floor(50e9 / answer.b)", "`answer` has no `b`"),
    ("- id: c\n", "- id: c\n    uses: [a]\n", "part `c` is in words"),
    ("- id: a\n", "- id: working\n", "`working` is no name for a part"),
    ("key_points:", "choices: [{id: x, text: X}]\n    key_points:", "one of answer, choices and key_points"),
    ("key_points:", "mode: several\n    key_points:", "`mode` belongs to choices"),
]


@pytest.mark.parametrize(("old", "new", "says"), REFUSED)
def test_parts_that_cannot_be_followed_are_refused(
    write_bank: Callable[[dict[str, str]], Bank], multi: str, old: str, new: str, says: str
) -> None:
    assert multi.count(old) == 1
    bank = write_bank({"serving/parts.md": multi.replace(old, new)})
    assert any(says in str(problem) for problem in bank.problems), [str(each) for each in bank.problems]


def test_a_part_that_is_a_choice_has_no_number_to_go_on_from(
    write_bank: Callable[[dict[str, str]], Bank],
) -> None:
    text = (PACK / "serving" / "sample-carried.md").read_text("utf-8")
    later = "  - {id: f, prompt: And?, uses: [d], answer: {value: 1, family: count, tolerance: 0%}}\n"
    bank = write_bank({"serving/parts.md": text.replace("sources:\n", later + "sources:\n")})
    assert [problem.message for problem in bank.problems] == [
        "part `f` uses `d`, which has no number for an answer"
    ]
