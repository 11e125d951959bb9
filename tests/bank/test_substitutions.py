"""What may stand between the braces of prose."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.bank import substitutions
from app.bank.expressions import ExpressionError, Names
from app.bank.substitutions import (
    AnswerSubstitution,
    FormattedSubstitution,
    NameSubstitution,
    WordingSubstitution,
)

NAMES: Names = {
    "n": 1,
    "batch": 32,
    "dtype": "fp32",
    "fits": True,
    "scores": {"score_bytes": 2**31, "none": None},
}


@pytest.mark.parametrize(("text", "part"), [("answer", None), (" answer ", None), ("answer.a", "a")])
def test_the_answer(text: str, part: str | None) -> None:
    substitution = substitutions.parse(text)
    assert isinstance(substitution, AnswerSubstitution)
    assert substitution.part == part
    assert substitution.expressions == ()


@pytest.mark.parametrize(
    ("text", "name", "attribute"),
    [("batch", "batch", None), (" scores.score_bytes ", "scores", "score_bytes")],
)
def test_a_bare_name(text: str, name: str, attribute: str | None) -> None:
    substitution = substitutions.parse(text)
    assert isinstance(substitution, NameSubstitution)
    assert (substitution.reference.name, substitution.reference.attribute) == (name, attribute)
    assert substitution.source == text.strip()


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("gib(scores.score_bytes)", "2 GiB"),
        (" gib( min(scores.score_bytes, 4 * 2 ** 30) ) ", "2 GiB"),
        ("int(round(batch / 3))", "11"),
        ('choose(batch > 1, "many, or (more)", "one")', "many, or (more)"),
        ("choose(not fits, 'it doesn″t', 'it does')", "it does"),
        ('plural(n, "token", "tokens")', "token"),
        ('plural(batch - 1, "token", "tokens")', "tokens"),
        ('plural(batch / 64, "token", "tokens")', "tokens"),
    ],
)
def test_computed_text(text: str, printed: str) -> None:
    substitution = substitutions.parse(text)
    assert isinstance(substitution, FormattedSubstitution | WordingSubstitution)
    assert substitution.text(NAMES) == printed
    assert len(substitution.expressions) == 1


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("", 1, "empty"),
        ("batch * 2", 1, "needs a formatter"),
        ("sqrt(batch)", 1, "sig3(sqrt(...))"),
        ("gbb(batch)", 1, "did you mean gb?"),
        ("gb(batch) * 2", 1, "at the top only"),
        ("gb(2 + mib(batch))", 8, "at the top only"),
        ("gb()", 4, "empty"),
        ("gb(1, 2)", 1, "gb prints one number"),
        ("gb(batch", 3, "never closed"),
        ("gb(2 +* 3)", 7, "cannot be read"),
        ("choose(batch > 1)", 1, "choose is written"),
        ("choose(batch > 1, 'a', batch)", 1, "choose is written"),
        ("choose(batch > 1, 'a', 'b', 'c')", 1, "choose is written"),
        ("plural(batch, 'a')", 1, "plural is written"),
        ("'text'", 1, "A text stands only"),
        ("a.b.c", 1, "one level deep"),
        ("x" * 1001, 1, "at most 1,000"),
    ],
)
def test_what_is_refused(text: str, column: int, says: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        substitutions.parse(text)
    assert says in str(caught.value)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("gb(dtype)", "prints a number, not a condition or a text"),
        ("gb(fits)", "prints a number, not a condition or a text"),
        ("gb(scores.none)", "has no value"),
        ("gb(scores.bytes)", "no output bytes"),
        ("choose(batch, 'a', 'b')", "begins with a condition"),
        ("plural(fits, 'a', 'b')", "begins with a number"),
    ],
)
def test_what_has_no_text(text: str, says: str) -> None:
    substitution = substitutions.parse(text)
    assert isinstance(substitution, FormattedSubstitution | WordingSubstitution)
    with pytest.raises(ExpressionError, match=says):
        substitution.text(NAMES)


PIECES = st.sampled_from(
    ["gb", "choose", "plural", "answer", "batch", "fits", "(", ")", ",", "'a'", ".", " ", "<", "1"]
)


@settings(deadline=None)
@given(st.lists(PIECES, max_size=16).map("".join))
def test_any_text_is_a_substitution_or_refused(text: str) -> None:
    try:
        substitution = substitutions.parse(text)
    except ExpressionError:
        return
    assert substitution.source == text.strip()
