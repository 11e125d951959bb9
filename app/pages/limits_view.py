"""The limits of one result: a bar for each, and how far from binding the others are."""

from dataclasses import dataclass

from app.calculating import value_text
from app.comparison import ratio_text
from calculators import quantities
from calculators.spec import Result
from calculators.spec.margins import Margin, margins

LIMITS = ("compute", "memory", "network")  # the words that have a colour
BAR_WIDTH = 100


@dataclass(frozen=True, slots=True)
class LimitBar:
    """One of the limits: its time or rate, and how much of the binding one's time that makes."""

    limit: str
    value: str
    share: str
    width: float
    binds: bool


@dataclass(frozen=True, slots=True)
class LimitsView:
    bars: tuple[LimitBar, ...]
    sentences: tuple[str, ...]


def view(result: Result) -> LimitsView:
    """The limits of a result, empty where none binds."""
    found = margins(result)
    binding = next((margin for margin in found if margin.binds), None)
    sentences = tuple(_sentence(margin, binding) for margin in found if binding and margin is not binding)
    return LimitsView(tuple(map(_bar, found)), sentences)


def _bar(margin: Margin) -> LimitBar:
    return LimitBar(
        limit=margin.limit,
        value=value_text(margin.declared, margin.value),
        share="binds" if margin.binds else f"{_percent(margin)} of that",
        width=round(float(margin.share) * BAR_WIDTH, 2),
        binds=margin.binds,
    )


def _sentence(margin: Margin, binding: Margin) -> str:
    name = margin.limit.capitalize()
    if margin.factor is None:
        return f"{name} takes no time here."
    if margin.factor == 1:
        return f"{name} is on a par with {binding.limit}: any more of it, and it would bind."
    factor = ratio_text(margin.factor)
    if margin.declared.family == "time":
        return (
            f"{name} takes {_percent(margin)} of {binding.limit}’s time: it would bind if that grew {factor}."
        )
    return f"{name} would allow {factor} the pace: below {_percent(margin)} of what it is now, it would bind."


def _percent(margin: Margin) -> str:
    return quantities.format_quantity(margin.share, "ratio")
