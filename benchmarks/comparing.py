"""Times beside their floor: taken in turns, so that what else the machine does falls on both alike."""

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Timed: TypeAlias = Callable[[], float]
"""Does something once and returns how long it took [s]."""


@dataclass(frozen=True)
class Compared:
    """Several times of ours and as many of the floor. The goal is met by what is left beyond its floor."""

    what: str
    floor: Sequence[float]
    ours: Sequence[float]
    kind: Literal["ratio", "beyond", "time"]
    goal: float | None  # of ours over the floor, of ours less the floor [s], or of ours alone [s]

    @property
    def ratio(self) -> float:
        return statistics.median(self.ours) / statistics.median(self.floor)

    @property
    def reached(self) -> float:
        """In the terms of the goal."""
        ours, floor = statistics.median(self.ours), statistics.median(self.floor)
        return {"ratio": self.ratio, "beyond": ours - floor, "time": ours}[self.kind]

    @property
    def met(self) -> bool:
        return self.goal is None or self.reached <= self.goal


def in_turns(floor: Timed, ours: Timed, rounds: int) -> tuple[list[float], list[float]]:
    """Both once, which does not count, and then in turns."""
    floor(), ours()
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        taken[0].append(floor())
        taken[1].append(ours())
    return taken


def timed(run: Callable[[], object], clock: Callable[[], float], times: int = 1) -> Timed:
    """The mean of some runs in a row."""

    def once() -> float:
        begun = clock()
        for _ in range(times):
            run()
        return (clock() - begun) / times

    return once


def table(compared: Sequence[Compared]) -> Iterator[str]:
    """A row for each: medians with their quartiles, the ratio, and the goal."""
    head = ("", "floor", "ours", "ratio", "goal", "")
    rows = [head, *(_row(each) for each in compared)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    for name, *cells in rows:
        padded = (f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True))
        yield "  ".join((f"{name:<{widths[0]}}", *padded)).rstrip()


def _row(each: Compared) -> tuple[str, ...]:
    if each.goal is None:
        goal = ""
    else:
        goal = {"ratio": f"{each.goal:g} x", "beyond": f"+{shown(each.goal)}", "time": shown(each.goal)}[
            each.kind
        ]
    missed = "" if each.met else "missed"
    return (each.what, quartiles(each.floor), quartiles(each.ours), f"{each.ratio:.2f}", goal, missed)


def quartiles(times: Sequence[float]) -> str:
    """The median, and the middle half of all: 12.1 ms (11.8 to 12.9)."""
    low, middle, high = statistics.quantiles(times, n=4)
    unit, factor = _unit(middle)
    return f"{middle * factor:.3g} {unit} ({low * factor:.3g} to {high * factor:.3g})"


def shown(seconds: float) -> str:
    unit, factor = _unit(seconds)
    return f"{seconds * factor:.3g} {unit}"


def _unit(seconds: float) -> tuple[str, float]:
    return ("us", 1e6) if seconds < 1e-3 else ("ms", 1e3) if seconds < 1 else ("s", 1.0)
