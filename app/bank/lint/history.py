"""The history of a pack: `versions.json` beside its topics' folders.

A stored verdict names the question's slug and version. So a slug is never given to another question, and what
decides a verdict never changes under the same version. The file holds, for every slug that was ever recorded,
the version and a hash of what decides: answer, params, mistakes, choices, parts, rubric and what they compute
with. A question that is taken out of the bank stays in the file. Drafts are not recorded.
"""

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from app.bank.problems import Fault
from app.bank.question import Question

FILE_NAME = "versions.json"
_DECIDING = frozenset(
    {"kind", "answer", "params", "constants", "calculators", "let", "require", "mistakes"}
    | {"choices", "mode", "last", "parts"}
)
_RECORD = "ridgeway lint --record notes it"


class HistoryError(Exception):
    """The history file cannot be read, or not be written."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Entry:
    version: int
    hash: str


def deciding_hash(question: Question) -> str:
    """A hash of everything that decides a verdict; titles, prose and comments are not in it."""
    deciding = question.meta.model_dump(include=set(_DECIDING))
    deciding["key_points"] = [
        [point.id, point.weight, point.must, [token.content for token in point.text.tokens]]
        for point in question.sections.key_points
    ]
    text = json.dumps(deciding, sort_keys=True, default=str, ensure_ascii=False)
    return sha256(text.encode()).hexdigest()


def read(pack: Path) -> dict[str, Entry]:
    """The recorded entries by slug; none where there is no file."""
    try:
        data = json.loads((pack / FILE_NAME).read_text("utf-8"))
        return {slug: Entry(int(entry["version"]), str(entry["hash"])) for slug, entry in data.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise HistoryError(f"cannot be read: {error}", "restore it from version control") from error


def write(pack: Path, entries: Mapping[str, Entry]) -> None:
    """Replace the file in one step, so that an interrupted run leaves the old one."""
    data = {slug: {"version": entry.version, "hash": entry.hash} for slug, entry in sorted(entries.items())}
    try:
        with tempfile.NamedTemporaryFile("w", dir=pack, delete=False, encoding="utf-8") as file:
            file.write(json.dumps(data, indent=2) + "\n")
        Path(file.name).chmod(0o644)
        Path(file.name).replace(pack / FILE_NAME)
    except OSError as error:
        message = f"cannot be written: {error.strerror}"
        raise HistoryError(message, "record where you may write, and copy it") from error


def check(question: Question, recorded: Mapping[str, Entry]) -> Iterator[Fault]:
    """What does not agree with the recorded history."""
    version, entry = question.meta.version, recorded.get(question.slug)
    if entry is None:
        if question.meta.status == "draft":
            return
        message, hint = f"`{question.slug}` is not in {FILE_NAME} yet", _RECORD
    elif version < entry.version:
        message = f"version {version} was {entry.version} when it was recorded"
        hint = f"a version only rises: version: {entry.version + 1}"
    elif version > entry.version:
        message, hint = f"version {version} is not in {FILE_NAME} yet", _RECORD
    elif deciding_hash(question) != entry.hash:
        message = f"answer, params, mistakes or rubric changed since version {version} was recorded"
        hint = f"raise it to version: {version + 1}; another question needs another slug"
    else:
        return
    yield Fault(question.tree.line(("version",)), message, hint)


def recorded_with(entries: Mapping[str, Entry], questions: Iterable[Question]) -> dict[str, Entry]:
    """The history with these questions noted where that is allowed: new slugs and raised versions."""
    noted = dict(entries)
    for question in questions:
        entry = noted.get(question.slug)
        risen = entry is None or question.meta.version > entry.version
        if risen and question.meta.status != "draft":
            noted[question.slug] = Entry(question.meta.version, deciding_hash(question))
    return noted
