"""What a faster part does for the whole."""

from calculators.cost.errors import require, require_positive
from calculators.cost.exact import Real, quotient, quotient_or_none


def overall_speedup(*, parallel_fraction: Real, speedup: Real) -> Real:
    """1 / ((1 - p) + p / s): the whole's speed-up when the share p of its time runs s times as fast.

    Raises DomainError for a share outside 0 to 1, or a speed-up that is not above 0.
    Source: Amdahl 1967, Validity of the single processor approach.
    """
    _require_share(parallel_fraction)
    require_positive(speedup=speedup)
    return quotient(1, (1 - parallel_fraction) + quotient(parallel_fraction, speedup))


def speedup_limit(*, parallel_fraction: Real) -> Real:
    """1 / (1 - p): what no speed-up of the share p can exceed; no number where p is 1.

    Raises DomainError for a share outside 0 to 1.
    """
    _require_share(parallel_fraction)
    return quotient_or_none(1, 1 - parallel_fraction)


def _require_share(parallel_fraction: Real) -> None:
    within = (parallel_fraction >= 0) & (parallel_fraction <= 1)
    require(within, "parallel_fraction", parallel_fraction, "from 0 to 1")
