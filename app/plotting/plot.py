"""What a plot is once it is computed: the same for the drawing, for the table and for the sentences."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from app.plotting.choice import Choice
from app.plotting.points import Exact
from app.plotting.ticks import Tick
from calculators.spec import Input, Output

Numbers = tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """One line. `limits` has the word that binds at each point, where the calculator has one."""

    label: str
    values: Numbers
    texts: tuple[str, ...]
    limits: tuple[str, ...]
    present: bool


@dataclass(frozen=True, slots=True)
class Level:
    """What the output is measured against, at each point. `value` is its text where it is one value."""

    label: str
    values: Numbers
    texts: tuple[str, ...]
    value: str
    limit: str

    @property
    def title(self) -> str:
        return f"{self.label} {self.value}".strip()


@dataclass(frozen=True, slots=True)
class Axis:
    title: str
    log: bool
    low: float
    high: float
    ticks: tuple[Tick, ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """Everything that is drawn, tabled and said. `typed` has the text that sets `varied` to each point."""

    choice: Choice
    over: Input | Output
    varied: Input
    output: Output
    xs: tuple[float, ...]
    texts: tuple[str, ...]
    typed: tuple[str, ...]
    curves: tuple[Curve, ...]
    levels: tuple[Level, ...]
    x: Axis
    y: Axis
    now: int | None
    notes: tuple[str, ...]
    errors: Mapping[str, str]

    @property
    def main(self) -> Curve:
        """The line of the present inputs."""
        return next(curve for curve in self.curves if curve.present)

    @property
    def words(self) -> tuple[str, ...]:
        """The limits that bind somewhere, in the order in which they first do."""
        return tuple(dict.fromkeys(word for curve in self.curves for word in curve.limits if word))


class Extra(NamedTuple):
    """A level that a question names: one number, or an output of the same calculator."""

    label: str
    value: Exact | None = None
    output: str = ""


def lowered(label: str) -> str:
    """A label inside a sentence: "KV cache" and "ZeRO stage" keep their capitals."""
    first_word = label.split(" ", 1)[0]
    return label if first_word[1:] != first_word[1:].lower() else label[:1].lower() + label[1:]
