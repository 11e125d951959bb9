"""A server that is killed again and again under a load of answers: what it acknowledged is there, and once.

`python -m tests.faults.kills --kills 200 sqlite:////tmp/some.sqlite3` prints what came of it, as for any
database's address; tests/faults/test_kills.py does the same with few kills.
"""

import argparse
import contextlib
import http.client
import multiprocessing
import os
import random
import socket
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path
from urllib.parse import urlencode

from sqlalchemy import text

from app.database import Database, parse_url

QUESTION = "how-flash-attention-stays-exact"
CLIENTS = 4
LONGEST_LIFE = 0.5  # seconds of load before a kill


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
    """A process that can be killed, and comes back at the same port."""

    def __init__(self, url: str, folder: Path) -> None:
        # Forked from a process that has imported the app: importing it anew would take most of the time.
        self.processes = multiprocessing.get_context("forkserver")
        self.processes.set_forkserver_preload(["app.main", "app.serving"])
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        self.settings = {
            "RIDGEWAY_DATABASE_URL": url,
            "RIDGEWAY_DATA_DIR": str(folder),
            "RIDGEWAY_PORT": str(self.port),
        }
        self.process: BaseProcess | None = None

    def start(self) -> float:
        """Seconds until it was ready."""
        begun = time.monotonic()
        self.process = self.processes.Process(target=_serve, args=(self.settings,))
        self.process.start()
        while not self.is_ready():
            assert self.process.is_alive(), "the server ended by itself"
            assert time.monotonic() - begun < 300, "the server did not get ready"
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
        self.process.kill()
        self.process.join()


def _serve(settings: Mapping[str, str]) -> None:
    from app import serving

    os.environ.update(settings)
    serving.run(announce=lambda _: None)


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


def run(url: str, kills: int, seed: int = 0) -> Outcome:
    """Kills a server on this database as often, each time a random while after it began to answer."""
    outcome, stop, chance = Outcome(), threading.Event(), random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(url, Path(folder))
        outcome.slowest_start = server.start()
        clients = [Client(number, server, outcome, stop) for number in range(CLIENTS)]
        try:
            for client in clients:
                client.start()
            for _ in range(kills):
                _wait_for_an_answer(outcome)
                time.sleep(chance.uniform(0, LONGEST_LIFE))
                server.kill()
                outcome.kills += 1
                outcome.slowest_start = max(outcome.slowest_start, server.start())
            time.sleep(LONGEST_LIFE)  # so that what was under way at the last kill is sent again
        except KeyboardInterrupt:
            pass  # enough: what was done until here is looked at
        finally:
            stop.set()
            for client in clients:
                client.join()
            server.kill()
    _look(url, outcome)
    return outcome


def _wait_for_an_answer(outcome: Outcome) -> None:
    before, end = len(outcome.acknowledged), time.monotonic() + 60
    while len(outcome.acknowledged) == before:
        assert time.monotonic() < end, "nobody gets an answer"
        time.sleep(0.005)


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
    given = arguments.parse_args()
    outcome = run(given.url, given.kills)
    print(
        f"{outcome.kills} kills, {outcome.sent:,} requests, {len(outcome.acknowledged):,} acknowledged, "
        f"{len(outcome.lost)} of them lost, {len(outcome.twice)} twice, {len(outcome.damage)} damages; "
        f"the slowest start took {outcome.slowest_start:.1f} s"
    )
    raise SystemExit(bool(outcome.lost or outcome.twice or outcome.damage))


if __name__ == "__main__":
    main()
