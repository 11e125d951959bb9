"""Static against continuous batching."""

from collections.abc import Iterator, Mapping

from calculators.cost.batching import DISTRIBUTIONS, MOST_REQUESTS, batching
from calculators.cost.exact import Real
from calculators.spec import (
    Calculator,
    Check,
    Output,
    Source,
    Term,
    Values,
    amount,
    by_name,
    choice,
    convention,
    count,
)


def _batching(v: Values) -> dict[str, object]:
    played = batching(
        requests=v.requests,
        slots=v.slots,
        min_output=v.min_output,
        max_output=v.max_output,
        distribution=v.distribution,
        step_time=v.step_time,
        seed=v.seed,
    )
    return {
        **by_name(played),
        "longest_replies": played.static_steps,
        "last_end": played.continuous_steps,
    }


def _notes(v: Values, _: Mapping[str, Real]) -> Iterator[str]:
    if v.slots >= v.requests:
        yield "There is a slot for every request: both schedules are one batch, and the same."


BATCHING = Calculator(
    slug="batching",
    title="Static and continuous batching",
    topic="serving",
    summary="Decode steps, utilization and latency of the same replies in batches that wait for their "
    "longest, and with freed slots refilled at once.",
    inputs=(
        count(
            "requests",
            "Requests",
            "R",
            maximum=MOST_REQUESTS,
            stepwise=True,
            default="256",
            help="All of them waiting at time 0.",
        ),
        count("slots", "Slots", "S", stepwise=True, default="8", help="Replies decoded at the same time."),
        count("min_output", "Shortest reply", "l_min", stepwise=True, default="8", help="Tokens."),
        count(
            "max_output",
            "Longest reply",
            "l_max",
            stepwise=True,
            default="256",
            help="Tokens, no fewer than the shortest.",
        ),
        choice(
            "distribution",
            "Lengths",
            DISTRIBUTIONS,
            default="uniform",
            help="uniform between shortest and longest, or fixed: all of them the longest.",
        ),
        amount(
            "step_time",
            "Time of a step",
            "t_step",
            family="time",
            zero=True,
            default="0.02",
            help="One token for every busy slot, however many are busy.",
        ),
        count(
            "seed",
            "Seed",
            "z",
            least=0,
            stepwise=True,
            default="0",
            help="Another seed, other lengths. Fixed has none.",
        ),
    ),
    terms=(
        Term(
            name="tokens",
            label="tokens of all replies; reply i from 0 on has l_min + h mod (l_max − l_min + 1), h being "
            "the first 8 bytes of sha256 of “seed|i”, or l_max where lengths are fixed",
            symbol="Σ tokens",
        ),
        Term(
            name="longest_replies",
            label="the longest reply of each batch, batches taken in the order of arrival, added up",
            symbol="Σ longest",
        ),
        Term(
            name="last_end",
            label="the step in which the last slot falls idle, the next request always taking the slot that "
            "is free first",
            symbol="last end",
        ),
        Term(
            name="static_ends",
            label="the step in which each reply has its last token, batch after batch, added up over replies",
            symbol="Σ ends, static",
        ),
        Term(
            name="continuous_ends",
            label="the step in which each reply has its last token, slots refilled, added up over replies",
            symbol="Σ ends, continuous",
        ),
    ),
    outputs=(
        Output(
            name="static_steps",
            label="Steps, static",
            symbol="n_static",
            formula="longest_replies",
            meaning="Each batch lasts as long as its longest reply; then the next one starts.",
        ),
        Output(
            name="continuous_steps",
            label="Steps, continuous",
            symbol="n_cont",
            formula="last_end",
            meaning="A freed slot takes the next request in the following step, the lowest slot first.",
        ),
        Output(
            name="speedup",
            label="Speed-up",
            symbol="s",
            formula="static_steps / continuous_steps",
            meaning="How many times sooner the last reply is done. Never below 1: no reply ends later for "
            "refilling.",
        ),
        Output(
            name="static_utilization",
            label="Slots in use, static",
            symbol="u_static",
            family="ratio",
            formula="tokens / (slots * static_steps)",
            meaning="Tokens made over tokens that every slot could have made until the end.",
        ),
        Output(
            name="continuous_utilization",
            label="Slots in use, continuous",
            symbol="u_cont",
            family="ratio",
            formula="tokens / (slots * continuous_steps)",
            meaning="The same with slots refilled; what is missing is the end, when requests run out.",
        ),
        Output(
            name="static_mean_latency",
            label="Mean latency, static",
            symbol="t_static",
            family="time",
            formula="static_ends / requests * step_time",
            meaning="From time 0 to a reply's own last token, its wait included.",
        ),
        Output(
            name="continuous_mean_latency",
            label="Mean latency, continuous",
            symbol="t_cont",
            family="time",
            formula="continuous_ends / requests * step_time",
            meaning="The same with slots refilled.",
        ),
    ),
    headline="speedup",
    compute=_batching,
    checks=(
        Check(
            field="max_output",
            names=("max_output", "min_output"),
            holds=lambda v: v.max_output >= v.min_output,
            allowed=lambda v: f"at least min_output ({v.min_output})",
        ),
    ),
    notes=_notes,
    plot=("slots", "speedup"),
    sources=(
        Source(
            "Yu et al. 2022: Orca, a distributed serving system for transformer-based generative models",
            "https://www.usenix.org/conference/osdi22/presentation/yu",
            "3.1, iteration-level scheduling",
        ),
        Source(
            "Anyscale 2023: How continuous batching enables 23x throughput in LLM inference",
            "https://www.anyscale.com/blog/continuous-batching-llm-inference",
            "Static and continuous batching",
        ),
    ),
    leaves_out=(
        "Prefill, which delays a slot's first token and the other slots with it.",
        "That a step takes longer the more slots are busy and the longer their contexts are.",
        "Memory: caches that do not fit are preempted and computed again.",
        "Requests that arrive over time: here all of them wait at time 0.",
    ),
    conventions=(
        convention(
            "A reply is done, and its latency counted, at its own last token, in a static batch too.",
            "static_mean_latency",
        ),
        convention("Lengths come from sha256, so a link shows the same steps on every machine.", "seed"),
        convention(
            "Utilization counts slots, not the device's arithmetic.",
            "static_utilization",
            "continuous_utilization",
        ),
        convention(
            "At most 10,000 requests; a sweep plays each of its different runs, some 3 million replies in "
            "all.",
            "requests",
        ),
    ),
)
