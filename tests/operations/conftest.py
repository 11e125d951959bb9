"""A database with something in every table, whatever tables there are."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest
from sqlalchemy import CheckConstraint, Column, Connection, Table, insert, select
from sqlalchemy.exc import IntegrityError

from app import models
from app.database import WRITES, Database

WORDS = 'K & V – "each" layer\n\U0001f600'
VALUES: dict[type, Callable[[int], Any]] = {
    bool: lambda n: n % 2 == 0,
    int: lambda n: n,
    float: lambda n: 0.7 + n / 7,
    str: lambda n: f"{WORDS} {n}",
    bytes: lambda n: bytes(range(256)) + bytes([n]),
    datetime: lambda n: datetime(2026, 3, n, 23, 59, 59, 123456, tzinfo=UTC),
    date: lambda n: date(2026, 3, n),
    object: lambda n: {"é": [n, None, 0.1, {"deep": WORDS}]},
}


def fill(database: Database) -> None:
    """Two rows or more in each table: one with whatever may be empty left empty, one with it filled."""
    with database.engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
        for table in models.metadata.sorted_tables:
            made = 0
            for number in (1, 2, 3):
                made += _insert(connection, table, made + 1, number, filled=number > 1)
            assert made, f"no row could be made for {table.name}"


def _insert(connection: Connection, table: Table, key: int, number: int, *, filled: bool) -> bool:
    row = {column.name: _value(column, number, filled=filled) for column in table.columns}
    given = {name: value for name, value in row.items() if value is not None}
    try:
        with connection.begin_nested():
            connection.execute(insert(table), {**given, "id": key} if "id" in row else given)
    except IntegrityError:  # a rule over several columns, which the other row keeps
        return False
    return True


def _value(column: Column[Any], number: int, *, filled: bool) -> Any:
    if column.foreign_keys:
        return 1 if filled or not column.nullable else None
    if column.nullable and not filled:
        return None
    allowed = _allowed(column)
    if allowed:
        return allowed[number % len(allowed)]
    kind = getattr(column.type, "impl_instance", column.type)
    return VALUES[kind.python_type](number)


def _allowed(column: Column[Any]) -> list[Any]:
    """What a rule of the table lets stand in the column, where it lists that."""
    assert isinstance(column.table, Table)
    for rule in column.table.constraints:
        if not isinstance(rule, CheckConstraint):
            continue
        if words := re.fullmatch(rf"{column.name} IN \((.*)\)", str(rule.sqltext)):
            return re.findall(r"'([^']*)'", words[1])
        if ends := re.match(rf"{column.name} BETWEEN ([0-9.]+) AND ([0-9.]+)", str(rule.sqltext)):
            number = float if "." in ends[1] else int
            return [number(ends[1]), number(ends[2])]
    return []


def contents(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table."""
    with database.engine.connect() as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key))]
            for table in models.metadata.sorted_tables
        }


@pytest.fixture
def filled(database: Database) -> Database:
    fill(database)
    return database
