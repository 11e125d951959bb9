"""One evaluation, text in and exact numbers out, beside its cost functions alone."""

import time
from collections.abc import Iterator
from functools import partial

import calculators
from benchmarks.comparing import Compared, in_turns, timed

GOAL = 50e-6  # s
ROUNDS = 60
TIMES = 10
# Closed formulas. What plays a simulation, adds up a queue or draws a root takes as long as that does.
PLAIN = (
    "roofline",
    "matmul",
    "ffn",
    "attention-scores",
    "training-time",
    "training-memory",
    "collective",
    "mfu",
    "kv-cache",
    "transformer-params",
    "serving-capacity",
    "decode",
)


def run() -> Iterator[Compared]:
    """By the processor time of this thread."""
    for slug in PLAIN:
        calculator = calculators.get(slug)
        first = next(declared.name for declared in calculator.inputs if declared.numeric)
        given = {first: str(calculator.evaluate().inputs[first])}
        values = calculator.validate(given).values
        calculator.compute(values)
        floor, ours = in_turns(
            timed(partial(calculator.compute, values), time.thread_time, TIMES),
            timed(partial(calculator.evaluate, given), time.thread_time, TIMES),
            ROUNDS,
        )
        yield Compared(f"evaluate {slug}", floor, ours, "time", GOAL)
