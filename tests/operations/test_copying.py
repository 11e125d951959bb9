"""Everything of one database in another: of SQLite in PostgreSQL, and back."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import insert, select, text

from app import models
from app.database import Database, DatabaseError, parse_url
from app.migrate import revisions
from app.operations.copying import CopyError, copy_database, count, snapshot
from tests.operations.conftest import contents, fill


@pytest.fixture
def target(database: Database, request: pytest.FixtureRequest) -> Iterator[Database]:
    """An empty database of the other kind than the one copied from."""
    target = Database(
        parse_url(request.getfixturevalue("postgres_url" if database.is_sqlite else "sqlite_url"))
    )
    yield target
    target.close()


def test_every_row_of_every_table_arrives_as_it_was(filled: Database, target: Database) -> None:
    seen: list[tuple[int, int]] = []
    counts = copy_database(filled, target, lambda *told: seen.append(told))
    before = contents(filled)
    assert contents(target) == before
    assert counts == {name: len(rows) for name, rows in before.items()}
    assert all(counts.values())
    assert sum(rows for rows, _ in seen) == sum(counts.values())
    assert {total for _, total in seen} == {sum(counts.values())}


def test_the_next_row_gets_a_number_of_its_own(filled: Database, target: Database) -> None:
    copy_database(filled, target)
    teams = models.metadata.tables["teams"]
    row = {"slug": "another", "name": "", "bank": "", "created_at": datetime(2026, 3, 2, tzinfo=UTC)}
    with target.engine.begin() as connection:
        numbers = connection.scalars(select(teams.c.id)).all()
        [number] = connection.execute(insert(teams).values(row).returning(teams.c.id)).one()
    assert number == max(numbers) + 1


class TestRefusing:
    def test_a_target_that_holds_something(self, filled: Database, target: Database) -> None:
        copy_database(filled, target)
        before = contents(target)
        with pytest.raises(CopyError, match=r"holds \d+ rows: give an empty database"):
            copy_database(filled, target)
        assert contents(target) == before

    def test_a_source_of_another_version(self, filled: Database, target: Database) -> None:
        with filled.engine.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = '0001_foundation'"))
        with pytest.raises(CopyError, match=f"at revision 0001_foundation, .* copies {revisions()[-1]}"):
            copy_database(filled, target)
        with filled.engine.begin() as connection:
            connection.execute(text(f"UPDATE alembic_version SET version_num = '{revisions()[-1]}'"))

    def test_itself(self, filled: Database) -> None:
        with pytest.raises(CopyError, match="onto itself"):
            copy_database(filled, Database(filled.url))

    def test_a_source_that_is_not_there(self, target: Database) -> None:
        away = Database(parse_url("postgresql://me:s3cret@127.0.0.1:9/nothing"))
        with pytest.raises(DatabaseError, match="cannot be used") as caught:
            copy_database(away, target)
        assert "s3cret" not in str(caught.value)


def test_what_is_written_meanwhile_is_not_half_there(database: Database) -> None:
    fill(database)
    before = {name: len(rows) for name, rows in contents(database).items()}
    with snapshot(database) as connection:
        count(connection)
        with database.engine.begin() as other:
            other.execute(text("DELETE FROM drafts"))
        assert count(connection) == before
