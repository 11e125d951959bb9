"""States of one calculator side by side: the inputs that differ, and each output against the first state."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pydantic import BaseModel, Field

from app.calculating import Evaluation, evaluation, value_text
from calculators import quantities
from calculators.spec import Calculator, Input, Output, Result

_FIGURES = (3, 4, 5, 6, 9, 12, 15)  # as many as tell different values apart
_SMALL = Fraction(1, 1000)  # ratios below it are written as 1 over something
_POWER = "×10"
SAME = "same"


@dataclass(frozen=True, slots=True)
class InputRow:
    """An input with its text in each state."""

    declared: Input
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """An output in one state, and against the first one: "1.5×", "same", "+2 GiB", or nothing."""

    text: str
    against: str = ""


@dataclass(frozen=True, slots=True)
class OutputRow:
    """An output with its value in each state."""

    declared: Output
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The inputs apart: `chosen` ones differ and stand in some state's link, `followed` ones differ because
    those do, and the `same` ones have one value in all."""

    chosen: tuple[InputRow, ...]
    followed: tuple[InputRow, ...]
    same: tuple[tuple[Input, str], ...]
    outputs: tuple[OutputRow, ...]


class Compared(BaseModel):
    """The same as JSON."""

    states: list[Evaluation]
    ratios: list[dict[str, int | float | None]] = Field(
        description="Each output over the first state's; null where that is no number above 0"
    )


def as_json(results: Sequence[Result]) -> Compared:
    """The evaluations, each with its ratios to the first."""
    return Compared(
        states=[evaluation(result) for result in results],
        ratios=[{name: _ratio(results[0], result, name) for name in result.outputs} for result in results],
    )


def _ratio(first: Result, result: Result, name: str) -> int | float | None:
    base, value = first.exact.get(name), result.exact.get(name)
    if base is None or value is None or base <= 0:
        return None
    return quantities.to_number(Fraction(value) / Fraction(base))


def compare(calculator: Calculator, results: Sequence[Result]) -> Comparison:
    """The results, at least one, beside the first of them."""
    chosen: list[InputRow] = []
    followed: list[InputRow] = []
    same: list[tuple[Input, str]] = []
    for declared in calculator.inputs:
        values = [result.exact_inputs[declared.name] for result in results]
        texts = _texts(declared, values)
        if len(set(values)) > 1:
            in_a_link = any(declared.name in result.resolved.texts for result in results)
            (chosen if in_a_link else followed).append(InputRow(declared, texts))
        elif values[0] is not None:
            same.append((declared, texts[0]))
    rows = (_output_row(declared, results) for declared in calculator.outputs)
    return Comparison(tuple(chosen), tuple(followed), tuple(same), tuple(rows))


def _output_row(declared: Output, results: Sequence[Result]) -> OutputRow:
    values = [result.exact.get(declared.name, result.outputs[declared.name]) for result in results]
    texts = _texts(declared, values)
    others = (
        Cell(text, against(declared, values[0], value))
        for text, value in zip(texts[1:], values[1:], strict=True)
    )
    return OutputRow(declared, (Cell(texts[0]), *others))


def _texts(declared: Input | Output, values: Sequence[object]) -> tuple[str, ...]:
    return told_apart(values, lambda value, figures: _text(declared, value, figures))


def told_apart(values: Sequence[object], write: Callable[[object, int], str]) -> tuple[str, ...]:
    """The values for people, with as many figures as it takes to tell different ones apart."""
    texts: tuple[str, ...] = ()
    for figures in _FIGURES:
        texts = tuple(write(value, figures) for value in values)
        if len(set(texts)) == len(set(values)):
            break
    return texts


def _text(declared: Input | Output, value: object, figures: int = 3) -> str:
    if isinstance(declared, Output) and declared.family == "bytes" and isinstance(value, int | Fraction):
        return quantities.format_both_bytes(value, figures=figures)[0]  # as the page shows them
    return value_text(declared, value, figures=figures)


def against(declared: Output, base: object, value: object) -> str:
    """A value against the baseline's: the ratio where it means something, else the difference."""
    if base == value:
        return SAME
    if isinstance(base, int | Fraction) and isinstance(value, int | Fraction):
        if base > 0 and value >= 0:
            return ratio_text(Fraction(value) / Fraction(base))
        return ("+" if value > base else "−") + _text(declared, abs(value - base))
    return ""


def ratio_text(ratio: Fraction) -> str:
    """1.5×, 0.25×, 1/4,096, and ≈1× for one that six figures do not tell from 1."""
    if 0 < ratio < _SMALL:
        return f"1/{quantities.format_quantity(1 / ratio, 'count')}"
    text = quantities.format_quantity(ratio, "count")
    if text == "1" and ratio != 1:
        text = quantities.format_quantity(ratio, "count", figures=6)
        text = "≈1" if text == "1" else text
    return f"{text} times" if _POWER in text else f"{text}×"
