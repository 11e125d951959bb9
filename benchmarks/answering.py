"""GET /api/v1/calculators/{slug} over real HTTP, beside a bare FastAPI route that returns the same answer."""

import http.client
import itertools
import time
from collections.abc import Iterator
from typing import Final
from urllib.parse import parse_qsl, urlsplit

import calculators
from app import calculating
from benchmarks.comparing import Compared, Timed, in_turns
from benchmarks.servers import servers

GOAL: Final = 1.5
ROUNDS: Final = 600
ASKED: Final = {
    "attention-scores": "batch={}&heads=16&seq_len=4096",
    "roofline": "flops={}e12&bytes=1e10",
    "kv-cache": "batch={}&model=llama-3-8b",
    "serving-capacity": "devices={}&model=llama-3-8b",
    "decode": "batch={}&model=llama-3-8b",
}


def run() -> Iterator[Compared]:
    """By the clock, one request after the other, each side over one connection that stays open."""
    with servers({slug: _answer(slug, query.format(8)) for slug, query in ASKED.items()}) as both:
        for slug, query in ASKED.items():
            floor = _timed(both.floor, f"/answers/{slug}?{query}")
            ours = _timed(both.ours, f"/api/v1/calculators/{slug}?{query}")
            yield Compared(f"answer {slug}", *in_turns(floor, ours, ROUNDS), "ratio", GOAL)


def _timed(address: str, path: str) -> Timed:
    """Another number in every request, so that no answer is one from before."""
    connection, numbers = _connection(address), itertools.cycle(range(1, 1000))

    def once() -> float:
        asked = path.format(next(numbers))
        begun = time.perf_counter()
        _get(connection, asked)
        return time.perf_counter() - begun

    return once


def _answer(slug: str, query: str) -> object:
    result = calculators.get(slug).evaluate(dict(parse_qsl(query)))
    return calculating.evaluation(result).model_dump(mode="json")


def _connection(address: str) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(urlsplit(address).netloc)


def _get(connection: http.client.HTTPConnection, path: str) -> bytes:
    connection.request("GET", path)
    answer = connection.getresponse()
    content = answer.read()
    if answer.status != 200:
        raise SystemExit(f"{path}: {answer.status} {content[:200]!r}")
    return content
