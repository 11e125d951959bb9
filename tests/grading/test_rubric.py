"""The rating suggested by key points."""

import pytest

from app.grading import KeyPoint, suggest

POINTS = (KeyPoint("shape", 3, must=True), KeyPoint("linear", 4), KeyPoint("exact", 3), KeyPoint("cache", -1))


@pytest.mark.parametrize(
    ("ticked", "rating", "score", "missing"),
    [
        ({"shape", "linear", "exact"}, "good", 1.0, ()),
        ({"shape", "linear"}, "good", 0.7, ()),
        ({"shape", "linear", "cache"}, "hard", 0.6, ()),
        ({"shape", "exact"}, "hard", 0.6, ()),
        ({"shape"}, "again", 0.3, ()),
        ({"linear", "exact"}, "again", 0.7, ("shape",)),
        ({"cache"}, "again", 0.0, ("shape",)),
        (set(), "again", 0.0, ("shape",)),
        ({"shape", "linear", "exact", "not a point"}, "good", 1.0, ()),
    ],
)
def test_suggestion(ticked: set[str], rating: str, score: float, missing: tuple[str, ...]) -> None:
    suggestion = suggest(POINTS, ticked)
    assert suggestion is not None
    assert (suggestion.rating, suggestion.score, suggestion.missing) == (rating, score, missing)


def test_four_tenths_is_hard_and_seven_tenths_is_good() -> None:
    points = (KeyPoint("a", 4), KeyPoint("b", 3), KeyPoint("c", 3))
    for ticked, rating in [({"b"}, "again"), ({"a"}, "hard"), ({"b", "c"}, "hard"), ({"a", "b"}, "good")]:
        suggestion = suggest(points, ticked)
        assert suggestion is not None
        assert suggestion.rating == rating


def test_nothing_to_earn_suggests_nothing() -> None:
    assert suggest((), set()) is None
    assert suggest((KeyPoint("slip", -1),), {"slip"}) is None
