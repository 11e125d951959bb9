"""What is wrong with a question file, and the errors of this package.

BankError
├── VariantError            a seed or a parameter that was asked for is not possible (one message per field)
└── BrokenQuestionError     the question itself cannot be computed with these values (the author's mistake)
"""

import difflib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

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


@dataclass(frozen=True, slots=True)
class FieldError:
    """Why one field of a request was refused: what was given and what is allowed."""

    field: str
    given: str
    allowed: str
    message: str


class VariantError(BankError):
    """A seed or parameters that were asked for cannot be had; every refused field is named."""

    def __init__(self, errors: Collection[FieldError]) -> None:
        self.errors = tuple(errors)
        super().__init__("; ".join(error.message for error in self.errors))


class BrokenQuestionError(BankError):
    """The question cannot be computed with values that it allows itself."""


def did_you_mean(name: str, known: Collection[str]) -> str:
    """A hint that names the closest known word, or lists them all when there are few."""
    close = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]}?"
    return "known: " + ", ".join(sorted(known)) if 0 < len(known) <= 16 else ""
