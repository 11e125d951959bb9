"""The second start of `ridgeway serve` until it answers, beside importing what it stands on."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from urllib.error import URLError
from urllib.request import urlopen

from benchmarks.comparing import Compared, in_turns
from benchmarks.servers import ALIKE, started

GOAL = 2.0  # s
ROUNDS = 7
_IMPORTS = "import fastapi, jinja2, numpy, sqlmodel, uvicorn"


def run() -> Iterator[Compared]:
    """By the clock, in fresh processes whose modules are compiled already."""
    with tempfile.TemporaryDirectory() as data:
        times = in_turns(_import, partial(_start, data), ROUNDS)
        yield Compared("ridgeway serve", *times, "time", GOAL)


def _import() -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", _IMPORTS], check=True, env=ALIKE)  # noqa: S603 (ours)
    return time.perf_counter() - begun


def _start(data: str) -> float:
    begun = time.perf_counter()
    environment = {"RIDGEWAY_DATA_DIR": data, "RIDGEWAY_PORT": "0"}
    with started("from app.cli import main; main()", "serve", **environment) as address:
        while not _answers(address):
            time.sleep(0.005)
        return time.perf_counter() - begun


def _answers(address: str) -> bool:
    try:
        with urlopen(f"{address}/healthz") as answer:  # noqa: S310 (http, ours)
            return bool(answer.status == 200)
    except URLError:  # it has said where it will be, and is about to listen there
        return False
