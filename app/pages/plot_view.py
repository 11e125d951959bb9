"""A plot as plain data: its form, its legend, its table, and what the browser draws of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any, NamedTuple

from app.plotting.choice import Choice, address_text, choosable, read_choice
from app.plotting.drawing import Bounds, draw
from app.plotting.plot import Axis, Curve, Extra, Plot, lowered
from app.plotting.points import Exact
from app.plotting.words import sentences
from calculators.spec import Calculator, Input, InvalidInputs, Output, Result

# A line is told by its dashes and a limit by its marker, so that colour never speaks alone.
DASHES = ("", "8 4", "2 3", "10 3 2 3", "14 4", "4 2 1 2")
LEVEL_DASHES = ("3 3", "1 3", "6 3 1 3", "9 3")
MARKERS = ("circle", "square", "triangle", "diamond")
GROUPS = {"": "Inputs", "hardware": "Hardware", "model": "Model"}
TRACES = "What comes out"


class Option(NamedTuple):
    value: str
    label: str


@dataclass(frozen=True, slots=True)
class PlotForm:
    """The choices of a plot: over what by group, which output, and what tells lines apart."""

    choice: Choice
    overs: tuple[tuple[str, tuple[Option, ...]], ...]
    outputs: tuple[Option, ...]
    lines: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the legend. `text` is its value at the present state, which hovering replaces."""

    label: str
    text: str
    dash: str
    limit: str
    level: bool
    present: bool


class Mark(NamedTuple):
    """A limit in the legend: its word and its marker."""

    word: str
    shape: str


class Cell(NamedTuple):
    text: str
    limit: str


class Row(NamedTuple):
    over: str
    cells: tuple[Cell, ...]
    now: bool


@dataclass(frozen=True, slots=True)
class PlotView:
    """A plot to look at, to read and to draw, or a `problem`. `text` is its choice as an address has it."""

    text: str
    title: str
    over: str
    now: str
    entries: tuple[Entry, ...]
    marks: tuple[Mark, ...]
    sentences: tuple[str, ...]
    notes: tuple[str, ...]
    errors: Mapping[str, str]
    range: tuple[str, str]
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    data: Mapping[str, Any]
    problem: str = ""


def chosen(calculator: Calculator, text: str) -> tuple[Choice, str, list[str]]:
    """The choice of an address, its text there (empty for the first choice), and what was passed over."""
    choice, problem = read_choice(calculator, text)
    return choice, address_text(calculator, choice), [problem] if problem else []


def form(calculator: Calculator, choice: Choice) -> PlotForm:
    """What there is to choose in a calculator."""
    overs, outputs, kinds = choosable(calculator)
    groups: dict[str, list[Option]] = {}
    for declared in overs:
        group = TRACES if isinstance(declared, Output) else GROUPS.get(declared.group, GROUPS[""])
        groups.setdefault(group, []).append(_option(declared))
    return PlotForm(
        choice,
        tuple((group, tuple(options)) for group, options in groups.items()),
        tuple(map(_option, outputs)),
        tuple(Option(declared.name, f"each {lowered(declared.label)}") for declared in kinds),
    )


def _option(declared: Input | Output) -> Option:
    return Option(declared.name, declared.label)


def plot_view(
    result: Result,
    choice: Choice,
    *,
    field: str,
    bounds: Bounds | None = None,
    usual: Exact | None = None,
    extra: Sequence[Extra] = (),
) -> PlotView:
    """The plot of a choice. `field` begins the id of the input that a click sets; the rest as in `draw`."""
    try:
        plot = draw(result, choice, bounds=bounds, usual=usual, extra=extra)
    except InvalidInputs as invalid:
        return _nothing(str(invalid))
    marks = tuple(_marks(result.calculator, plot))
    return PlotView(
        text=address_text(result.calculator, choice),
        title=f"{plot.output.label} over {lowered(plot.over.label)}",
        over=plot.over.label,
        now="" if plot.now is None else plot.texts[plot.now],
        entries=tuple(_entries(plot)),
        marks=marks,
        sentences=sentences(plot),
        notes=plot.notes,
        errors=plot.errors,
        range=(plot.typed[0], plot.typed[-1]),
        columns=tuple(_columns(plot)),
        rows=tuple(_rows(plot)),
        data=_data(plot, marks, f"{field}{plot.varied.name}"),
    )


def _nothing(problem: str) -> PlotView:
    return PlotView("", "", "", "", (), (), (), (), {}, ("", ""), (), (), {}, problem)


def _marks(calculator: Calculator, plot: Plot) -> Iterator[Mark]:
    """The limits that occur, each with the marker of its place among all that the calculator knows."""
    for word, shape in zip(calculator.limits or (), MARKERS, strict=False):
        if word in plot.words:
            yield Mark(word, shape)


def _entries(plot: Plot) -> Iterator[Entry]:
    at = plot.now
    for curve, dash in _with_dashes(plot):
        text = "" if at is None else curve.texts[at]
        limit = curve.limits[at] if curve.limits and at is not None else ""
        yield Entry(curve.label, text, dash, limit, level=False, present=curve.present)
    for level, dash in zip(plot.levels, cycle(LEVEL_DASHES), strict=False):
        text = level.value if level.value or at is None else level.texts[at]
        yield Entry(level.label, text, dash, level.limit, level=True, present=False)


def _with_dashes(plot: Plot) -> Iterator[tuple[Curve, str]]:
    """The present line is whole; the others have the dashes that are left, in their order."""
    dashes = iter(DASHES[1:])
    for curve in plot.curves:
        yield curve, DASHES[0] if curve.present else next(dashes)


def _columns(plot: Plot) -> Iterator[str]:
    yield plot.over.label
    several = len(plot.curves) > 1
    for curve in plot.curves:
        yield f"{curve.label} (now)" if several and curve.present else curve.label
    yield from (level.label for level in plot.levels if not level.value)


def _rows(plot: Plot) -> Iterator[Row]:
    varying = [level for level in plot.levels if not level.value]
    for index, text in enumerate(plot.texts):
        cells = [
            Cell(curve.texts[index], curve.limits[index] if curve.limits else "") for curve in plot.curves
        ]
        cells += [Cell(level.texts[index], "") for level in varying]
        yield Row(text, tuple(cells), index == plot.now)


def _data(plot: Plot, marks: Sequence[Mark], field: str) -> dict[str, Any]:
    """What is drawn. Texts are in the table and in the legend already."""
    return {
        "field": field,
        "title": f"{plot.output.label} over {lowered(plot.over.label)}",
        "over": plot.over.label,
        "now": plot.now,
        "xs": plot.xs,
        "typed": plot.typed,
        "x": _axis(plot.x),
        "y": _axis(plot.y),
        "curves": [
            {
                "values": curve.values,
                "limits": curve.limits,
                "present": curve.present,
                "dash": _numbers(dash),
            }
            for curve, dash in _with_dashes(plot)
        ],
        "levels": [
            {
                "values": level.values,
                "title": level.title,
                "limit": level.limit,
                "dash": _numbers(dash),
                "column": not level.value,
            }
            for level, dash in zip(plot.levels, cycle(LEVEL_DASHES), strict=False)
        ],
        "marks": {mark.word: mark.shape for mark in marks},
    }


def _numbers(dash: str) -> list[int]:
    return [int(part) for part in dash.split()]


def _axis(axis: Axis) -> dict[str, Any]:
    return {"title": axis.title, "log": axis.log, "low": axis.low, "high": axis.high, "ticks": axis.ticks}
