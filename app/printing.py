"""What `ridgeway calc` prints for people; `--json` prints the API's answer instead."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from app import calculating
from app.calculating import value_text
from app.comparison import Comparison, ratio_text
from app.flipping import Flips
from calculators import quantities
from calculators.spec import Calculator, Output, Result


def catalogue(everything: calculating.Catalogue) -> list[str]:
    """All calculators, a line each."""
    width = max(len(each.slug) for each in everything.calculators)
    lines = [f"{each.slug:<{width}}  {each.summary}" for each in everything.calculators]
    return [*lines, "", "ridgeway calc SLUG NAME=VALUE ... evaluates one."]


def evaluation(result: Result, news: Iterable[str] = ()) -> list[str]:
    """The outputs, then the notes, those about an older link first."""
    rows = [
        (declared.name, *_readings(declared, result.exact.get(declared.name, result.outputs[declared.name])))
        for declared in result.calculator.outputs
    ]
    return [*_table(rows), *(f"Note: {note}" for note in (*news, *result.notes))]


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


def comparison(compared: Comparison, names: Sequence[str]) -> list[str]:
    """A column for each state: the inputs that differ, then the outputs with their ratios to the first."""
    rows = [("", *names)]
    rows += [(row.declared.name, *row.texts) for row in compared.chosen]
    for output in compared.outputs:
        cells = (f"{cell.text} ({cell.against})" if cell.against else cell.text for cell in output.cells)
        rows.append((output.declared.name, *cells))
    return _table(rows)


def flips(calculator: Calculator, found: Flips) -> list[str]:
    """The verdict, how far the other limits are from it, and a row for each change that flips it."""
    if found.output is None:
        return [f"Note: {note}" for note in found.notes]
    output = calculator.output_names[found.output]
    lines = [f"{output.name} = {value_text(output, found.now)}"]
    for limit in found.limits:
        if limit.limit != found.now and limit.share is not None and limit.factor is not None:
            share = quantities.format_quantity(limit.share, "ratio")
            lines.append(f"{limit.limit}: {share} of the time of that, would bind at {_times(limit.factor)}")
    rows = [("change", "to", "", "then")]
    for number in found.numbers:
        declared = calculator.input_names[number.input]
        now, value = (value_text(declared, each, figures=4) for each in (number.now, number.value))
        change = "" if number.ratio is None else _times(number.ratio)
        rows.append((f"{declared.name} = {now}", value, change, value_text(output, number.becomes)))
    together: dict[tuple[str, str | bool], list[str]] = {}
    for choice in found.choices:
        declared = calculator.input_names[choice.input]
        change = f"{declared.name} = {value_text(declared, choice.now)}"
        together.setdefault((change, choice.becomes), []).append(value_text(declared, choice.value))
    for (change, becomes), values in together.items():
        rows += [
            (change if value is values[0] else "", value, "", value_text(output, becomes)) for value in values
        ]
    lines += ["", *_table(rows)] if len(rows) > 1 else []
    if found.steady:
        lines += ["", f"Flip nothing alone: {', '.join(found.steady)}"]
    return [*lines, *(f"Note: {note}" for note in found.notes)]


def _times(factor: int | float) -> str:
    return ratio_text(Fraction(factor))


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
