"""The rating suggested after an answer that was graded."""

import pytest

from app.grading import Outcome, suggest_rating


@pytest.mark.parametrize(
    ("outcome", "without", "with_hint"),
    [
        ("right", "good", "hard"),
        ("near", "hard", "hard"),
        ("mistake", "again", "again"),
        ("wrong", "again", "again"),
        ("format", None, None),
    ],
)
def test_suggested_rating(outcome: Outcome, without: str | None, with_hint: str | None) -> None:
    assert suggest_rating(outcome) == without
    assert suggest_rating(outcome, hint_used=True) == with_hint
