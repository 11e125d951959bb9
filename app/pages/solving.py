"""Solving a calculator for an input, on its page: the question's form, and what was found."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor

from app.calculating import value_text
from app.comparison import told_apart
from app.pages.calculator_address import Kept
from app.pages.calculator_view import GROUPS, canonical_path, within
from calculators import quantities
from calculators.spec import Calculator, Input, Output, Result, Root, Solution
from calculators.spec.solving import SEARCHED

FIELDS = ("for", "output", "equals")


@dataclass(frozen=True, slots=True)
class SolveForm:
    """The question as it stands in its form, the inputs in the groups of the other form."""

    solved_for: str
    output: str
    equals: str
    groups: tuple[tuple[str, tuple[Input, ...]], ...]
    outputs: tuple[Output, ...]
    errors: Mapping[str, str]

    @classmethod
    def of(cls, calculator: Calculator, asked: Mapping[str, str]) -> "SolveForm":
        groups: dict[str, list[Input]] = {}
        for declared in calculator.inputs:
            if declared.numeric:
                groups.setdefault(GROUPS.get(declared.group, ""), []).append(declared)
        outputs = tuple(declared for declared in calculator.outputs if declared.family)
        return cls(
            solved_for=asked.get("for") or next(iter(groups.values()))[0].name,
            output=asked.get("output") or calculator.headline or outputs[0].name,
            equals=asked.get("equals", ""),
            groups=tuple((title, tuple(inputs)) for title, inputs in groups.items()),
            outputs=outputs,
            errors={},
        )

    def with_errors(self, errors: Mapping[str, str]) -> "SolveForm":
        return replace(self, errors=errors)


@dataclass(frozen=True, slots=True)
class State:
    """A value that can be used, and what it gives: a solution, or a whole number beside one."""

    value: str
    reached: str
    path: str | None


@dataclass(frozen=True, slots=True)
class RootView:
    """A solution in words, and the states at it or beside it."""

    text: str
    states: tuple[State, ...]


@dataclass(frozen=True, slots=True)
class SolutionView:
    question: str
    roots: tuple[RootView, ...]
    notes: tuple[str, ...]


def solution_view(calculator: Calculator, solution: Solution, kept: Kept) -> SolutionView:
    """What was found, each state with the address that makes it the present one."""
    declared = calculator.input_names[solution.name]
    output = calculator.output_names[solution.output]
    notes = solution.told(within(declared.label), within(output.label))
    return SolutionView(
        question=f"{declared.label} at which {within(output.label)} is {solution.target_text}",
        roots=tuple(
            RootView(_root_text(declared, root), _states(calculator, solution, root, kept))
            for root in solution.solutions
        ),
        notes=tuple(note[:1].upper() + note[1:] for note in notes),
    )


def _states(calculator: Calculator, solution: Solution, root: Root, kept: Kept) -> tuple[State, ...]:
    declared = calculator.input_names[solution.name]
    output = calculator.output_names[solution.output]
    results = root.whole or ((root.result,) if root.result else ())
    in_powers_of_two = "iB" in solution.target_text

    def write(value: object, figures: int) -> str:
        if in_powers_of_two and isinstance(value, int | Fraction):
            return quantities.format_both_bytes(value, figures=figures)[0]
        return value_text(output, value, figures=figures)

    def reached(result: Result) -> object:
        return result.exact.get(solution.output, result.outputs[solution.output])

    values = [reached(result) for result in results]
    *texts, _ = told_apart([*values, solution.target], write)
    return tuple(
        State(
            value=value_text(declared, result.exact_inputs[solution.name], figures=6),
            reached=solution.target_text if value == solution.target else text,
            path=canonical_path(calculator, result.resolved, kept),
        )
        for result, value, text in zip(results, values, texts, strict=True)
    )


def _root_text(declared: Input, root: Root) -> str:
    """A solution as people read it: 33, about 51.3, 5,990 to 6,587, 8,192 or more."""
    least, most = SEARCHED[declared.kind]
    text = value_text(declared, root.value, figures=6)
    if root.through is not None:
        if declared.maximum is None and root.through >= most:
            return f"{text} or more"
        through = value_text(declared, root.through, figures=6)
        return f"up to {through}" if 0 < root.value <= least else f"{text} to {through}"
    if declared.kind == "count" and not isinstance(root.value, int):
        return f"about {value_text(declared, root.value, figures=len(str(floor(root.value))) + 1)}"
    return text
