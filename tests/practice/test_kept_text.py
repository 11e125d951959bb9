from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.practice.kept_text import UNTYPED, Stamp, begin, stamp_of, take

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SAME, NEXT, OTHER = "w1.a", "w1.b", "w2.a"  # a page, a later one of its window, another window's


@dataclass
class Row:
    text: str = "kept"
    revision: int = 3
    writer: str = SAME
    count: int = 100
    updated_at: datetime = NOON
    set_aside: str | None = None


@pytest.mark.parametrize(
    ("sent", "stamp", "minutes", "text", "set_aside"),
    [
        ("newer", Stamp(3, SAME, 101), 1, "newer", None),
        ("newer, sent unaware", Stamp(1, SAME, 101), 1, "newer, sent unaware", None),
        ("older, arriving late", Stamp(2, SAME, 99), 1, "kept", None),
        ("older, of a page before", Stamp(2, NEXT, 99), 1, "kept", "older, of a page before"),
        ("newer, of a page after", Stamp(2, NEXT, 101), -1, "newer, of a page after", "kept"),
        ("newer, of a page after", Stamp(3, NEXT, 101), 1, "newer, of a page after", None),
        ("other", Stamp(3, OTHER, 5), 1, "other", None),
        ("other", Stamp(2, OTHER, 500), 1, "other", "kept"),
        ("other, typed before", Stamp(2, OTHER, 500), -1, "kept", "other, typed before"),
        ("kept, and more", Stamp(2, OTHER, 500), 1, "kept, and more", None),
        ("without JavaScript", Stamp(3), 1, "without JavaScript", None),
        ("without JavaScript", Stamp(2), 1, "without JavaScript", "kept"),
        ("kept", Stamp(1, OTHER, 1), 1, "kept", None),
    ],
)  # fmt: skip
def test_which_text_stays(sent: str, stamp: Stamp, minutes: int, text: str, set_aside: str | None) -> None:
    row = Row()
    take(row, sent, stamp, NOON + timedelta(minutes=minutes))
    assert (row.text, row.set_aside) == (text, set_aside)
    assert row.revision == (3 if text == "kept" else 4)


def test_the_text_set_aside_stays_until_it_is_taken_or_dropped() -> None:
    row = Row(set_aside="from elsewhere")
    take(row, "kept on", Stamp(3, SAME, 101), NOON)
    assert row.set_aside == "from elsewhere"
    take(row, "from elsewhere", Stamp(4, SAME, 102), NOON)
    assert (row.text, row.set_aside) == ("from elsewhere", "kept on")


def test_a_text_that_was_typed_again_is_newer_than_what_was_typed_between() -> None:
    row = Row(text="a", count=1)
    take(row, "a", Stamp(3, SAME, 3), NOON)
    take(row, "b", Stamp(3, SAME, 2), NOON)
    assert (row.text, row.set_aside) == ("a", None)


@given(texts=st.lists(st.sampled_from(["", "2", "2 G", "3 GiB"]), min_size=1, max_size=6), data=st.data())
def test_of_one_page_the_last_text_is_kept_however_they_arrive(texts: list[str], data: st.DataObject) -> None:
    """Each is typed over any revision that the page can have known by then, and may arrive twice."""
    sent = [(text, Stamp(0, SAME, count)) for count, text in enumerate(texts, 1)]
    arriving = data.draw(st.permutations([*sent, *data.draw(st.lists(st.sampled_from(sent), max_size=3))]))
    row: Row | None = None
    for minute, (text, stamp) in enumerate(arriving):
        at = NOON - timedelta(minutes=minute)
        if row is None:
            row = Row(**begin(text, stamp, at))
        else:
            known = data.draw(st.integers(0, row.revision))
            take(row, text, replace(stamp, revision=known), at)
        assert row.set_aside is None
    assert row is not None
    assert (row.text, row.count) == (texts[-1], len(texts))


@pytest.mark.parametrize("stamp", [UNTYPED, Stamp(12), Stamp(3, "k3j2h1.9f8a7", 1764561513000)])
def test_a_stamp_is_read_as_it_was_written(stamp: Stamp) -> None:
    assert Stamp.read(str(stamp)) == stamp


@pytest.mark.parametrize(
    "text",
    ["", "-1", "²", "1 a.b", "1 ab 3", "1 a.b -3", "1 A.b 3", "1  3", "1 a.b 3 4", "9" * 10, "1 a.b 3\n"],
)
def test_what_is_no_stamp_is_none(text: str) -> None:
    assert Stamp.read(text) is None


def test_a_row_says_what_is_typed_over_it() -> None:
    assert stamp_of(Row()) == Stamp(3, SAME, 100)
