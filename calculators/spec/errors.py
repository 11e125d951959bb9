"""What a calculator says when it cannot work with what it was given.

InvalidInputs     every bad input at once, each as a FieldError
SolveError        a question to `solve` without meaning: an output that is a word, an input that is a choice
LinkError         a state that no link can carry
Unavailable       inside the library: a value that nothing supplies, found when something asks for it
"""

from collections.abc import Iterable
from typing import NamedTuple


class FieldError(NamedTuple):
    """One refused input. `message` is a whole sentence that says field, given and allowed."""

    field: str
    given: str
    allowed: str
    message: str


class InvalidInputs(ValueError):  # noqa: N818 - named for what it lists
    """Some inputs were refused; `errors` has them all, in the order of the declaration."""

    def __init__(self, errors: Iterable[FieldError]) -> None:
        self.errors = tuple(errors)
        super().__init__(" ".join(error.message for error in self.errors))


class SolveError(ValueError):
    """A solve that makes no sense; `field` is the part of the question to change: name, output or target."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class LinkError(ValueError):
    """A value that takes more than a link's 64 characters to write down exactly."""


class Unavailable(Exception):  # noqa: N818 - a signal inside the package, never an outcome that a caller sees
    """A value that nothing supplies. `error` says what to give, unless another error already covers it."""

    def __init__(self, name: str, error: FieldError | None = None) -> None:
        super().__init__(name)
        self.name = name
        self.error = error
