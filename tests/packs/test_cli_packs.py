"""`ridgeway packs` and RIDGEWAY_PACKS: what whoever runs the server does by hand."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.accounts import teams, users
from app.cli import cli
from app.database import Database
from app.settings import Settings, SettingsError, load_settings
from tests.conftest import FakeClock
from tests.packs.files import OURS, archive, question

run = CliRunner().invoke


@pytest.fixture
def file(app_settings: Settings, clock: FakeClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An archive beside the database of a server with one team, red."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RIDGEWAY_DATA_DIR", str(app_settings.data_dir))
    database = Database.from_settings(app_settings)
    with database.session() as session:
        teams.create(session, users.local_user(session, clock()), "Red", clock())
    database.close()
    path = tmp_path / "Our Stack.zip"
    path.write_bytes(archive(question()))
    return path


def test_a_pack_is_added_once_and_listed(file: Path) -> None:
    assert (
        "Version 1 of our-stack is served from now on" in run(cli, ["packs", "add", "red", str(file)]).output
    )
    assert "was served already" in run(cli, ["packs", "add", "red", str(file)]).output
    assert run(cli, ["packs", "list", "red"]).output == "our-stack: 1 question, version 1 of 1\n"


def test_what_is_wrong_is_said_by_file_and_line_and_changes_nothing(file: Path) -> None:
    file.write_bytes(archive(question().replace(b"{{ answer }}. One", b"{{ nothing }}. One")))
    refused = run(cli, ["packs", "add", "red", str(file)])
    assert refused.exit_code == 1
    assert f"kv-cache-and-decoding/{OURS}.md:" in refused.output
    assert run(cli, ["packs", "list", "red"]).output == ""


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["blue", "x.zip"], 2, "there are: red"),
        (["red", "nothing.zip"], 1, "nothing.zip cannot be read"),
        (["red", ".", "--name", "No Name!"], 1, "small letters"),
    ],
)
def test_what_cannot_be(file: Path, arguments: list[str], code: int, told: str) -> None:
    if arguments[1] == ".":
        arguments = [arguments[0], str(file), *arguments[2:]]
    answer = run(cli, ["packs", "add", *arguments])
    assert (answer.exit_code, told in answer.output) == (code, True)


class TestSetting:
    def test_teams_with_their_folders(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("RIDGEWAY_PACKS", f"red={tmp_path}, blue={tmp_path}")
        assert load_settings(None).packs == (("red", tmp_path), ("blue", tmp_path))

    @pytest.mark.parametrize("value", ["red", "red=/nowhere/at/all", "=/"])
    def test_nonsense_is_refused(self, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("RIDGEWAY_PACKS", value)
        with pytest.raises(SettingsError, match=r"RIDGEWAY_PACKS is .* allowed is TEAM=FOLDER"):
            load_settings(None)
