"""A server that is killed again and again under a load of answers: what it acknowledged is there, and once.

`python -m tests.faults.kills --kills 200 sqlite:////tmp/some.sqlite3` prints what came of it, as for any
database's address; tests/faults/test_kills.py does the same with few kills.
"""

import argparse
import contextlib
import http.client
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from sqlalchemy import text

from app.database import Database, parse_url

ROOT = Path(__file__).parents[2]
QUESTION = "how-flash-attention-stays-exact"
CLIENTS = 4
LONGEST_LIFE = 1.0  # seconds of load before a kill


@dataclass
class Outcome:
    """`sent` counts every request with an answer, again ones too."""

    kills: int = 0
    sent: int = 0
    acknowledged: set[str] = field(default_factory=set)
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    damage: list[str] = field(default_factory=list)
    slowest_start: float = 0.0


class Server:
    """One that can be killed with all its processes, and comes back at the same port."""

    def __init__(self, url: str, folder: Path, workers: int) -> None:
        self.folder = folder
        self.environment = {**os.environ, "RIDGEWAY_DATABASE_URL": url, "RIDGEWAY_DATA_DIR": str(folder)}
        self.arguments = ["serve", "--workers", str(workers)]
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> float:
        """Seconds until it was ready."""
        begun = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from app.cli import main; main()", *self.arguments],
            env={**self.environment, "PYTHONPATH": str(ROOT), "RIDGEWAY_PORT": str(self.port)},
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        found = re.search(r":(\d+) ", self.process.stdout.readline())
        assert found, "the server did not start"
        self.port = int(found[1])
        while not self.is_ready():
            assert time.monotonic() - begun < 120, "the server did not get ready"
            time.sleep(0.02)
        return time.monotonic() - begun

    def is_ready(self) -> bool:
        try:
            asking = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
            with contextlib.closing(asking) as connection:
                connection.request("GET", "/readyz")
                return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False

    def kill(self) -> None:
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()


class Client(threading.Thread):
    """A browser that answers as fast as it can, and sends again what it got no answer to."""

    def __init__(self, number: int, server: Server, outcome: Outcome, stop: threading.Event) -> None:
        super().__init__()
        self.number, self.server, self.outcome, self.stop = number, server, outcome, stop
        self.cookie = ""

    def run(self) -> None:
        count = 0
        while not self.stop.is_set():
            count += 1
            answer = f"answer-{self.number}-{count}"
            while not self._sent(answer, count):
                if self.stop.wait(0.05):
                    return
            self.outcome.acknowledged.add(answer)

    def _sent(self, answer: str, seed: int) -> bool:
        body = urlencode({"key": f"key-{answer}", "answer": answer})
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": self.cookie}
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=15)
        try:
            connection.request("POST", f"/questions/{QUESTION}/answer?seed={seed}", body, headers)
            self.outcome.sent += 1
            response = connection.getresponse()
            response.read()
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()
        self.cookie = (response.getheader("Set-Cookie") or self.cookie).partition(";")[0]
        return response.status in (200, 303)


def run(url: str, kills: int, workers: int = 1, seed: int = 0) -> Outcome:
    """Kills a server on this database as often, each time after a random while."""
    outcome, stop, chance = Outcome(), threading.Event(), random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(url, Path(folder), workers)
        outcome.slowest_start = server.start()
        clients = [Client(number, server, outcome, stop) for number in range(CLIENTS)]
        try:
            for client in clients:
                client.start()
            for _ in range(kills):
                time.sleep(chance.uniform(0.05, LONGEST_LIFE))
                server.kill()
                outcome.kills += 1
                outcome.slowest_start = max(outcome.slowest_start, server.start())
            time.sleep(LONGEST_LIFE)  # so that what was under way at the last kill is sent again
        finally:
            stop.set()
            for client in clients:
                client.join()
            server.kill()
    _look(url, outcome)
    return outcome


def _look(url: str, outcome: Outcome) -> None:
    with _opened(url) as database, database.engine.connect() as connection:
        stored = Counter(connection.scalars(text("SELECT text FROM answers")))
        outcome.lost = sorted(outcome.acknowledged - set(stored))
        outcome.twice = sorted(answer for answer, times in stored.items() if times > 1)
        if database.is_sqlite:
            checks = ("PRAGMA integrity_check", "PRAGMA foreign_key_check")
            found = [str(row) for check in checks for row in connection.execute(text(check))]
            outcome.damage = [row for row in found if row != "('ok',)"]


@contextlib.contextmanager
def _opened(url: str) -> Iterator[Database]:
    database = Database(parse_url(url))
    try:
        yield database
    finally:
        database.close()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("url")
    arguments.add_argument("--kills", type=int, default=200)
    arguments.add_argument("--workers", type=int, default=1)
    given = arguments.parse_args()
    outcome = run(given.url, given.kills, given.workers)
    print(
        f"{outcome.kills} kills, {outcome.sent:,} requests, {len(outcome.acknowledged):,} acknowledged, "
        f"{len(outcome.lost)} of them lost, {len(outcome.twice)} twice, {len(outcome.damage)} damages; "
        f"the slowest start took {outcome.slowest_start:.1f} s"
    )
    raise SystemExit(bool(outcome.lost or outcome.twice or outcome.damage))


if __name__ == "__main__":
    main()
