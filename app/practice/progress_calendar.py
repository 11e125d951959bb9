"""On which days somebody practised, and for how long. Pure, over a history.

Time is what lies between two acts (a hint or an answer, a reveal, a rating) where that is at most `PAUSE`. A
sitting begins with the first act in it: what lies between the last act on one question and the first on the
next is the time in which that one was read and thought about. A longer pause counts nothing, and neither does
a tab that is left open.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Final

from app.practice.progress_history import History
from app.practice.records import QuestionKey

WEEKS: Final = 26
PAUSE: Final = timedelta(minutes=15)
_NOTHING: Final = timedelta(0)


@dataclass(frozen=True, slots=True)
class PastDay:
    """A study day: how many questions were worked on, each counted once, and for how long."""

    day: date
    questions: int
    spent: timedelta


@dataclass(frozen=True, slots=True)
class Calendar:
    """Weeks from Monday to Sunday, the last one up to today."""

    weeks: tuple[tuple[PastDay, ...], ...]

    @property
    def days(self) -> tuple[PastDay, ...]:
        return tuple(day for week in self.weeks for day in week)

    @property
    def practised(self) -> int:
        """Days on which there was something."""
        return sum(day.questions > 0 for day in self.days)


@dataclass(frozen=True, slots=True)
class SpentDays:
    """Seven days, from `first` on."""

    first: date
    spent: timedelta


@dataclass(frozen=True, slots=True)
class TimeSpent:
    total: timedelta
    days: int
    """Days on which there was something."""
    weeks: tuple[SpentDays, ...]
    """Seven days each, the last ones ending today; `WEEKS` of them at most, none before the first act."""
    cut: bool
    """Whether there was something before the first of these weeks."""


def starts_on(today: date) -> date:
    """The first day of the calendar."""
    return today - timedelta(days=today.weekday(), weeks=WEEKS - 1)


def calendar(history: History, today: date) -> Calendar:
    first = starts_on(today)
    spent = spent_by_day(history)
    questions: dict[date, set[QuestionKey]] = defaultdict(set)
    for act in history.acts:
        questions[act.day].add(act.question)
    days = [first + timedelta(days=ahead) for ahead in range((today - first).days + 1)]
    past = [PastDay(day, len(questions[day]), spent.get(day, _NOTHING)) for day in days]
    return Calendar(tuple(tuple(past[start : start + 7]) for start in range(0, len(past), 7)))


def time_spent(history: History, today: date) -> TimeSpent:
    spent = spent_by_day(history)
    days = {act.day for act in history.acts}
    reach = (today - min(days, default=today)).days // 7 + 1
    weeks: list[SpentDays] = []
    for back in reversed(range(min(max(reach, 1), WEEKS))):
        first = today - timedelta(days=6, weeks=back)
        seven = (first + timedelta(days=ahead) for ahead in range(7))
        weeks.append(SpentDays(first, sum((spent.get(day, _NOTHING) for day in seven), _NOTHING)))
    return TimeSpent(sum(spent.values(), _NOTHING), len(days), tuple(weeks), cut=reach > WEEKS)


def spent_by_day(history: History) -> Mapping[date, timedelta]:
    """The time of each study day, each span reckoned to the day of the act that ends it."""
    spent: dict[date, timedelta] = defaultdict(timedelta)
    for earlier, later in pairwise(history.acts):
        if (span := later.at - earlier.at) <= PAUSE:
            spent[later.day] += span
    return spent
