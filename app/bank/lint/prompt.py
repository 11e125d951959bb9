"""What is asked: it gives every figure that the answer needs, and does not give the answer away."""

from collections.abc import Iterator, Mapping

from app.bank.document import Document
from app.bank.lint.subject import Subject
from app.bank.problems import Fault
from app.bank.program import Program
from app.bank.question import Question
from app.bank.substitutions import AnswerSubstitution


def check(subject: Subject) -> Iterator[Fault]:
    yield from _given_away(subject.question)
    yield from _untold(subject)


def _asked(question: Question) -> Iterator[Document]:
    """What a learner reads before answering: the prompt, those of the parts, and the choices."""
    yield question.sections.question
    for place, text in question.texts.items():
        if place.endswith((".prompt", ".text")):
            yield text


def _given_away(question: Question) -> Iterator[Fault]:
    for document in (*_asked(question), *question.sections.hints):
        for located in document.computed:
            reads_answer = any("answer" in expression.names for expression in located.expressions)
            if reads_answer or isinstance(located.content, AnswerSubstitution):
                message = "this is read before the answer is given, and gives it away"
                yield Fault(located.line, message, "move {{ answer }} to the Answer")


def _untold(subject: Subject) -> Iterator[Fault]:
    """Parameters that change from variant to variant, but of which the prompt says nothing."""
    question = subject.question
    program = question.program
    read = {
        name
        for document in _asked(question)
        for located in document.computed
        for expression in located.expressions
        for name in expression.names
    }
    told = _behind(program, read)
    for name, param in program.params.items():
        if len(param.choices) > 1 and name not in told:
            message = f"the parameter `{name}` changes, and the Question never says what it is"
            yield Fault(subject.line("params", name), message, f"say {{{{ {name} }}}} there")


def _behind(program: Program, names: set[str]) -> set[str]:
    """Every name that these are computed from, themselves included."""
    reads: Mapping[str, set[str]] = {
        step.name: {*step.fed, *(name for expression in step.expressions for name in expression.names)}
        for step in program.steps
    }
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += reads.get(name, ())
    return found
