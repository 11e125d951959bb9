"""Days of study and the time spent, over a history made by hand and over one that was lived."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from app.practice import progress_history
from app.practice.progress_calendar import WEEKS, calendar, spent_by_day, time_spent
from app.practice.progress_history import Act, History
from app.practice.records import QuestionKey
from app.practice.schedule import Rating
from tests.practice.conftest import Practice

TODAY = date(2026, 3, 4)  # a Wednesday
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def history(*acts: tuple[float, str]) -> History:
    """Acts so many minutes from today's noon, each on a question."""
    made = [Act(at := NOON + timedelta(minutes=m), at.date(), QuestionKey("", slug)) for m, slug in acts]
    return History((), tuple(sorted(made)), ())


def minutes(number: float) -> timedelta:
    return timedelta(minutes=number)


def test_weeks_go_from_monday_to_today() -> None:
    weeks = calendar(history(), TODAY).weeks
    assert len(weeks) == WEEKS
    assert {len(week) for week in weeks[:-1]} == {7}
    assert all(week[0].day.weekday() == 0 for week in weeks)
    assert [day.day for day in weeks[-1]] == [TODAY - timedelta(days=back) for back in (2, 1, 0)]


def test_a_day_counts_each_question_once_and_what_lies_between_acts() -> None:
    seen = calendar(history((0, "a"), (4, "a"), (10, "b"), (-1440, "a")), TODAY)
    yesterday, today = seen.days[-2:]
    assert (today.questions, today.spent) == (2, minutes(10))
    assert (yesterday.questions, yesterday.spent) == (1, minutes(0))
    assert seen.practised == 2


def test_a_long_pause_counts_nothing() -> None:
    assert spent_by_day(history((0, "a"), (15, "a"), (15 + 15.1, "b"), (32, "b"))) == {TODAY: minutes(16.9)}


def test_acts_beyond_today_harm_nothing() -> None:
    """As after a clock that ran ahead was set back."""
    ahead = history((0, "a"), (3 * 1440, "a"), (3 * 1440 + 5, "a"))
    assert calendar(ahead, TODAY).practised == 1
    assert calendar(ahead, TODAY).days[-1].day == TODAY
    spent = time_spent(ahead, TODAY)
    assert (spent.total, len(spent.weeks)) == (minutes(5), 1)


def test_weeks_of_time_end_today_and_begin_with_the_first_act() -> None:
    spent = time_spent(history((-8 * 1440, "a"), (-8 * 1440 + 9, "a"), (0, "a"), (2, "a")), TODAY)
    assert [(week.first, week.spent) for week in spent.weeks] == [
        (TODAY - timedelta(days=13), minutes(9)),
        (TODAY - timedelta(days=6), minutes(2)),
    ]
    assert (spent.total, spent.days, spent.cut) == (minutes(11), 2, False)
    long = time_spent(history((-400 * 1440, "a"), (0, "a")), TODAY)
    assert (len(long.weeks), long.cut) == (WEEKS, True)


def test_before_anything_there_is_one_empty_week() -> None:
    spent = time_spent(history(), TODAY)
    assert (spent.total, spent.days, [week.spent for week in spent.weeks]) == (minutes(0), 0, [minutes(0)])


def test_a_night_belongs_to_the_day_before(practice: Practice) -> None:
    practice.clock.now = datetime(2026, 3, 3, 1, 30, tzinfo=UTC)  # 02:30 in Berlin
    practice.submit("x")
    practice.clock.advance(minutes=5)
    practice.rate(Rating.GOOD)
    lived = progress_history.load(practice.session, practice.user)
    assert spent_by_day(lived) == {date(2026, 3, 2): minutes(5)}


def test_moving_to_another_zone_changes_no_day(practice: Practice) -> None:
    practice.submit("x")
    practice.clock.advance(minutes=5)
    practice.submit("y")
    here = progress_history.load(practice.session, practice.user)
    moved = replace(practice.user, zone="Pacific/Auckland")
    there = progress_history.load(practice.session, moved)
    assert here == there
    assert {act.day for act in there.acts} == {date(2026, 3, 2)}


def test_a_clock_set_back_between_two_acts_counts_the_time_between_them(practice: Practice) -> None:
    practice.submit("x")
    practice.clock.advance(minutes=-5)
    practice.rate(Rating.GOOD)
    lived = progress_history.load(practice.session, practice.user)
    assert spent_by_day(lived) == {date(2026, 3, 2): minutes(5)}
