import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text
from sqlalchemy.engine.interfaces import ReflectedIndex

from app import models
from app.database import Database, DatabaseError, parse_url
from app.migrate import MIGRATIONS, is_migrated, migrate, revisions

NOW = datetime(2026, 3, 2, 12, 30, 15, tzinfo=UTC)
NEWEST = revisions()[-1]
A_USER = (
    "INSERT INTO users (id, login, zone, retention, daily_goal, created_at)"
    " VALUES (7, 'me', '', 0.9, 10, '2026-03-02 12:00:00.000000')"
)


@pytest.fixture
def database(empty_database: Database) -> Database:
    """A migrated database of the test's own, whose tables it may change."""
    migrate(empty_database)
    return empty_database


def current(database: Database) -> str:
    with database.engine.connect() as connection:
        return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one())


def tables(database: Database) -> set[str]:
    return set(inspect(database.engine).get_table_names())


def rules(database: Database) -> dict[str, object]:
    """Every rule of every table, by table, with its name and its text."""
    found = inspect(database.engine)
    return {
        name: (
            sorted(map(repr, found.get_check_constraints(name))),
            sorted(map(repr, found.get_foreign_keys(name))),
            sorted(map(repr, found.get_unique_constraints(name))),
            sorted(
                (str(index["name"]), index["unique"], str(index["column_names"]), str(where(index)))
                for index in found.get_indexes(name)
            ),
            found.get_pk_constraint(name),
        )
        for name in models.metadata.tables
    }


def where(index: ReflectedIndex) -> object:
    """The condition of a partial index."""
    options = index.get("dialect_options", {})
    return options.get("sqlite_where", options.get("postgresql_where"))


@pytest.fixture
def add_revision(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """The name of one more migration, which adds a table, in a copy of the folder that is used instead."""
    folder = tmp_path / "migrations"
    (folder / "versions").mkdir(parents=True)
    for path in [MIGRATIONS / "env.py", *(MIGRATIONS / "versions").glob("*.py")]:
        (folder / path.relative_to(MIGRATIONS)).write_text(path.read_text())
    name = "9999_more"
    write_migration(folder, name, "op.create_table('more', sa.Column('id', sa.Integer, primary_key=True))")
    monkeypatch.setattr("app.migrate.MIGRATIONS", folder)
    return name


def write_migration(folder: Path, name: str, upgrade: str) -> None:
    (folder / "versions" / f"{name}.py").write_text(
        "import sqlalchemy as sa\nfrom alembic import op\n\n"
        f"revision = {name!r}\ndown_revision = {NEWEST!r}\n\n\n"
        f"def upgrade() -> None:\n    {upgrade}\n"
    )


class TestRevisions:
    def test_the_names_of_the_files_tell_the_order_that_alembic_sees(self) -> None:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        chain = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
        assert tuple(reversed(chain)) == revisions()


class TestUpgrading:
    def test_an_empty_database_gets_the_tables_of_the_models(self, empty_database: Database) -> None:
        assert not is_migrated(empty_database)
        assert migrate(empty_database) is None
        assert is_migrated(empty_database)
        assert tables(empty_database) == {*models.metadata.tables, "alembic_version"}

    def test_the_models_and_the_migrations_agree(self, database: Database) -> None:
        with database.engine.connect() as connection:
            context = MigrationContext.configure(
                connection, opts={"compare_type": True, "compare_server_default": True}
            )
            assert compare_metadata(context, models.metadata) == []

    def test_the_rules_agree_too(self, database: Database) -> None:
        """Alembic compares no checks, and not what a foreign key does on delete."""
        migrated = rules(database)
        with database.engine.begin() as connection:
            models.metadata.drop_all(connection)
            models.metadata.create_all(connection)
        assert migrated == rules(database)
        assert len(migrated) == len(models.metadata.tables)

    def test_twice_is_once(self, database: Database) -> None:
        assert migrate(database) is None
        assert current(database) == revisions()[-1]

    def test_many_at_once_upgrade_once(self, database_url: str) -> None:
        databases = [Database(parse_url(database_url)) for _ in range(4)]
        barrier = threading.Barrier(len(databases))
        errors: list[Exception] = []

        def work(database: Database) -> None:
            try:
                barrier.wait(timeout=30)
                migrate(database)
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=work, args=(database,)) for database in databases]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        assert all(map(is_migrated, databases))
        for database in databases:
            database.close()

    def test_one_that_fails_leaves_the_database_as_it_was(
        self, database: Database, add_revision: str, tmp_path: Path
    ) -> None:
        write_migration(
            tmp_path / "migrations",
            add_revision,
            "op.create_table('half', sa.Column('id', sa.Integer)); op.drop_table('nothing')",
        )
        with pytest.raises(DatabaseError, match="nothing"):
            migrate(database)
        assert current(database) == NEWEST
        assert "half" not in tables(database)

    def test_a_table_made_anew_keeps_the_rows_that_refer_to_it(
        self, database: Database, add_revision: str, tmp_path: Path
    ) -> None:
        with database.engine.begin() as connection:
            connection.execute(text(A_USER))
            connection.execute(
                text(
                    "INSERT INTO drafts (user_id, pack, slug, seed, part, text, revision, updated_at)"
                    " VALUES (7, '', 'a', 0, '', 'typed', 1, '2026-03-02 12:00:00')"
                )
            )
        column = "sa.Column('more', sa.Integer)"
        if database.is_sqlite:
            anew = f"op.batch_alter_table('users', recreate='always') as users: users.add_column({column})"
            write_migration(tmp_path / "migrations", add_revision, f"with {anew}")
        else:  # which alters a table in place
            write_migration(tmp_path / "migrations", add_revision, f"op.add_column('users', {column})")
        migrate(database)
        with database.engine.connect() as connection:
            assert connection.execute(text("SELECT text FROM drafts")).scalars().all() == ["typed"]

    def test_one_that_leaves_rows_without_their_owner_is_taken_back(
        self, sqlite_url: str, add_revision: str, tmp_path: Path
    ) -> None:
        database = Database(parse_url(sqlite_url))
        newest = tmp_path / "migrations" / "versions" / f"{add_revision}.py"
        newest.unlink()
        migrate(database)
        with database.engine.begin() as connection:
            connection.execute(text(A_USER))
            connection.execute(
                text(
                    "INSERT INTO sessions (user_id, token_hash, created_at, last_seen_at, expires_at)"
                    " VALUES (7, 'x', '2026-03-02', '2026-03-02', '2026-03-02')"
                )
            )
        write_migration(tmp_path / "migrations", add_revision, "op.execute('DELETE FROM users')")
        with pytest.raises(DatabaseError, match="a row of sessions would refer to none of users"):
            migrate(database)
        assert current(database) == NEWEST
        with database.engine.connect() as connection:
            assert connection.execute(text("SELECT id FROM users")).scalars().all() == [7]
            assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
        database.close()


class TestCopy:
    def test_an_upgrade_copies_the_file_first(
        self, sqlite_url: str, add_revision: str, tmp_path: Path
    ) -> None:
        database = Database(parse_url(sqlite_url))
        newest = tmp_path / "migrations" / "versions" / f"{add_revision}.py"
        content = newest.read_text()
        newest.unlink()
        assert migrate(database) is None  # nothing to lose yet
        with database.engine.begin() as connection:
            connection.execute(text(A_USER))
        newest.write_text(content)
        copy = migrate(database, NOW)
        assert copy == tmp_path / f"ridgeway-{NEWEST}-20260302T123015Z.sqlite3"
        assert current(database) == add_revision
        assert "more" in tables(database)
        database.close()
        with closing(sqlite3.connect(copy)) as old:
            assert old.execute("SELECT * FROM alembic_version").fetchall() == [(NEWEST,)]
            assert old.execute("SELECT id, login FROM users").fetchall() == [(7, "me")]
            assert old.execute("SELECT name FROM sqlite_master WHERE name = 'more'").fetchall() == []

    def test_no_upgrade_without_a_copy(self, sqlite_url: str, add_revision: str, tmp_path: Path) -> None:
        database = Database(parse_url(sqlite_url))
        newest = tmp_path / "migrations" / "versions" / f"{add_revision}.py"
        content = newest.read_text()
        newest.unlink()
        migrate(database)
        newest.write_text(content)
        (tmp_path / f"ridgeway-{NEWEST}-20260302T123015Z.sqlite3").mkdir()  # in the copy's place
        with pytest.raises(DatabaseError, match="not upgraded, for"):
            migrate(database, NOW)
        assert current(database) == NEWEST
        database.close()


class TestRefusing:
    def test_a_database_of_a_newer_version(self, database: Database) -> None:
        with database.engine.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = '9876_later'"))
        with pytest.raises(DatabaseError, match=r"at revision 9876_later, .* a newer Ridgeway upgraded it"):
            migrate(database)
        assert not is_migrated(database)

    def test_a_database_with_tables_of_somebody_else(self, empty_database: Database) -> None:
        with empty_database.engine.begin() as connection:
            connection.execute(text("CREATE TABLE theirs (id INTEGER)"))
        with pytest.raises(DatabaseError, match=r"not Ridgeway's \(theirs\)"):
            migrate(empty_database)
        assert tables(empty_database) == {"theirs"}

    def test_a_file_that_is_no_database(self, sqlite_url: str, tmp_path: Path) -> None:
        (tmp_path / "ridgeway.sqlite3").write_text("not a database, but long enough for a header" * 9)
        database = Database(parse_url(sqlite_url))
        with pytest.raises(DatabaseError, match="not a database"):
            migrate(database)
        assert not is_migrated(database)
        database.close()

    def test_a_folder_that_cannot_be_made(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        database = Database(parse_url(f"sqlite:///{tmp_path}/file/ridgeway.sqlite3"))
        with pytest.raises(DatabaseError, match="cannot be made"):
            migrate(database)

    def test_a_server_that_is_not_there(self) -> None:
        database = Database(parse_url("postgresql://me:s3cret@127.0.0.1:1/ridgeway"))
        with pytest.raises(DatabaseError, match="cannot be used") as caught:
            migrate(database)
        assert "s3cret" not in str(caught.value)
        assert "\n" not in str(caught.value)
        assert not is_migrated(database)
        database.close()


class TestStarting:
    def test_a_migrated_database_is_recognised_without_alembic(self, sqlite_url: str) -> None:
        database = Database(parse_url(sqlite_url))
        migrate(database)
        database.close()
        program = (
            "import sys\n"
            "from app.database import Database, parse_url\n"
            "from app.migrate import migrate\n"
            f"database = Database(parse_url({sqlite_url!r}))\n"
            "migrate(database)\n"
            "database.close()\n"
            "print('alembic' in sys.modules)\n"
        )
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert result.stdout.strip() == "False"


def test_the_names_of_revisions_fit_into_the_column_that_keeps_them() -> None:
    """PostgreSQL has 32 characters for one, and SQLite does not count."""
    assert [name for name in revisions() if len(name) > 32] == []
