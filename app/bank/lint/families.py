"""Units of expressions: `gb()` over a time, bytes added to FLOP, an answer in bytes that computes a ratio.

The family of an expression is inferred from those of the names in it. What cannot be inferred is let pass.
"""

import ast
from collections.abc import Iterator, Mapping

from app.bank.expressions import Expression
from app.bank.lint.subject import Subject
from app.bank.problems import Fault
from app.bank.program import Formula
from app.bank.substitutions import FormattedSubstitution

NUMBER = "number"  # a count, a ratio or a literal: multiplies anything
_NUMBERS = frozenset({"count", "ratio", "tokens", NUMBER})
_QUOTIENTS = {
    ("flop", "flop/s"): "time",
    ("bytes", "byte/s"): "time",
    ("flop", "time"): "flop/s",
    ("bytes", "time"): "byte/s",
    ("flop", "bytes"): "intensity",
    ("flop/s", "byte/s"): "intensity",
    ("flop", "intensity"): "bytes",
    ("flop/s", "intensity"): "byte/s",
    ("energy", "time"): "power",
    ("energy", "power"): "time",
    (NUMBER, "time"): "rate",
    (NUMBER, "rate"): "time",
}
_PRODUCTS = {
    frozenset({divisor, quotient}): dividend
    for (dividend, divisor), quotient in _QUOTIENTS.items()
    if dividend != NUMBER
} | {frozenset({"time", "rate"}): NUMBER}
_KEEPING = frozenset({"min", "max", "abs", "round", "ceil", "floor"})


class MixedUnitsError(Exception):
    """Two quantities of different families are added or compared."""


def check(subject: Subject) -> Iterator[Fault]:
    known = dict(_known(subject))
    program = subject.question.program
    for step in program.steps:
        if step.calculator is None and step.formula is not None:
            yield from _formula(step.formula, None, known)
        elif step.calculator is not None:
            for name, formula in step.set.items():
                declared = step.calculator.input_names[name]
                yield from _formula(formula, declared.family if declared.numeric else None, known)
    for formula in (*program.require, *program.rights):
        yield from _formula(formula, None, known)
    for target, mistakes in program.targets:
        for formula in (target.value, *(mistake.value for mistake in mistakes)):
            yield from _formula(formula, target.family, known)
    for located in subject.computed:
        for expression in located.expressions:
            content = located.content
            wanted = content.formatter.family if isinstance(content, FormattedSubstitution) else None
            yield from _expression(expression, wanted, known, located.line)


def _known(subject: Subject) -> Iterator[tuple[str, str | None]]:
    """The family of every name, `name.output` for those of calculators."""
    program = subject.question.program
    families: dict[str, str | None] = {name: figure.family for name, figure in program.constants.items()}
    for name, param in program.params.items():
        families[name] = param.input.family if param.input.numeric else None
    for name, calculator in program.calculators.items():
        for term in calculator.terms:
            families[f"{name}.{term.name}"] = term.family
        for output in calculator.outputs:
            families[f"{name}.{output.name}"] = output.family
        for given in calculator.inputs:
            families[f"{name}.{given.name}"] = given.family if given.numeric else None
    for step in program.steps:
        if step.formula is not None and isinstance(step.formula.content, Expression):
            try:
                families[step.name] = family_of(step.formula.content.tree, families)
            except MixedUnitsError:
                families[step.name] = None
    yield from families.items()


def _formula(formula: Formula, wanted: str | None, known: Mapping[str, str | None]) -> Iterator[Fault]:
    if isinstance(formula.content, Expression):
        yield from _expression(formula.content, wanted, known, formula.line)


def _expression(
    expression: Expression, wanted: str | None, known: Mapping[str, str | None], line: int
) -> Iterator[Fault]:
    try:
        found = family_of(expression.tree, known)
    except MixedUnitsError as error:
        yield Fault(line, f"`{expression.source}` {error}", "all values are in base units of one family")
        return
    if found is None or wanted is None or found == wanted or (found == NUMBER and wanted in _NUMBERS):
        return
    if found == NUMBER and any(isinstance(node, ast.Constant) for node in ast.walk(expression.tree)):
        return  # a literal may carry a unit: 2 bytes for each weight, 4 FLOP for each score
    shown = "a plain number" if found == NUMBER else f"of the family {found}"
    yield Fault(
        line,
        f"`{expression.source}` is {shown}, where {wanted} belongs",
        "a formatter or an input of its own family",
    )


def family_of(node: ast.expr, known: Mapping[str, str | None]) -> str | None:
    """The family of an expression, NUMBER for plain numbers, None where it cannot be told."""
    match node:
        case ast.Constant():
            return NUMBER
        case ast.Name(id=name):
            return _plain(known.get(name))
        case ast.Attribute(value=ast.Name(id=name), attr=attribute):
            return _plain(known.get(f"{name}.{attribute}"))
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            return family_of(operand, known)
        case ast.BinOp(left=left, op=operator, right=right):
            return _combined(operator, family_of(left, known), family_of(right, known))
        case ast.Compare(left=left, comparators=others):
            _alike([family_of(side, known) for side in (left, *others)], "compares")
        case ast.BoolOp(values=parts):
            for part in parts:
                family_of(part, known)
        case ast.UnaryOp(operand=operand):
            family_of(operand, known)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            families = [family_of(argument, known) for argument in arguments]
            if name in _KEEPING:
                return _alike(families[:1] if name == "round" else families, "compares")
            return NUMBER if families == [NUMBER] else None
    return None


def _plain(family: str | None) -> str | None:
    return NUMBER if family in _NUMBERS else family


def _combined(operator: ast.operator, left: str | None, right: str | None) -> str | None:
    match operator:
        case ast.Add() | ast.Sub():
            return _alike([left, right], "adds")
        case ast.Mult():
            if NUMBER in (left, right):
                return right if left == NUMBER else left
            return _PRODUCTS.get(frozenset({left, right})) if left != right and left and right else None
        case ast.Div() | ast.FloorDiv():
            if left is None or right is None:
                return None
            if right == NUMBER:
                return left
            return NUMBER if left == right else _QUOTIENTS.get((left, right))
        case ast.Mod():
            return _alike([left, right], "adds")
    return NUMBER if (left, right) == (NUMBER, NUMBER) else None


def _alike(families: list[str | None], verb: str) -> str | None:
    """The one family of all; a plain number may be a literal in base units and goes with any."""
    found = {family for family in families if family not in (None, NUMBER)}
    if len(found) > 1:
        raise MixedUnitsError(f"{verb} {' and '.join(sorted(str(family) for family in found))}")
    if None in families:
        return None
    return next(iter(found)) if found else NUMBER
