"""Time zones by name: the ones that exist on this machine, and the machine's own."""

from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import tzlocal


class UnknownZone(ValueError):  # noqa: N818 (reads as what it is)
    """A name that is no time zone here."""


def zone_named(name: str) -> ZoneInfo:
    """The zone of an IANA name such as Europe/Berlin; `UnknownZone` otherwise."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:  # OSError: the name of a folder of zones
        allowed = "allowed is a name such as Europe/Berlin"
        raise UnknownZone(f"{name[:80]!r} is not a time zone: {allowed}") from error


def is_zone(name: str) -> bool:
    """Whether `zone_named` takes the name."""
    try:
        zone_named(name)
    except UnknownZone:
        return False
    return True


@cache
def zone_names() -> tuple[str, ...]:
    """Names to offer: places, and UTC; not the abbreviations, of which many mean several zones."""
    return tuple(sorted(name for name in available_timezones() if "/" in name or name == "UTC"))


@cache
def server_zone() -> str:
    """The zone of the machine that runs this, UTC where it has none that can be told."""
    try:
        name = tzlocal.get_localzone_name()
    except (LookupError, ValueError, OSError):
        return "UTC"
    return name if is_zone(name) else "UTC"
