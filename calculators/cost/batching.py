"""Static and continuous batching, simulated over replies whose lengths are the same on every machine."""

from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from heapq import heapreplace
from itertools import accumulate
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from calculators.cost.errors import require
from calculators.cost.exact import Real, is_array, quotient

Distribution = Literal["uniform", "fixed"]
DISTRIBUTIONS: tuple[Distribution, ...] = ("uniform", "fixed")
MOST_REQUESTS = 10_000
MOST_REPLIES = 3_000_000  # played in one sweep, all of its different runs together: some seconds at most
MOST_DRAWS = 1_000_000  # hashes that a sweep over seeds takes, which cost more than playing them
_FEW_RUNS = 16  # of equal slots: quicker one after the other
_REPLIES_AT_A_TIME = 1 << 19

Floats: TypeAlias = NDArray[np.float64]


class Run(NamedTuple):
    """What both schedules come to in whole decode steps, after each request: the first so many of a run are a
    run of so many. A step makes one token for each busy slot."""

    tokens: list[int]  # of the replies so far
    static_steps: list[int]
    continuous_steps: list[int]
    static_ends: list[int]  # the step at which each reply so far has its last token, added up
    continuous_ends: list[int]


_COLUMNS = Run._fields


class Batching(NamedTuple):
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
    return [min_output + drawn % span for drawn in _drawn(seed, requests)]


def play(*, slots: int, lengths: list[int]) -> Run:
    """Both schedules of these replies, all waiting at the start.

    static: batches of `slots` requests in arrival order, each as long as its longest reply.
    continuous: a freed slot takes the next request at once. Which of several free slots takes it changes no
    end, so that slots are kept by the step at which each is free.
    """
    static_steps: list[int] = []
    static_ends: list[int] = []
    started = longest = 0  # when the batch began, and its longest reply so far
    for index, length in enumerate(lengths):
        if index % slots == 0:
            started, longest = started + longest, 0
        longest = max(longest, length)
        static_steps.append(started + longest)
        static_ends.append(started + length)
    free = sorted(lengths[:slots])  # a sorted list is a heap
    ends = lengths[:slots]
    for length in lengths[slots:]:
        ends.append(free[0] + length)
        heapreplace(free, ends[-1])
    return Run(
        tokens=list(accumulate(lengths)),
        static_steps=static_steps,
        continuous_steps=list(accumulate(ends, max)),
        static_ends=list(accumulate(static_ends)),
        continuous_ends=list(accumulate(ends)),
    )


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
        whole, requests, slots = _play_all(shape, distribution)
    else:
        run = _play_one(distribution, requests, slots, min_output, max_output, seed)
        whole = {name: getattr(run, name)[-1] for name in _COLUMNS}
    tokens, static_steps, continuous_steps, static_ends, continuous_ends = map(whole.__getitem__, _COLUMNS)
    return Batching(
        **whole,
        speedup=quotient(static_steps, continuous_steps),
        static_utilization=quotient(tokens, slots * static_steps),
        continuous_utilization=quotient(tokens, slots * continuous_steps),
        static_mean_latency=quotient(static_ends * step_time, requests),
        continuous_mean_latency=quotient(continuous_ends * step_time, requests),
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


def _play_all(shape: tuple[Real, ...], distribution: Distribution) -> tuple[dict[str, Any], Any, Any]:
    """Every point's run, with its requests and slots in whole numbers.

    Points that differ in nothing but requests are one run: that of the most requests. Runs of equal slots are
    played side by side.
    """
    points = [np.floor(np.asarray(each, dtype=np.float64)) for each in shape]
    requests, slots, *rest = np.broadcast_arrays(*points)
    counts = requests.ravel().astype(int)
    rows = np.stack([np.minimum(slots, requests.max(initial=1)).ravel(), *(each.ravel() for each in rest)])
    different, run_of = np.unique(rows, axis=1, return_inverse=True)
    run_of = run_of.ravel()
    longest = np.zeros(different.shape[1], dtype=int)
    np.maximum.at(longest, run_of, counts)
    _require_playable(longest, seeds=np.unique(different[-1]).size)
    whole = {name: np.empty(counts.size) for name in _COLUMNS}
    for runs in _side_by_side(different[0], longest):
        place = np.full(different.shape[1], -1)
        place[runs] = np.arange(runs.size)
        here = np.flatnonzero(place[run_of] >= 0)
        played = _play_some(distribution, int(longest[runs].max()), different[:, runs])
        for name, column in zip(_COLUMNS, played, strict=True):
            whole[name][here] = column[place[run_of[here]], counts[here] - 1]
    return {name: column.reshape(requests.shape) for name, column in whole.items()}, requests, slots


def _side_by_side(slots: Floats, longest: NDArray[np.int_]) -> Iterator[NDArray[np.int_]]:
    """The runs in groups of equal slots, none of more replies than memory likes."""
    for number in np.unique(slots):
        equal = np.flatnonzero(slots == number)
        together = max(1, _REPLIES_AT_A_TIME // int(longest[equal].max()))
        yield from np.split(equal, range(together, equal.size, together))


def _play_some(distribution: Distribution, requests: int, runs: Floats) -> tuple[Floats, ...]:
    """Runs of equal slots and of so many requests: the columns of `Run`, a row for each of them."""
    slots, least, most, seeds = runs
    if runs.shape[1] < _FEW_RUNS:
        played = [_play_one(distribution, requests, *map(int, run)) for run in runs.T]
        return tuple(np.array(column, dtype=np.float64) for column in zip(*played, strict=True))
    if distribution == "fixed":
        lengths = np.repeat(most[:, None], requests, axis=1)
    else:
        lengths = least[:, None] + _remainders(requests, seeds, most - least + 1)
    return _play_together(int(slots[0]), lengths)


def _remainders(requests: int, seeds: Floats, spans: Floats) -> Floats:
    """What the drawn numbers of each seed leave when divided by each span."""
    row = {seed: np.array(_drawn(int(seed), requests), dtype=np.uint64) for seed in np.unique(seeds)}
    drawn = np.stack([row[seed] for seed in seeds])
    whole = spans[:, None] >= 2.0**64  # a larger number than any drawn
    divisors = np.where(whole, 1, spans[:, None]).astype(np.uint64)
    return np.where(whole, drawn, drawn % divisors).astype(np.float64)


def _play_together(slots: int, lengths: Floats) -> tuple[Floats, ...]:
    """As `play`, of many runs: a row of lengths each. In floats, which hold steps up to 2^53 exactly."""
    runs, requests = lengths.shape
    in_batches = np.zeros((runs, -(-requests // slots), slots))
    in_batches.reshape(runs, -1)[:, :requests] = lengths
    longest = np.maximum.accumulate(in_batches, axis=2)
    started = np.cumsum(longest[:, :, -1], axis=1) - longest[:, :, -1]
    static_steps, static_ends = (
        (started[:, :, None] + each).reshape(runs, -1)[:, :requests] for each in (longest, in_batches)
    )
    free = lengths[:, :slots].copy()
    ends = lengths.copy()
    row = np.arange(runs) * free.shape[1]
    for request in range(slots, requests):
        first = row + free.argmin(axis=1)
        ends[:, request] += free.ravel()[first]
        free.ravel()[first] = ends[:, request]
    return (
        np.cumsum(lengths, axis=1),
        static_steps,
        np.maximum.accumulate(ends, axis=1),
        np.cumsum(static_ends, axis=1),
        np.cumsum(ends, axis=1),
    )


def _require_playable(longest: NDArray[np.int_], *, seeds: int) -> None:
    """Refuse a sweep whose runs, of so many requests each, have too many replies together."""
    most = (MOST_REPLIES if seeds == 1 else MOST_DRAWS) // max(1, longest.size)
    allowed = f"at most {most} on average for {longest.size} different runs at a time"
    require(longest.sum() <= most * longest.size, "requests", longest.max(initial=0), allowed)


def _drawn(seed: int, requests: int) -> tuple[int, ...]:
    """The numbers drawn for so many requests."""
    number = 1 << (requests - 1).bit_length()  # few different numbers, so that most of them are kept
    return _draws(seed, number)[:requests]


@lru_cache(maxsize=16)
def _draws(seed: int, number: int) -> tuple[int, ...]:
    """The first `number` 64-bit numbers of a seed, kept for the other points of a sweep."""
    return tuple(int.from_bytes(sha256(f"{seed}|{i}".encode()).digest()[:8], "big") for i in range(number))
