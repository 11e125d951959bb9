"""A question under the lint: its file's lines, everything that it computes, and its variants."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from markdown_it.token import Token

from app.bank.document import Document, Located
from app.bank.expressions import Expression
from app.bank.program import Formula
from app.bank.question import Question
from app.bank.variants import Variant


@dataclass(frozen=True, slots=True)
class Sample:
    """One variant, and in words how it came about: "seed 7", "seq_len at 1"."""

    label: str
    variant: Variant


@dataclass
class Subject:
    """What the checks look at. `sampling` fills `drawn` and `edges`, and reports what fails there."""

    question: Question
    drawn: list[Sample] = field(default_factory=list)  # by a seed, no two with the same values
    edges: list[Sample] = field(default_factory=list)  # a parameter at the end of its range

    def line(self, *place: str | int) -> int:
        """The line of a key of the front matter."""
        return self.question.tree.line(place)

    @cached_property
    def documents(self) -> tuple[Document, ...]:
        return tuple(self.question.documents)

    @cached_property
    def computed(self) -> tuple[Located, ...]:
        """Every substitution and condition of the prose."""
        return tuple(located for document in self.documents for located in document.computed)

    @cached_property
    def conditions(self) -> tuple[Expression, ...]:
        """What decides whether values are drawn, or whether a passage stands."""
        required = (
            expression for formula in self.question.program.require for expression in formula.expressions
        )
        shown = (located.content for located in self.computed if isinstance(located.content, Expression))
        return (*required, *shown)

    @cached_property
    def expressions(self) -> tuple[tuple[int, Expression], ...]:
        """Every expression of the question, with its line."""
        program = self.question.program
        formulas: list[Formula] = [*program.require, *program.rights]
        for step in program.steps:
            formulas += [step.formula] if step.formula else step.set.values()
        for target, mistakes in program.targets:
            formulas += [target.value, *(mistake.value for mistake in mistakes)]
        return (
            *((formula.line, expression) for formula in formulas for expression in formula.expressions),
            *((located.line, expression) for located in self.computed for expression in located.expressions),
        )

    @staticmethod
    def flat(tokens: Sequence[Token]) -> Iterator[Token]:
        """The tokens and those inside of them."""
        for token in tokens:
            yield token
            yield from Subject.flat(token.children or ())
