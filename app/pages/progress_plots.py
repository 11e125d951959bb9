"""Small plots of the page of progress as plain geometry, in the units of a drawing 360 wide."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from app.practice.progress_calendar import WEEKS, Calendar

WIDTH: Final = 360
LEFT: Final = 28  # what stands before the drawing: days of the week, values of the lines
LEVELS: Final = (1, 3, 6, 10)  # questions of a day from which its square is darker
_STEP: Final = (WIDTH - LEFT) / WEEKS
_CELL: Final = round(0.85 * _STEP, 2)
_HEAD: Final = 14.0
_BARS: Final = 80.0  # height of the tallest bar there may be
_LABELS_APART: Final = 3  # weeks between the names of two months


@dataclass(frozen=True, slots=True)
class Word:
    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Square:
    x: float
    y: float
    size: float
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class CalendarPlot:
    height: float
    squares: tuple[Square, ...]
    months: tuple[Word, ...]
    weekdays: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    x: float
    y: float
    width: float
    height: float
    title: str


@dataclass(frozen=True, slots=True)
class BarPlot:
    height: float
    left: float
    base: float
    bars: tuple[Bar, ...]
    lines: tuple[Word, ...]
    """At `y`, with the value that it stands for."""
    ticks: tuple[Word, ...]


def calendar_plot(calendar: Calendar, titles: Sequence[str]) -> CalendarPlot:
    """A column for each week, a square for each day; `titles` of the days in their order."""
    titled = iter(titles)
    squares = tuple(
        Square(
            x=round(LEFT + column * _STEP, 2),
            y=round(_HEAD + row * _STEP, 2),
            size=_CELL,
            level=level(day.questions),
            title=next(titled),
        )
        for column, week in enumerate(calendar.weeks)
        for row, day in enumerate(week)
    )
    return CalendarPlot(
        height=round(_HEAD + 7 * _STEP, 2),
        squares=squares,
        months=tuple(_months([week[0].day for week in calendar.weeks])),
        weekdays=tuple(
            Word(0, round(_HEAD + row * _STEP + _CELL - 2, 2), name)
            for row, name in ((0, "Mon"), (2, "Wed"), (4, "Fri"))
        ),
    )


def level(questions: int) -> int:
    """How dark a day is: 0 where nothing was done."""
    return sum(questions >= least for least in LEVELS)


def _months(mondays: Sequence[date]) -> list[Word]:
    """Each month's name over its first week, where that leaves room for the one before."""
    words: list[Word] = []
    last = -_LABELS_APART
    for column, monday in enumerate(mondays):
        begins = column == 0 or monday.month != mondays[column - 1].month
        if begins and column - last >= _LABELS_APART:
            words.append(Word(round(LEFT + column * _STEP, 2), _HEAD - 5, f"{monday:%b}"))
            last = column
        elif begins and len(words) == 1:  # a month that ends at once gives way to the next
            words[0] = Word(round(LEFT + column * _STEP, 2), _HEAD - 5, f"{monday:%b}")
            last = column
    return words


def bar_plot(
    values: Sequence[float], titles: Sequence[str], ticks: Sequence[tuple[int, str]], top: tuple[float, str]
) -> BarPlot:
    """A bar for each value, up to the line `top`; `ticks` name some of the bars by their places."""
    step = (WIDTH - LEFT) / max(len(values), 1)
    width = min(step * 0.7, 26.0)
    base = _HEAD + _BARS
    highest, named = top

    def middle(place: int) -> float:
        return round(LEFT + (place + 0.5) * step, 2)

    bars = tuple(
        Bar(
            x=round(middle(place) - width / 2, 2),
            y=round(base - _BARS * value / highest, 2),
            width=round(width, 2),
            height=round(_BARS * value / highest, 2),
            title=title,
        )
        for place, (value, title) in enumerate(zip(values, titles, strict=True))
        if value > 0
    )
    return BarPlot(
        height=base + 18,
        left=LEFT,
        base=base,
        bars=bars,
        lines=(Word(0, _HEAD, named),),
        ticks=tuple(Word(middle(place), base + 13, text) for place, text in ticks),
    )


def count_top(most: int) -> tuple[float, str]:
    """The first round number that no bar exceeds."""
    top = next(each for each in _round_numbers() if each >= most)
    return float(top), str(top)


def time_top(longest: timedelta) -> tuple[float, str]:
    """In seconds: a round number of minutes, or from an hour on of hours."""
    minutes = longest / timedelta(minutes=1)
    for each in (5, 10, 15, 30):
        if minutes <= each:
            return each * 60.0, f"{each} min"
    hours = next(each for each in _round_numbers() if each * 60 >= minutes)
    return hours * 3600.0, f"{hours} h"


def _round_numbers() -> Sequence[int]:
    return [digit * 10**power for power in range(9) for digit in (1, 2, 3, 4, 5, 6, 8)]
