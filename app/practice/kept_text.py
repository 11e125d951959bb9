"""Texts that are kept as they are typed, perhaps in two windows at once: which stays, and that none is lost.

Each change is a revision, and each window says which one it typed over. Where that is not the newest, two
texts met: the one typed later is kept, and the other one is set aside until the learner has decided.
"""

from datetime import datetime
from typing import Protocol


class KeptText(Protocol):
    """A row that holds such a text."""

    text: str
    revision: int
    updated_at: datetime
    set_aside: str | None


def take(row: KeptText, text: str, *, revision: int, typed_at: datetime) -> None:
    """Takes in a text that was typed over `revision` (0: over nothing)."""
    if row.text == text:
        return
    if row.revision == revision:
        if row.set_aside == text:  # the learner took it after all, and may change back
            row.set_aside = row.text or None
    elif row.updated_at > typed_at:
        row.set_aside = _unless_within(text, row.text) or row.set_aside
        return
    else:
        row.set_aside = _unless_within(row.text, text) or row.set_aside
    row.text = text
    row.revision += 1
    row.updated_at = typed_at


def _unless_within(text: str, kept: str) -> str | None:
    """The text to set aside: none where what is kept goes on from it, as after an answer that got lost."""
    return None if kept.startswith(text) else text
