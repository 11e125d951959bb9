"""What the page of progress says: the numbers of the domain in words, tables and plots that say the same."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from markupsafe import Markup

from app.bank.load import Bank
from app.bank.topics import TOPICS
from app.pages.progress_plots import (
    LEVELS,
    BarPlot,
    CalendarPlot,
    bar_plot,
    calendar_plot,
    count_top,
    time_top,
)
from app.pages.question_view import RATINGS, day_text
from app.practice import drills
from app.practice.progress import Forecast
from app.practice.progress_calendar import PAUSE, WEEKS, Calendar, PastDay, TimeSpent
from app.practice.progress_mistakes import MadeMistake
from app.practice.progress_overview import Overview, Period
from app.practice.progress_results import Calibration, HardQuestion, TopicResult
from app.practice.records import QuestionKey
from app.practice.standing import Standing, TopicMastery

MAX_REVIEWS = 10
PAUSE_MINUTES = PAUSE // timedelta(minutes=1)
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
PERIODS = {Period.FOUR_WEEKS: "4 weeks", Period.TWELVE_WEEKS: "12 weeks", Period.ALL: "all"}
IN_PERIOD = {
    Period.FOUR_WEEKS: "in the last 4 weeks",
    Period.TWELVE_WEEKS: "in the last 12 weeks",
    Period.ALL: "in all",
}
LEANINGS = {
    None: "",
    "kind": "Good and Easy often go to what was not right: these questions come back later than they should.",
    "harsh": "Again often goes to what was right: these questions come back sooner than they need to.",
}


@dataclass(frozen=True, slots=True)
class CalendarView:
    says: str
    legend: tuple[tuple[int, str], ...]
    plot: CalendarPlot
    weeks: tuple[tuple[str, tuple[str, ...]], ...]
    """The newest first: the Monday, and a cell for each day."""


@dataclass(frozen=True, slots=True)
class BarsView:
    says: str
    plot: BarPlot | None
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ReviewRow:
    day: str
    when: str
    title: str
    address: str
    rating: str


@dataclass(frozen=True, slots=True)
class ShareRow:
    """A row with a bar: `percent` of 100, None where there is nothing to draw."""

    name: str
    address: str
    counted: str
    percent: int | None
    share: str


@dataclass(frozen=True, slots=True)
class DrillButton:
    """What starts a drill: the fields of its form."""

    key: str
    title: str
    slugs: tuple[str, ...]
    label: str


@dataclass(frozen=True, slots=True)
class MistakeItem:
    name: str
    times: str
    where: str
    questions: tuple[tuple[str, str], ...]
    say: Markup
    drill: DrillButton | None


@dataclass(frozen=True, slots=True)
class HardRow:
    title: str
    address: str
    why: str


def summary(seen: Overview, due_now: int) -> str:
    if not seen.started:
        return "Nothing yet: what you answer and rate shows here."
    practised = sum(topic.seen for topic in seen.mastery)
    of = sum(topic.questions for topic in seen.mastery)
    return f"{practised} of {_count(of, 'question')} practised, {due_now} due now."


def calendar_view(calendar: Calendar, today: date) -> CalendarView:
    questions = sum(day.questions for day in calendar.days)
    spent = sum((day.spent for day in calendar.days), timedelta())
    days = _count(calendar.practised, "day")
    says = (
        f"Practice on {days} in the last {WEEKS} weeks: {_count(questions, 'question')} in all, each counted"
        f" once a day, and {duration(spent)}."
        if calendar.practised
        else f"No practice in the last {WEEKS} weeks."
    )
    titles = [_day_title(day, today) for day in calendar.days]
    ends = [str(following - 1) for following in LEVELS[1:]]
    ranges = [f"{low} to {high}" for low, high in zip(LEVELS, ends, strict=False)] + [f"{LEVELS[-1]} or more"]
    return CalendarView(
        says=says,
        legend=tuple(enumerate(["none", *ranges])),
        plot=calendar_plot(calendar, titles),
        weeks=tuple(
            (
                _date(week[0].day, today),
                tuple(str(day.questions or "–") for day in week) + ("",) * (7 - len(week)),
            )
            for week in reversed(calendar.weeks)
        ),
    )


def mastery_row(topic: TopicMastery) -> ShareRow:
    return ShareRow(
        name=TOPICS[topic.topic].name,
        address=f"/questions?topic={topic.topic}",
        counted=f"{topic.seen} of {topic.questions}",
        percent=None if topic.remembered is None else round(100 * topic.remembered),
        share="–" if topic.remembered is None else _share(topic.remembered),
    )


def forecast_view(forecast: Forecast, today: date) -> BarsView:
    coming = sum(day.due for day in forecast.days)
    now = forecast.days[0].due
    if not coming and not forecast.later:
        return BarsView(says="", plot=None, rows=())
    overdue = f" ({forecast.overdue} from earlier days)" if forecast.overdue else ""
    later = f" {_count(forecast.later, 'review')} later than that." if forecast.later else ""
    span = f"in the next {len(forecast.days)} days"
    says = f"{_count(coming, 'review')} {span}, {now or 'none'} of them today{overdue}.{later}"
    names = [day_text(day.day, today) for day in forecast.days]
    plot = bar_plot(
        [day.due for day in forecast.days],
        [f"{name}: {day.due}" for name, day in zip(names, forecast.days, strict=True)],
        [(place, names[place]) for place in (0, 7, 14, 21, 28)],
        count_top(max(day.due for day in forecast.days)),
    )
    rows = tuple((name, str(day.due)) for name, day in zip(names, forecast.days, strict=True) if day.due)
    return BarsView(says, plot, rows)


def review_row(bank: Bank, key: QuestionKey, standing: Standing, today: date) -> ReviewRow:
    assert standing.due_day is not None
    return ReviewRow(
        day=standing.due_day.isoformat(),
        when="due now" if standing.due_day <= today else day_text(standing.due_day, today),
        title=title_of(bank, key),
        address=f"/questions/{key.slug}",
        rating=RATINGS[standing.rating] if standing.rating else "",
    )


def time_view(time: TimeSpent, period: Period, today: date) -> BarsView:
    cut = f" The bars show the last {WEEKS} weeks of it." if time.cut else ""
    says = f"{duration(time.total)} {IN_PERIOD[period]}, on {_count(time.days, 'day')}.{cut}"
    names = [_date(week.first, today) for week in time.weeks]
    spent = [duration(week.spent) for week in time.weeks]
    every = max(len(names) // 4, 1)
    plot = bar_plot(
        [week.spent.total_seconds() for week in time.weeks],
        [f"from {name}: {text}" for name, text in zip(names, spent, strict=True)],
        [(place, names[place]) for place in range(0, len(names), every)],
        time_top(max(week.spent for week in time.weeks)),
    )
    rows = tuple(zip(names, spent, strict=True))
    return BarsView(says, plot, tuple(reversed(rows)))


def topic_row(result: TopicResult) -> ShareRow:
    return ShareRow(
        name=TOPICS[result.topic].name,
        address=f"/questions?topic={result.topic}",
        counted=f"{result.right_at_once} of {result.graded}" if result.graded else "none graded",
        percent=None if result.credit is None else round(100 * result.credit),
        share="–" if result.credit is None else _share(result.credit),
    )


def calibration_rows(calibration: Calibration) -> list[ShareRow]:
    return [
        ShareRow(
            name=RATINGS[each.rating],
            address="",
            counted=_count(each.sittings, "sitting"),
            percent=None if each.credit is None else round(100 * each.credit),
            share="–" if each.credit is None else _share(each.credit),
        )
        for each in calibration.ratings
    ]


def calibration_says(calibration: Calibration) -> str:
    """You rate Good what is right 62% of the time, Hard what is right 40% and Again what is right 5%."""
    parts = [
        f"{RATINGS[each.rating]} what is right {_share(each.credit)}"
        for each in reversed(calibration.ratings)
        if each.credit is not None
    ]
    if not parts:
        return ""
    parts[0] += " of the time"
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    leaning = LEANINGS[calibration.leaning]
    return f"You rate {listed}. {leaning}".rstrip()


def mistake_item(bank: Bank, seen: Overview, made: MadeMistake) -> MistakeItem:
    asked = tuple((title_of(bank, key), f"/questions/{key.slug}") for key in made.questions if bank.at(key))
    return MistakeItem(
        name=made.name,
        times=_count(made.times, "time"),
        where="" if len(asked) == 1 else f"in {len(made.questions)} questions",
        questions=asked if len(asked) == 1 else (),
        say=made.say,
        drill=drill_button(seen, made.name, made.questions),
    )


def hard_row(bank: Bank, hard: HardQuestion) -> HardRow:
    why = [f"forgotten {_count(hard.lapses, 'time')}"] if hard.lapses else []
    if hard.credit is not None:
        why.append(f"first answers {_share(hard.credit)} right in {_count(hard.sittings, 'sitting')}")
    if hard.difficulty is not None:
        why.append(f"difficulty {hard.difficulty:.1f} of 10")
    return HardRow(title_of(bank, hard.question), f"/questions/{hard.question.slug}", ", ".join(why))


def drill_button(seen: Overview, title: str, questions: Sequence[QuestionKey]) -> DrillButton | None:
    """A drill of the questions, None where the bank has none of them to ask."""
    slugs = tuple(key.slug for key in questions if key in seen.drillable)[: drills.MAX_QUESTIONS]
    if not slugs:
        return None
    label = "Drill this question" if len(slugs) == 1 else f"Drill these {len(slugs)} questions"
    return DrillButton(secrets.token_urlsafe(12), title[: drills.MAX_TITLE], slugs, label)


def title_of(bank: Bank, key: QuestionKey) -> str:
    question = bank.at(key)
    return question.title if question else f"{key.slug} (no longer in the bank)"


def duration(spent: timedelta) -> str:
    """To the minute: 3 h 5 min."""
    minutes = round(spent / timedelta(minutes=1))
    if minutes < 1:
        return "under a minute" if spent else "no time"
    hours, rest = divmod(minutes, 60)
    return " ".join([f"{hours} h"] * bool(hours) + [f"{rest} min"] * bool(rest))


def _date(day: date, today: date) -> str:
    """A day as `day_text` has it further away: a week does not begin today."""
    return f"{day.day} {day:%b}" if day.year == today.year else f"{day.day} {day:%b %Y}"


def _day_title(day: PastDay, today: date) -> str:
    when = f"{WEEKDAYS[day.day.weekday()]} {day_text(day.day, today)}"
    return f"{when}: {_count(day.questions, 'question')}" if day.questions else f"{when}: none"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _share(value: float) -> str:
    """To the whole percent, as the bar beside it stands."""
    return f"{round(100 * value)}%"
