"""A piece of a question's prose, and its rendering for one variant as HTML that a page can hold."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol

from markupsafe import Markup

from app.bank import conditions
from app.bank.expressions import Expression, ExpressionError
from app.bank.problems import Fault
from app.bank.substitutions import Substitution

if TYPE_CHECKING:
    from markdown_it.token import Token


@dataclass(frozen=True, slots=True)
class Shown:
    """How a substitution prints: a number (with its exact value for the hover), a name, or wording."""

    text: str
    kind: Literal["num", "name", "wording"]
    exact: str = ""


class Values(Protocol):
    """What a document needs of a variant."""

    def holds(self, condition: Expression) -> bool: ...

    def shown(self, substitution: Substitution) -> Shown: ...


@dataclass(frozen=True, slots=True)
class Located:
    """A substitution or condition with its line in the file."""

    line: int
    content: Substitution | Expression

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return (self.content,) if isinstance(self.content, Expression) else self.content.expressions


@dataclass(frozen=True)
class Document:
    """Parsed prose. It is shared between requests and never changed."""

    tokens: tuple[Token, ...]
    line: int = 1

    @property
    def empty(self) -> bool:
        return not self.tokens

    @cached_property
    def computed(self) -> tuple[Located, ...]:
        """Every substitution and condition, in the order of the file."""
        found = []
        for token in _flat(self.tokens):
            content = token.meta.get("substitution") or token.meta.get("condition")
            if content is not None:
                found.append(Located(token.meta["line"], content))
        return tuple(found)

    @cached_property
    def fixed(self) -> Markup | None:
        """The HTML where it is the same for every variant, else None."""
        return None if self.computed else _html(self.tokens, {})


EMPTY = Document(())


def build(tokens: Sequence[Token], line: int = 1) -> tuple[Document, list[Fault]]:
    """A document of these tokens, its conditions matched up."""
    return Document(tuple(tokens), line), conditions.match(tokens)


def render(document: Document, values: Values) -> Markup:
    """The HTML of a document with the values of a variant put in."""
    if document.fixed is not None:
        return document.fixed
    environment: dict[str, Any] = {"values": values, "line": document.line}
    try:
        return _html(conditions.select(document.tokens, values), environment)
    except ExpressionError as error:
        raise error.broken(environment["line"]) from error


def _html(tokens: Sequence[Token], environment: MutableMapping[str, Any]) -> Markup:
    # Not at the top: a start whose questions are cached does without Markdown.
    from app.bank.html import to_html

    return to_html(tokens, environment)


def _flat(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _flat(token.children or ())


def plain_text(document: Document, values: Values | None = None) -> str:
    """The words of a document, math and code as their source; computed ones where values are given."""
    tokens = document.tokens if values is None else conditions.select(document.tokens, values)
    return " ".join("".join(_words(tokens, values)).split())


def _words(tokens: Sequence[Token], values: Values | None) -> Iterator[str]:
    for token in tokens:
        if token.type == "fixed":
            yield token.meta["source"]
        elif token.type in ("text", "code_inline"):
            yield token.content
        elif token.type == "substitution" and values is not None:
            yield values.shown(token.meta["substitution"]).text
        elif token.block or token.type in ("softbreak", "hardbreak", "substitution"):
            yield " "
        yield from _words(token.children or (), values)
