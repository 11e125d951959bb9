"""Blocks that stand only where a condition holds.

    ::: if times_over > 1            ::: if times_over > 1
    It does not fit.                 It does not fit.
    ::: else                         :::
    It fits.                         ::: else
    :::                              It fits.
                                     :::

Both ways of writing an else are read; one list of blocks keeps to one of them. Conditions nest, and a
condition ends where it began: in the same section, list item or quotation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from app.bank.expressions import Expression, ExpressionError
from app.bank.problems import Fault

if TYPE_CHECKING:
    from markdown_it.token import Token

MAX_DEPTH = 8


class Conditions(Protocol):
    def holds(self, condition: Expression) -> bool: ...


@dataclass(slots=True)
class _Siblings:
    """The condition lines of one list of blocks, with their positions among the tokens."""

    lines: list[tuple[int, Token]] = field(default_factory=list)

    def count(self, word: str) -> int:
        return sum(_word(token) == word for _, token in self.lines)


def _word(token: Token) -> str:
    return token.content.partition(" ")[0]


def match(tokens: Sequence[Token]) -> list[Fault]:
    """Set each line's part in `meta["part"]` (if, else, end, or none), and report those without a mate."""
    faults: list[Fault] = []
    for siblings in _groups(tokens):
        opened, turned, ended = (siblings.count(word) for word in ("if", "else", ""))
        else_apart = 0 < turned <= opened and ended == opened + turned
        faults += _match(siblings, else_apart=else_apart)
    return faults


def _groups(tokens: Sequence[Token]) -> Iterator[_Siblings]:
    """The condition lines by the block that they stand in."""
    enclosing = [_Siblings()]
    for index, token in enumerate(tokens):
        if token.nesting == 1:
            enclosing.append(_Siblings())
        elif token.nesting == -1:
            yield enclosing.pop()
        elif token.type == "condition":
            enclosing[-1].lines.append((index, token))
    yield from enclosing


def _match(siblings: _Siblings, *, else_apart: bool) -> list[Fault]:
    """Pair the lines up. With `else_apart` an else follows the end of its if, and has an end of its own."""
    faults: list[Fault] = []
    opened: list[tuple[Token, bool]] = []  # with whether its else has been met
    ended: tuple[int, Token] | None = None  # the latest end of an if that may still get an else
    for index, token in siblings.lines:
        part = token.meta["part"] = _word(token) or "end"
        if part == "if":
            opened.append((token, False))
            if len(opened) > MAX_DEPTH:
                faults.append(_fault(token, f"conditions nest deeper than {MAX_DEPTH} levels"))
        elif part == "else" and else_apart:
            if ended is None or ended[0] != index - 1:
                faults.append(_fault(token, "::: else follows right after the ::: that ends its ::: if"))
            else:
                ended[1].meta["part"] = "none"
            opened.append((token, True))
        elif not opened:
            faults.append(_fault(token, f"::: {token.content}".rstrip() + " without a ::: if before it"))
        elif part == "end":
            _, was_else = opened.pop()
            ended = None if was_else else (index, token)
        elif opened[-1][1]:
            faults.append(_fault(token, "a second ::: else for the same ::: if"))
        else:
            opened[-1] = (opened[-1][0], True)
    unended = [
        _fault(token, f"this ::: {_word(token)} is not ended by a ::: of its own") for token, _ in opened
    ]
    return faults + unended


def _fault(token: Token, message: str) -> Fault:
    return Fault(token.meta["line"], message, "::: if condition, ::: else, and ::: on a line of its own")


def select(tokens: Sequence[Token], conditions: Conditions) -> list[Token]:
    """The tokens that stand under these values, without the condition lines."""
    result: list[Token] = []
    shown: list[
        tuple[bool, bool]
    ] = []  # of each open condition: whether it holds, whether this branch is shown
    for token in tokens:
        visible = not shown or shown[-1][1]
        if token.type != "condition":
            if visible:
                result.append(token)
        elif token.meta["part"] == "if":
            # A hidden condition is not evaluated: it may divide by what the outer one has found to be zero.
            holds = visible and _holds(token, conditions)
            shown.append((holds, holds))
        elif token.meta["part"] == "else":
            holds, _ = shown.pop()
            outer = not shown or shown[-1][1]
            shown.append((holds, outer and not holds))
        elif token.meta["part"] == "end":
            shown.pop()
    return result


def outermost(tokens: Sequence[Token]) -> Iterator[tuple[Token, ...]]:
    """The tokens cut into those outside of any condition, each by itself, and whole outermost conditions."""
    block: list[Token] = []
    depth = 0
    for token in tokens:
        block.append(token)
        if token.type == "condition":
            part = token.meta["part"]
            depth += 1 if part == "if" else -1 if part == "end" else 0
        if depth == 0:
            yield tuple(block)
            block.clear()


def _holds(token: Token, conditions: Conditions) -> bool:
    try:
        return conditions.holds(token.meta["condition"])
    except ExpressionError as error:
        raise error.broken(token.meta["line"]) from error
