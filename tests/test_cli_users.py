"""`ridgeway users`: what whoever runs the server does with accounts, from its own machine."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import cli


@pytest.fixture(autouse=True)
def _server(tmp_path: Path, migrated_file: Path, monkeypatch: pytest.MonkeyPatch, quick_hashes: None) -> None:
    (tmp_path / "ridgeway.sqlite3").write_bytes(migrated_file.read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RIDGEWAY_MODE", "team")
    monkeypatch.setenv("RIDGEWAY_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("RIDGEWAY_BASE_URL", "https://ridge.example")


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(cli, ["users", *words])
    assert result.exit_code == code, result.output
    return result.output


def test_an_account_from_its_making_to_its_end() -> None:
    assert re.search(
        r"https://ridge\.example/reset/[\w-]{43}", run("add", "Ada@example.org", "--name", "Ada")
    )
    assert run("list") == "ada@example.org\tAda\tnot signed in\tno password\n"
    assert "already" in run("add", "ada@example.org", code=2)
    assert "/reset/" in run("reset", "ADA@example.org")
    run("disable", "ada@example.org")
    assert "disabled" in run("list")
    run("enable", "ada@example.org")
    assert "disabled" not in run("list")
    assert "--yes" in run("delete", "ada@example.org", code=2)
    run("delete", "ada@example.org", "--yes")
    assert run("list") == ""


def test_a_link_for_the_first_owner_until_there_is_an_operator() -> None:
    assert run("owner-link").startswith("https://ridge.example/first-owner/")
    run("add", "ada@example.org", "--operator")
    assert "operator already" in run("owner-link", code=1)
    assert "The only operator" in run("disable", "ada@example.org", code=1)
    assert "The only operator" in run("delete", "ada@example.org", "--yes", code=1)


def test_an_account_that_is_not_there_is_named() -> None:
    assert "“nobody@example.org”" in run("reset", "nobody@example.org", code=2)


def test_in_local_mode_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIDGEWAY_MODE", "local")
    assert "RIDGEWAY_MODE is local" in run("list", code=2)
