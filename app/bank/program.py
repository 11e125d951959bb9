"""What a front matter computes, compiled: which names there are, and in which order they get their values.

Parameters and constants come first, then calculators and `let` in an order that their references allow; a
calculator's `set` reads only calculators named before it. `answer` has a value after all of them, so only
mistakes, choices and prose read it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter

from app.bank import expressions, params
from app.bank.expressions import Expression, ExpressionError, Names
from app.bank.frontmatter import Place, Scalar, Tree
from app.bank.params import Figure, Param, Setting, Value
from app.bank.problems import Fault, did_you_mean
from app.bank.schema import AnswerSpec, ChoiceSpec, FrontMatter, Mistake, Tolerance
from calculators import UnknownCalculator, get, quantities
from calculators.spec import Calculator, Input

Attributes = Mapping[str, frozenset[str] | None]  # each name, with its attributes if it has any

_CONSTANT = '{value: 80 GB, source: "Datasheet, memory", family: bytes}'
_PARAM = "{value: 16, choices: [8, 16, 32], min: 1, max: 1024}"
_OUTPUT = re.compile(r"\s*[a-z]\w*\.[a-z]\w*\s*\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Formula:
    """A number or word as it stands, or an expression."""

    content: Value | Expression
    line: int

    def evaluate(self, names: Names) -> Value:
        return self.content.evaluate(names) if isinstance(self.content, Expression) else self.content

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return (self.content,) if isinstance(self.content, Expression) else ()

    @property
    def source(self) -> str:
        return self.content.source if isinstance(self.content, Expression) else str(self.content)


@dataclass(frozen=True, slots=True)
class Step:
    """A calculator to evaluate (`fed` names the parameters that are its inputs), or a `let`."""

    name: str
    line: int
    formula: Formula | None = None
    calculator: Calculator | None = None
    set: Mapping[str, Formula] = field(default_factory=dict)
    fed: tuple[str, ...] = ()

    @property
    def expressions(self) -> tuple[Expression, ...]:
        formulas = (self.formula,) if self.formula else self.set.values()
        return tuple(expression for formula in formulas for expression in formula.expressions)


@dataclass(frozen=True, slots=True)
class Target:
    """A right value: a formula, and how its text is read, printed and judged."""

    value: Formula
    family: str
    unit: str
    tolerance: Tolerance


@dataclass(frozen=True, slots=True)
class MistakeRule:
    id: str
    value: Formula


@dataclass(frozen=True, slots=True)
class PartProgram:
    """What one part computes; `uses` names the earlier parts whose answers it is computed from."""

    id: str
    uses: tuple[str, ...]
    target: Target | None
    mistakes: tuple[MistakeRule, ...]
    right: Mapping[str, Formula]

    @property
    def expressions(self) -> tuple[Expression, ...]:
        formulas = [*self.right.values(), *(mistake.value for mistake in self.mistakes)]
        formulas += [self.target.value] if self.target else []
        return tuple(expression for formula in formulas for expression in formula.expressions)


@dataclass(frozen=True, slots=True)
class Program:
    constants: Mapping[str, Figure]
    params: Mapping[str, Param]
    steps: tuple[Step, ...]
    require: tuple[Formula, ...]
    target: Target | None
    mistakes: tuple[MistakeRule, ...]
    right: Mapping[str, Formula]  # of each choice, by its id
    parts: tuple[PartProgram, ...]
    known: Attributes  # every name that prose may use

    @property
    def calculators(self) -> dict[str, Calculator]:
        """The calculators by the name that the question gives them."""
        return {step.name: step.calculator for step in self.steps if step.calculator is not None}

    @property
    def targets(self) -> tuple[tuple[Target, tuple[MistakeRule, ...]], ...]:
        """Each right value, the question's own and those of its parts, with its mistakes."""
        owners: tuple[Program | PartProgram, ...] = (self, *self.parts)
        return tuple((owner.target, owner.mistakes) for owner in owners if owner.target is not None)

    @property
    def rights(self) -> tuple[Formula, ...]:
        """What says of each choice whether it is right, the question's own and those of its parts."""
        owners: tuple[Program | PartProgram, ...] = (self, *self.parts)
        return tuple(formula for owner in owners for formula in owner.right.values())


def unknown_names(expression: Expression, known: Attributes) -> Iterator[tuple[str, str]]:
    """What is wrong with the names of an expression, each with a hint."""
    for reference in expression.references:
        if reference.name not in known:
            part = reference.name in (known.get("answer") or ())
            hint = f"answer.{reference.name}" if part else did_you_mean(reference.name, known)
            yield f"`{reference.name}` is not known here", hint
            continue
        attributes = known[reference.name]
        if reference.attribute is None:
            if attributes is not None and reference.name != "answer":
                yield (
                    f"`{reference.name}` is a calculator",
                    f"name one of its outputs: {reference.name}.output",
                )
        elif attributes is None:
            message = f"`{reference.name}` is not a calculator and has no `.{reference.attribute}`"
            yield message, f"write {reference.name} alone"
        elif reference.attribute not in attributes:
            hint = did_you_mean(reference.attribute, attributes)
            yield f"`{reference.name}` has no `{reference.attribute}`", hint


def compile_program(meta: FrontMatter, tree: Tree) -> tuple[Program | None, list[Fault]]:
    """The program of a question, or every fault that keeps it from computing."""
    compiler = _Compiler(meta, tree)
    program = compiler.program()
    return (None if compiler.faults else program), compiler.faults


class _Compiler:
    def __init__(self, meta: FrontMatter, tree: Tree) -> None:
        self.meta = meta
        self.tree = tree
        self.faults: list[Fault] = []
        self.calculators = dict(self._calculators())
        self.known: dict[str, frozenset[str] | None]
        self.known = dict.fromkeys((*meta.constants, *meta.params, *meta.let))
        self.known |= {name: _attributes(calculator) for name, calculator in self.calculators.items()}

    def fault(self, place: Place, message: str, hint: str = "") -> None:
        self.faults.append(Fault(self.tree.line(place), message, hint))

    def program(self) -> Program:
        constants = dict(self._constants())
        parameters = dict(self._params())
        steps = self._ordered(list(self._steps()))
        require = tuple(
            self._formula(("require", number), text, self.known)
            for number, text in enumerate(self.meta.require)
        )
        known: Attributes = dict(self.known)
        target, parts = None, []
        if self.meta.answer is not None:
            target = self._target(("answer",), self.meta.answer, known)
            known = {**known, "answer": None}
        for number, part in enumerate(self.meta.parts):
            place: Place = ("parts", number)
            own = None if part.answer is None else self._target((*place, "answer"), part.answer, known)
            right = self._right(place, part.choices, known)
            if own is not None:
                earlier = known.get("answer") or frozenset()
                known = {**known, "answer": earlier | {part.id}}
            mistakes = self._mistakes(place, part.mistakes, known)
            parts.append(PartProgram(part.id, part.uses, own, mistakes, right))
            self._uses(place, parts[-1])
        mistakes = self._mistakes((), self.meta.mistakes, known)
        right = self._right((), self.meta.choices, known)
        return Program(constants, parameters, steps, require, target, mistakes, right, tuple(parts), known)

    def _calculators(self) -> Iterator[tuple[str, Calculator]]:
        for name, spec in self.meta.calculators.items():
            try:
                yield name, get(spec.use)
            except UnknownCalculator as error:
                self.fault(("calculators", name), str(error), "ridgeway calc lists them")

    def _constants(self) -> Iterator[tuple[str, Figure]]:
        for name, spec in self.meta.constants.items():
            outcome = params.cite(spec)
            if isinstance(outcome, str):
                self.fault(("constants", name), f"constant `{name}`: {outcome}", _CONSTANT)
            else:
                yield name, outcome

    def _params(self) -> Iterator[tuple[str, Param]]:
        for name, spec in self.meta.params.items():
            if spec.family is not None and spec.family not in quantities.FAMILIES:
                hint = did_you_mean(spec.family, quantities.FAMILIES)
                self.fault(("params", name, "family"), f"`{spec.family}` is not a family of units", hint)
                continue
            outcome = params.declare(name, spec, self._input_of(name))
            if isinstance(outcome, Param):
                yield name, outcome
            else:
                for key, message in outcome:
                    self.fault(("params", name, *key), message, _PARAM)

    def _input_of(self, param: str) -> Input | None:
        """The first calculator input that is fed from a parameter."""
        for name, calculator in self.calculators.items():
            if param in calculator.input_names and param not in self.meta.calculators[name].set:
                return calculator.input_names[param]
        return None

    def _steps(self) -> Iterator[Step]:
        before: dict[str, frozenset[str] | None] = {
            name: attributes for name, attributes in self.known.items() if name not in self.meta.calculators
        }
        for name, calculator in self.calculators.items():
            given = dict(self._set(name, calculator, before))
            fed = [
                param for param in self.meta.params if param in calculator.input_names and param not in given
            ]
            line = self.tree.line(("calculators", name))
            yield Step(name, line, calculator=calculator, set=given, fed=tuple(fed))
            before[name] = self.known[name]
        for name, content in self.meta.let.items():
            formula = self._formula(("let", name), content, self.known)
            yield Step(name, formula.line, formula=formula)

    def _set(self, name: str, calculator: Calculator, known: Attributes) -> Iterator[tuple[str, Formula]]:
        for key, content in self.meta.calculators[name].set.items():
            place: Place = ("calculators", name, "set", key)
            declared = calculator.input_names.get(key)
            if declared is None:
                hint = did_you_mean(key, calculator.input_names)
                self.fault(place, f"`{key}` is not an input of {calculator.slug}", hint)
            else:
                yield key, self._input(place, declared, content, known)

    def _input(self, place: Place, declared: Input, content: Scalar, known: Attributes) -> Formula:
        """An expression (`2 * seq_len`), or a word or quantity as the calculator reads it (`bf16`, `5us`)."""
        line = self.tree.line(place)
        if isinstance(content, str) and (content in known or _is_expression(content, declared)):
            return self._formula(place, content, known)
        outcome = params.read_setting(declared, content)
        if isinstance(outcome, Setting):
            return Formula(outcome.value, line)
        if isinstance(content, str) and (declared.kind != "choice" or _OUTPUT.match(content)):
            return self._formula(place, content, known)
        self.fault(place, outcome.message, f"allowed: {outcome.allowed}")
        return Formula(content, line)

    def _formula(self, place: Place, content: Scalar, known: Attributes) -> Formula:
        line = self.tree.line(place)
        if not isinstance(content, str):
            return Formula(content, line)
        try:
            expression = expressions.compile(content)
        except ExpressionError as error:
            self.fault(place, f"`{error.source}`: {error.message}", error.hint)
            return Formula(0, line)
        missing = self.meta.calculators.keys() - self.calculators.keys()
        if missing.isdisjoint(
            expression.names
        ):  # a calculator that does not exist is reported once, where it is named
            for message, hint in unknown_names(expression, known):
                self.fault(place, message, hint)
        return Formula(expression, line)

    def _ordered(self, steps: list[Step]) -> tuple[Step, ...]:
        """The steps so that each comes after those that it reads."""
        by_name = {step.name: step for step in steps}
        graph = {step.name: _read_by(step) & by_name.keys() for step in steps}
        try:
            return tuple(by_name[name] for name in TopologicalSorter(graph).static_order())
        except CycleError as error:
            circle = [str(name) for name in error.args[1]]
            group = "let" if circle[0] in self.meta.let else "calculators"
            self.fault(
                (group, circle[0]), f"these need each other's value: {', '.join(circle)}", "break the circle"
            )
            return ()

    def _target(self, place: Place, spec: AnswerSpec, known: Attributes) -> Target:
        unit = spec.unit or ""
        family = quantities.FAMILIES.get(spec.family)
        if family is None:
            hint = did_you_mean(spec.family, quantities.FAMILIES)
            self.fault((*place, "family"), f"`{spec.family}` is not a family of units", hint)
        elif not unit:
            unit = family.base.symbol
        elif unit not in family.by_spelling:
            meant = family.find(unit)
            hint = f"did you mean {meant.symbol}?" if meant else did_you_mean(unit, family.by_spelling)
            self.fault((*place, "unit"), f"`{unit}` is not a unit of {spec.family}", hint)
        return Target(self._formula((*place, "value"), spec.value, known), spec.family, unit, spec.tolerance)

    def _right(self, place: Place, specs: Iterable[ChoiceSpec], known: Attributes) -> dict[str, Formula]:
        return {
            spec.id: self._formula((*place, "choices", number, "right"), spec.right, known)
            for number, spec in enumerate(specs)
        }

    def _uses(self, place: Place, part: PartProgram) -> None:
        """What a part is computed from decides what its learner is graded against, so it is named."""
        own = {part.id} if part.target else set()
        read = {
            output
            for expression in part.expressions
            for name, output in expression.attributes
            if name == "answer"
        }
        for other in sorted(read - own - set(part.uses)):
            if other in {each.id for each in self.meta.parts}:
                message = f"part `{part.id}` is computed from answer.{other}, which it does not name"
                self.fault(place, message, f"uses: [{', '.join((*part.uses, other))}]")

    def _mistakes(self, place: Place, specs: Iterable[Mistake], known: Attributes) -> tuple[MistakeRule, ...]:
        return tuple(
            MistakeRule(spec.id, self._formula((*place, "mistakes", number, "value"), spec.value, known))
            for number, spec in enumerate(specs)
        )


def _attributes(calculator: Calculator) -> frozenset[str]:
    return frozenset({*calculator.input_names, *calculator.term_names, *calculator.output_names})


def _read_by(step: Step) -> set[str]:
    return {name for expression in step.expressions for name in expression.names}


def _is_expression(text: str, declared: Input) -> bool:
    """Whether the text of a numeric input is arithmetic; what both grammars read (`1/3`) they read alike."""
    if not declared.numeric:
        return False
    try:
        return bool(expressions.compile(text))
    except ExpressionError:
        return False
