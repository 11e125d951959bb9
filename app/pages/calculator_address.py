"""What a calculator's address says beside the inputs: what only its page reads, and what a form does to it.

`pin` (repeated) and `plot` stay in the address; no input may have these names. `pin-do`, `pin-name` and the
parts of a plot (`plot-over` ...), which no input can have for their hyphen, come from a form and are gone
from the address that follows.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from app.plotting.choice import PARTS, Choice

PIN, PLOT = "pin", "plot"
KEPT_NAMES = (PIN, PLOT)
DO, NAME = "pin-do", "pin-name"
PLOT_PART = "plot-"
WAS = "was"  # over what the form's plot was drawn: the ends of a range belong to that input alone

Pairs = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Kept:
    """The part of an address that only the page reads."""

    pins: tuple[str, ...] = ()
    plot: str = ""

    @property
    def query(self) -> Pairs:
        return [*((PIN, text) for text in self.pins), *([(PLOT, self.plot)] if self.plot else [])]


@dataclass(frozen=True, slots=True)
class Address:
    """A query taken apart: inputs for the calculator, the page's own part, and what to do to the pins."""

    inputs: Pairs
    kept: Kept
    act: str
    names: tuple[str, ...]
    plotted: bool

    @property
    def passing(self) -> bool:
        """Whether a form sent what does not stay in an address."""
        return bool(self.act or self.names or self.plotted)


def read(pairs: Iterable[tuple[str, str]]) -> Address:
    """The query of a calculator's page; the first plot and the first act count."""
    apart: dict[str, list[str]] = {PIN: [], PLOT: [], DO: [], NAME: []}
    inputs: Pairs = []
    parts: dict[str, str] = {}
    for name, text in pairs:
        if name in apart:
            apart[name].append(text)
        elif name.startswith(PLOT_PART):
            parts.setdefault(name.removeprefix(PLOT_PART), text)
        else:
            inputs.append((name, text))
    plot, act = ((apart[name] or [""])[0] for name in (PLOT, DO))
    if parts:
        plot = _plot(parts)
    return Address(inputs, Kept(tuple(apart[PIN]), plot), act, tuple(apart[NAME]), bool(parts))


def _plot(parts: Mapping[str, str]) -> str:
    """The plot that a form asks for, in the words of an address."""
    same = parts.get(WAS, "") in ("", parts.get("over", ""))
    return Choice(*(parts.get(name, "") if same or name not in ("from", "to") else "" for name in PARTS)).text


def path(slug: str, state: Pairs, kept: Kept) -> str:
    """The address of a state with what the page keeps beside it."""
    query = urlencode([*state, *kept.query], safe=":")
    return f"/calculators/{slug}" + (f"?{query}" if query else "")
