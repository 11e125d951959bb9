"""When the database is away: what to say of it, and what was sent, so that nothing is typed twice."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from fastapi import Request
from starlette.exceptions import HTTPException

UNREACHABLE: Final = "The database cannot be reached. Try again in a moment."
# What SQLite says and PostgreSQL's codes, with what a reader should know of it.
_REASONS: Final = {
    "disk is full": "The server's disk is full, so nothing can be saved. Whoever runs it has to make room.",
    "readonly database": "The server may not write its database. Whoever runs it has to look at it.",
    "database is locked": "The database is busy with something else. Try again in a moment.",
}
_CODES: Final = {"53100": "disk is full", "25006": "readonly database"}
_MACHINERY: Final = frozenset({"key", "act", "form", "zone"})
_STAMP: Final = "stamp-"
_LONG: Final = 60  # characters, from which on a field has several lines

Kind = Literal["hidden", "line", "text", "password", "file"]


@dataclass(frozen=True, slots=True)
class SentField:
    """One value of a form. Of a password or a file only the name: it has to be given again."""

    name: str
    value: str
    kind: Kind

    @property
    def rows(self) -> int:
        """How many lines to show of it."""
        return max(3, min(24, self.value.count("\n") + len(self.value) // 80 + 1))


@dataclass(frozen=True, slots=True)
class SentForm:
    """What a request brought, to be sent again to where it went."""

    action: str
    encoding: str
    fields: tuple[SentField, ...]


def explain(error: BaseException) -> str:
    """What a reader is told of an error of the database."""
    for told in causes(error):
        for sign, words in _REASONS.items():
            if sign in told:
                return words
    return UNREACHABLE


def causes(error: BaseException | None) -> Iterator[str]:
    """What the database said, and before that: a full disk ends a transaction, then undoing it fails too."""
    while error is not None:
        cause = getattr(error, "orig", error)
        yield _CODES.get(getattr(cause, "sqlstate", None) or "", str(cause).strip())
        error = error.__context__


async def sent_form(request: Request) -> SentForm | None:
    """The form that came with a request; None where there was none, or one that cannot be read."""
    if request.method != "POST":
        return None
    try:
        async with request.form() as form:
            fields = tuple(_fields(form.multi_items()))
    except (HTTPException, RuntimeError):  # unreadable, or read by something that kept nothing of it
        return None
    if not fields:
        return None
    address = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    multipart = request.headers.get("content-type", "").startswith("multipart/")
    return SentForm(
        address, "multipart/form-data" if multipart else "application/x-www-form-urlencoded", fields
    )


def _fields(items: Iterable[tuple[str, object]]) -> Iterator[SentField]:
    for name, value in items:
        if not isinstance(value, str):
            yield SentField(name, "", "file")
        elif "password" in name:
            yield SentField(name, "", "password")
        elif name in _MACHINERY or name.startswith(_STAMP):
            yield SentField(name, value, "hidden")
        else:
            yield SentField(name, value, "text" if "\n" in value or len(value) > _LONG else "line")
