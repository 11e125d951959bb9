"""What the API and the command line answer about a calculator: the same models, so the same JSON."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, Field, WithJsonSchema

from calculators import quantities
from calculators.spec import Calculator, FieldError, Input, InvalidInputs, Output, Result
from calculators.spec.evaluating import plain

MAX_POINTS = 10_000
EXACT_IN_JSON = 2**53  # beyond it many readers of JSON round an integer
BEYOND_FLOAT = 2**1024

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
        conventions=list(calculator.conventions),
        leaves_out=list(calculator.leaves_out),
        sources=[
            {"title": source.title, "url": source.url, "section": source.section}
            for source in calculator.sources
        ],
        changes=[{"version": change.version, "what": change.what} for change in calculator.changes],
    )


def evaluation(result: Result) -> Evaluation:
    """One result, with every input that led to it."""
    return Evaluation(
        calculator=result.calculator.slug,
        version=result.calculator.version,
        inputs=dict(result.inputs),
        outputs=_outputs(result),
        notes=[*result.notes, *_beyond(result)],
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


def sweep(
    calculator: Calculator,
    raw: Mapping[str, str],
    *,
    over: str,
    start: str,
    stop: str,
    points: int,
    scale: str,
) -> Sweep:
    """All outputs over a range of one input. Points of a count are rounded, and doubles dropped."""
    declared = _numeric_input(calculator, over)
    fixed = {name: text for name, text in raw.items() if name != over}
    values = _points(declared, start, stop, points, scale)
    swept = calculator.sweep(over, values, fixed)
    resolved = calculator.beside(over, fixed)
    inputs = {name: plain(value)[0] for name, value in calculator.resolved_inputs(resolved).items()}
    return Sweep(
        calculator=calculator.slug,
        version=calculator.version,
        inputs={name: inputs[name] for name in resolved.texts},
        over=SweptInput(
            name=over, unit=declared.unit, values=[_plain_number(declared, value) for value in values]
        ),
        outputs={
            output.name: SweptOutput(values=_column(swept[output.name]), unit=output.unit or None)
            for output in calculator.outputs
        },
    )


def _numeric_input(calculator: Calculator, name: str) -> Input:
    numeric = [declared.name for declared in calculator.inputs if declared.numeric]
    if name in numeric:
        return calculator.input_names[name]
    allowed = "one of " + ", ".join(numeric)
    raise InvalidInputs([FieldError("over", name, allowed, f"over is “{name}”, but must be {allowed}.")])


def _points(declared: Input, start: str, stop: str, points: int, scale: str) -> np.ndarray[Any, Any]:
    errors: list[FieldError] = []
    ends: dict[str, float] = {}
    for field, text in (("from", start), ("to", stop)):
        try:
            ends[field] = float(quantities.parse(text, declared.family).value)
        except (quantities.QuantityError, OverflowError) as error:
            message = f"{field} must be {declared.allowed}. {error}"
            errors.append(FieldError(field, text, declared.allowed, message))
    low, high = ends.get("from"), ends.get("to")
    if low is not None and (low <= declared.minimum if declared.exclusive else low < declared.minimum):
        message = f"from is {start}, but must be {declared.allowed}."
        errors.append(FieldError("from", start, declared.allowed, message))
    if high is not None and declared.maximum is not None and high > declared.maximum:
        message = f"to is {stop}, but must be {declared.allowed}."
        errors.append(FieldError("to", stop, declared.allowed, message))
    if low is not None and high is not None and low > high:
        message = f"from is {start} and to is {stop}, but from must not be above to."
        errors.append(FieldError("from", start, f"at most {stop}", message))
    if scale == "log" and low is not None and low <= 0:
        message = f"from is {start}, but a log scale begins above 0."
        errors.append(FieldError("from", start, "above 0", message))
    if scale not in ("linear", "log"):
        message = f"scale is “{scale}”, but must be linear or log."
        errors.append(FieldError("scale", scale, "linear or log", message))
    if not 2 <= points <= MAX_POINTS:
        allowed = f"from 2 to {MAX_POINTS}"
        errors.append(FieldError("points", str(points), allowed, f"points must be {allowed}."))
    if errors:
        raise InvalidInputs(errors)
    assert low is not None
    assert high is not None
    spaced = np.geomspace(low, high, points) if scale == "log" else np.linspace(low, high, points)
    return np.unique(np.rint(spaced) if declared.kind == "count" else spaced)


def _plain_number(declared: Input, value: float) -> int | float:
    return int(value) if declared.kind == "count" else float(value)


def _column(array: np.ndarray[Any, Any]) -> list[Plain]:
    if array.dtype.kind == "f":
        return [None if np.isnan(value) else value for value in array.tolist()]
    return list(array.tolist())


def solve(
    calculator: Calculator, raw: Mapping[str, str], *, solved_for: str, output: str, equals: str
) -> Solve:
    """The values of an input at which an output reaches a target."""
    fixed = {name: text for name, text in raw.items() if name != solved_for}
    solution = calculator.solve(solved_for, output, equals, fixed)
    return Solve(
        calculator=calculator.slug,
        version=calculator.version,
        solved_for=solved_for,
        unit=calculator.input_names[solved_for].unit,
        target=Target(output=output, equals=solution.target, unit=calculator.output_names[output].unit),
        solutions=[
            Root(
                value=root.value,
                through=root.through,
                whole=[
                    WholeValue(value=_whole_input(whole, solved_for), outputs=_outputs(whole))
                    for whole in root.whole
                ],
            )
            for root in solution.solutions
        ],
        notes=list(solution.notes),
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
