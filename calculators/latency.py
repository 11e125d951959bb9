"""Requests over time: how long a reply takes, how many are under way, and how long they wait."""

from collections.abc import Iterator, Mapping

from calculators.cost.exact import Real
from calculators.cost.queueing import MOST_SERVERS, queue, request_latency
from calculators.spec import (
    Calculator,
    Output,
    Roof,
    Source,
    Term,
    Values,
    amount,
    by_name,
    convention,
    count,
)

_NO_STEADY_STATE = "no steady state: at a utilization of 1 or more the queue grows for ever"
_LITTLE = Source(
    "Little 1961: A proof for the queuing formula L = λW",
    "https://doi.org/10.1287/opre.9.3.383",
    "The theorem",
)


def _latency_notes(_: Values, computed: Mapping[str, Real]) -> Iterator[str]:
    if computed["utilization"] > 1:
        yield "Requests arrive faster than these places can serve them: the rest wait, or are refused."


REQUEST_LATENCY = Calculator(
    slug="request-latency",
    title="Request latency and concurrency",
    topic="serving",
    summary="How long a streamed reply takes, and by Little's law how many are under way at a time and how "
    "many a second a server can take.",
    inputs=(
        amount(
            "time_to_first_token",
            "Time to first token",
            "TTFT",
            family="time",
            zero=True,
            default="0.5",
            help="From the request to its first token, any wait and the prefill included.",
        ),
        amount(
            "time_per_token",
            "Time per token",
            "TPOT",
            family="time",
            zero=True,
            default="0.03",
            help="Between one token and the next.",
        ),
        count(
            "output_tokens", "Reply", "n", default="200", help="Tokens of a reply, the first one included."
        ),
        amount(
            "arrival_rate",
            "Arrival rate",
            "λ",
            family="rate",
            zero=True,
            default="2",
            help="Requests a second, on average.",
        ),
        count(
            "max_concurrency", "Places", "K", default="64", help="Requests that can be under way at a time."
        ),
    ),
    outputs=(
        Output(
            name="latency",
            label="Latency",
            symbol="T",
            family="time",
            formula="time_to_first_token + (output_tokens - 1) * time_per_token",
            meaning="From the request to its last token.",
        ),
        Output(
            name="concurrency",
            label="Under way",
            symbol="N",
            formula="arrival_rate * latency",
            meaning="Requests in the server at a time, on average, whatever the pattern of arrivals.",
            source="Little's law",
            roofs=(Roof(("max_concurrency",)),),
        ),
        Output(
            name="max_arrival_rate",
            label="Arrivals at most",
            symbol="λ_max",
            family="rate",
            formula="max_concurrency / latency",
            meaning="The rate at which every place is taken all the time.",
            none="a request takes no time, so there is no limit",
        ),
        Output(
            name="utilization",
            label="Places taken",
            symbol="ρ",
            family="ratio",
            formula="arrival_rate * latency / max_concurrency",
            meaning="Requests under way over places. Above 1 there are not enough.",
        ),
    ),
    compute=lambda v: by_name(
        request_latency(
            time_to_first_token=v.time_to_first_token,
            time_per_token=v.time_per_token,
            output_tokens=v.output_tokens,
            arrival_rate=v.arrival_rate,
            max_concurrency=v.max_concurrency,
        )
    ),
    notes=_latency_notes,
    plot=("arrival_rate", "concurrency"),
    sources=(
        _LITTLE,
        Source(
            "Zhong et al. 2024: DistServe, disaggregating prefill and decoding for goodput-optimized LLM "
            "serving",
            "https://arxiv.org/abs/2401.09670",
            "1 and 2.1: TTFT and TPOT",
        ),
    ),
    leaves_out=(
        "That both times grow with the number of requests under way: take them as measured at that load.",
        "The wait for a free place, which grows without limit as utilization nears 1; see the queue.",
        "Spread: these are means, and a service is judged by its 99th percentile.",
    ),
    conventions=(
        convention(
            "The first token comes with the time to first token, so a reply of n tokens has n − 1 gaps.",
            "output_tokens",
        ),
        convention("Requests and seconds are means over a long time.", "arrival_rate"),
    ),
)


QUEUE = Calculator(
    slug="queue",
    title="Queueing delay",
    topic="serving",
    summary="How likely and how long requests wait for one of several equal servers when they arrive at "
    "random (M/M/c, Erlang C).",
    inputs=(
        amount(
            "arrival_rate",
            "Arrival rate",
            "λ",
            family="rate",
            zero=True,
            default="5",
            help="Requests a second, at random (a Poisson process).",
        ),
        amount(
            "service_time",
            "Service time",
            "t_s",
            family="time",
            zero=True,
            default="0.5",
            help="Mean time that a server takes for a request, exponentially distributed.",
        ),
        count(
            "servers",
            "Servers",
            "c",
            maximum=MOST_SERVERS,
            stepwise=True,
            default="4",
            help="Requests served at the same time: devices, replicas or slots.",
        ),
    ),
    terms=(
        Term(
            name="offered",
            label="offered load in Erlangs: servers that are busy on average",
            symbol="a",
            formula="arrival_rate * service_time",
        ),
        Term(
            name="blocking",
            label="blocking (Erlang B), from B(0) = 1 and B(k) = a · B(k − 1) / (k + a · B(k − 1)) up to "
            "k = c: the share of arrivals that would be turned away if nobody could wait",
            family="ratio",
            symbol="B",
        ),
    ),
    outputs=(
        Output(
            name="utilization",
            label="Utilization",
            symbol="ρ",
            family="ratio",
            formula="arrival_rate * service_time / servers",
            meaning="The share of time that a server is busy. At 1 or more the queue grows for ever.",
        ),
        Output(
            name="probability_wait",
            label="Probability of a wait",
            symbol="C",
            family="ratio",
            formula="blocking / (1 - utilization * (1 - blocking))",
            meaning="That a request finds every server busy: Erlang C.",
            none=_NO_STEADY_STATE,
        ),
        Output(
            name="mean_wait",
            label="Mean wait",
            symbol="W_q",
            family="time",
            formula="probability_wait * service_time / (servers * (1 - utilization))",
            meaning="Over all requests, those that do not wait included.",
            none=_NO_STEADY_STATE,
        ),
        Output(
            name="mean_latency",
            label="Mean latency",
            symbol="W",
            family="time",
            formula="mean_wait + service_time",
            meaning="Wait and service.",
            none=_NO_STEADY_STATE,
        ),
        Output(
            name="mean_in_queue",
            label="Waiting on average",
            symbol="L_q",
            formula="arrival_rate * mean_wait",
            meaning="Requests that wait at a time, those in service aside: Little's law.",
            none=_NO_STEADY_STATE,
        ),
    ),
    headline="mean_latency",
    compute=lambda v: by_name(
        queue(arrival_rate=v.arrival_rate, service_time=v.service_time, servers=v.servers)
    ),
    plot=("arrival_rate", "mean_latency"),
    sources=(
        Source(
            "Erlang 1917: Solution of some problems in the theory of probabilities of significance in "
            "automatic telephone exchanges",
            "https://en.wikipedia.org/wiki/Erlang_(unit)#Erlang_C_formula",
            "The formula with waiting, known as Erlang C",
        ),
        Source(
            "Kleinrock 1975: Queueing systems, volume 1 (linked: an article with the same formulas)",
            "https://en.wikipedia.org/wiki/M/M/c_queue",
            "3.5, M/M/m, equation 3.40",
        ),
        _LITTLE,
    ),
    leaves_out=(
        "Arrivals in bursts, and replies of a length that varies more than exponentially: both wait longer.",
        "Replies of equal length, which wait about half as long.",
        "That a server with several slots slows down as they fill.",
        "Requests that give up, and queues with an end.",
    ),
    conventions=(
        convention("One queue in front of all servers, first come, first served.", "servers"),
        convention(
            "At most a million servers. With up to a few hundred, results are exact fractions; beyond, they "
            "have a float's figures. A probability under 10⁻³⁰⁰ counts as 0.",
            "servers",
        ),
    ),
)
