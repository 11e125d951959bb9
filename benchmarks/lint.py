"""Linting a bank of 500 questions, in fresh processes, beside tokenising the same files: seconds of CPU.

The bank is made of the questions that ship, each copied under other slugs with other lengths and numbers of
tokens, so that no copy finds the calculations of another one done. Some copies thereby break a rule or two.
"""

import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from app.paths import QUESTIONS
from benchmarks.comparing import Compared, in_turns

WANTED = 500
GOAL = 40.0  # s of CPU
ROUNDS = 2  # of half a minute each
_LENGTHS = re.compile(r"(?m)^  (?:seq_len|tokens|batch):.*$")
_LISTS = re.compile(r"(value:|choices: \[)([0-9, ]+)")

_LINT = "import gc; from app.bank.lint import lint; gc.disable(); lint([Path(sys.argv[1])])"
_TOKENISE = """
import yaml
from markdown_it import MarkdownIt
for file in Path(sys.argv[1]).rglob("*.md"):
    front, _, body = file.read_text("utf-8").removeprefix("---").partition("\\n---\\n")
    list(yaml.parse(front, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader)))
    MarkdownIt("commonmark").enable(["table"]).parse(body)
"""


def run() -> Iterator[Compared]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "bank"
        write(folder, WANTED)
        floor, ours = (partial(_cpu_of, script, folder) for script in (_TOKENISE, _LINT))
        yield Compared(f"{WANTED} questions", *in_turns(floor, ours, ROUNDS), kind="time", goal=GOAL)


def _cpu_of(script: str, folder: Path) -> float:
    """The CPU that a process takes for a script [s], user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = f"import sys\nfrom pathlib import Path\n{script}"
    subprocess.run([sys.executable, "-c", code, str(folder)], check=True)  # noqa: S603 (ours)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write(folder: Path, wanted: int) -> None:
    """That many questions, none with the numbers of another."""
    files = sorted(QUESTIONS.glob("*/*.md"))
    for picture in QUESTIONS.glob("*/*.svg"):
        copy = folder / picture.relative_to(QUESTIONS)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(picture.read_bytes())
    for number in range(wanted):
        file, shift = files[number % len(files)], number // len(files)
        text = re.sub(r"(?m)^status: .*$", "status: draft", file.read_text("utf-8"))
        text = _LENGTHS.sub(partial(_shifted, by=shift), text)
        copy = folder / file.parent.name / f"{file.stem}-{number}.md"
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, "utf-8")


def _shifted(line: re.Match[str], by: int) -> str:
    def shift(match: re.Match[str]) -> str:
        return match[1] + re.sub(r"\d+", lambda digits: str(int(digits[0]) + by), match[2])

    return _LISTS.sub(shift, line.group())
