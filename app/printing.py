"""What `ridgeway calc` prints for people; `--json` prints the API's answer instead."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from app import calculating
from app.calculating import value_text
from calculators import quantities
from calculators.spec import Calculator, Output, Result


def catalogue(everything: calculating.Catalogue) -> list[str]:
    """All calculators, a line each."""
    width = max(len(each.slug) for each in everything.calculators)
    lines = [f"{each.slug:<{width}}  {each.summary}" for each in everything.calculators]
    return [*lines, "", "ridgeway calc SLUG NAME=VALUE ... evaluates one."]


def evaluation(result: Result) -> list[str]:
    """The outputs, then the notes."""
    rows = [
        (declared.name, *_readings(declared, result.exact.get(declared.name, result.outputs[declared.name])))
        for declared in result.calculator.outputs
    ]
    return [*_table(rows), *(f"Note: {note}" for note in result.notes)]


def sweep(calculator: Calculator, swept: calculating.Sweep) -> list[str]:
    """A row for each value of the swept input."""
    declared = calculator.input_names[swept.over.name]
    columns = [[declared.name, *(value_text(declared, value) for value in swept.over.values)]]
    for output in calculator.outputs:
        values = swept.outputs[output.name].values
        columns.append([output.name, *(value_text(output, value) for value in values)])
    return [*_table(list(zip(*columns, strict=True))), *(f"Note: {note}" for note in swept.notes)]


def solve(calculator: Calculator, solved: calculating.Solve) -> list[str]:
    """Each solution, with the whole values beside it and what they give."""
    declared = calculator.input_names[solved.solved_for]
    output = calculator.output_names[solved.target.output]
    lines: list[str] = []
    for root in solved.solutions:
        text = value_text(declared, root.value, figures=6)
        if root.through is not None:
            text += f" to {value_text(declared, root.through, figures=6)}"
        lines.append(f"{declared.name} = {text}")
        for whole in root.whole:
            reached = value_text(output, whole.outputs[output.name].value, figures=6)
            lines.append(f"  {declared.name} = {whole.value:,} gives {output.name} = {reached}")
    return [*lines, *(f"Note: {note}" for note in solved.notes)]


def _readings(declared: Output, value: object) -> tuple[str, str]:
    """The value for people, and every digit where that is more."""
    text = value_text(declared, value)
    if isinstance(value, bool | str) or value is None:
        return text, ""
    assert isinstance(value, int | float | Fraction)
    if declared.family == "bytes":
        binary, decimal = quantities.format_both_bytes(value)
        text = binary if binary == decimal else f"{binary} = {decimal}"
    exact = quantities.format_exact(value)
    unit = "" if declared.unit == "1" else f" {declared.unit}"
    return text, "" if exact == text else f"{exact}{unit}"


def _table(rows: Sequence[Iterable[str]]) -> list[str]:
    cells = [tuple(row) for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
