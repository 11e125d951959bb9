"""The study day: the date in the user's zone, where a day begins at 04:00 by the clock on the wall.

The one place where a moment becomes a day. By the wall clock, so that a day in which the clocks change is an
hour shorter or longer and still begins at 04:00.
"""

from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from app.accounts.zones import zone_named

BEGINS: Final = time(4)


def study_day(moment: datetime, zone: str) -> date:
    """The study day in which an aware moment lies."""
    local = moment.astimezone(zone_named(zone))
    return local.date() if local.time() >= BEGINS else local.date() - timedelta(days=1)


def begins_at(day: date, zone: str) -> datetime:
    """The moment, in UTC, at which a study day begins."""
    return datetime.combine(day, BEGINS, zone_named(zone)).astimezone(UTC)
