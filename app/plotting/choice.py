"""What to draw, as the `plot` of an address says it: `over:output:lines:x:y:from:to`.

    plot=seq_len:score_bytes                     over the sequence length, everything else by itself
    plot=bytes:time:algorithm:log:log:1MB:10GB   a line for each algorithm, both axes and the range as chosen

`over` is a number that the calculator takes, or one of its `traces`; `output` a number that it gives. `lines`
is a choice, a flag or a count of few values among the inputs, a line for each of them; or `outputs`, a line
for each output in the same unit. `x` and `y` are log or linear. What is empty is chosen by the range and the
values, and empty parts at the end are left out. A colon or a percent sign in a part is written %3A or %25.
"""

from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from typing import NamedTuple
from urllib.parse import unquote

from calculators.spec import MAX_VALUE_LENGTH, Calculator, Input, Output
from calculators.spec.reading import meant, shown

ALL_OUTPUTS = "outputs"
MAX_CURVES = 6
SCALES = ("log", "linear")
MAX_PLOT_LENGTH = 400


@dataclass(frozen=True, slots=True)
class Choice:
    """What to draw. Empty parts are chosen by the range and the values."""

    over: str
    output: str
    lines: str = ""
    x: str = ""
    y: str = ""
    start: str = ""
    stop: str = ""

    @property
    def text(self) -> str:
        """As an address has it."""
        parts = (part.replace("%", "%25").replace(":", "%3A") for part in astuple(self))
        return ":".join(parts).rstrip(":")


PARTS = ("over", "output", "lines", "x", "y", "from", "to")


class Choosable(NamedTuple):
    """What can be drawn over, what can be drawn, and what can tell lines apart."""

    overs: tuple[Input | Output, ...]
    outputs: tuple[Output, ...]
    kinds: tuple[Input, ...]


def choosable(calculator: Calculator) -> Choosable:
    """What there is to choose among in a calculator."""
    traced = (calculator.output_names[name] for name in calculator.traces or {})
    numbers = (declared for declared in calculator.inputs if declared.numeric)
    outputs = tuple(declared for declared in calculator.outputs if declared.family)
    kinds = tuple(declared for declared in calculator.inputs if values_of(declared))
    return Choosable((*traced, *numbers), outputs, kinds)


def values_of(declared: Input) -> tuple[str | bool | int, ...]:
    """The values of an input that has a line for each; none for a number of many values."""
    match declared.kind:
        case "choice":
            return tuple(declared.choices)
        case "flag":
            return (False, True)
        case "count" if declared.maximum is not None and declared.maximum - declared.minimum < MAX_CURVES:
            return tuple(range(declared.minimum, declared.maximum + 1))
    return ()


def first_choice(calculator: Calculator) -> Choice:
    """What a page draws before anybody has chosen."""
    if calculator.plot:
        return Choice(*calculator.plot)
    overs, outputs, _ = choosable(calculator)
    return Choice(overs[0].name, outputs[0].name)


def read_choice(calculator: Calculator, text: str) -> tuple[Choice, str]:
    """The choice of an address. What cannot be drawn gives the first choice, and a sentence that says why."""
    if not text.strip():
        return first_choice(calculator), ""
    parts = [unquote(part) for part in text.split(":")] if len(text) <= MAX_PLOT_LENGTH else []
    if not 2 <= len(parts) <= len(PARTS):
        return _refused(calculator, f"“{shown(text)}” does not say over what to draw which output.")
    return from_parts(calculator, dict(zip(PARTS, parts, strict=False)))


def from_parts(calculator: Calculator, parts: Mapping[str, str]) -> tuple[Choice, str]:
    """The choice of an address taken apart, or of a form, with the same checks."""
    choice = Choice(*(parts.get(name, "").strip() for name in PARTS))
    problem = next(_problems(calculator, choice), "")
    return _refused(calculator, problem) if problem else (choice, "")


def address_text(calculator: Calculator, choice: Choice) -> str:
    """What an address says of a choice: nothing where it is the first."""
    return "" if choice == first_choice(calculator) else choice.text


def _refused(calculator: Calculator, problem: str) -> tuple[Choice, str]:
    return first_choice(calculator), f"The plot that was asked for cannot be drawn: {problem}"


def _problems(calculator: Calculator, choice: Choice) -> Iterator[str]:
    overs, outputs, kinds = choosable(calculator)
    allowed = (
        (choice.over, [declared.name for declared in overs], "is no number to draw over"),
        (choice.output, [declared.name for declared in outputs], "is no number that comes out"),
        (choice.lines, ["", ALL_OUTPUTS, *(declared.name for declared in kinds)], "cannot tell lines apart"),
        (choice.x, ["", *SCALES], "is no kind of axis"),
        (choice.y, ["", *SCALES], "is no kind of axis"),
    )
    for name, names, wrong in allowed:
        if name not in names:
            yield f"“{shown(name)}” {wrong}. {meant(name, names)}".strip()
    for end in (choice.start, choice.stop):
        if len(end) > MAX_VALUE_LENGTH:
            yield f"“{shown(end)}” has more than {MAX_VALUE_LENGTH} characters."
