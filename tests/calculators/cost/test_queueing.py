"""M/M/c against the probabilities of its states added up, published tables, and a closed form for large c."""

import math
from fractions import Fraction
from heapq import heapreplace
from random import Random
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calculators
from calculators.cost import DomainError
from calculators.cost.queueing import MOST_SERVERS, erlang_b, queue, request_latency

loads = st.fractions(0, 1, max_denominator=50).filter(lambda share: share < 1)


def from_states(offered: Fraction, servers: int) -> tuple[Fraction, Fraction, Fraction]:
    """Erlang B, Erlang C and the mean number waiting, from the weight of each state of the chain.

    A state of k requests has weight a^k / k! up to c, and beyond each further one rho times the last: a
    geometric series, whose sum and mean are known.
    """
    weights = [Fraction(1)]
    for busy in range(1, servers + 1):
        weights.append(weights[-1] * offered / busy)
    rho = offered / servers
    blocked = weights[-1] / sum(weights)
    waiting = weights[-1] / (1 - rho)  # c and more
    total = sum(weights[:-1]) + waiting
    in_queue = weights[-1] * rho / (1 - rho) ** 2
    return blocked, waiting / total, in_queue / total


@given(share=loads, servers=st.integers(1, 40), rate=st.fractions(Fraction(1, 10), 10, max_denominator=10))
def test_the_states_added_up(share: Fraction, servers: int, rate: Fraction) -> None:
    offered = share * servers
    blocked, waits, in_queue = from_states(offered, servers)
    found = queue(arrival_rate=rate, service_time=offered / rate, servers=servers)
    assert erlang_b(offered=offered, servers=servers) == blocked
    assert found.utilization == share
    assert found.probability_wait == waits
    assert found.mean_in_queue == in_queue
    assert found.mean_wait == in_queue / rate  # Little's law
    assert found.mean_latency == found.mean_wait + offered / rate


@pytest.mark.parametrize(
    ("agents", "printed"),
    # The usual example of call centres: 100 calls in half an hour of 3 minutes each, 10 Erlangs.
    [(11, "68.2"), (12, "44.9"), (13, "28.5"), (14, "17.4")],
)
def test_erlang_c_in_print(agents: int, printed: str) -> None:
    found = queue(arrival_rate=Fraction(100, 1800), service_time=180, servers=agents)
    assert f"{float(100 * found.probability_wait):.1f}" == printed
    if agents == 14:
        assert f"{float(found.mean_wait):.1f}" == "7.8"


@pytest.mark.parametrize(
    ("servers", "offered"),
    # Erlang B tables give the load at which 1 % are blocked, rounded to the last digit printed.
    [(1, "0.0101"), (2, "0.153"), (5, "1.36"), (10, "4.46"), (20, "12.0"), (50, "37.9"), (100, "84.1")],
)
def test_erlang_b_tables(servers: int, offered: str) -> None:
    half_a_digit = Fraction(1, 2 * 10 ** len(offered.partition(".")[2]))
    least, most = (Fraction(offered) + sign * half_a_digit for sign in (-1, 1))
    below, above = (erlang_b(offered=load, servers=servers) for load in (least, most))
    assert below <= Fraction(1, 100) <= above


def test_one_server_is_the_plain_queue() -> None:
    found = queue(arrival_rate=3, service_time=Fraction(1, 4), servers=1)
    assert found.probability_wait == Fraction(3, 4)  # rho
    assert found.mean_latency == 1  # 1 / (mu - lambda)


@pytest.mark.parametrize(("rate", "servers"), [(1.2, 1), (5.0, 4)])
def test_a_queue_played_out(rate: float, servers: int) -> None:
    """A hundred thousand requests one after the other: each takes the server that is free first."""
    chance = Random(7)
    free = [0.0] * servers  # when each server is free, a heap
    clock = waited = 0.0
    late = 0
    requests = 100_000
    for _ in range(requests):
        clock += chance.expovariate(rate)
        start = max(clock, free[0])
        waited += start - clock
        late += start > clock
        heapreplace(free, start + chance.expovariate(2))
    found = queue(arrival_rate=rate, service_time=0.5, servers=float(servers))
    assert waited / requests == pytest.approx(float(found.mean_wait), rel=0.05)
    assert late / requests == pytest.approx(float(found.probability_wait), rel=0.03)
    assert waited / clock == pytest.approx(float(found.mean_in_queue), rel=0.05)


def log_gamma_erlang_c(offered: float, servers: int) -> float:
    """From the states in logarithms, an independent route that loses some figures."""
    rho = offered / servers
    top = servers * math.log(offered) - math.lgamma(servers + 1)
    states = [math.exp(k * math.log(offered) - math.lgamma(k + 1) - top) for k in range(servers)]
    return 1 / (1 + (1 - rho) * math.fsum(states))


@pytest.mark.parametrize(("servers", "offered"), [(300, 280), (1000, 990), (10_000, 9_900), (10_000, 9_999)])
def test_many_servers_do_not_overflow(servers: int, offered: int) -> None:
    found = queue(arrival_rate=offered, service_time=1, servers=servers)
    assert float(found.probability_wait) == pytest.approx(log_gamma_erlang_c(offered, servers), rel=1e-7)


def test_the_exact_and_the_float_routes_meet() -> None:
    for servers, offered in ((200, 150), (250, 249), (300, 299), (300, 10)):
        exact = Fraction(1)
        for busy in range(1, servers + 1):
            exact = offered * exact / (busy + offered * exact)
        found = erlang_b(offered=offered, servers=servers)
        expected = exact if exact > Fraction(1, 10**300) else 0
        assert float(found) == pytest.approx(float(expected), rel=1e-12)
        swept = erlang_b(offered=np.array([float(offered)]), servers=float(servers))
        assert swept[0] == pytest.approx(float(expected), rel=1e-12)


def test_hardly_any_load_on_the_most_servers_and_nearly_all() -> None:
    idle = queue(arrival_rate=Fraction(1, 10**6), service_time=Fraction(1, 10**6), servers=MOST_SERVERS)
    assert (idle.probability_wait, idle.mean_wait) == (0, 0)
    start = perf_counter()
    full = queue(arrival_rate=MOST_SERVERS - 1, service_time=1, servers=MOST_SERVERS)
    assert perf_counter() - start < 20
    # Halfin and Whitt 1981: with beta = (1 - rho) * sqrt(c) small, nearly every request waits.
    assert 0.99 < float(full.probability_wait) < 1


def test_no_steady_state_is_null_with_the_reason() -> None:
    page = calculators.get("queue")
    for rate in (8, 9):
        result = page.evaluate(arrival_rate=rate)
        assert result.outputs["utilization"] == rate / 8
        assert [value for value in result.outputs.values() if value is None] == [None] * 4
        assert sum("the queue grows for ever" in note for note in result.notes) == 4
    swept = page.sweep("arrival_rate", [0.0, 7.999, 8.0, 1e12])
    assert np.isfinite(swept["mean_wait"]).tolist() == [True, True, False, False]
    assert swept["utilization"].tolist() == [0.0, 0.999875, 1.0, 1.25e11]
    assert page.evaluate(arrival_rate=0).outputs["probability_wait"] == 0


@settings(max_examples=60)
@given(share=loads, servers=st.integers(1, 200), more=st.integers(1, 100))
def test_more_load_waits_longer_and_more_servers_shorter(share: Fraction, servers: int, more: int) -> None:
    base = queue(arrival_rate=share * servers, service_time=1, servers=servers)
    busier = queue(arrival_rate=(share + (1 - share) / 2) * servers, service_time=1, servers=servers)
    roomier = queue(arrival_rate=share * servers, service_time=1, servers=servers + more)
    assert base.probability_wait <= busier.probability_wait < 1
    assert base.mean_wait <= busier.mean_wait
    assert roomier.mean_wait <= base.mean_wait
    assert base.blocking <= base.probability_wait


def test_servers_beyond_a_million_are_refused_by_name() -> None:
    for servers in (0, MOST_SERVERS + 1):
        with pytest.raises(DomainError, match=f"servers is {servers}, but must be from 1 to 1000000"):
            erlang_b(offered=1, servers=servers)
    with pytest.raises(DomainError, match="offered is -1"):
        erlang_b(offered=-1, servers=1)


@given(
    first=st.fractions(0, 5, max_denominator=100),
    each=st.fractions(0, 1, max_denominator=100),
    tokens=st.integers(1, 50),
    arrivals=st.integers(1, 20),
)
def test_littles_law_over_a_stream_of_requests(
    first: Fraction, each: Fraction, tokens: int, arrivals: int
) -> None:
    """Requests at even distances, for as long as a reply takes: the time they spend adds up to N."""
    result = request_latency(
        time_to_first_token=first,
        time_per_token=each,
        output_tokens=tokens,
        arrival_rate=arrivals,
        max_concurrency=7,
    )
    clock = first
    for _ in range(tokens - 1):
        clock += each
    assert result.latency == clock
    in_a_second = sum((clock for _ in range(arrivals)), Fraction(0))  # spent by those who arrive in it
    assert result.concurrency == in_a_second
    assert result.utilization == in_a_second / 7
    assert result.max_arrival_rate == (7 / clock if clock else None)


def test_the_page_of_latency() -> None:
    page = calculators.get("request-latency")
    assert page.evaluate().exact["latency"] == Fraction("6.47")  # 0.5 + 199 * 0.03
    result = page.evaluate(time_to_first_token=0, time_per_token=0)
    assert result.outputs["max_arrival_rate"] is None
    assert "max_arrival_rate: a request takes no time, so there is no limit" in result.notes
    assert "faster" in page.evaluate(arrival_rate=10).notes[0]
    swept = page.sweep("output_tokens", [1, 200])
    np.testing.assert_allclose(swept["latency"], [0.5, 6.47])
    with pytest.raises(DomainError, match="max_concurrency is 0"):
        request_latency(
            time_to_first_token=1, time_per_token=1, output_tokens=1, arrival_rate=1, max_concurrency=0
        )
