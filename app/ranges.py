"""The range of a sweep as somebody asks for it: over, from, to, points and scale."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from calculators.spec import Calculator, FieldError, Input, choice
from calculators.spec.reading import is_blank, read
from calculators.spec.values import to_float

MAX_POINTS = 10_000

_POINTS = Input(name="points", kind="count", label="", default="50", minimum=2, maximum=MAX_POINTS)
_SCALE = choice("scale", "", ("linear", "log"), default="linear")


@dataclass(frozen=True, slots=True)
class Range:
    """The input to vary and the values it takes, in order."""

    over: Input
    values: np.ndarray[Any, Any]


def read_range(calculator: Calculator, asked: Mapping[str, str]) -> tuple[Range | None, list[FieldError]]:
    """The range, or everything that is wrong with the question, one error a field."""
    numeric = [declared.name for declared in calculator.inputs if declared.numeric]
    answers: dict[str, Any] = {}
    errors: list[FieldError] = []

    def ask(*questions: Input) -> None:
        for question in questions:
            text = asked.get(question.name, "")
            text = (question.default or "") if is_blank(text) else text
            outcome = read(question, text) if text else _needed(question)
            if isinstance(outcome, FieldError):
                errors.append(outcome)
            else:
                answers[question.name] = outcome.value

    ask(choice("over", "", numeric))
    over = calculator.input_names.get(answers.get("over", ""))
    if over is not None:  # the ends of a count may be fractions, its points are rounded
        ask(*(replace(over, name=end, kind="amount", default=None) for end in ("from", "to")))
    ask(_POINTS, _SCALE)
    if {"from", "to"} <= answers.keys():
        errors += _disordered(answers, asked)
    if errors or over is None:
        return None, errors
    ends = to_float(answers["from"]), to_float(answers["to"])
    spaced = (np.geomspace if answers["scale"] == "log" else np.linspace)(*ends, answers["points"])
    return Range(over, np.unique(np.rint(spaced) if over.kind == "count" else spaced)), errors


def _needed(question: Input) -> FieldError:
    message = f"{question.name} is needed: {question.allowed}."
    return FieldError(question.name, "", question.allowed, message)


def _disordered(answers: Mapping[str, Any], asked: Mapping[str, str]) -> Iterator[FieldError]:
    start, stop = asked["from"].strip(), asked["to"].strip()
    if answers["from"] > answers["to"]:
        message = f"from is {start} and to is {stop}, but from must not be above to."
        yield FieldError("from", start, f"at most {stop}", message)
    elif answers.get("scale") == "log" and answers["from"] <= 0:
        message = f"from is {start}, but a log scale begins above 0."
        yield FieldError("from", start, "above 0", message)
