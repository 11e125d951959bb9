"""The bank in memory: every readable question of every pack, and a problem for each that is not.

A file that cannot be served never hides the others. Only regular files inside a pack are read: a symbolic
link, which could lead anywhere, is reported instead.
"""

import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from app.bank.cache import Cache
from app.bank.problems import Problem
from app.bank.question import Pack, Question
from app.bank.reader import MAX_BYTES, read_question
from app.bank.topics import TOPICS, Topic

MAX_FILES = 20_000
MAX_DEPTH = 4
CHECK_EVERY = 1.0  # seconds between two looks at the folders
NOT_QUESTIONS = frozenset({"README.md", "REVIEW.md", "_topic.md"})

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z", re.ASCII)
_MAX_SLUG = 80

Stamp = tuple[int, int]  # modification time in nanoseconds, size
Earlier = Callable[[tuple[str, str], str], Question | None]  # by pack and slug, and by content hash


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    stamp: Stamp
    pictures: tuple[tuple[str, Stamp], ...]  # of the folder: a picture that is added can mend a question


@dataclass(frozen=True, slots=True)
class _Outcome:
    question: Question | None
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class _Scan:
    files: tuple[tuple[Pack, _File], ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class _Snapshot:
    questions: Mapping[str, Question] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    outcomes: Mapping[_File, _Outcome] = field(default_factory=dict)
    scan: _Scan = _Scan((), ())


class Bank:
    """Questions by slug. Readers see one consistent state: a reload replaces it in a single assignment."""

    def __init__(
        self, packs: Sequence[Pack], cache: Cache | None = None, earlier: Earlier | None = None
    ) -> None:
        """`earlier` finds a question as it once was, where texts that were replaced are kept."""
        self.packs = tuple(packs)
        self.earlier = earlier
        self._cache = cache
        self._snapshot = _Snapshot()
        self._reloading = threading.Lock()
        self._checked = 0.0

    @classmethod
    def load(cls, paths: Sequence[Path], cache: Path | None = None) -> "Bank":
        """Read every pack; what cannot be read is in `problems`.

        `cache` is a file that remembers between starts what was found sound.
        """
        bank = cls(tuple(_packs(paths)), Cache(cache) if cache else None)
        bank.reload()
        return bank

    @classmethod
    def of(
        cls,
        questions: Mapping[str, Question],
        problems: tuple[Problem, ...] = (),
        earlier: Earlier | None = None,
    ) -> "Bank":
        """A bank that is put together from others; nothing on disk changes it."""
        bank = cls((), earlier=earlier)
        bank._snapshot = _Snapshot(MappingProxyType(dict(questions)), problems)
        return bank

    @property
    def questions(self) -> Mapping[str, Question]:
        """In the order of packs, folders and file names."""
        return self._snapshot.questions

    @property
    def problems(self) -> tuple[Problem, ...]:
        return self._snapshot.problems

    @property
    def topics(self) -> Mapping[str, Topic]:
        return TOPICS

    def get(self, slug: str) -> Question | None:
        return self._snapshot.questions.get(slug)

    def at(self, key: tuple[str, str]) -> Question | None:
        """The question of this pack and slug; None where another pack's is served under the slug."""
        question = self.get(key[1])
        return question if question is not None and question.pack == key[0] else None

    def as_begun(self, key: tuple[str, str], content_hash: str) -> Question | None:
        """The question with the text that somebody began it with, where that is kept, else as it is now."""
        now = self.at(key)
        if self.earlier is None or (now is not None and now.content_hash == content_hash):
            return now
        return self.earlier(key, content_hash) or now

    def reload_if_changed(self) -> bool:
        """Take in what has changed on disk, looking at most once a second; only changed files are read again.

        A thread that comes while another one reloads goes on with the state there is.
        """
        if time.monotonic() - self._checked < CHECK_EVERY or not self._reloading.acquire(blocking=False):
            return False
        try:
            return self._reload()
        finally:
            self._reloading.release()

    def reload(self) -> bool:
        """Take in what has changed on disk now, after whoever else is doing so."""
        with self._reloading:
            return self._reload()

    def _reload(self) -> bool:
        scan = _scan(self.packs)
        self._checked = time.monotonic()
        old = self._snapshot
        if old.scan == scan:
            return False
        outcomes: dict[_File, _Outcome] = {}
        for pack, file in scan.files:
            outcomes[file] = old.outcomes.get(file) or _read(pack, file, self._cache)
        if self._cache:
            self._cache.save()
        self._snapshot = _collect(scan, outcomes)
        return True


def real(path: Path) -> Path:
    """The path without links and dots; one that leads in a circle stays as it is."""
    return Path(os.path.realpath(path))


def _packs(paths: Sequence[Path]) -> Iterator[Pack]:
    """A pack is named after its folder; a second folder of that name gets a number."""
    names: dict[str, int] = {}
    for path in dict.fromkeys(real(path) for path in paths):
        name = re.sub(r"[^a-z0-9]+", "-", path.name.lower()).strip("-") or "pack"
        names[name] = names.get(name, 0) + 1
        yield Pack(name if names[name] == 1 else f"{name}-{names[name]}", path)


def is_slug(name: str) -> bool:
    """Whether a question may be called so."""
    return bool(_SLUG.match(name)) and len(name) <= _MAX_SLUG


def suggested_slug(name: str) -> str:
    """The nearest name that a question may have."""
    words = re.sub(r"[^a-z0-9]+", "-", name.lower())[:_MAX_SLUG]
    return words.strip("-") or "a-question"


def _collect(scan: _Scan, outcomes: Mapping[_File, _Outcome]) -> _Snapshot:
    questions: dict[str, Question] = {}
    problems = list(scan.problems)
    for _, file in scan.files:
        outcome = outcomes[file]
        problems += outcome.problems
        question = outcome.question
        if question is None:
            continue
        first = questions.setdefault(question.slug, question)
        if first is not question:
            message = f"the slug `{question.slug}` is taken by {first.path}"
            problems.append(
                Problem(question.path, 1, message, "slugs are unique over all packs; rename the file")
            )
    return _Snapshot(MappingProxyType(questions), tuple(sorted(problems)), outcomes, scan)


def _read(pack: Pack, file: _File, cache: Cache | None) -> _Outcome:
    try:
        with file.path.open("rb") as opened:
            content = opened.read(MAX_BYTES + 1)
    except OSError as error:
        message, hint = f"cannot be read: {error.strerror}", "give the server the right to read it"
        return _Outcome(None, (Problem(file.path, 1, message, hint),))
    slug = file.path.stem
    if not is_slug(slug):
        message = f"the file name is the slug: lower-case words joined by -, at most {_MAX_SLUG} characters"
        hint = f"as in {suggested_slug(slug)}.md"
        return _Outcome(None, (Problem(file.path, 1, message, hint),))
    question, faults = read_question(content, file.path, pack.name, cache)
    return _Outcome(question, tuple(fault.at(file.path) for fault in faults))


# ---------------------------------------------------------------- walking


def _scan(packs: Sequence[Pack]) -> _Scan:
    """Every question file of every pack with its stamp, without reading any."""
    files: list[tuple[Pack, _File]] = []
    problems: list[Problem] = []
    for pack in packs:
        if not pack.path.is_dir():
            problems.append(
                Problem(pack.path, 1, "there is no such folder of questions", "see RIDGEWAY_BANK_PATHS")
            )
            continue
        for found in _walk(pack.path, 0):
            if isinstance(found, Problem):
                problems.append(found)
            elif len(files) < MAX_FILES:
                files.append((pack, found))
            else:
                problems.append(
                    Problem(pack.path, 1, f"holds more than {MAX_FILES:,} questions", "the rest is left out")
                )
                break
    return _Scan(tuple(files), tuple(problems))


def _walk(folder: Path, depth: int) -> Iterator[_File | Problem]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield Problem(folder, 1, f"cannot be read: {error.strerror}", "give the server the right to read it")
        return
    pictures = tuple(_pictures(entries))
    for entry in entries:
        path = Path(entry.path)
        if entry.name.startswith("."):
            continue
        if entry.is_symlink():
            if entry.name.endswith(".md") or _leads_to_folder(entry):
                yield Problem(
                    path, 1, "is a symbolic link, which is not followed", "put the file itself here"
                )
        elif entry.is_dir():
            if depth < MAX_DEPTH:
                yield from _walk(path, depth + 1)
            else:
                yield Problem(path, 1, f"lies deeper than {MAX_DEPTH} folders", "topic/slug.md")
        elif entry.name.endswith(".md") and entry.name not in NOT_QUESTIONS:
            stamp = _stamp(entry)
            if not entry.is_file():
                yield Problem(path, 1, "is not a regular file", "take it out")
            elif stamp is not None:
                yield _File(path, stamp, pictures)


def _leads_to_folder(link: "os.DirEntry[str]") -> bool:
    try:
        return link.is_dir()
    except OSError:  # a circle of links, or one to where nobody may look: told as well
        return True


def _pictures(entries: Sequence["os.DirEntry[str]"]) -> Iterator[tuple[str, Stamp]]:
    for entry in entries:
        if entry.name.endswith(".svg") and entry.is_file(follow_symlinks=False):
            stamp = _stamp(entry)
            if stamp is not None:
                yield entry.name, stamp


def _stamp(entry: "os.DirEntry[str]") -> Stamp | None:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:  # deleted since the folder was listed
        return None
    return status.st_mtime_ns, status.st_size
