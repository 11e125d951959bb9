"""What is known of question files that were found sound, kept between starts.

Reading YAML and checking that a question computes takes some 30 ms a file. An entry is found by the file's
content and place, so it never goes stale, and all of them are dropped when the code of the bank or of the
calculators changes. The file holds data only, and one that cannot be read is as good as none.
"""

import contextlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import calculators
from app.bank import pictures
from app.bank.frontmatter import Data, Tree
from app.bank.problems import Fault

_LIBRARIES = ("pyyaml", "markdown-it-py", "mdit-py-plugins", "math-core", "nh3", "pydantic", "pygments")
_FRACTION = ""  # the key of an encoded fraction; no key of a front matter is empty


@dataclass(frozen=True, slots=True)
class Sound:
    """A file without errors: its front matter, and what was worked out while checking it."""

    tree: Tree
    pictures: Mapping[str, str]  # name: hash of the file's bytes
    content_hash: str
    prompt: str
    warnings: tuple[Fault, ...]


class Cache:
    """Entries by the hash of a file. Entries that nobody asked for are dropped when it is saved."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stored = _load(path)
        self._used: dict[str, Any] = {}
        self._changed = False

    def get(self, content: bytes, path: Path) -> Sound | None:
        key = _key(content, path)
        entry = self._used.get(key) or self._stored.get(key)
        try:
            sound = _decode(entry) if entry is not None else None
        except (KeyError, TypeError, ValueError, AttributeError):
            return None
        if sound is None or not _same_pictures(sound.pictures, path.parent):
            return None
        self._used[key] = entry
        return sound

    def put(self, content: bytes, path: Path, sound: Sound) -> None:
        self._used[_key(content, path)] = _encode(sound)
        self._changed = True

    def save(self) -> None:
        """Write what was used since the start, if anything is new and the folder can be written."""
        if not self._changed:
            return
        self._changed = False
        text = json.dumps({"code": _code_version(), "entries": self._used}, separators=(",", ":"))
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=self.path.name)
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    file.write(text)
                Path(name).replace(self.path)
            finally:
                Path(name).unlink(missing_ok=True)  # where the disk is full, it is there still


def _load(path: Path) -> dict[str, Any]:
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored["code"] == _code_version() and isinstance(stored["entries"], dict):
            return dict(stored["entries"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return {}


def _key(content: bytes, path: Path) -> str:
    place = f"{path.parent.name}/{path.name}\n".encode()
    return sha256(place + content).hexdigest()


def _same_pictures(known: Mapping[str, str], folder: Path) -> bool:
    try:
        return all(
            sha256(pictures.read(folder, name)).hexdigest() == digest for name, digest in known.items()
        )
    except pictures.PictureError:
        return False


@cache
def _code_version() -> str:
    """A hash of the code that reads questions and computes them."""
    digest = sha256(" ".join(version(name) for name in _LIBRARIES).encode())
    bank, library = Path(__file__).parent, Path(calculators.__file__).parent
    for path in sorted([*bank.glob("*.py"), *library.rglob("*.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _encode(sound: Sound) -> dict[str, Any]:
    return {
        "data": _encode_data(sound.tree.data),
        "lines": [[list(place), line] for place, line in sound.tree.lines.items()],
        "pictures": dict(sound.pictures),
        "hash": sound.content_hash,
        "prompt": sound.prompt,
        "warnings": [[fault.line, fault.message, fault.hint] for fault in sound.warnings],
    }


def _decode(entry: Mapping[str, Any]) -> Sound:
    data = _decode_data(entry["data"])
    if not isinstance(data, dict):
        raise TypeError("a front matter is a mapping")
    lines = {tuple(place): int(line) for place, line in entry["lines"]}
    warnings = tuple(Fault(line, message, hint, "warning") for line, message, hint in entry["warnings"])
    return Sound(
        Tree(data, lines), dict(entry["pictures"]), str(entry["hash"]), str(entry["prompt"]), warnings
    )


def _encode_data(data: Data) -> Any:
    if isinstance(data, Fraction):
        return {_FRACTION: str(data)}
    if isinstance(data, list):
        return [_encode_data(item) for item in data]
    if isinstance(data, dict):
        return {key: _encode_data(value) for key, value in data.items()}
    return data


def _decode_data(data: Any) -> Data:
    if isinstance(data, list):
        return [_decode_data(item) for item in data]
    if isinstance(data, dict):
        if data.keys() == {_FRACTION}:
            return Fraction(data[_FRACTION])
        return {key: _decode_data(value) for key, value in data.items()}
    if data is None or isinstance(data, bool | int | str):
        return data
    raise TypeError("no such value in a front matter")
