"""The measured machines of a data folder: a JSON file each, written whole or not at all, read with care."""

import os
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from calculators.presets import HARDWARE

if TYPE_CHECKING:
    from app.measuring.record import MeasuredMachine

FOLDER: Final = "machines"
MAX_BYTES: Final = 64 * 1024  # of a file
MAX_FILES: Final = 20
_PREFIX: Final = "measured-"
_MOST_OF_A_NAME: Final = 40


def slug_of(name: str) -> str:
    """What a machine of this name is called in a link or a command: measured-amd-epyc."""
    words = re.sub(r"[^a-z0-9]+", "-", name.lower())
    return _PREFIX + (words[:_MOST_OF_A_NAME].strip("-") or "machine")


def save(data_dir: Path, machine: "MeasuredMachine") -> Path:
    """Keep a machine, in place of an earlier measurement of the same name. OSError where that cannot be."""
    folder = data_dir / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{machine.slug}.json"
    handle, written = tempfile.mkstemp(dir=folder, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(machine.model_dump_json(indent=2) + "\n")
        Path(written).replace(path)
    except OSError:
        Path(written).unlink(missing_ok=True)
        raise
    return path


def offer(data_dir: Path, complain: Callable[[str], object]) -> None:
    """Let the calculators offer the machines of this folder alone; a bad file is named and ignored."""
    HARDWARE.offer(machine.hardware for machine in read(data_dir, complain))


def read(data_dir: Path, complain: Callable[[str], object]) -> Iterator["MeasuredMachine"]:
    """The machines of a data folder, by their file names."""
    try:
        paths = sorted((data_dir / FOLDER).glob("*.json"))
    except OSError as error:
        complain(f"{data_dir / FOLDER} cannot be read: {error.strerror}")
        return
    for path in paths[:MAX_FILES]:
        try:
            yield _read(path)
        except (OSError, ValueError) as error:
            complain(f"{path} is no measured machine and is ignored: {_why(error)}")
    if len(paths) > MAX_FILES:
        complain(f"{data_dir / FOLDER} has {len(paths)} machines; the first {MAX_FILES} are offered")


def _read(path: Path) -> "MeasuredMachine":
    # Not at the top: few data folders have a machine, and every start would wait for its models to be built.
    from app.measuring.record import MeasuredMachine

    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError(f"it has more than {MAX_BYTES:,} bytes")
    machine = MeasuredMachine.model_validate_json(content)
    if machine.slug != path.stem:
        raise ValueError(f"it says that it is {machine.slug}")
    return machine


def _why(error: OSError | ValueError) -> str:
    """In one line."""
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        return f"{place}: {first['msg']}" if place else first["msg"]
    return (isinstance(error, OSError) and error.strerror) or str(error)
