"""What tokens cost."""

from calculators.cost.inference_cost import cost_per_million_tokens, tokens_per_day
from calculators.spec import Calculator, Output, Source, Values, amount, convention, count


def _cost(v: Values) -> dict[str, object]:
    return {
        "cost_per_million_tokens": cost_per_million_tokens(
            tokens_per_second=v.tokens_per_second,
            price_per_device_hour=v.price_per_device_hour,
            devices=v.devices,
            utilization=v.utilization,
        ),
        "tokens_per_day": tokens_per_day(tokens_per_second=v.tokens_per_second, utilization=v.utilization),
    }


INFERENCE_COST = Calculator(
    slug="inference-cost",
    title="Inference cost",
    topic="scaling-and-cost",
    summary="What a million tokens cost on devices that are paid by the hour, busy or not.",
    inputs=(
        amount(
            "tokens_per_second",
            "Throughput",
            "R",
            family="tokens/s",
            default="2500",
            help="Of all devices together, under full load.",
        ),
        amount(
            "price_per_device_hour",
            "Price",
            "p",
            family="price/h",
            zero=True,
            default="2",
            help="Of one device for one hour.",
        ),
        count("devices", "Devices", "D", default="1", help="Paid for all day."),
        amount(
            "utilization",
            "Utilization",
            "u",
            family="ratio",
            maximum=1,
            default="0.6",
            help="Share of the throughput that demand takes up, averaged over the day.",
        ),
    ),
    outputs=(
        Output(
            name="cost_per_million_tokens",
            label="Cost of a million tokens",
            symbol="C",
            family="money",
            formula="1000000 * devices * price_per_device_hour / (3600 * tokens_per_second * utilization)",
            meaning="Idle hours are paid for too, and the tokens share them.",
        ),
        Output(
            name="tokens_per_day",
            label="Tokens a day",
            symbol="N_day",
            formula="86400 * tokens_per_second * utilization",
            meaning="Of all devices together, at this utilization.",
        ),
    ),
    compute=_cost,
    plot=("utilization", "cost_per_million_tokens"),
    sources=(
        Source(
            "Pope et al. 2022: Efficiently scaling transformer inference",
            "https://arxiv.org/abs/2211.05102",
            "2 and figure 1: cost in chip-seconds a token",
        ),
    ),
    leaves_out=(
        "That prompt tokens and generated tokens cost differently: take the throughput of those to be "
        "priced.",
        "Staff, network, storage and margins.",
        "Discounts for reserved hours, and devices that are switched off when demand is low.",
    ),
    conventions=(
        convention("The throughput is that of all devices together, not of each.", "tokens_per_second"),
        convention("An hour has 3,600 seconds, a day 86,400.", "tokens_per_day"),
    ),
)
