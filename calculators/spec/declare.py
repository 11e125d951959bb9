"""The vocabulary that a calculator is declared in: inputs, outputs, terms, checks and sources."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from calculators import quantities
from calculators.cost.exact import Real, Truth
from calculators.spec.values import Values

Kind = Literal["count", "amount", "choice", "flag"]
Formula: TypeAlias = str | Callable[[Values], str]

MAX_VALUE_LENGTH = 64  # characters of one input's text, the same in a link, on the page and in a question


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Input:
    """One input. The functions below (`count`, `amount`, ...) make them with the defaults of their kind.

    `default` is the text that a link carries. An input without one takes its value from `derive`, and
    `follows` names where that comes from, in words for the page ("seq_len", "the hardware").
    """

    name: str
    kind: Kind
    label: str
    symbol: str = ""
    family: str = "count"
    default: str | None = None
    default_with: tuple[str, str] | None = None  # a default that holds only beside ("model", "custom")
    follows: str = ""
    derive: Callable[[Values], Any] | None = None
    help: str = ""
    minimum: int = 0
    exclusive: bool = False  # the minimum itself is refused
    maximum: int | None = None
    stepwise: bool = False  # a count whose formulas mean nothing between whole numbers
    choices: Sequence[str] = ()
    group: str = ""  # inputs that a form folds away together: "hardware", "model"
    note: Callable[[Values], str] | None = None  # a remark on a looked-up value that the outputs use, or ""
    # What a link says instead where others do not know this value, given the inputs that are needed.
    elsewhere: Callable[[Values, Collection[str]], Mapping[str, int | str]] | None = None

    @property
    def unit(self) -> str:
        """The base unit, "1" for a plain number and empty where there is no number."""
        return quantities.base_unit(self.family) if self.numeric else ""

    @property
    def numeric(self) -> bool:
        return self.kind in ("count", "amount")

    @property
    def allowed(self) -> str:
        """What may be given, as it ends an error message."""
        match self.kind:
            case "choice":
                return "one of " + ", ".join(self.choices)
            case "flag":
                return "true or false (1 or 0, yes or no, on or off)"
        unit = "" if self.unit == "1" else f" {self.unit}"
        above = f"above {self.minimum}" if self.exclusive else f"{self.minimum}{unit} or more"
        if self.maximum is not None:
            above = f"above {self.minimum} and at most" if self.exclusive else f"from {self.minimum} to"
            above += f" {self.maximum}"
        if self.kind == "count":
            return f"a whole number, {above}"
        return f"a number {above}" if self.exclusive or self.maximum is not None else f"a number, {above}"


class Roof(NamedTuple):
    """What an output is measured against: a line beside it on a plot.

    Its level is the product of these inputs and outputs at each point: ("hbm_bytes",), or ("intensity",
    "hbm_bandwidth") with a label. `limit` is the word of `bound` that this line stands for, where it does.
    """

    names: tuple[str, ...]
    label: str = ""
    limit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Output:
    """One output: `formula` in names of inputs, terms and other outputs, with Python's operators.

    A formula that depends on a choice is a function of the values that gives the text. `family` is None for a
    word (bound) or a yes or no (fits). `none` says why there can be no number, where that can happen.
    """

    name: str
    label: str
    formula: Formula
    meaning: str
    family: str | None = "count"
    symbol: str = ""
    none: str = ""
    source: str = ""
    roofs: tuple[Roof, ...] = ()

    @property
    def unit(self) -> str:
        return "" if self.family is None else quantities.base_unit(self.family)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Term:
    """A named number between inputs and outputs that formulas use: bytes_per_element, matrices, hidden."""

    name: str
    label: str
    family: str = "count"
    symbol: str = ""
    formula: Formula = ""
    derive: Callable[[Values], Real] | None = None  # for what is looked up, such as a dtype's bytes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Check:
    """Inputs that must go together. `holds` works elementwise; `names` are the inputs it reads.

    A check on `whole` numbers (heads divide) is left aside while `solve` looks for a real solution.
    """

    field: str
    names: tuple[str, ...]
    holds: Callable[[Values], Truth]
    allowed: Callable[[Values], str]
    whole: bool = False


class Source(NamedTuple):
    """Where a formula is from."""

    title: str
    url: str
    section: str = ""


class Convention(NamedTuple):
    """How something is counted that others count otherwise, and the names that it stands beside."""

    text: str
    beside: tuple[str, ...]


Needs: TypeAlias = tuple[str, ...] | Callable[[Values], Iterable[str]]
Compute: TypeAlias = Callable[[Values], Mapping[str, Real]]
Notes: TypeAlias = Callable[[Values, Mapping[str, Real]], Iterable[str]]


def by_name(record: NamedTuple) -> dict[str, Any]:
    """The fields of a cost function's result by name, as `compute` returns them."""
    return record._asdict()


def convention(text: str, *beside: str) -> Convention:
    """A convention by its sentence and the names that it concerns."""
    return Convention(text, beside)


def count(name: str, label: str, symbol: str = "", *, least: Literal[0, 1] = 1, **rest: Any) -> Input:
    """A whole number of things, at least 1, or at least 0 where 0 switches something off."""
    return Input(name=name, kind="count", label=label, symbol=symbol, minimum=least, **rest)


def amount(name: str, label: str, symbol: str = "", *, zero: bool = False, **rest: Any) -> Input:
    """A number with a unit, above 0 unless `zero` is allowed."""
    return Input(name=name, kind="amount", label=label, symbol=symbol, exclusive=not zero, **rest)


def choice(name: str, label: str, choices: Iterable[str], **rest: Any) -> Input:
    """One word out of several. A sequence may come to hold others later."""
    words = choices if isinstance(choices, Sequence) else tuple(choices)
    return Input(name=name, kind="choice", label=label, choices=words, **rest)


def flag(name: str, label: str, **rest: Any) -> Input:
    """Yes or no."""
    return Input(name=name, kind="flag", label=label, **rest)
