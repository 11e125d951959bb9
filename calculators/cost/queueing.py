"""Requests in a system: Little's law, and the M/M/c queue."""

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from calculators.cost.errors import require, require_positive
from calculators.cost.exact import Real, is_array, quotient, quotient_or_none

MOST_SERVERS = 10**6
_EXACT_BITS = 4096  # of a blocking probability that is kept whole
_NEGLIGIBLE = 1e-17  # of the sum so far: a term that no longer counts
_LARGEST = 1e300  # the sum of a queue in which nobody ever waits


class RequestLatency(NamedTuple):
    """How long a streamed reply takes, and how many are under way."""

    latency: Real  # s
    concurrency: Real
    max_arrival_rate: Real  # 1/s, no number where a reply takes no time
    utilization: Real


class Queue(NamedTuple):
    """A queue in its steady state; all but offered load and utilization are no numbers where it has none."""

    offered: Real  # Erlangs: servers that would be busy if there were enough
    utilization: Real
    blocking: Real  # Erlang B of the same servers
    probability_wait: Real  # Erlang C
    mean_wait: Real  # s
    mean_latency: Real  # s
    mean_in_queue: Real


def request_latency(
    *,
    time_to_first_token: Real,
    time_per_token: Real,
    output_tokens: Real,
    arrival_rate: Real,
    max_concurrency: Real,
) -> RequestLatency:
    """latency = time_to_first_token + (output_tokens - 1) * time_per_token [s]; concurrency = arrival_rate *
    latency by Little's law; max_arrival_rate = max_concurrency / latency [1/s]; utilization = concurrency /
    max_concurrency.

    Leaves out that both times grow with concurrency, and the wait for a free place.
    Raises DomainError where max_concurrency is not above 0.
    Source: Little 1961, A proof for the queuing formula L = lambda W.
    """
    require_positive(max_concurrency=max_concurrency)
    latency = time_to_first_token + (output_tokens - 1) * time_per_token
    return RequestLatency(
        latency=latency,
        concurrency=arrival_rate * latency,
        max_arrival_rate=quotient_or_none(max_concurrency, latency),
        utilization=quotient(arrival_rate * latency, max_concurrency),
    )


def queue(*, arrival_rate: Real, service_time: Real, servers: Real) -> Queue:
    """The M/M/c queue: random arrivals [1/s], exponential service times of this mean [s], equal servers.

    With the offered load a = arrival_rate * service_time, utilization = a / servers and Erlang's B:
    probability_wait = B / (1 - utilization * (1 - B)), which is Erlang's C; mean_wait = probability_wait *
    service_time / (servers * (1 - utilization)); mean_latency = mean_wait + service_time; mean_in_queue =
    arrival_rate * mean_wait by Little's law. From a utilization of 1 on there is no steady state.

    Raises DomainError where servers is below 1 or above a million, or another argument below 0.
    Source: Erlang 1917; Kleinrock 1975, Queueing Systems 1, section 3.5.
    """
    offered = arrival_rate * service_time
    utilization = quotient(offered, servers)
    blocking = erlang_b(offered=offered, servers=servers)
    stable: Any = utilization < 1
    if not is_array(utilization) and not stable:
        return Queue(offered, utilization, blocking, None, None, None, None)
    free = np.where(stable, 1 - utilization, np.nan) if is_array(utilization) else 1 - utilization
    # free + utilization * B is 1 - utilization * (1 - B) without its cancellation near full load
    probability_wait = quotient(blocking, free + utilization * blocking)
    mean_wait = quotient(probability_wait * service_time, servers * free)
    return Queue(
        offered=offered,
        utilization=utilization,
        blocking=blocking,
        probability_wait=probability_wait,
        mean_wait=mean_wait,
        mean_latency=mean_wait + service_time,
        mean_in_queue=arrival_rate * mean_wait,
    )


def erlang_b(*, offered: Real, servers: Real) -> Real:
    """Erlang's B: the share of arrivals that find all servers busy where nobody can wait.

    Its recurrence B(c) = a B(c-1) / (c + a B(c-1)), unrolled from c downwards: 1/B = 1 + c/a + c(c-1)/a**2 +
    ... + c!/a**c. All terms are positive, so no figures are lost, and the sum is left when it is complete or
    so large that B, below 1e-300, counts as 0: some 50 * sqrt(servers) terms, and nothing overflows.

    Among scalars B is exact as long as it takes no more than some 1,200 digits, else a float64's value.
    Raises DomainError where offered is negative, or servers below 1 or above a million.
    """
    require(offered >= 0, "offered", offered, "0 or more")
    require((servers >= 1) & (servers <= MOST_SERVERS), "servers", servers, f"from 1 to {MOST_SERVERS}")
    if is_array(offered) or is_array(servers):
        return np.reciprocal(_sums(offered, servers))
    if offered == 0:
        return 0
    size = max(Fraction(offered).numerator.bit_length(), Fraction(offered).denominator.bit_length())
    if servers * (size + servers.bit_length()) <= _EXACT_BITS:
        blocking = Fraction(1)
        for busy in range(1, servers + 1):
            blocking = offered * blocking / (busy + offered * blocking)
        return blocking if blocking * Fraction(_LARGEST) >= 1 else 0
    if servers > offered * Fraction(_LARGEST):  # the sum has c/a in it
        return 0
    return Fraction(float(np.reciprocal(_sums(float(min(offered, Fraction(_LARGEST))), float(servers)))))


def _sums(offered: Real, servers: Real) -> NDArray[np.float64]:
    """1/B at every point, infinite where it exceeds 1e300. Points whose sum is complete drop out."""
    loads, counts = np.broadcast_arrays(
        np.asarray(offered, dtype=np.float64), np.asarray(servers, dtype=np.float64)
    )
    sums = np.ones(loads.size)
    open_points = np.arange(loads.size)
    load, left = loads.ravel().copy(), counts.ravel().copy()
    total, term = np.ones(loads.size), np.ones(loads.size)
    with np.errstate(divide="ignore", over="ignore"):
        while open_points.size:
            term = term * (left / load)
            total = total + term
            left = left - 1
            done = (
                (left < 1)
                | (total > _LARGEST)
                | ((left < load) & (term * load < _NEGLIGIBLE * total * (load - left)))
            )
            if done.any():
                sums[open_points[done]] = np.where(total[done] > _LARGEST, np.inf, total[done])
                going = ~done
                open_points, load, left = open_points[going], load[going], left[going]
                total, term = total[going], term[going]
    return sums.reshape(loads.shape)
