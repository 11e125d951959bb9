"""Which tables hold what is a user's own, found from the tables themselves, so that none is forgotten.

A table belongs to a user when it names one, or when it names a row of a table that does. Left out are cards,
which follow from the ratings, and what says who may come in here, which is no practice.
"""

from datetime import date, datetime
from functools import cache
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Table, select

from app.database import metadata

_LEFT_OUT: Final = frozenset(
    {
        "cards",
        "sessions",
        "memberships",
        "invites",
        "one_time_links",
        "identities",
        "api_tokens",
        "pack_versions",
        "assignments",
        "assigned_people",
    }
)
USERS: Final = "users"
# What of a user's row is theirs to take along; the rest is who they are on this server.
USER_COLUMNS: Final = ("zone", "retention", "daily_goal", "single_keys", "new_choice")


@cache
def owned_tables() -> tuple[Table, ...]:
    """The tables of what is a user's own; one that refers to another comes after it."""
    owned: dict[str, Table] = {}
    for table in metadata.sorted_tables:
        refers_to = {key.column.table.name for column in table.columns for key in column.foreign_keys}
        if table.name not in _LEFT_OUT and refers_to & {USERS, *owned}:
            owned[table.name] = table
    return tuple(owned.values())


def belongs_to(table: Table, user_id: int) -> ColumnElement[bool]:
    """Which rows of an owned table are the user's."""
    if "user_id" in table.columns:
        return table.columns["user_id"] == user_id
    owned = {owned.name: owned for owned in owned_tables()}
    column = next(column for column in table.columns if target(column) in owned)
    parent = owned[target(column) or ""]
    return column.in_(select(parent.columns["id"]).where(belongs_to(parent, user_id)))


def target(column: Column[Any]) -> str | None:
    """The table whose rows the column names, if it names any."""
    return next((key.column.table.name for key in column.foreign_keys), None)


def python_type(column: Column[Any]) -> type | None:
    """What a value of the column is in Python; None where it is whatever JSON holds."""
    kind = getattr(column.type, "impl_instance", column.type)
    for known in (bool, int, float, str, datetime, date):
        if kind.python_type is known:
            return known
    return None
