"""Words in conditions: `read.bound == "memroy"` is never true, and nothing else would say so."""

import ast
from collections.abc import Collection, Iterator

from app.bank.lint.subject import Subject
from app.bank.problems import Fault, did_you_mean
from app.bank.program import Program


def check(subject: Subject) -> Iterator[Fault]:
    """Texts that are compared to something which never has that value."""
    for line, expression in subject.expressions:
        for node in ast.walk(expression.tree):
            if isinstance(node, ast.Compare):
                yield from _comparison(node, subject.question.program, line)


def _comparison(node: ast.Compare, program: Program, line: int) -> Iterator[Fault]:
    sides = (node.left, *node.comparators)
    known = [word for side in sides for word in _words(side, program)]
    for side in sides:
        text = side.value if isinstance(side, ast.Constant) else None
        if known and isinstance(text, str) and text not in known:
            yield Fault(line, f'what is compared here is never "{text}"', did_you_mean(text, known))


def _words(node: ast.expr, program: Program) -> Collection[str]:
    """The words that a parameter, or an input or the limit of a calculator, may be; none where unknown."""
    match node:
        case ast.Name(id=name) if name in program.params:
            return program.params[name].input.choices
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in program.calculators:
            calculator = program.calculators[name]
            if attribute in calculator.input_names:
                return calculator.input_names[attribute].choices
            return tuple(calculator.limits or ()) if attribute == "bound" else ()
    return ()
