"""Speculative decoding: a cheap model drafts, the model proper checks all of the draft in one step."""

import numpy as np

from calculators.cost.errors import require
from calculators.cost.exact import Real, is_array, quotient
from calculators.cost.powers import power

MOST_DRAFT_TOKENS = 32  # looked at for the best


def tokens_per_step(*, acceptance: Real, draft_tokens: Real) -> Real:
    """(1 - a**(g+1)) / (1 - a), g + 1 at a = 1: tokens expected of one step of the model proper.

    Each drafted token is accepted with probability a, independently; the first that is not ends the draft
    and is replaced, and a draft accepted whole is followed by one token more.
    Raises DomainError for an acceptance outside 0 to 1.
    Source: Leviathan et al. 2023, equation 1.
    """
    _require_acceptance(acceptance)
    if is_array(acceptance) or is_array(draft_tokens):
        with np.errstate(divide="ignore", invalid="ignore"):
            some = np.expm1((draft_tokens + 1) * np.log(acceptance)) / (np.asarray(acceptance) - 1)
        return np.where(np.equal(acceptance, 1), draft_tokens + 1, some)
    if acceptance == 1:
        return draft_tokens + 1
    return quotient(1 - power(acceptance, draft_tokens + 1), 1 - acceptance)


def speculative_speedup(*, acceptance: Real, draft_tokens: Real, cost_ratio: Real) -> Real:
    """tokens_per_step / (g*c + 1): how many times as fast as one token a step, in steps of the model proper.

    A drafted token costs c of such a step, and checking g + 1 tokens takes no longer than decoding one.
    Raises DomainError for an acceptance outside 0 to 1, or a cost below 0.
    Source: Leviathan et al. 2023, theorem 3.8.
    """
    require(cost_ratio >= 0, "cost_ratio", cost_ratio, "0 or more")
    tokens = tokens_per_step(acceptance=acceptance, draft_tokens=draft_tokens)
    return quotient(tokens, draft_tokens * cost_ratio + 1)


def best_draft_tokens(*, acceptance: Real, cost_ratio: Real) -> Real:
    """The draft length from 0 to 32 with the largest speed-up, the smallest of equals.

    The speed-up is a concave function over a linear one, so it rises up to its largest value and never again:
    going from g to g + 1 gains while a**(g+1) * (g*c + 1) > tokens_per_step(g) * c.
    Raises DomainError for an acceptance outside 0 to 1, or a cost below 0.
    """
    _require_acceptance(acceptance)
    require(cost_ratio >= 0, "cost_ratio", cost_ratio, "0 or more")
    # A free draft always gains, though floats lose the gain to rounding and, for a small a, to underflow.
    free = np.equal(cost_ratio, 0) & np.greater(acceptance, 0)
    best = 0 * (acceptance + cost_ratio)
    rising: Real = True
    tokens, added = 1, acceptance  # of a draft of g, and what one token more would add
    for length in range(MOST_DRAFT_TOKENS):
        rising = rising & (free | (added * (length * cost_ratio + 1) > tokens * cost_ratio))
        if not np.any(rising):
            break
        best = best + rising
        tokens, added = tokens + added, added * acceptance
    return best if is_array(best) else int(best)


def _require_acceptance(acceptance: Real) -> None:
    require((acceptance >= 0) & (acceptance <= 1), "acceptance", acceptance, "from 0 to 1")
