"""A plot computed: the points, a curve for each line, the levels beside them, and both axes."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, isfinite
from typing import Any

import numpy as np

from app.bank.params import display_name
from app.calculating import value_text
from app.plotting import axes
from app.plotting.choice import ALL_OUTPUTS, MAX_CURVES, Choice, values_of
from app.plotting.plot import Axis, Curve, Extra, Level, Numbers, Plot, lowered
from app.plotting.points import Exact, Span, default_span, is_binary, points, typed
from app.plotting.ticks import Measure
from calculators import quantities
from calculators.presets import DTYPES
from calculators.spec import Calculator, FieldError, Input, InvalidInputs, Output, Result, Roof, reading

Column = np.ndarray[Any, Any]
Bounds = tuple[Exact, Exact]


def draw(
    result: Result,
    choice: Choice,
    *,
    bounds: Bounds | None = None,
    usual: Exact | None = None,
    extra: Sequence[Extra] = (),
) -> Plot:
    """The plot of a choice at one state. `bounds` narrow the range further than the input's own.

    `usual` is the value that the range lies about while it holds the present one, the default unless given:
    so the plot stands still as its input moves.
    """
    return _Drawing(result, choice, bounds, usual).plot(extra)


class _Drawing:
    """One plot in the making: what is varied and what is held fast, and what there is to say on the way."""

    def __init__(self, result: Result, choice: Choice, bounds: Bounds | None, usual: Exact | None) -> None:
        calculator = result.calculator
        self.result = result
        self.calculator = calculator
        self.choice = choice
        name = (calculator.traces or {}).get(choice.over, choice.over)
        self.varied = calculator.input_names[name]
        self.output = calculator.output_names[choice.output]
        self.traced = name != choice.over
        self.over: Input | Output = calculator.output_names[choice.over] if self.traced else self.varied
        # Values rather than texts: a number that 64 characters cannot give has no text. A default that hangs
        # on the model is left to come with it, so that a line for another model has that model's own.
        self.beside = {
            other: result.exact_inputs[other]
            for other in result.resolved.texts
            if other != name
            and (other in result.resolved.given or calculator.input_names[other].default_with is None)
        }
        present = result.exact_inputs[name]
        self.present = present if isinstance(present, int | Fraction) else None
        self.least: Exact = bounds[0] if bounds else self.varied.minimum
        self.most: Exact | None = bounds[1] if bounds else self.varied.maximum
        self.usual = usual or calculator.defaults.get(name, (None,))[0]
        self.errors: dict[str, str] = {}
        self.notes: list[str] = []

    def plot(self, extra: Sequence[Extra]) -> Plot:
        span, chosen, log = self._range()
        looked_at = points(self.varied, span, self.present, log=log, binary=self.binary)
        swept = self._sweep(looked_at)
        if not chosen and (narrowed := self._narrowed(span, looked_at, swept)):
            span = narrowed
            looked_at = points(self.varied, span, self.present, log=log, binary=self.binary)
            swept = self._sweep(looked_at)
        if self.traced:
            looked_at, swept = self._traceable(looked_at, swept)
        xs = swept[self.over.name].tolist() if self.traced else [float(value) for value in looked_at]
        curves = tuple(self._curves(looked_at, swept))
        levels = tuple(self._levels(looked_at, swept, extra))
        now = looked_at.index(Fraction(self.present)) if self.present in looked_at else None
        measure = Measure(self.over.family or "count", self.binary)
        return Plot(
            choice=self.choice,
            over=self.over,
            varied=self.varied,
            output=self.output,
            xs=tuple(xs),
            texts=tuple(value_text(self.over, value) for value in (xs if self.traced else looked_at)),
            typed=tuple(typed(self.varied, value) for value in looked_at),
            curves=curves,
            levels=levels,
            x=axes.x_axis(self.over, measure, xs, None if self.traced else span, log=log),
            y=self._y_axis(curves, levels, log),
            now=now,
            notes=tuple(self.notes),
            errors=self.errors,
        )

    def _range(self) -> tuple[Span, bool, bool]:
        """Where to look, whether the reader said so, and whether by ratio."""
        span = self._usual_span()
        start, stop = self._end("from", self.choice.start), self._end("to", self.choice.stop)
        low, high = span.low if start is None else start, span.high if stop is None else stop
        if self.varied.kind == "count":
            low, high = Fraction(ceil(low)), Fraction(floor(high))
        chosen = start is not None or stop is not None
        if chosen and low >= high:
            self._refuse_order("to" if stop is not None else "from", low, high)
            low, high, chosen = span.low, span.high, False
        log = self.choice.x == "log" or (
            not self.choice.x and not span.even and high > low * axes.LOG_FROM > 0
        )
        if log and low <= 0:
            if start is not None:
                self.errors["from"] = f"from is “{self.choice.start}”, but a log axis begins above 0."
            low = high / 1000 if self.varied.kind == "amount" else Fraction(1)
            log = low < high
        return Span(low, high, even=not log), chosen, log

    def _usual_span(self) -> Span:
        """The range about the usual value where it holds the present one, else about the present one."""
        for centre in (self.usual, self.present):
            span = default_span(self.varied, centre, self.least, self.most)
            if centre and (self.present is None or span.low <= self.present <= span.high):
                return span
        return span

    @cached_property
    def binary(self) -> bool:
        """Whether values of this input are written in powers of two."""
        return self.varied.kind == "count" and is_binary(self.usual or self.present)

    def _refuse_order(self, field: str, low: Fraction, high: Fraction) -> None:
        text = self.choice.stop if field == "to" else self.choice.start
        side, other, end = ("above", "from", low) if field == "to" else ("below", "to", high)
        than = value_text(self.varied, end, figures=6)
        self.errors[field] = f"{field} is “{text}”, but must be {side} {other}, which is {than}."

    def _end(self, field: str, text: str) -> Fraction | None:
        if not text:
            return None
        outcome = reading.read(_end_of(self.varied, field), text)
        if isinstance(outcome, FieldError):
            self.errors[field] = outcome.message
            return None
        return Fraction(outcome.value)

    def _sweep(self, looked_at: Sequence[Fraction], **changed: object) -> Mapping[str, Column]:
        values = np.array([float(value) for value in looked_at])
        return self.calculator.sweep(self.varied.name, values, {**self.beside, **changed})

    def _narrowed(
        self, span: Span, looked_at: Sequence[Fraction], swept: Mapping[str, Column]
    ) -> Span | None:
        """The part of a range that nobody chose in which there are numbers, where that is not all of it."""
        there = np.flatnonzero(np.isfinite(swept[self.output.name]))
        if there.size < 2 or there.size == len(looked_at):
            return None
        low, high = looked_at[there[0]], looked_at[there[-1]]
        return None if (low, high) == (looked_at[0], looked_at[-1]) else Span(low, high, span.even)

    def _traceable(
        self, looked_at: tuple[Fraction, ...], swept: Mapping[str, Column]
    ) -> tuple[tuple[Fraction, ...], Mapping[str, Column]]:
        """The points at which the output along the x axis is a number; where there is none, the input is."""
        there = np.isfinite(swept[self.over.name])
        if not there.any():
            self.over, self.traced = self.varied, False
            return looked_at, swept
        kept = tuple(value for value, stays in zip(looked_at, there, strict=True) if stays)
        return kept, {name: column[there] for name, column in swept.items()}

    def _curves(self, looked_at: Sequence[Fraction], swept: Mapping[str, Column]) -> Iterator[Curve]:
        by = self.choice.lines
        if by == ALL_OUTPUTS:
            same = [other for other in self.calculator.outputs if other.family == self.output.family]
            for other in self._few(same, self.output):
                yield self._curve(other.label, other, swept, present=other is self.output)
        elif by:
            yield from self._curves_by(self.calculator.input_names[by], looked_at, swept)
        else:
            yield self._curve(self.output.label, self.output, swept, present=True)

    def _curves_by(
        self, by: Input, looked_at: Sequence[Fraction], swept: Mapping[str, Column]
    ) -> Iterator[Curve]:
        present = self.result.exact_inputs[by.name]
        refused: list[str] = []
        possible: list[tuple[str | bool | int, Mapping[str, Column]]] = []
        for kind in values_of(by):
            try:
                columns = swept if kind == present else self._sweep(looked_at, **{by.name: kind})
            except InvalidInputs:
                refused.append(_kind_name(by, kind))
                continue
            possible.append((kind, columns))
        if refused:
            self.notes.append(f"Without a line, for want of what the others have: {', '.join(refused)}.")
        now = next((each for each in possible if each[0] == present), possible[0])
        for kind, columns in self._few(possible, now):
            yield self._curve(_kind_name(by, kind), self.output, columns, present=kind == now[0])

    def _few(self, everything: Sequence[Any], present: Any) -> Sequence[Any]:
        """As many as can be told apart: the present one and its neighbours in the declared order."""
        if len(everything) <= MAX_CURVES:
            return everything
        index = next(place for place, each in enumerate(everything) if each is present)
        first = min(max(0, index - MAX_CURVES // 2), len(everything) - MAX_CURVES)
        self.notes.append(f"{MAX_CURVES} of {len(everything)} lines: the present one and its neighbours.")
        return everything[first : first + MAX_CURVES]

    def _curve(self, label: str, output: Output, swept: Mapping[str, Column], *, present: bool) -> Curve:
        values = _numbers(swept[output.name])
        limits: tuple[str, ...] = ()
        if self.calculator.limits:
            limits = tuple(str(word) if word is not None else "" for word in swept["bound"])
        return Curve(label, values, tuple(_text(output, value) for value in values), limits, present)

    def _levels(
        self, looked_at: Sequence[Fraction], swept: Mapping[str, Column], extra: Sequence[Extra]
    ) -> Iterator[Level]:
        shown = {self.output.name}
        if self.choice.lines == ALL_OUTPUTS:
            shown = {other.name for other in self.calculator.outputs if other.family == self.output.family}
        for roof in (*self.output.roofs, *_limits_as_roofs(self.calculator, self.output)):
            if not (len(roof.names) == 1 and roof.names[0] in shown):
                yield self._roof(roof, looked_at, swept)
        for each in extra:
            if each.output:
                yield self._roof(Roof((each.output,), each.label), looked_at, swept)
            elif each.value is not None:
                values = (float(each.value),) * len(looked_at)
                text = value_text(self.output, each.value)
                yield Level(each.label, values, (text,) * len(looked_at), text, "")

    def _roof(self, roof: Roof, looked_at: Sequence[Fraction], swept: Mapping[str, Column]) -> Level:
        product = np.ones(len(looked_at))
        fixed: list[str] = []
        for name in roof.names:
            if name in swept:
                product = product * swept[name].astype(float)
            elif name == self.varied.name:
                product = product * np.array([float(value) for value in looked_at])
            else:
                value = self.result.exact_inputs[name]
                product = product * (float(value) if isinstance(value, int | Fraction) else np.nan)
                fixed.append(value_text(self.calculator.input_names[name], value))
        values = _numbers(product)
        first = self.calculator.output_names.get(roof.names[0]) or self.calculator.input_names[roof.names[0]]
        one = len(set(values)) == 1
        given = len(fixed) == len(roof.names)  # a device's memory is 80 GB, as its vendor prints it
        value = value_text(self.output, values[0]) if given else _text(self.output, values[0])
        return Level(
            label=roof.label or first.label,
            values=values,
            texts=tuple(_text(self.output, each) for each in values),
            value=value if one else ", ".join(fixed),
            limit=roof.limit,
        )

    def _y_axis(self, curves: Sequence[Curve], levels: Sequence[Level], x_log: bool) -> Axis:
        axis, note = axes.y_axis(self.output, curves, levels, self.choice.y or ("" if x_log else "linear"))
        self.notes += [note] if note else []
        return axis


def _end_of(varied: Input, field: str) -> Input:
    """An end of a range: the ends of a count may lie between its whole numbers."""
    return Input(
        name=field,
        kind="amount",
        label=field,
        family=varied.family,
        minimum=varied.minimum,
        exclusive=varied.exclusive,
        maximum=varied.maximum,
    )


def _kind_name(by: Input, kind: str | bool | int) -> str:
    """A preset or a number format by its name, anything else with what it is: "recompute full"."""
    name = value_text(by, kind)
    if isinstance(kind, str) and (display_name(kind) != kind or kind in DTYPES):
        return display_name(kind)
    return f"{lowered(by.label)} {name}"


def _limits_as_roofs(calculator: Calculator, output: Output) -> Iterator[Roof]:
    """The limits' own times or rates, beside an output that is one of them or the longest of them."""
    for word, name in (calculator.limits or {}).items():
        declared = calculator.output_names.get(name) or calculator.input_names[name]
        if declared.family == output.family:
            yield Roof((name,), limit=word)


def _numbers(column: Column) -> Numbers:
    return tuple(value if isfinite(value) else None for value in column.astype(float).tolist())


def _text(output: Output, value: Exact | float | None) -> str:
    if value is None:
        return "–"
    return quantities.format_both_bytes(value)[0] if output.family == "bytes" else value_text(output, value)
