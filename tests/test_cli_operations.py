"""`ridgeway backup`, `restore` and `copy-database` as they are typed."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app.cli import cli
from app.database import Database, parse_url
from tests.operations.conftest import contents, fill


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def sqlite(migrated_file: Path, tmp_path: Path) -> Path:
    """A file with something in every table, as the settings name it."""
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / "ridgeway.sqlite3"
    file.write_bytes(migrated_file.read_bytes())
    database = _opened(file)
    fill(database)
    database.close()
    return file


def _opened(file: Path) -> Database:
    return Database(parse_url(f"sqlite:///{file}"))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


def refused(*arguments: str, code: int = 1) -> str:
    """The one line on stderr of a command that must not succeed."""
    result = run(*arguments)
    assert result.exit_code == code
    assert result.stderr.count("ridgeway: ") == 1
    assert "Traceback" not in result.stderr
    return result.stderr


def test_a_backup_is_restored_to_another_folder(
    sqlite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = run("backup", "monday.zip").stdout
    assert made.startswith("Backed up to monday.zip: ")
    assert "is there already" in refused("backup", "monday.zip")
    assert "--force replaces them" in refused("restore", "monday.zip")
    monkeypatch.setenv("RIDGEWAY_DATA_DIR", str(tmp_path / "elsewhere"))
    assert "there is no database" in refused("backup", "tuesday.zip")
    told = run("restore", "monday.zip").stdout
    assert told.startswith(f"Restored to {tmp_path}/elsewhere/ridgeway.sqlite3: ")
    databases = _opened(sqlite), _opened(tmp_path / "elsewhere" / "ridgeway.sqlite3")
    assert contents(databases[0]) == contents(databases[1])
    for database in databases:
        database.close()
    assert "What was there before is in" in run("restore", "monday.zip", "--force").stdout


def test_a_database_is_copied_and_each_table_counted(sqlite: Path) -> None:
    Path("address").write_text("sqlite:///copy.sqlite3\n")
    told = run("copy-database", f"sqlite:///{sqlite}", "@address")
    lines = told.stdout.splitlines()
    assert lines[-1].startswith("Copied to copy.sqlite3: ")
    rows = sum(int(line.split()[1].replace(",", "")) for line in lines[:-1])
    assert f"{rows:,} rows" in lines[-1]
    assert "give an empty database" in refused("copy-database", f"sqlite:///{sqlite}", "@address")


@pytest.mark.parametrize(
    ("source", "target", "told"),
    [
        ("sqlite:///nowhere.sqlite3", "sqlite:///new.sqlite3", "FROM: there is no file nowhere.sqlite3"),
        ("mysql://me:s3cret@h/d", "sqlite:///new.sqlite3", "FROM is not an address that can be used"),
        ("@nowhere", "sqlite:///new.sqlite3", "FROM: nowhere cannot be read"),
        ("postgresql://me:s3cret@127.0.0.1:9/d", "sqlite:///new.sqlite3", "cannot be used"),
    ],
)
def test_addresses_that_lead_nowhere(source: str, target: str, told: str) -> None:
    line = refused("copy-database", source, target, code=1 if "127.0.0.1" in source else 2)
    assert told in line
    assert "s3cret" not in line
    assert not Path("nowhere.sqlite3").exists()
