"""Several processes that serve as one, and a stop that waits for what is under way, but not for ever."""

import contextlib
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest


@contextlib.contextmanager
def serving(data: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server of its own process, and its address, once it is ready."""
    process = subprocess.Popen(
        [sys.executable, "-c", "from app.cli import main; main()", "serve", *arguments],
        env={
            **os.environ,
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "RIDGEWAY_PORT": "0",
            "RIDGEWAY_DATA_DIR": str(data),
        },
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        address = re.findall(r"http://\S+", process.stdout.readline())[0]
        until(lambda: get(f"{address}/readyz") == '{"status":"ready"}')
        yield process, address
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=20)


def get(address: str) -> str:
    try:
        with urlopen(address, timeout=5) as answer:
            return str(answer.read().decode())
    except OSError:
        return ""


def until(met: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < end, "it never came about"
        time.sleep(0.1)


def children(process: int) -> list[int]:
    """The processes that a first one started, but for Python's own that minds what they share."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == process and b"spawn_main" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return found


def counted(address: str) -> int:
    text = get(f"{address}/metrics")
    return sum(int(float(value)) for value in re.findall(r'route="/healthz",status="200"} (\S+)', text))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes by way of /proc")
def test_several_workers_are_one_server(tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", "2") as (process, address):
        until(lambda: len(children(process.pid)) == 2)
        before = counted(address)
        for _ in range(20):
            assert get(f"{address}/healthz")
        assert counted(address) == before + 20, "whichever worker is asked counts for both"

        killed = children(process.pid)[0]
        os.kill(killed, signal.SIGKILL)
        until(lambda: len(children(process.pid)) == 2 and killed not in children(process.pid))
        assert get(f"{address}/readyz")
        assert counted(address) >= before + 20

        workers = children(process.pid)
        process.kill()
        until(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers), seconds=15)
        port = int(address.rpartition(":")[2])
        with socket.create_server(("127.0.0.1", port)):
            pass


@contextlib.contextmanager
def held_up(data: Path, address: str) -> Iterator[tuple[sqlite3.Connection, list[int]]]:
    """A request that waits for another process's transaction, and later its answer's status."""
    answers: list[int] = []
    asking = threading.Thread(target=lambda: answers.append(post(f"{address}/account/settings")))
    with contextlib.closing(sqlite3.connect(data / "ridgeway.sqlite3")) as other:
        other.execute("BEGIN IMMEDIATE")
        asking.start()
        time.sleep(2)  # until it waits
        assert answers == []
        yield other, answers
    asking.join()


def test_a_stop_ends_within_ten_seconds_whatever_is_under_way(tmp_path: Path) -> None:
    with serving(tmp_path) as (process, address), held_up(tmp_path, address):
        begun = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)
        assert time.monotonic() - begun < 10


def test_a_stop_waits_for_what_can_end(tmp_path: Path) -> None:
    with serving(tmp_path) as (process, address):
        with held_up(tmp_path, address) as (other, answers):
            process.send_signal(signal.SIGTERM)
            time.sleep(1)
            other.rollback()
            process.wait(timeout=10)
        assert answers == [422], "an answer of its own, although the server was told to stop"


def post(address: str) -> int:
    """The status of the answer to a form with nothing in it, 0 where the connection was cut."""
    try:
        with urlopen(Request(address, data=b"zone="), timeout=30) as answer:
            return int(answer.status)
    except URLError as error:
        return int(getattr(error, "code", 0))
    except OSError:
        return 0
