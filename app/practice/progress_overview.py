"""Everything that the page of progress tells, put together from what is read once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from sqlmodel import Session

from app.accounts.users import User
from app.practice import marks, progress_history
from app.practice.progress import Forecast, forecast
from app.practice.progress_calendar import Calendar, TimeSpent, calendar, starts_on, time_spent
from app.practice.progress_mistakes import MadeMistake, made_most
from app.practice.progress_results import (
    Calibration,
    HardQuestion,
    TopicResult,
    calibration,
    hardest,
    results_by_topic,
)
from app.practice.records import QuestionKey
from app.practice.standing import Standing, TopicMastery, mastery_by_topic, standings, upcoming
from app.practice.study_day import study_day


class Period(StrEnum):
    """How far back the results go."""

    FOUR_WEEKS = "4w"
    TWELVE_WEEKS = "12w"
    ALL = "all"

    def starts_on(self, today: date) -> date | None:
        """Its first study day, None where it has none."""
        weeks = {Period.FOUR_WEEKS: 4, Period.TWELVE_WEEKS: 12}.get(self)
        return None if weeks is None else today - timedelta(weeks=weeks) + timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Overview:
    """What is so now, and how it went in the period."""

    today: date
    period: Period
    started: bool
    """Whether anything at all has been answered or rated."""
    calendar: Calendar
    mastery: tuple[TopicMastery, ...]
    forecast: Forecast
    upcoming: tuple[tuple[QuestionKey, Standing], ...]
    practised: bool
    """Whether there was anything in the period."""
    time: TimeSpent
    topics: tuple[TopicResult, ...]
    calibration: Calibration
    mistakes: tuple[MadeMistake, ...]
    hardest: tuple[HardQuestion, ...]
    drillable: frozenset[QuestionKey]
    """The questions that a drill may ask: those of the bank that are not suspended."""


def overview(
    session: Session, user: User, topics: Mapping[QuestionKey, str], period: Period, now: datetime
) -> Overview:
    """`topics` are the bank's questions, each with the topic that it is counted under, topic by topic."""
    today = study_day(now, user.zone)
    since = period.starts_on(today)
    known = standings(session, user, topics, now)
    marked = marks.all_of(session, user)
    everything = progress_history.load(session, user, None if since is None else min(since, starts_on(today)))
    history = everything.since(since)
    served = frozenset(key for key in topics if not marked.get(key, marks.NONE).suspended)
    return Overview(
        today=today,
        period=period,
        started=bool(everything.acts) or not all(standing.new for standing in known.values()),
        calendar=calendar(everything, today),
        mastery=mastery_by_topic(known, _by_topic(topics.items())),
        forecast=forecast(known, marked, today),
        upcoming=tuple(pair for pair in upcoming(known) if pair[0] in served),
        practised=bool(history.acts),
        time=time_spent(history, today),
        topics=results_by_topic(history, topics),
        calibration=calibration(history),
        mistakes=made_most(session, user, history),
        hardest=hardest(history, known),
        drillable=served,
    )


def _by_topic(topics: Iterable[tuple[QuestionKey, str]]) -> dict[str, list[QuestionKey]]:
    found: dict[str, list[QuestionKey]] = {}
    for question, topic in topics:
        found.setdefault(topic, []).append(question)
    return found
