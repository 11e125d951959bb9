"""One question file before its author: read anew when it changes, with everything wrong with it."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from app.bank.lint import lint, pack_of
from app.bank.lint.history import FILE_NAME
from app.bank.load import Bank, real
from app.bank.problems import Problem
from app.bank.question import Question
from app.bank.reader import MAX_BYTES


@dataclass(frozen=True, slots=True)
class Sight:
    """The file as it was looked at. `stamp` changes with it, its pictures, and the rest of its pack.

    `question` is the last one that could be read, and `current` says whether that is what the file holds.
    """

    stamp: str
    question: Question | None
    current: bool
    problems: tuple[Problem, ...]


class Desk:
    """Keeps the pack in memory, since names and follow-ups are checked against the others."""

    def __init__(self, path: Path) -> None:
        self.path = real(path)
        pack = pack_of(self.path)
        self._bank = Bank.load([pack])
        self._history = pack / FILE_NAME
        self._recorded = 0
        self._sight: Sight | None = None

    def look(self) -> Sight:
        """The file as it is now; the same object as long as nothing has changed."""
        changed = self._bank.reload()
        recorded = _modified(self._history)
        if self._sight is None or changed or recorded != self._recorded:
            self._recorded = recorded
            self._sight = self._seen(self._sight)
        return self._sight

    def _seen(self, before: Sight | None) -> Sight:
        found = self._bank.get(self.path.stem)
        question = found if found is not None and found.path == self.path else None
        problems = tuple(lint([self.path], bank=self._bank))
        told = "\n".join(str(problem) for problem in problems)
        content = question.content_hash if question else _content(self.path)
        stamp = sha256(f"{content}\n{told}".encode()).hexdigest()[:16]
        kept = question or (before.question if before else None)
        return Sight(stamp, kept, question is not None, problems)


def _content(path: Path) -> str:
    """A hash of a file that holds no question."""
    if not path.is_file():  # a pipe would never end
        return ""
    try:
        with path.open("rb") as file:
            return sha256(file.read(MAX_BYTES + 1)).hexdigest()
    except OSError:
        return ""


def _modified(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
