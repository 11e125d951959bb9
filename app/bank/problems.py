"""What is wrong with a question file, and the errors of this package.

BankError
├── VariantError            a seed or a parameter that was asked for is not possible (one message per field)
└── BrokenQuestionError     the question itself cannot be computed with these values (the author's mistake)
"""

import difflib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from calculators.spec import FieldError

if TYPE_CHECKING:
    from app.bank.variants import Variant

MAX_LISTED = 16
Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One fault of one file. An error keeps the question from being served, a warning does not."""

    path: Path
    line: int
    message: str
    hint: str = ""
    severity: Severity = "error"

    def __str__(self) -> str:
        hint = f" ({self.hint})" if self.hint else ""
        return f"{self.path}:{self.line}: {self.message}{hint}"


@dataclass(frozen=True, slots=True)
class Fault:
    """A problem before it is known which file it stands in; `line` counts from 1 in that file."""

    line: int
    message: str
    hint: str = ""
    severity: Severity = "error"

    def at(self, path: Path) -> Problem:
        return Problem(path, self.line, self.message, self.hint, self.severity)


class BankError(Exception):
    """Base of the errors that this package raises on purpose."""


class VariantError(BankError):
    """A seed or parameters that were asked for cannot be had; every refused field is named.

    `fallback` is a variant to show meanwhile, with the values that could be kept, unless the seed is refused.
    `broken` is why the question does not compute with values that are allowed one by one.
    """

    def __init__(
        self,
        errors: Iterable[FieldError],
        fallback: "Variant | None" = None,
        broken: "BrokenQuestionError | None" = None,
    ) -> None:
        self.errors = tuple(errors)
        self.fallback = fallback
        self.broken = broken
        super().__init__(" ".join(error.message for error in self.errors))


class BrokenQuestionError(BankError):
    """The question cannot be computed with values that it allows itself.

    `line` is where its file says so, 0 where that is not known. `fields` are what a calculator refused.
    """

    def __init__(
        self, message: str, *, line: int = 0, fields: Iterable[FieldError] = (), hint: str = ""
    ) -> None:
        super().__init__(message)
        self.line = line
        self.hint = hint
        self.fields = tuple(fields)


def did_you_mean(name: str, known: Collection[str]) -> str:
    """A hint that names the closest known word, or lists what is known."""
    words = sorted(known)
    close = difflib.get_close_matches(name, words, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]}?"
    listed = [*words[:MAX_LISTED], "..."] if len(words) > MAX_LISTED else words
    return "known: " + ", ".join(listed) if listed else ""
