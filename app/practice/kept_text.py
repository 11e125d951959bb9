"""Texts that are kept as they are typed, perhaps in two windows at once: which stays, and that none is lost.

Each change is a revision, and each page that types says which one it typed over. Where that is not the newest
one, two texts met: the one typed later is kept, and the other is set aside until the learner has decided.

A page's own texts never meet: it counts them, for they may arrive in another order than they were typed in,
as when a form overtakes the text that was sent a moment before it.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol

MAX_COUNT: Final = 2**53 - 1
WRITER: Final = r"[a-z0-9]{1,20}\.[a-z0-9]{1,20}"
_STAMP: Final = re.compile(rf"([0-9]{{1,9}})(?: ({WRITER}) ([0-9]{{1,15}}))?")


@dataclass(frozen=True, slots=True)
class Stamp:
    """How a text was typed: over which revision (0: over nothing), in which page, and after how many there.

    `writer` is WINDOW.PAGE, or empty without JavaScript. `count` grows with each text of a page, and from one
    page of a window to the next.
    """

    revision: int = 0
    writer: str = ""
    count: int = 0

    @classmethod
    def read(cls, text: str) -> "Stamp | None":
        """The stamp that `str` wrote, a form's field for example; None where it is none."""
        found = _STAMP.fullmatch(text)
        return cls(int(found[1]), found[2] or "", int(found[3] or 0)) if found else None

    def __str__(self) -> str:
        return f"{self.revision} {self.writer} {self.count}" if self.writer else str(self.revision)

    @property
    def window(self) -> str:
        return self.writer.partition(".")[0]


UNTYPED: Final = Stamp()


class KeptText(Protocol):
    """A row that holds such a text; `writer` and `count` are those of the text that it holds."""

    text: str
    revision: int
    writer: str
    count: int
    updated_at: datetime
    set_aside: str | None


def stamp_of(row: KeptText) -> Stamp:
    """What a text that is typed over this one begins from."""
    return Stamp(row.revision, row.writer, row.count)


def other_of(row: KeptText) -> str | None:
    """The text that was set aside, where it still says something else."""
    return row.set_aside if row.set_aside != row.text else None


def begin(text: str, stamp: Stamp, typed_at: datetime) -> dict[str, Any]:
    """The columns of a row that begins with this text."""
    return {
        "text": text,
        "revision": 1,
        "writer": stamp.writer,
        "count": stamp.count,
        "updated_at": typed_at,
    }


def take(row: KeptText, text: str, stamp: Stamp, typed_at: datetime) -> None:
    """Takes in a text that was typed as `stamp` says."""
    of_one_page = bool(stamp.writer) and row.writer == stamp.writer
    if of_one_page and stamp.count <= row.count:
        return  # it was overtaken by one typed later
    if row.text == text:
        if stamp.writer:
            row.writer, row.count = stamp.writer, stamp.count
        return
    if not of_one_page and row.revision != stamp.revision:
        if not _is_later(row, stamp, typed_at):
            row.set_aside = _unless_within(text, row.text) or row.set_aside
            return
        row.set_aside = _unless_within(row.text, text) or row.set_aside
    elif row.set_aside == text:  # the learner took it after all, and may change back
        row.set_aside = row.text or None
    row.text = text
    row.revision += 1
    row.writer, row.count = stamp.writer, stamp.count
    row.updated_at = typed_at


def _is_later(row: KeptText, stamp: Stamp, typed_at: datetime) -> bool:
    """Whether the new text was typed after the kept one. Pages of one window share a clock."""
    if stamp.writer and stamp.window == stamp_of(row).window:
        return stamp.count > row.count
    return row.updated_at <= typed_at


def _unless_within(text: str, kept: str) -> str | None:
    """The text to set aside: none where what is kept goes on from it, as after an answer that got lost."""
    return None if kept.startswith(text) else text
