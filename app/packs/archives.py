"""A pack out of a .zip or .tar.gz, out of a folder, and into the archive that the database keeps.

Nothing is unpacked to disk, and nothing is believed: names are checked before a file is read, sizes while it
is, so that an archive that claims little and holds much is given up as soon as it does.
"""

import gzip
import io
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from app.packs.contents import (
    MAX_FILES,
    MAX_LISTED,
    MAX_PACKED,
    MAX_RATIO,
    MAX_TOTAL,
    Contents,
    Finding,
    PackRefused,
    check_path,
    contents_of,
    left_out,
    most_bytes,
    refusal,
    shown,
)

_ZIP: Final = b"PK\x03\x04"
_GZIP: Final = b"\x1f\x8b"
_AS: Final = "pack the folder as a .zip or a .tar.gz"
_TAR_HEADERS: Final = 8 * tarfile.BLOCKSIZE  # of a file, and what fills up its last block
_MAX_DEPTH: Final = 8
_DAMAGED: Final = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, struct.error),
    *(EOFError, OSError, ValueError, OverflowError, NotImplementedError, RuntimeError),
)


def read_archive(data: bytes) -> Contents:
    """The pack in an archive. Raises `PackRefused`."""
    if len(data) > MAX_PACKED:
        raise refusal(f"the archive is larger than {MAX_PACKED:,} bytes", "make two packs")
    if data.startswith(_ZIP):
        read = _zip_entries
    elif data.startswith(_GZIP):
        read = _tar_entries
    else:
        raise refusal("this is no archive of a kind that is read", _AS)
    taken = _Taken(min(MAX_TOTAL, MAX_RATIO * len(data)))
    try:
        read(data, taken)
    except PackRefused:
        raise
    except _DAMAGED as error:
        raise refusal(f"the archive is damaged: {shown(str(error))}", _AS) from error
    return taken.contents()


def read_folder(folder: Path) -> Contents:
    """The pack in a folder, whose links are not followed. Raises `PackRefused`."""
    taken = _Taken(MAX_TOTAL)
    try:
        for path, entry in _walk(folder, "", 0):
            if entry.is_symlink() or not (entry.is_file() or entry.is_dir()):
                taken.refuse(path, "is neither a file nor a folder", "put the file itself there")
            elif entry.is_file() and taken.wants(path):
                handle = os.open(entry.path, os.O_RDONLY | os.O_NOFOLLOW)
                with os.fdopen(handle, "rb") as file:
                    taken.take(path, file)
    except OSError as error:
        raise refusal(f"cannot be read: {error.strerror}", path=str(folder)) from error
    return taken.contents()


def to_archive(contents: Contents) -> bytes:
    """The same bytes for the same pack."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path, content in contents.files.items():
            info = zipfile.ZipInfo(path)  # of 1980, which is as good a time as any
            archive.writestr(info, content, zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()


class _Taken:
    """The files so far, and what is wrong with the others."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._files: dict[str, bytes] = {}
        self._seen: dict[str, str] = {}
        self._entries = 0
        self._total = 0
        self._findings: list[Finding] = []

    def refuse(self, path: str, message: str, hint: str) -> None:
        self._findings.append(Finding(shown(path), message, hint))
        if len(self._findings) >= MAX_LISTED:
            raise PackRefused(self._findings)

    def wants(self, path: str) -> bool:
        """Whether the file is to be read; what may not be called so is noted."""
        self._entries += 1
        if self._entries > MAX_FILES:
            raise refusal(f"it has more than {MAX_FILES:,} files", "make two packs")
        finding = check_path(path, self._seen)
        if finding is not None:
            self.refuse(finding.path, finding.message, finding.hint)
            return False
        self._seen[path.lower()] = path
        return not left_out(path)

    def take(self, path: str, file: IO[bytes]) -> None:
        most = most_bytes(path)
        content = file.read(most + 1)
        if len(content) > most:
            self.refuse(path, f"the file is larger than {most:,} bytes", "cut it in two")
            return
        self._total += len(content)
        if self._total > self.most:
            raise too_large()
        self._files[path] = content

    def contents(self) -> Contents:
        if self._findings:
            raise PackRefused(self._findings)
        return contents_of(self._files)


def _zip_entries(data: bytes, taken: _Taken) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for entry in archive.infolist():
            path = entry.orig_filename  # as it stands there: `filename` ends at a NUL
            kind = stat.S_IFMT(entry.external_attr >> 16)
            if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
                taken.refuse(path, "is neither a file nor a folder", "put the file itself there")
            elif entry.flag_bits & 1:
                taken.refuse(path, "is encrypted", "pack it without a password")
            elif entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                taken.refuse(path, "is packed in a way that few can read", "pack it with deflate")
            elif path.endswith("/"):
                taken.wants(path.rstrip("/"))
            elif taken.wants(path):
                with archive.open(entry) as file:
                    taken.take(path, file)


def _tar_entries(data: bytes, taken: _Taken) -> None:
    most = taken.most + MAX_FILES * _TAR_HEADERS
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
        unpacked = packed.read(most + 1)
    if len(unpacked) > most:
        raise too_large()
    with tarfile.open(fileobj=io.BytesIO(unpacked), mode="r:") as archive:
        for entry in archive:
            path = entry.name.removeprefix("./")
            if entry.isdir():
                if path not in ("", "."):
                    taken.wants(path.rstrip("/"))
            elif not entry.isreg() or entry.issparse():
                taken.refuse(path, "is neither a file nor a folder", "put the file itself there")
            elif taken.wants(path):
                file = archive.extractfile(entry)
                assert file is not None  # of a regular file
                taken.take(path, file)


def too_large() -> PackRefused:
    hint = f"at most {MAX_TOTAL:,} bytes, and {MAX_RATIO} times the archive"
    return refusal("the files are larger than an honest archive of this size holds", hint)


def _walk(folder: Path, prefix: str, depth: int) -> Iterator[tuple[str, "os.DirEntry[str]"]]:
    if depth > _MAX_DEPTH:
        raise refusal(f"lies deeper than {_MAX_DEPTH} folders", "topic/slug.md", prefix)
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        path = prefix + entry.name
        if left_out(path):
            continue
        yield path, entry
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(Path(entry.path), f"{path}/", depth + 1)
