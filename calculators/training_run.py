"""A whole training run: how long it takes and what it costs, and how to split a compute budget."""

from collections.abc import Iterator, Mapping

from calculators.conventions import DENSE
from calculators.cost.exact import Real
from calculators.cost.scaling import FITS, compute_optimal, fitted_loss
from calculators.cost.training import JOULES_PER_KWH, SECONDS_PER_HOUR, training_run
from calculators.presets import HARDWARE
from calculators.spec import (
    Calculator,
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
from calculators.spec.errors import Unavailable
from calculators.spec.hardware_inputs import CUSTOM, dtype_input, hardware_inputs

_UNKNOWN_WATTS = "no power is known for this hardware; give device_watts"


def _watts(v: Values) -> int:
    watts = None if v.hardware == CUSTOM else HARDWARE[v.hardware].watts
    if watts is None:
        raise Unavailable("device_watts")
    return watts


def _run(v: Values) -> dict[str, object]:
    return by_name(
        training_run(
            params=v.params,
            tokens=v.tokens,
            devices=v.devices,
            peak_flops=v.peak_flops,
            mfu=v.mfu,
            price_per_device_hour=v.price_per_device_hour,
            device_watts=v.device_watts if v.has("device_watts") else None,
            pue=v.pue,
            kg_co2_per_kwh=v.kg_co2_per_kwh,
        )
    )


def _run_notes(v: Values, _: Mapping[str, Real]) -> Iterator[str]:
    if v.tokens < v.params:
        yield "That is less than one token a parameter: check the two."


TRAINING_TIME = Calculator(
    slug="training-time",
    title="Training time and cost",
    topic="scaling-and-cost",
    summary="How long a training run takes on a number of devices at a given MFU, and its money, energy and "
    "CO2.",
    inputs=(
        amount("params", "Parameters", "N", default="175e9", help="Those that one token uses."),
        amount("tokens", "Tokens", "T", family="tokens", default="300e9", help="Trained on in all."),
        count("devices", "Devices", "D", default="1024", help="Accelerators that work throughout."),
        dtype_input(help="The format that the arithmetic is done in. It picks the peak."),
        amount(
            "mfu",
            "MFU",
            "u",
            family="ratio",
            maximum=1,
            default="0.45",
            help="The share of the peak that becomes model work; 30 to 50 % is usual.",
        ),
        amount(
            "price_per_device_hour",
            "Price of a device",
            "p",
            family="price/h",
            zero=True,
            default="2",
            help="Of one device for one hour.",
        ),
        amount(
            "device_watts",
            "Power of a device",
            "W",
            family="power",
            zero=True,
            follows="the hardware",
            derive=_watts,
            help="At full load; its vendor's limit unless given. Hosts and network come on top.",
        ),
        amount(
            "pue",
            "Power usage effectiveness",
            "PUE",
            family="ratio",
            zero=True,
            minimum=1,
            default="1.1",
            help="Power of the whole building over that of its machines.",
        ),
        amount(
            "kg_co2_per_kwh",
            "Carbon intensity",
            "c",
            family="carbon",
            zero=True,
            default="0.4",
            help="Of the electricity: about 0.03 kg/kWh in Norway, 0.4 in the United States, 0.7 in India.",
        ),
        *hardware_inputs("a100-80gb-sxm"),
    ),
    terms=(
        Term(name="hour", label="one hour", family="time", symbol="h", derive=lambda _: SECONDS_PER_HOUR),
        Term(
            name="kilowatt_hour",
            label="one kilowatt hour",
            family="energy",
            symbol="kWh",
            derive=lambda _: JOULES_PER_KWH,
        ),
    ),
    outputs=(
        Output(
            name="model_flops",
            label="Model work",
            symbol="F",
            family="flop",
            formula="6 * params * tokens",
            meaning="Forward and backward over every token, six FLOP a parameter.",
            source="Kaplan et al. 2020, 2.1",
        ),
        Output(
            name="time",
            label="Time",
            symbol="t",
            family="time",
            formula="model_flops / (devices * peak_flops * mfu)",
            meaning="From start to end, nothing lost to failures.",
        ),
        Output(
            name="device_hours",
            label="Device hours",
            symbol="H",
            formula="devices * time / hour",
            meaning="Hours of all devices together.",
        ),
        Output(
            name="cost",
            label="Cost",
            symbol="C",
            family="money",
            formula="device_hours * price_per_device_hour",
            meaning="Of the devices alone.",
        ),
        Output(
            name="energy",
            label="Energy",
            symbol="Q",
            family="energy",
            formula="device_hours * hour * device_watts * pue",
            meaning="Every device at its full power all the time, and the building's share.",
            none=_UNKNOWN_WATTS,
        ),
        Output(
            name="co2",
            label="CO2",
            symbol="m",
            family="mass",
            formula="energy / kilowatt_hour * kg_co2_per_kwh",
            meaning="Emitted for that electricity; 3.6 MJ are 1 kWh.",
            none=_UNKNOWN_WATTS,
        ),
    ),
    headline="time",
    compute=_run,
    needs=("peak_flops",),
    notes=_run_notes,
    plot=("devices", "time"),
    sources=(
        Source(
            "Kaplan et al. 2020: Scaling laws for neural language models",
            "https://arxiv.org/abs/2001.08361",
            "2.1",
        ),
        Source(
            "Narayanan et al. 2021: Efficient large-scale language model training on GPU clusters",
            "https://arxiv.org/abs/2104.04473",
            "5.1, end-to-end training time",
        ),
        Source(
            "Patterson et al. 2021: Carbon emissions and large neural network training",
            "https://arxiv.org/abs/2104.10350",
            "2",
        ),
    ),
    leaves_out=(
        "The attention core, unless the MFU was measured against six FLOP a parameter as well.",
        "Failures, restarts, evaluation and runs that were thrown away.",
        "Power of hosts, switches and storage, and devices that draw less than their limit.",
        "The making of the hardware and the building.",
    ),
    conventions=(
        convention(
            "One multiply-add is 2 FLOP; recomputation is not model work and lowers the MFU.",
            "mfu",
            "model_flops",
        ),
        convention("Of a mixture of experts the active parameters count.", "params"),
        DENSE,
        convention("An hour has 3,600 s.", "device_hours"),
        convention("PUE multiplies the energy of the devices only.", "pue"),
    ),
)


def _fit_term(name: str, label: str, symbol: str, field: str) -> Term:
    return Term(name=name, label=label, symbol=symbol, derive=lambda v: getattr(FITS[v.fit], field))


def _allocation(v: Values) -> dict[str, object]:
    split = compute_optimal(compute=v.compute, tokens_per_param=v.tokens_per_param)
    return {**by_name(split), "loss": fitted_loss(params=split.params, tokens=split.tokens, fit=FITS[v.fit])}


COMPUTE_OPTIMAL = Calculator(
    slug="compute-optimal",
    title="Compute-optimal training",
    topic="scaling-and-cost",
    summary="How large a model and how many tokens a compute budget buys at a given ratio of the two, and "
    "the loss that a published fit predicts for them.",
    inputs=(
        amount("compute", "Compute", "C", family="flop", default="5.76e23", help="Of the whole run."),
        amount(
            "tokens_per_param",
            "Tokens per parameter",
            "r",
            default="20",
            help="About 20 is Chinchilla's; models made for serving are trained on far more.",
        ),
        choice(
            "fit",
            "Fit of the loss",
            FITS,
            default="hoffmann",
            help="hoffmann is approach 3 of the Chinchilla paper; besiroglu fits the same runs again.",
        ),
    ),
    terms=(
        _fit_term("irreducible", "loss that no size and no data removes", "E", "irreducible"),
        _fit_term("size_factor", "factor of the model's size", "A", "a"),
        _fit_term("data_factor", "factor of the data", "B", "b"),
        _fit_term("alpha", "exponent of the model's size", "α", "alpha"),
        _fit_term("beta", "exponent of the data", "β", "beta"),
    ),
    outputs=(
        Output(
            name="params",
            label="Parameters",
            symbol="N",
            formula="sqrt(compute / (6 * tokens_per_param))",
            meaning="The size at which six FLOP a parameter and token use up the budget.",
            source="Hoffmann et al. 2022, table 3",
        ),
        Output(
            name="tokens",
            label="Tokens",
            symbol="T",
            formula="tokens_per_param * params",
            meaning="What a model of that size is trained on.",
        ),
        Output(
            name="loss",
            label="Predicted loss",
            symbol="L",
            formula="irreducible + size_factor / params**alpha + data_factor / tokens**beta",
            meaning="Nats a token on the fit's own data: comparable between budgets, not between data sets.",
            source="Hoffmann et al. 2022, equation 10; Besiroglu et al. 2024",
        ),
    ),
    compute=_allocation,
    plot=("compute", "params"),
    sources=(
        Source(
            "Hoffmann et al. 2022: Training compute-optimal large language models",
            "https://arxiv.org/abs/2203.15556",
            "3, table 3 and equation 10",
        ),
        Source(
            "Besiroglu et al. 2024: Chinchilla scaling, a replication attempt",
            "https://arxiv.org/abs/2404.10102",
            "The fitted parameters",
        ),
    ),
    leaves_out=(
        "The fit's own best ratio, which moves with the budget: the ratio here is the one that is given.",
        "Serving: a smaller model trained for longer costs more to train and less to run.",
        "Tokens seen more than once, and data that differ from the fit's.",
        "The attention core, and whether the embedding is among the parameters.",
    ),
    conventions=(
        convention("Compute is 6 FLOP a parameter and token.", "compute"),
        convention("Loss is in nats a token: the cross-entropy with the natural logarithm.", "loss"),
        convention(
            "20 tokens a parameter is the round figure of approaches 1 and 2. Approach 3 as printed asks "
            "for more at large budgets, and its refit comes back to about 20.",
            "tokens_per_param",
        ),
    ),
)
