"""The commands for authors, as they are typed."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

from typer.testing import CliRunner, Result

from app.cli import cli

ROOT = Path(__file__).parents[1]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def test_a_new_question_is_written_once(tmp_path: Path) -> None:
    arguments = ("new", "a-question", "--topic", "serving", "--kind", "choice", "--pack", str(tmp_path))
    path = tmp_path / "serving" / "a-question.md"
    assert run(*arguments).stdout == (
        f"{path} is written.\nChange it line by line, and look at it: ridgeway preview {path}\n"
    )
    again = run(*arguments)
    assert again.exit_code == 2
    assert again.stderr.startswith(f"ridgeway: the slug is taken by {path}")
    assert again.stderr.count("\n") == 1


def test_the_schema_is_printed_as_json() -> None:
    assert json.loads(run("schema").stdout)["title"] == "Front matter of a Ridgeway question"


def test_the_preview_of_what_is_no_question_is_one_line(tmp_path: Path) -> None:
    for name in ("none.md", "", "notes.txt"):
        (tmp_path / "notes.txt").write_text("a")
        result = run("preview", str(tmp_path / name))
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1


def test_the_preview_serves_and_writes_nothing(tmp_path: Path) -> None:
    run("new", "a-question", "--topic", "serving", "--pack", str(tmp_path / "."))
    file = tmp_path / "serving" / "a-question.md"
    process = subprocess.Popen(
        [sys.executable, "-c", "from app.cli import main; main()", "preview", str(file)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "RIDGEWAY_DATA_DIR": str(tmp_path / "data")},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        [address] = re.findall(r"http://\S+", process.stdout.readline())
        with urlopen(address) as page:
            assert "No problems found." in page.read().decode()
    finally:
        process.terminate()
        process.communicate(timeout=20)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a-question.md", "serving"]
