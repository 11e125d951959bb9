"""What Prometheus scrapes. With several workers any of them answers for all, by files that they share."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.metrics_core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from app.operations.observing import SHARED_FOLDER
from app.operations.readiness import Check

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class RequestMetrics:
    """How many requests there were and how long they took, by route and status."""

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # the library leaves it untyped
        self.registry = CollectorRegistry()
        labels = ("method", "route", "status")
        self._requests = Counter(
            "ridgeway_requests", "Requests that were answered", labels, registry=self.registry
        )
        self._seconds = Histogram(
            "ridgeway_request_seconds",
            "Time from a request's first byte to its answer's last",
            ("method", "route"),
            buckets=_SECONDS,
            registry=self.registry,
        )

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def exposition(self, state: "ServerState") -> bytes:
        """All of it as text, with the server's state of this moment."""
        if os.environ.get(SHARED_FOLDER):
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # the library leaves it untyped
            requests = generate_latest(registry)
        else:
            requests = generate_latest(self.registry)
        own = CollectorRegistry()
        own.register(_State(state))
        ProcessCollector(registry=own)
        return requests + generate_latest(own)


@dataclass(frozen=True, slots=True)
class ServerState:
    """What the answering process knows of itself."""

    checks: tuple[Check, ...]
    questions: int
    problems: int


class _State(Collector):
    def __init__(self, state: ServerState) -> None:
        self._state = state

    def collect(self) -> Iterator[Metric]:
        ready = GaugeMetricFamily("ridgeway_ready", "1 where the check of /readyz passes", labels=["check"])
        for check in self._state.checks:
            ready.add_metric([check.name], float(check.problem == ""))
        yield ready
        yield GaugeMetricFamily("ridgeway_questions", "Questions of the bank", value=self._state.questions)
        yield GaugeMetricFamily(
            "ridgeway_question_problems", "Files of the bank with a problem", value=self._state.problems
        )
        yield InfoMetricFamily("ridgeway", "The version that runs", value={"version": version("ridgeway")})
