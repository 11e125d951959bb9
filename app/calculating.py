"""What the API and the command line answer about a calculator: the same models, so the same JSON."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, Field, WithJsonSchema

from app.ranges import Range, read_range
from calculators import quantities
from calculators.spec import Calculator, FieldError, Input, InvalidInputs, Output, Result
from calculators.spec.evaluating import plain
from calculators.spec.solving import refusals

EXACT_IN_JSON = 2**53  # beyond it many readers of JSON round an integer
BEYOND_FLOAT = 2**1024
_SOLVE_FIELDS = {"name": "for", "target": "equals"}  # what the library and a query call the same

Pairs = Sequence[tuple[str, str]]  # names and values as they were given, in order

Number = Annotated[int | float | None, WithJsonSchema({"type": ["number", "null"]})]
Plain = Annotated[
    int | float | str | bool | None,
    WithJsonSchema({"type": ["number", "string", "boolean", "null"]}),
]


class Value(BaseModel):
    """One output."""

    value: Plain = Field(description="In the unit's base; null where there is no such number, see the notes")
    unit: str | None = Field(description="The base unit, 1 for ratios and counts, null for words")
    exact: str | None = Field(
        default=None,
        description="All digits, for an integer above 2^53",
        exclude_if=lambda text: text is None,
    )


class Evaluation(BaseModel):
    calculator: str
    version: int
    inputs: dict[str, Plain] = Field(description="Every input as resolved, in base units")
    outputs: dict[str, Value]
    notes: list[str]


class SweptInput(BaseModel):
    name: str
    unit: str
    values: list[int | float]


class SweptOutput(BaseModel):
    values: list[Plain]
    unit: str | None


class Sweep(BaseModel):
    calculator: str
    version: int
    inputs: dict[str, Plain] = Field(description="The inputs that were given and stay the same")
    over: SweptInput
    outputs: dict[str, SweptOutput]
    notes: list[str] = Field(description="Why values are null, where some are")


class WholeValue(BaseModel):
    value: int
    outputs: dict[str, Value]


class Root(BaseModel):
    value: Number
    through: Number = Field(default=None, description="The far end, where a whole stretch reaches the target")
    whole: list[WholeValue] = Field(description="For a count: the whole numbers just below and above")


class Target(BaseModel):
    output: str
    equals: Number
    unit: str


class Solve(BaseModel):
    calculator: str
    version: int
    solved_for: str = Field(serialization_alias="for")
    unit: str
    target: Target
    solutions: list[Root]
    notes: list[str]


class InputDeclaration(BaseModel):
    name: str
    kind: Literal["count", "amount", "choice", "flag"]
    label: str
    symbol: str
    unit: str | None
    family: str | None = Field(description="The family of units it is read in")
    default: str | None
    follows: str | None = Field(description="Where its value comes from while it is not given")
    allowed: str
    choices: list[str]
    help: str


class OutputDeclaration(BaseModel):
    name: str
    label: str
    symbol: str
    unit: str | None
    meaning: str


class Declaration(BaseModel):
    slug: str
    title: str
    topic: str
    summary: str
    version: int
    inputs: list[InputDeclaration]
    outputs: list[OutputDeclaration]
    conventions: list[str]
    leaves_out: list[str]
    sources: list[dict[str, str]]
    changes: list[dict[str, int | str]]


class Catalogue(BaseModel):
    calculators: list[Declaration]


def declaration(calculator: Calculator) -> Declaration:
    """A calculator as the API lists it."""
    return Declaration(
        slug=calculator.slug,
        title=calculator.title,
        topic=calculator.topic,
        summary=calculator.summary,
        version=calculator.version,
        inputs=[
            InputDeclaration(
                name=declared.name,
                kind=declared.kind,
                label=declared.label,
                symbol=declared.symbol,
                unit=declared.unit or None,
                family=declared.family if declared.numeric else None,
                default=declared.default,
                follows=declared.follows or None,
                allowed=declared.allowed,
                choices=list(declared.choices),
                help=declared.help,
            )
            for declared in calculator.inputs
        ],
        outputs=[
            OutputDeclaration(
                name=declared.name,
                label=declared.label,
                symbol=declared.symbol,
                unit=declared.unit or None,
                meaning=declared.meaning,
            )
            for declared in calculator.outputs
        ],
        conventions=[convention.text for convention in calculator.conventions],
        leaves_out=list(calculator.leaves_out),
        sources=[
            {"title": source.title, "url": source.url, "section": source.section}
            for source in calculator.sources
        ],
        changes=[{"version": change.version, "what": change.what} for change in calculator.changes],
    )


def evaluation(result: Result, news: Iterable[str] = ()) -> Evaluation:
    """One result, with every input that led to it, and what was corrected since its link was made."""
    return Evaluation(
        calculator=result.calculator.slug,
        version=result.calculator.version,
        inputs=dict(result.inputs),
        outputs=_outputs(result),
        notes=[*news, *result.notes, *_beyond(result)],
    )


def _beyond(result: Result) -> list[str]:
    return [
        f"{name} is beyond 1.8e308, where readers of JSON stop: its value is in exact."
        for name, exact in result.exact.items()
        if isinstance(exact, int) and abs(exact) >= BEYOND_FLOAT
    ]


def _outputs(result: Result) -> dict[str, Value]:
    values = {}
    for declared in result.calculator.outputs:
        exact = result.exact.get(declared.name)
        size = abs(exact) if isinstance(exact, int) else 0
        values[declared.name] = Value(
            value=None if size >= BEYOND_FLOAT else result.outputs[declared.name],
            unit=declared.unit or None,
            exact=str(exact) if size > EXACT_IN_JSON else None,
        )
    return values


def sweep(calculator: Calculator, pairs: Pairs, asked: Mapping[str, str]) -> Sweep:
    """All outputs over a range of one input, as `asked` by over, from, to, points and scale.

    Points of a count are rounded, and doubles dropped.
    """
    wanted, errors = read_range(calculator, asked)
    name = wanted.over.name if wanted else asked.get("over", "")
    fixed = _beside(calculator, pairs, name, errors)
    if wanted is None or errors:
        raise InvalidInputs(errors)
    swept = calculator.sweep(name, wanted.values, fixed)
    resolved = calculator.beside(name, fixed)
    inputs = {other: plain(value)[0] for other, value in calculator.resolved_inputs(resolved).items()}
    return Sweep(
        calculator=calculator.slug,
        version=calculator.version,
        inputs={other: inputs[other] for other in resolved.texts},
        over=SweptInput(
            name=name,
            unit=wanted.over.unit,
            values=[_plain_number(wanted.over, value) for value in wanted.values],
        ),
        outputs={
            output.name: SweptOutput(values=_column(swept[output.name]), unit=output.unit or None)
            for output in calculator.outputs
        },
        notes=[*calculator.news(pairs), *_gaps(calculator, fixed, wanted, swept)],
    )


def _beside(calculator: Calculator, pairs: Pairs, name: str, errors: list[FieldError]) -> dict[str, str]:
    """The inputs beside the one swept or solved for; what is wrong with them joins the errors."""
    declared = calculator.input_names.get(name)
    try:
        raw = calculator.parse_query(pairs, name)
        fixed = {other: text for other, text in raw.items() if other != name}
        if declared is not None and declared.numeric:
            calculator.beside(name, fixed)
        else:
            calculator.validate(fixed)
    except InvalidInputs as invalid:
        errors += invalid.errors
        return {}
    return fixed


def _gaps(
    calculator: Calculator, fixed: Mapping[str, str], wanted: Range, swept: Mapping[str, np.ndarray[Any, Any]]
) -> Iterator[str]:
    """Why values are null: a note for each set of outputs that are null together, by its first point."""
    numbers = np.array([output.name for output in calculator.outputs if output.family is not None])
    empty = np.array([np.isnan(swept[name]) for name in numbers]).T  # a row for each point
    for kind in np.unique(empty, axis=0):
        if kind.any():
            points = wanted.values[(empty == kind[None]).all(axis=1)]
            first = _plain_number(wanted.over, points[0])
            others = f" and {points.size - 1} more" if points.size > 1 else ""
            names = "every number" if kind.all() else ", ".join(numbers[kind])
            why = _why_empty(calculator, {**fixed, wanted.over.name: first}, numbers[kind])
            yield f"At {wanted.over.name} = {first}{others}, {names} is null: {why}"


def _why_empty(calculator: Calculator, inputs: Mapping[str, Any], names: Iterable[str]) -> str:
    try:
        result = calculator.evaluate(inputs)
    except InvalidInputs as invalid:
        return str(invalid)
    reasons = [note for note in result.notes if note.startswith(tuple(f"{name}: " for name in names))]
    return "; ".join(reasons) or "beyond what a float holds"


def _plain_number(declared: Input, value: float) -> int | float:
    return int(value) if declared.kind == "count" else float(value)


def _column(array: np.ndarray[Any, Any]) -> list[Plain]:
    if array.dtype.kind == "f":
        return [None if np.isnan(value) else value for value in array.tolist()]
    return list(array.tolist())


def solve(calculator: Calculator, pairs: Pairs, asked: Mapping[str, str]) -> Solve:
    """The values of an input at which an output reaches a target, as `asked` by for, output and equals."""
    name, output, equals = (asked.get(field, "") for field in ("for", "output", "equals"))
    errors = []
    for refusal in refusals(calculator, name, output, equals):
        field = _SOLVE_FIELDS.get(refusal.field, refusal.field)
        needed = f"{field} is needed: {refusal.allowed}."
        message = refusal.message if refusal.given else needed
        errors.append(refusal._replace(field=field, message=message))
    fixed = _beside(calculator, pairs, name, errors)
    if errors:
        raise InvalidInputs(errors)
    solution = calculator.solve(name, output, equals, fixed)
    return Solve(
        calculator=calculator.slug,
        version=calculator.version,
        solved_for=name,
        unit=calculator.input_names[name].unit,
        target=Target(output=output, equals=solution.target, unit=calculator.output_names[output].unit),
        solutions=[
            Root(
                value=root.value,
                through=root.through,
                whole=[
                    WholeValue(value=_whole_input(whole, name), outputs=_outputs(whole))
                    for whole in root.whole
                ],
            )
            for root in solution.solutions
        ],
        notes=[*calculator.news(pairs), *solution.notes],
    )


def _whole_input(result: Result, name: str) -> int:
    value = result.exact_inputs[name]
    assert isinstance(value, int | Fraction)
    return int(value)


def value_text(declared: Input | Output, value: object, *, figures: int = 3) -> str:
    """A value as people read it: 34.4 GB, 8,192, yes, bf16."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    assert isinstance(value, int | float | Fraction)
    return quantities.format_quantity(value, declared.family or "count", figures=figures)
