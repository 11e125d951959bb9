"""Static and continuous batching, simulated over replies whose lengths are the same on every machine."""

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from heapq import heapreplace
from typing import Any, Literal

import numpy as np

from calculators.cost.errors import require
from calculators.cost.exact import Real, is_array, quotient

Distribution = Literal["uniform", "fixed"]
DISTRIBUTIONS: tuple[Distribution, ...] = ("uniform", "fixed")
MOST_REQUESTS = 10_000
MOST_REPLIES = 3_000_000  # played in one sweep, all of its different runs together: some seconds
MOST_DRAWS = 1_000_000  # hashes that a sweep over seeds takes, which cost more than playing them


@dataclass(frozen=True, slots=True)
class Run:
    """What both schedules come to, in whole decode steps. A step makes one token for each busy slot."""

    tokens: Any  # of all replies
    static_steps: Any
    continuous_steps: Any
    static_ends: Any  # the step at which each reply has its last token, added up
    continuous_ends: Any


@dataclass(frozen=True, slots=True)
class Batching:
    """Both schedules beside one another."""

    tokens: Real
    static_ends: Real
    continuous_ends: Real
    static_steps: Real
    continuous_steps: Real
    speedup: Real
    static_utilization: Real
    continuous_utilization: Real
    static_mean_latency: Real  # s
    continuous_mean_latency: Real  # s


def reply_lengths(
    *, requests: int, min_output: int, max_output: int, distribution: Distribution, seed: int
) -> list[int]:
    """Reply i has min_output + h mod (max_output - min_output + 1) tokens, h being the first 8 bytes, as a
    big-endian number, of sha256 of "seed|i" with i from 0; max_output all of them where they are fixed.

    Raises DomainError for an unknown distribution, or where max_output is below min_output.
    """
    require(distribution in DISTRIBUTIONS, "distribution", distribution, "one of uniform, fixed")
    require(max_output >= min_output, "max_output", max_output, f"at least min_output ({min_output})")
    if distribution == "fixed":
        return [max_output] * requests
    span = max_output - min_output + 1
    number = 1 << (requests - 1).bit_length()  # few different numbers, so that most of them are kept
    return [min_output + drawn % span for drawn in _draws(seed, number)[:requests]]


def play(*, slots: int, lengths: list[int]) -> Run:
    """Both schedules of these replies, all waiting at the start.

    static: batches of `slots` requests in arrival order, each as long as its longest reply.
    continuous: a freed slot takes the next request at once. Which of several free slots takes it changes no
    end, so that slots are kept by the step at which each is free.
    """
    slots = min(slots, len(lengths))
    static_steps = static_ends = 0
    for first in range(0, len(lengths), slots):
        batch = lengths[first : first + slots]
        static_ends += static_steps * len(batch) + sum(batch)
        static_steps += max(batch)
    free = sorted(lengths[:slots])  # a sorted list is a heap
    continuous_ends = sum(free)
    for length in lengths[slots:]:
        end = free[0] + length
        heapreplace(free, end)
        continuous_ends += end
    return Run(sum(lengths), static_steps, max(free), static_ends, continuous_ends)


def batching(
    *,
    requests: Real,
    slots: Real,
    min_output: Real,
    max_output: Real,
    distribution: Distribution,
    step_time: Real,
    seed: Real,
) -> Batching:
    """speedup = static_steps / continuous_steps; utilization = tokens / (slots * steps); mean latency =
    step_time * the mean of the steps at which replies end, each at its own last token [s].

    In a sweep, parts of whole numbers are cut off, and each different run is played once.

    Leaves out prefill, that a step takes longer the more slots are busy, and memory that runs out.
    Raises DomainError where requests or slots is below 1 or requests are more than 10,000, in a sweep also
    where its runs have more than some millions together; and as `reply_lengths`.
    """
    require(slots >= 1, "slots", slots, "at least 1")
    require((requests >= 1) & (requests <= MOST_REQUESTS), "requests", requests, f"from 1 to {MOST_REQUESTS}")
    shape = (requests, slots, min_output, max_output, seed)
    if any(map(is_array, shape)):
        run, requests, slots = _play_all(shape, distribution)
    else:
        run = _play_one(distribution, requests, slots, min_output, max_output, seed)
    return Batching(
        tokens=run.tokens,
        static_ends=run.static_ends,
        continuous_ends=run.continuous_ends,
        static_steps=run.static_steps,
        continuous_steps=run.continuous_steps,
        speedup=quotient(run.static_steps, run.continuous_steps),
        static_utilization=quotient(run.tokens, slots * run.static_steps),
        continuous_utilization=quotient(run.tokens, slots * run.continuous_steps),
        static_mean_latency=quotient(run.static_ends * step_time, requests),
        continuous_mean_latency=quotient(run.continuous_ends * step_time, requests),
    )


def _play_one(
    distribution: Distribution, requests: int, slots: int, min_output: int, max_output: int, seed: int
) -> Run:
    lengths = reply_lengths(
        requests=requests,
        min_output=min_output,
        max_output=max_output,
        distribution=distribution,
        seed=seed,
    )
    return play(slots=slots, lengths=lengths)


def _play_all(shape: tuple[Real, ...], distribution: Distribution) -> tuple[Run, Any, Any]:
    """Every point's run, with its requests and slots in whole numbers."""
    points = [np.floor(np.asarray(each, dtype=np.float64)) for each in shape]
    requests, slots, *rest = np.broadcast_arrays(*points)
    rows = np.stack([each.ravel() for each in (requests, np.minimum(slots, requests), *rest)])
    if not rows.size:
        return Run(*[requests] * 5), requests, slots
    different, which = np.unique(rows, axis=1, return_inverse=True)
    runs_at_once, seeds = different.shape[1], np.unique(different[-1]).size
    most = MOST_REPLIES // runs_at_once if seeds == 1 else MOST_DRAWS // runs_at_once
    mean = different[0].sum() / runs_at_once
    allowed = f"at most {most} on average for {runs_at_once} different runs at a time"
    require(mean <= most, "requests", int(different[0].max()), allowed)
    counts = (tuple(map(int, row)) for row in different.T)
    runs = [_play_one(distribution, *row) for row in counts]
    columns = {
        name: np.array([float(getattr(run, name)) for run in runs])[which.ravel()].reshape(requests.shape)
        for name in Run.__dataclass_fields__
    }
    return Run(**columns), requests, slots


@lru_cache(maxsize=16)
def _draws(seed: int, number: int) -> tuple[int, ...]:
    """The first `number` 64-bit numbers of a seed, kept for the other points of a sweep."""
    return tuple(int.from_bytes(sha256(f"{seed}|{i}".encode()).digest()[:8], "big") for i in range(number))
