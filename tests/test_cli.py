"""The ridgeway command: what it prints, and how it ends."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner, Result

from app.cli import cli
from app.settings import Settings


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working folder of the test's own, whose .env and data/ nobody else has."""
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


def refused(*arguments: str, code: int = 2) -> str:
    """The lines on stderr of a command that must not succeed."""
    result = run(*arguments)
    assert result.exit_code == code
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr


def test_calc_prints_the_outputs_for_people() -> None:
    lines = run("calc", "attention-scores", "batch=32", "seq_len=1k").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["score_elements", "score_bytes", "flash_bytes", "ratio"]
    assert re.split(r" {2,}", run("calc", "attention-scores").stdout.splitlines()[1]) == [
        "score_bytes",
        "2 GiB = 2.15 GB",
        "2,147,483,648 B",
    ]


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ((), "?"),
        (
            ("--sweep", "seq_len", "--from", "1k", "--to", "8k", "--points", "4", "--scale", "log"),
            "/sweep?over=seq_len&from=1k&to=8k&points=4&scale=log",
        ),
        (
            ("--solve-for", "heads", "--output", "score_bytes", "--equals", "80GB"),
            "/solve?for=heads&output=score_bytes&equals=80GB",
        ),
        (("--flips",), "/flips?"),
    ],
)
def test_json_is_what_the_api_answers(client: TestClient, options: tuple[str, ...], path: str) -> None:
    printed = run("calc", "attention-scores", "batch=8", *options, "--json")
    assert printed.exit_code == 0
    answer = client.get(f"/api/v1/calculators/attention-scores{path}&batch=8")
    assert json.loads(printed.stdout) == answer.json()


def test_states_are_compared_side_by_side() -> None:
    options = ("--compare", "seq_len=2048", "--compare", "'seq_len=512' dtype=bf16")
    lines = run("calc", "attention-scores", "batch=8", *options).stdout.splitlines()
    assert [re.split(r" {2,}", line)[1:] for line in lines[1:5]] == [
        ["1,024", "2,048", "512"],
        ["fp32", "fp32", "bf16"],
        ["134,217,728", "536,870,912 (4×)", "33,554,432 (0.25×)"],
        ["512 MiB", "2 GiB (4×)", "64 MiB (0.125×)"],
    ]


def test_compared_states_as_json_are_what_the_api_answers_of_each(client: TestClient) -> None:
    printed = json.loads(
        run("calc", "attention-scores", "batch=8", "--compare", "batch=16 kv_len=", "--json").stdout
    )
    addresses = (f"/api/v1/calculators/attention-scores?batch={batch}" for batch in (8, 16))
    assert printed["states"] == [client.get(address).json() for address in addresses]
    assert printed["ratios"][1] == {"score_elements": 2, "score_bytes": 2, "flash_bytes": 2, "ratio": 1}


def test_calc_alone_lists_all(client: TestClient) -> None:
    everything = client.get("/api/v1/calculators").json()
    assert json.loads(run("calc", "--json").stdout) == everything
    listed = run("calc").stdout
    assert all(each["slug"] in listed for each in everything["calculators"])


def test_a_sweep_is_a_table() -> None:
    lines = run(
        "calc", "matmul", "--sweep", "m", "--from", "1", "--to", "3", "--points", "3"
    ).stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["m", "1", "2", "3"]
    assert lines[0].split()[-1] == "bound"


def test_a_solution_names_the_whole_values() -> None:
    printed = run(
        "calc", "attention-scores", "--solve-for", "seq_len", "--output", "score_bytes", "--equals", "1GB"
    )
    assert printed.stdout.splitlines() == [
        "seq_len = 698.771",
        "  seq_len = 698 gives score_bytes = 997.794 MB",
        "  seq_len = 699 gives score_bytes = 1.00065 GB",
        "Note: No whole seq_len gives exactly 1 GB: see those beside it.",
    ]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nope",), "nope"),
        (("attention-scores", "batch"), "NAME=VALUE"),
        (("attention-scores", "batch=x"), "batch"),
        (("attention-scores", "foo=1"), "foo"),
        (("attention-scores", "batch=1", "batch=2"), "batch"),
        (("attention-scores", "--sweep", "batch"), "--from"),
        (("attention-scores", "--sweep", "foo", "--from", "1", "--to", "2"), "foo"),
        (("attention-scores", "--sweep", "batch", "--from", "1", "--to", "2", "--points", "99999"), "points"),
        (("attention-scores", "--solve-for", "batch"), "--equals"),
        (("attention-scores", "--solve-for", "batch", "--output", "foo", "--equals", "1"), "foo"),
        (("attention-scores", "--sweep", "batch", "--solve-for", "heads"), "one at a time"),
        (("attention-scores", "--from", "1"), "--sweep"),
        (("attention-scores", "--compare", "batch=x"), "batch"),
        (("attention-scores", "--compare", "batch"), "NAME=VALUE"),
        (("attention-scores", "--compare", "'batch"), "taken apart"),
        (("attention-scores", "--compare", "batch=1", "--flips"), "--compare"),
        (("attention-scores", "--equals", "1GB"), "--solve-for"),
    ],
)
def test_a_question_that_makes_no_sense_is_one_line(arguments: tuple[str, ...], says: str) -> None:
    lines = refused("calc", *arguments).splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("ridgeway: ")
    assert says in lines[0]


def test_every_bad_input_has_its_line() -> None:
    assert len(refused("calc", "attention-scores", "batch=x", "heads=y").splitlines()) == 2


def test_the_version_and_every_command_in_one_line_each() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", run("--version").stdout)
    assert "..." not in run("--help").stdout.partition("Commands:")[2]


def test_settings_lists_every_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIDGEWAY_PORT", "8123")
    printed = run("settings").stdout
    for name in Settings.model_fields:
        assert f"RIDGEWAY_{name.upper()}=" in printed
    assert "RIDGEWAY_PORT=8123" in printed


@pytest.mark.parametrize("command", ["settings", "serve", "rebuild-schedule"])
def test_a_bad_setting_is_one_line(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIDGEWAY_PORT", "many")
    assert refused(command, code=1).startswith("ridgeway: RIDGEWAY_PORT is 'many'")


def test_lint_names_file_and_line_and_fails(tmp_path: Path) -> None:
    broken = tmp_path / "attention" / "broken.md"
    broken.parent.mkdir()
    broken.write_text("---\ntitle: [\n---\n")
    result = run("lint", str(tmp_path))
    assert result.exit_code == 1
    assert re.match(r"attention/broken\.md:\d+: error: ", result.stdout)


def test_a_lint_that_finds_nothing_says_so(tmp_path: Path) -> None:
    assert run("new", "a-question", "--topic", "serving", "--pack", str(tmp_path)).exit_code == 0
    assert run("lint", str(tmp_path)).stdout == "No problems found.\n"


def test_a_lint_of_what_is_no_question_does_not_say_that_nothing_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# Notes\n")
    for path in (tmp_path, tmp_path / "README.md"):
        result = run("lint", str(path))
        assert result.exit_code == 1
        assert "question" in result.stdout


def test_lint_of_a_path_that_is_not_there_fails() -> None:
    result = run("lint", "nowhere")
    assert result.exit_code == 1
    assert "no such file" in result.stdout


def test_rebuilding_the_schedule_of_nobody() -> None:
    result = run("rebuild-schedule")
    assert (result.exit_code, result.stdout) == (0, "0 cards rebuilt from the ratings.\n")


@contextmanager
def serving(tmp_path: Path, **settings: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server of its own process, and the address that it printed."""
    environment = {
        **os.environ,
        "RIDGEWAY_PORT": "0",
        "RIDGEWAY_DATA_DIR": str(tmp_path / "data"),
        **settings,
    }
    process = subprocess.Popen(
        [sys.executable, "-c", "from app.cli import main; main()", "serve"],
        env={**environment, "PYTHONPATH": str(Path(__file__).parents[1])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield process, re.findall(r"http://\S+", line)[0] if line else ""
    finally:
        process.terminate()
        process.communicate(timeout=20)


def test_serve_migrates_answers_and_stops_at_once(tmp_path: Path) -> None:
    with serving(tmp_path) as (process, address):
        for _ in range(100):
            try:
                with urlopen(f"{address}/healthz") as answer:
                    assert json.load(answer) == {"status": "ok"}
                break
            except OSError:
                time.sleep(0.1)
        else:
            pytest.fail("the server does not answer")
        assert (tmp_path / "data" / "ridgeway.sqlite3").is_file()
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(b"GET /calculators/roofline?flops=" + b"9" * 1_000_000 + b" HTTP/1.1\r\n")
            refusal = connection.recv(1000)
        assert refusal.startswith(b"HTTP/1.1 400")
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) in (0, -signal.SIGTERM)


def test_a_port_that_is_taken_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with serving(tmp_path, RIDGEWAY_PORT=port) as (process, address):
            assert address == ""
            _, error = process.communicate(timeout=20)
    assert process.returncode == 1
    assert error.startswith(f"ridgeway: cannot listen on 127.0.0.1 port {port}: ")
    assert error.count("\n") == 1


def test_an_address_that_is_not_this_machines_is_one_line_too(tmp_path: Path) -> None:
    settings = {"RIDGEWAY_HOST": "192.0.2.1", "RIDGEWAY_ALLOW_REMOTE": "1"}
    with serving(tmp_path, **settings) as (process, address):
        assert address == ""
        _, error = process.communicate(timeout=20)
    assert error.startswith("ridgeway: cannot listen on 192.0.2.1 port 0: ")
    assert "RIDGEWAY_HOST" in error
    assert error.count("\n") == 1


def test_a_database_from_elsewhere_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file.txt").write_text("not a database, but text that is long enough to be looked at")
    with serving(tmp_path, RIDGEWAY_DATABASE_URL=f"sqlite:///{tmp_path}/file.txt") as (process, address):
        assert address == ""
        _, error = process.communicate(timeout=20)
    assert process.returncode == 1
    assert error.startswith("ridgeway: ")
    assert error.count("\n") == 1


def test_calc_says_what_flips_a_verdict() -> None:
    roofline = ("flops=1e12", "bytes=1e10", "hardware=custom", "peak_flops=200e12", "hbm_bandwidth=1e12")
    lines = run("calc", "roofline", *roofline, "--flips").stdout.splitlines()
    assert lines[:2] == ["bound = memory", "compute: 50% of the time of that, would bind at 2×"]
    assert re.split(r" {2,}", next(line for line in lines if line.startswith("bytes"))) == [
        "bytes = 10 GB",
        "5 GB",
        "0.5×",
        "compute",
    ]
    assert "nothing here can flip" in run("calc", "kv-cache", "--flips").stdout
    assert "ask it without" in refused("calc", "roofline", "--flips", "--sweep", "flops")
