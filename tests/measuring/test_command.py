"""`ridgeway measure` on a small plan, and the machine it leaves for `ridgeway calc`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app.cli import cli
from app.measuring import command
from app.measuring.machine import Machine
from app.measuring.planning import Effort, Plan, passes
from app.measuring.record import MeasuredMachine
from calculators.cost.dimensions import Dimensions
from calculators.presets import HARDWARE


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tiny: Dimensions) -> Iterator[None]:
    def plan(machine: Machine, *, quick: bool, remarks: list[str]) -> Plan:
        return Plan(2**20, 64, tiny, passes(100), Effort(1 if quick else 2, 1.0), tuple(remarks))

    monkeypatch.setattr(command, "plan", plan)
    monkeypatch.setenv("RIDGEWAY_DATA_DIR", str(tmp_path))
    yield
    HARDWARE.offer([])


def run(*arguments: str) -> Any:
    return CliRunner().invoke(cli, [*arguments])


def test_a_measured_machine_is_kept_and_can_be_calculated_with(tmp_path: Path) -> None:
    done = run("measure", "--quick", "--name", "Anna's laptop")
    assert done.exit_code == 0, done.output
    path = tmp_path / "machines" / "measured-anna-s-laptop.json"
    assert f"Saved as {path}" in done.stdout
    assert "decode, batch 8" in done.stdout
    kept = MeasuredMachine.model_validate_json(path.read_bytes())
    assert kept.name == "Anna's laptop"
    command_line = next(line for line in done.stdout.splitlines() if line.startswith("  ridgeway calc"))
    answer = run(*command_line.split()[1:], "--json")
    assert answer.exit_code == 0, answer.output
    inputs = json.loads(answer.stdout)["inputs"]
    assert (inputs["peak_flops"], inputs["hbm_bandwidth"]) == (kept.peak_flops["fp32"], kept.hbm_bandwidth)


def test_json_is_what_was_saved(tmp_path: Path) -> None:
    done = run("measure", "--quick", "--json")
    assert done.exit_code == 0, done.output
    [path] = (tmp_path / "machines").iterdir()
    assert json.loads(done.stdout) == json.loads(path.read_text())
    assert json.loads(done.stdout)["name"].startswith("This machine: ")


@pytest.mark.parametrize("name", ["", "  ", "two\nlines", "x" * 81])
def test_a_name_that_no_menu_can_show_is_refused_before_anything_is_measured(
    tmp_path: Path, name: str
) -> None:
    done = run("measure", "--name", name)
    assert done.exit_code == 1
    assert "allowed is a line of 1 to 80 characters" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_data_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "machines").write_text("in the way")
    done = run("measure", "--quick")
    assert done.exit_code == 1
    assert done.stderr.strip().splitlines()[-1].startswith(f"ridgeway: {tmp_path} cannot be written: ")


def test_calc_passes_over_a_bad_file_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "machines").mkdir()
    (tmp_path / "machines" / "measured-a.json").write_text("{}")
    done = run("calc", "decode", "hardware=measured-a")
    assert done.exit_code == 2
    assert "measured-a.json is no measured machine and is ignored: " in done.stderr
    assert "hardware is “measured-a”, but must be one of " in done.stderr
