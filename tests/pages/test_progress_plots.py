"""The geometry of the small plots: what is drawn stands for its number and stays within the drawing."""

from datetime import date, timedelta
from itertools import pairwise

import pytest

from app.pages.progress_plots import WIDTH, bar_plot, calendar_plot, count_top, level, time_top
from app.practice.progress_calendar import calendar
from app.practice.progress_history import History

EMPTY = History((), (), ())


def test_bars_stand_on_the_base_in_proportion() -> None:
    plot = bar_plot([0, 1, 4], ["none", "one", "four"], [(0, "a"), (2, "c")], (4.0, "4"))
    assert [bar.title for bar in plot.bars] == ["one", "four"], "nothing is drawn for none"
    one, four = plot.bars
    assert four.height == pytest.approx(4 * one.height)
    assert {bar.y + bar.height for bar in plot.bars} == {plot.base}
    assert four.y == plot.lines[0].y, "the tallest reaches the line that names it"
    assert [tick.text for tick in plot.ticks] == ["a", "c"]
    assert four.x < plot.ticks[1].x < four.x + four.width
    assert all(plot.left <= bar.x and bar.x + bar.width <= WIDTH for bar in plot.bars)


@pytest.mark.parametrize(("most", "top"), [(0, 1), (1, 1), (7, 8), (8, 8), (9, 10), (11, 20), (5000, 5000)])
def test_the_line_is_at_a_round_number_that_no_bar_exceeds(most: int, top: int) -> None:
    assert count_top(most) == (top, str(top))


@pytest.mark.parametrize(
    ("minutes", "name"),
    [(0, "5 min"), (5, "5 min"), (12, "15 min"), (31, "1 h"), (61, "2 h"), (60 * 168, "200 h")],
)
def test_time_is_in_minutes_and_from_half_an_hour_in_hours(minutes: int, name: str) -> None:
    top, told = time_top(timedelta(minutes=minutes))
    assert told == name
    assert top >= 60 * minutes


@pytest.mark.parametrize("day", range(40))
def test_a_calendar_has_a_square_for_each_day_and_months_that_do_not_touch(day: int) -> None:
    today = date(2026, 3, 2) + timedelta(days=day)
    seen = calendar(EMPTY, today)
    plot = calendar_plot(seen, [""] * len(seen.days))
    assert len(plot.squares) == len(seen.days)
    assert max(square.x + square.size for square in plot.squares) <= WIDTH
    assert max(square.y + square.size for square in plot.squares) <= plot.height
    at = [word.x for word in plot.months]
    assert all(later - earlier > 25 for earlier, later in pairwise(at))
    assert 5 <= len(at) <= 7


def test_a_day_is_darker_the_more_was_done() -> None:
    assert [level(questions) for questions in (0, 1, 2, 3, 5, 6, 9, 10, 99)] == [0, 1, 1, 2, 2, 3, 3, 4, 4]
