"""Speculative decoding."""

from collections.abc import Iterator, Mapping

from calculators.cost.exact import Real
from calculators.cost.speculation import best_draft_tokens, speculative_speedup, tokens_per_step
from calculators.spec import Calculator, Output, Source, Term, Values, amount, convention, count


def _speculation(v: Values) -> dict[str, object]:
    draft = {"acceptance": v.acceptance, "draft_tokens": v.draft_tokens}
    best = best_draft_tokens(acceptance=v.acceptance, cost_ratio=v.cost_ratio)
    return {
        "tokens_per_step": tokens_per_step(**draft),
        "speedup": speculative_speedup(**draft, cost_ratio=v.cost_ratio),
        "best_draft_tokens": best,
        "best_of_33": best,
    }


def _tokens(v: Values) -> str:
    if v.acceptance == 1:
        return "draft_tokens + 1"
    return "(1 - acceptance**(draft_tokens + 1)) / (1 - acceptance)"


def _notes(v: Values, computed: Mapping[str, Real]) -> Iterator[str]:
    if v.acceptance <= v.cost_ratio:
        yield "A drafted token costs at least what it is expected to bring: no draft of any length gains."
    elif computed["speedup"] < 1:
        yield "This draft is slower than decoding without one."
    best = computed["best_draft_tokens"]
    if best not in (0, v.draft_tokens):
        fastest = speculative_speedup(acceptance=v.acceptance, draft_tokens=best, cost_ratio=v.cost_ratio)
        yield f"The best draft, γ = {best}, would make decoding {float(fastest):.4g} times as fast."


SPECULATIVE_DECODING = Calculator(
    slug="speculative-decoding",
    title="Speculative decoding",
    topic="quantization-and-speculation",
    summary="Tokens that one step of a model yields when a cheaper model drafts ahead, what that speeds up, "
    "and how long a draft is best.",
    inputs=(
        amount(
            "acceptance",
            "Acceptance",
            "α",
            family="ratio",
            zero=True,
            maximum=1,
            default="0.8",
            help="Probability that the model accepts a drafted token, the same for each.",
        ),
        count("draft_tokens", "Draft", "γ", least=0, default="4", help="Tokens drafted for each step."),
        amount(
            "cost_ratio",
            "Cost of the draft",
            "c",
            family="ratio",
            zero=True,
            default="0.05",
            help="Time of one drafted token over time of one step of the model.",
        ),
    ),
    terms=(
        Term(
            name="best_of_33",
            label="the γ at which s(γ) = (1 − α^(γ+1)) / ((1 − α) · (γ · c + 1)) is largest, the smallest of "
            "equals",
            symbol="argmax s(γ) over γ from 0 to 32",
        ),
    ),
    outputs=(
        Output(
            name="tokens_per_step",
            label="Tokens per step",
            symbol="E",
            formula=_tokens,
            meaning="Expected: the accepted beginning of the draft, and one token of the model's own.",
            source="equation 1",
        ),
        Output(
            name="speedup",
            label="Speed-up",
            symbol="s",
            formula="tokens_per_step / (draft_tokens * cost_ratio + 1)",
            meaning="Over decoding one token a step. Below 1 the draft slows things down.",
            source="theorem 3.8",
        ),
        Output(
            name="best_draft_tokens",
            label="Best draft",
            symbol="γ*",
            formula="best_of_33",
            meaning="The draft length up to 32 with the largest speed-up; 0 means that no draft gains.",
        ),
    ),
    headline="speedup",
    compute=_speculation,
    notes=_notes,
    plot=("draft_tokens", "speedup"),
    sources=(
        Source(
            "Leviathan, Kalman, Matias 2023: Fast inference from transformers via speculative decoding",
            "https://arxiv.org/abs/2211.17192",
            "Equation 1, theorem 3.8, table 1",
        ),
    ),
    leaves_out=(
        "That acceptance differs from token to token and falls along a draft.",
        "A batch large enough to bind on compute, where checking γ + 1 tokens takes longer than decoding "
        "one.",
        "Memory for the drafting model and its cache, and its own prefill.",
        "Trees of drafts, which check several continuations at once.",
    ),
    conventions=(
        convention(
            "The sampled distribution stays the model's own: speculation changes the time, not the text.",
            "speedup",
        ),
        convention(
            "The speed-up is in time, not in arithmetic, which grows with every rejected token.", "speedup"
        ),
        convention("Tokens are accepted independently of one another, as in the paper.", "acceptance"),
    ),
)
