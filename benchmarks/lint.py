"""How long a large bank takes to lint: `python benchmarks/lint.py [questions]`.

The bank is made of the questions that ship, each copied under other slugs with other lengths and numbers of
tokens, so that no copy finds the calculations of another one done. The floor is what merely reading the same
files takes, in the same run.
"""

import re
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from app.bank.lint import lint
from app.paths import QUESTIONS

WANTED = 500
_LENGTHS = re.compile(r"(?m)^  (?:seq_len|tokens|batch):.*$")
_LISTS = re.compile(r"(value:|choices: \[)([0-9, ]+)")


def write(folder: Path, wanted: int) -> None:
    """That many questions, none with the numbers of another."""
    files = sorted(QUESTIONS.rglob("*.md"))
    for picture in QUESTIONS.rglob("*.svg"):
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

    return _LISTS.sub(shift, line[0])


def main() -> None:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else WANTED
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "bank"
        write(folder, wanted)
        start = time.process_time()
        characters = sum(len(file.read_text("utf-8")) for file in folder.rglob("*.md"))
        floor = time.process_time() - start
        start, wall = time.process_time(), time.perf_counter()
        problems = lint([folder])
        taken, wall = time.process_time() - start, time.perf_counter() - wall
    errors = sum(problem.severity == "error" for problem in problems)
    print(f"{wanted} questions, {characters:,} characters, {errors} errors")
    print(f"read: {floor:.2f} s of CPU")
    print(f"lint: {taken:.1f} s of CPU, {wall:.1f} s by the clock, {1000 * taken / wanted:.0f} ms a question")


if __name__ == "__main__":
    main()
