"""What may be in a pack, whoever it came from: which files, how they are called, how large they are.

    TOPIC/SLUG.md       a question; topics are those of the bank
    TOPIC/PICTURE.svg   a picture beside it
    versions.json       its history, as `ridgeway lint --record` writes it
    README.md, REVIEW.md and _topic.md, at the top or beside the questions, are kept and not served

All of it may lie in one folder, as archives are often made. Hidden files are left out. Anything else refuses
the whole pack: a file that is not wanted tells that it is not the pack that somebody meant.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from types import MappingProxyType
from typing import Final

from app.bank import pictures, reader
from app.bank.load import NOT_QUESTIONS, is_slug, suggested_slug
from app.bank.topics import TOPICS

HISTORY: Final = "versions.json"
MAX_PACKED: Final = 8 * 1024 * 1024  # bytes of an archive
MAX_FILES: Final = 1_000
MAX_QUESTIONS: Final = 500
MAX_TOTAL: Final = 32 * 1024 * 1024  # bytes of all files together
MAX_RATIO: Final = 100  # of all files to the archive; text is packed to a quarter or a tenth
MAX_LISTED: Final = 40
_MAX_NAME: Final = 255
_MAX_BYTES: Final = {".md": reader.MAX_BYTES, ".svg": pictures.MAX_BYTES, ".json": 512 * 1024}
# What Windows takes for a device whatever its ending is: such a file could not be unpacked there.
_DEVICES: Final = frozenset(
    {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))}
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a file of a pack; `path` is empty where it is about all of it."""

    path: str
    message: str
    hint: str = ""
    line: int = 0
    severity: str = "error"


class PackRefused(ValueError):  # noqa: N818 (reads as what it is)
    """The pack is not taken in: none of it. `findings` says why."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)[:MAX_LISTED]
        super().__init__("; ".join(f"{each.path}: {each.message}" for each in self.findings[:3]))


def refusal(message: str, hint: str = "", path: str = "") -> PackRefused:
    return PackRefused([Finding(shown(path), message, hint)])


@dataclass(frozen=True)
class Contents:
    """The files of a pack by their paths, none of which leads anywhere else."""

    files: Mapping[str, bytes]

    @cached_property
    def digest(self) -> str:
        """The same for the same files, however they were packed; the history is written anew each time."""
        whole = sha256()
        for path, content in self.files.items():
            if path == HISTORY:
                continue
            whole.update(json.dumps([path, len(content)]).encode())
            whole.update(content)
        return whole.hexdigest()

    def with_file(self, path: str, content: bytes) -> "Contents":
        return _sorted({**self.files, path: content})


def contents_of(files: Mapping[str, bytes]) -> Contents:
    """The pack that these files make. Raises `PackRefused`."""
    inside = dict(_without_folder(files))
    findings = [finding for path in inside if (finding := _not_allowed(path, len(inside[path]))) is not None]
    questions = sum(_is_question(path) for path in inside)
    if not questions and not findings:
        findings.append(Finding("", "there is no question in it", "a question is a file topic/slug.md"))
    if questions > MAX_QUESTIONS:
        message = f"it has {questions:,} questions; at most {MAX_QUESTIONS:,} are taken"
        findings.append(Finding("", message, "make two packs"))
    if findings:
        raise PackRefused(findings)
    return _sorted(inside)


def check_path(path: str, seen: Mapping[str, str]) -> Finding | None:
    """Why a path from outside is not safe to use; `seen` has those before it by their small letters."""
    parts = path.split("/")
    if path.startswith("/") or "\\" in path or ":" in path or ".." in parts:
        return Finding(shown(path), "the path leads out of the pack", "topic/slug.md")
    if not path.isascii() or not path.isprintable():
        return Finding(shown(path), "a path has only plain letters, digits, -, _ and .", "topic/slug.md")
    if len(path) > _MAX_NAME or not all(parts) or any(part != part.strip(" ") for part in parts):
        return Finding(shown(path), "the path is empty in part, or too long", "topic/slug.md")
    if any(part.split(".")[0].lower() in _DEVICES for part in parts):
        return Finding(shown(path), "the path names a device on some systems", "call the file otherwise")
    if path.lower() in seen:
        message = f"the path is there twice, as {shown(seen[path.lower()])} too"
        return Finding(shown(path), message, "take one out")
    return None


def left_out(path: str) -> bool:
    """Hidden files, and what some systems add to archives by themselves."""
    return any(part.startswith(".") or part == "__MACOSX" for part in path.split("/"))


def most_bytes(path: str) -> int:
    """How large a file of this name may be; what is not allowed at all is refused by its name later."""
    return max(_MAX_BYTES.values()) if (ending := _ending(path)) not in _MAX_BYTES else _MAX_BYTES[ending]


def shown(path: str) -> str:
    """The path, fit to be shown."""
    plain = "".join(char if char.isascii() and char.isprintable() else "\ufffd" for char in path[:121])
    return plain if len(path) <= 120 else plain[:119] + "…"


def _not_allowed(path: str, size: int) -> Finding | None:
    parts = path.split("/")
    name = parts[-1]
    if size > most_bytes(path):
        return Finding(shown(path), f"the file is larger than {most_bytes(path):,} bytes", "cut it in two")
    if path == HISTORY or (name in NOT_QUESTIONS and len(parts) <= 2):
        return None
    if len(parts) != 2:
        return Finding(shown(path), "a file lies in the folder of its topic", "topic/slug.md")
    if parts[0] not in TOPICS:
        return Finding(shown(path), f"{shown(parts[0])} is no topic", f"topics: {', '.join(TOPICS)}")
    if _ending(name) == ".svg" and pictures.NAME.match(name):
        return None
    if _ending(name) == ".md":
        if is_slug(name.removesuffix(".md")):
            return None
        hint = f"as in {suggested_slug(name.removesuffix('.md'))}.md"
        return Finding(shown(path), "the file name is the slug: lower-case words joined by -", hint)
    return Finding(shown(path), "a pack has questions (.md) and pictures (.svg)", "take the file out")


def _without_folder(files: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Out of the one folder that everything lies in, if it does."""
    firsts = {path.partition("/")[0] for path in files}
    wrapped = len(firsts) == 1 and not firsts & TOPICS.keys() and all("/" in path for path in files)
    for path, content in files.items():
        yield (path.partition("/")[2] if wrapped else path), content


def _is_question(path: str) -> bool:
    return path.endswith(".md") and path.rpartition("/")[2] not in NOT_QUESTIONS


def _ending(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[name.rfind(".") :] if "." in name else ""


def _sorted(files: Mapping[str, bytes]) -> Contents:
    return Contents(MappingProxyType(dict(sorted(files.items()))))
