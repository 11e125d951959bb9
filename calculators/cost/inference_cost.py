"""What tokens cost on devices that are paid by the hour."""

from calculators.cost.errors import require_positive
from calculators.cost.exact import Real, quotient

_SECONDS_PER_HOUR = 3600
_SECONDS_PER_DAY = 86_400
_TOKENS_PRICED = 10**6


def cost_per_million_tokens(
    *, tokens_per_second: Real, price_per_device_hour: Real, devices: Real, utilization: Real
) -> Real:
    """10**6 * devices * price_per_device_hour / (3600 * tokens_per_second * utilization) [USD].

    tokens_per_second is what all devices make together under full load, utilization the share of it that is
    used on average; devices are paid for all the time.
    Raises DomainError where tokens_per_second or utilization is not above 0.
    """
    require_positive(tokens_per_second=tokens_per_second, utilization=utilization)
    paid = _TOKENS_PRICED * devices * price_per_device_hour
    return quotient(paid, _SECONDS_PER_HOUR * tokens_per_second * utilization)


def tokens_per_day(*, tokens_per_second: Real, utilization: Real) -> Real:
    """86400 * tokens_per_second * utilization: tokens made in a day, all devices together."""
    return _SECONDS_PER_DAY * tokens_per_second * utilization
