from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.accounts.zones import UnknownZone
from app.practice.study_day import begins_at, study_day

ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Chatham"]


@pytest.mark.parametrize(
    ("moment", "zone", "day"),
    [
        ("2026-03-02T03:59:59.999999+00:00", "UTC", date(2026, 3, 1)),
        ("2026-03-02T04:00:00+00:00", "UTC", date(2026, 3, 2)),
        ("2026-03-02T23:30:00+00:00", "Asia/Tokyo", date(2026, 3, 3)),  # 08:30 there
        ("2026-03-02T18:30:00+00:00", "Asia/Tokyo", date(2026, 3, 2)),  # 03:30 there
        ("2026-03-02T08:59:00+00:00", "America/New_York", date(2026, 3, 1)),  # 03:59 there
        # Clocks go forward at 02:00 in Berlin on 29 March 2026, so that 04:00 there is 02:00 UTC, not 03:00.
        ("2026-03-29T01:59:59+00:00", "Europe/Berlin", date(2026, 3, 28)),
        ("2026-03-29T02:00:00+00:00", "Europe/Berlin", date(2026, 3, 29)),
        # And back at 03:00 on 25 October: both of the two 02:30 belong to the day before.
        ("2026-10-25T00:30:00+00:00", "Europe/Berlin", date(2026, 10, 24)),
        ("2026-10-25T01:30:00+00:00", "Europe/Berlin", date(2026, 10, 24)),
        ("2026-10-25T03:00:00+00:00", "Europe/Berlin", date(2026, 10, 25)),
    ],
)
def test_a_day_begins_at_four_by_the_clock_on_the_wall(moment: str, zone: str, day: date) -> None:
    assert study_day(datetime.fromisoformat(moment), zone) == day


@pytest.mark.parametrize(
    ("day", "hours"), [(date(2026, 3, 28), 23), (date(2026, 10, 24), 25), (date(2026, 6, 1), 24)]
)
def test_a_day_over_a_change_of_the_clocks_is_an_hour_shorter_or_longer(day: date, hours: int) -> None:
    length = begins_at(day + timedelta(days=1), "Europe/Berlin") - begins_at(day, "Europe/Berlin")
    assert length == timedelta(hours=hours)


@given(day=st.dates(date(1990, 1, 1), date(2090, 1, 1)), zone=st.sampled_from(ZONES))
def test_a_day_holds_from_its_beginning_to_the_next(day: date, zone: str) -> None:
    begins, ends = begins_at(day, zone), begins_at(day + timedelta(days=1), zone)
    assert study_day(begins, zone) == day
    assert study_day(ends - timedelta(microseconds=1), zone) == day
    assert begins.astimezone(ZoneInfo(zone)).hour == 4


@given(
    first=st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
    later=st.timedeltas(timedelta(0), timedelta(days=3)),
    zone=st.sampled_from(ZONES),
)
def test_days_never_run_backwards(first: datetime, later: timedelta, zone: str) -> None:
    assert study_day(first, zone) <= study_day(first + later, zone)


def test_a_zone_that_is_none_is_refused() -> None:
    with pytest.raises(UnknownZone):
        study_day(datetime(2026, 3, 2, tzinfo=UTC), "Nowhere/Land")
