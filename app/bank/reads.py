"""What is read of a question's calculations: by its right value, and by its prose."""

from collections.abc import Iterator

from app.bank.expressions import Expression
from app.bank.question import Question


def leading_calculations(question: Question) -> frozenset[str]:
    """The calculations that the right value is read from, or else the first one."""
    names = {name for name, _ in answer_reads(question)}
    return frozenset(names or list(question.program.calculators)[:1])


def answer_reads(question: Question) -> frozenset[tuple[str, str]]:
    """Each (calculation, output) that the right value is computed from, by way of `let` too."""
    program = question.program
    lets = {step.name: step.expressions for step in program.steps if step.calculator is None}
    waiting = list(program.target.value.expressions) if program.target is not None else []
    followed, read = set[str](), set[tuple[str, str]]()
    while waiting:
        expression = waiting.pop()
        read |= expression.attributes
        new = (expression.names & lets.keys()) - followed
        followed |= new
        waiting += (inner for name in new for inner in lets[name])
    return frozenset(read)


def outputs_read(question: Question) -> frozenset[tuple[str, str]]:
    """Each (calculation, output) that the question's prose or its right value reads."""
    return frozenset(pair for expression in _expressions(question) for pair in expression.attributes)


def _expressions(question: Question) -> Iterator[Expression]:
    program = question.program
    for document in question.documents:
        for located in document.computed:
            yield from located.expressions
    for step in program.steps:
        if step.calculator is None:
            yield from step.expressions
    if program.target is not None:
        yield from program.target.value.expressions
