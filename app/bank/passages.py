"""What varies in a question's prose, evaluated without being printed: quick enough for every variant."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from app.bank import conditions
from app.bank.document import Document
from app.bank.expressions import Expression, ExpressionError, Names
from app.bank.problems import BrokenQuestionError
from app.bank.substitutions import (
    FormattedSubstitution,
    NameSubstitution,
    Substitution,
    WordingSubstitution,
)

if TYPE_CHECKING:
    from markdown_it.token import Token

    from app.bank.variants import Variant

Passage = tuple["Token", ...]


def cut(documents: Iterable[Document]) -> tuple[Passage, ...]:
    """Each outermost condition with what stands in it, and one by one what stands outside of any.

    Of what is written in several places the first one speaks for the others.
    """
    found: dict[str, Passage] = {}
    for document in documents:
        varying = [token for token in _flat(document.tokens) if token.type in ("condition", "substitution")]
        for passage in conditions.outermost(varying):
            found.setdefault("\n".join(token.type + token.content for token in passage), passage)
    return tuple(found.values())


def names(passage: Passage) -> frozenset[str]:
    """Every name that a passage reads."""
    found: set[str] = set()
    for token in passage:
        content = token.meta.get("substitution") or token.meta.get("condition")
        if isinstance(content, Expression):
            found |= content.names
        elif content is not None:
            found.update(*(expression.names for expression in content.expressions))
    return frozenset(found)


def failure(passage: Passage, variant: "Variant") -> BrokenQuestionError | None:
    """Why a passage cannot be said in a variant, with its line; None where it can."""
    line = 1
    try:
        for token in passage if len(passage) == 1 else conditions.select(passage, variant):
            line = token.meta["line"]
            _evaluate(token.meta["substitution"], variant.names)
    except BrokenQuestionError as error:
        return error
    except ExpressionError as error:
        return error.broken(line)
    return None


def _evaluate(substitution: Substitution, names: Names) -> None:
    """Whether a substitution has a value. Every number prints, which takes longer than computing it."""
    match substitution:
        case FormattedSubstitution(formatter=formatter):
            value = substitution.expression.evaluate(names)
            if isinstance(value, bool | str):
                message, hint = f"{formatter.name} prints a number", "a bare name prints a word"
                raise ExpressionError(message, substitution.source, hint=hint)
        case WordingSubstitution():
            substitution.text(names)
        case NameSubstitution():
            substitution.expression.evaluate(names)


def _flat(tokens: Sequence["Token"]) -> Iterator["Token"]:
    for token in tokens:
        yield token
        yield from _flat(token.children or ())
