"""The lint: proves of a whole bank that its numbers, its variants, its rubrics and its history hold.

What cannot be read or computed at all is the loader's to report; the checks here run over the questions that
load. Each check is a module with `check(subject)`, which yields faults with their lines.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.bank.lint import (
    answers,
    chains,
    choices,
    families,
    history,
    likeness,
    numbers,
    physics,
    plots,
    positions,
    prompt,
    prose,
    rubric,
    sampling,
    sources,
    usage,
    words,
)
from app.bank.lint.history import HistoryError
from app.bank.lint.subject import Subject
from app.bank.load import NOT_QUESTIONS, Bank, real
from app.bank.openings import Openings
from app.bank.problems import Fault, Problem
from app.bank.question import Question
from app.bank.topics import TOPICS

CHECKS: tuple[Callable[[Subject], Iterator[Fault]], ...] = (
    sampling.check,  # first: it makes the variants that the others look at
    answers.check,
    choices.check,
    physics.check,
    families.check,
    usage.check,
    words.check,
    plots.check,
    numbers.check,
    rubric.check,
    sources.check,
    prompt.check,
    prose.check,
)


@dataclass(frozen=True, slots=True)
class _Target:
    """A path that was asked for, and the pack that it lies in."""

    path: Path
    pack: Path

    @classmethod
    def of(cls, path: Path) -> "_Target":
        """A pack, a topic's folder in it, or one file, which stays itself where it is a link."""
        resolved = real(path.parent) / path.name if path.suffix == ".md" else real(path)
        folder = resolved.parent if resolved.suffix == ".md" else resolved
        return cls(resolved, folder.parent if folder.name in TOPICS else folder)

    def holds(self, paths: Iterable[Path]) -> bool:
        """Whether one of these is the target or lies in it."""
        return any(self.path in (path, *path.parents) for path in paths)

    def covers(self, path: Path) -> bool:
        """Whether a problem there was asked for; what is wrong with the pack itself always is."""
        return self.path in (path, *path.parents) or path in (self.pack, self.pack / history.FILE_NAME)


def pack_of(path: Path) -> Path:
    """The folder of the pack that a file or a topic's folder belongs to."""
    return _Target.of(path).pack


def lint(paths: Sequence[Path], *, record: bool = False, bank: Bank | None = None) -> list[Problem]:
    """Every problem of the questions at these paths, in the order of files and lines.

    With `record` the history of each pack takes in what has no error; what it then holds is no problem.
    `bank` spares reading the packs where somebody has just done so.
    """
    targets = [_Target.of(path) for path in paths]
    problems = [problem for target in targets if (problem := _no_questions(target.path))]
    packs = list(dict.fromkeys(target.pack for target in targets if target.pack.is_dir()))
    bank = bank or Bank.load(packs)
    problems += bank.problems
    wanted = [question for question in bank.questions.values() if _covered(question.path, targets)]
    found = {question.slug: _faults(Subject(question), bank) for question in wanted}
    for pack in packs:
        problems += _history(pack, [each for each in wanted if pack in each.path.parents], found, record)
    for question in wanted:
        problems += [fault.at(question.path) for fault in found[question.slug]]
    problems += positions.check(wanted)
    problems += chains.check(bank.questions)
    problems += likeness.check(wanted)
    for pack in packs:
        openings = Openings(pack)
        openings.all()
        problems += openings.problems
    found_problems = {problem for problem in problems if _covered(problem.path, targets)}
    looked_at = {question.path for question in wanted} | {problem.path for problem in found_problems}
    return sorted(
        found_problems | {_nothing(target.path) for target in targets if not target.holds(looked_at)}
    )


def _no_questions(path: Path) -> Problem | None:
    """Why there can be none at a path."""
    if not os.path.lexists(path):  # which, unlike Path.exists, has an answer for any name
        return Problem(path, 1, "there is no such file or folder", "ridgeway lint [PATH...]")
    if path.suffix != ".md" and not path.is_dir():
        return Problem(path, 1, "a question is a file whose name ends in .md", "this one is left out")
    return None


def _nothing(path: Path) -> Problem:
    """That nothing was linted there, which is not the same as nothing being wrong."""
    if path.suffix == ".md":
        left_out = f"{', '.join(sorted(NOT_QUESTIONS))} and hidden files are left out"
        return Problem(path, 1, "this is not a question of a pack", left_out)
    return Problem(path, 1, "there is no question here", "a question is a file topic/slug.md")


def report(problem: Problem, base: Path | None = None) -> str:
    """One line for people and editors: `path:line: error: message (hint)`; the path relative to `base`."""
    path = problem.path
    if base is not None and path.is_relative_to(base):
        path = path.relative_to(base)
    hint = f" ({problem.hint})" if problem.hint else ""
    shown = "".join(char if char.isprintable() else "\ufffd" for char in str(path))
    return f"{shown}:{problem.line}: {problem.severity}: {problem.message}{hint}"


def _covered(path: Path, targets: Sequence[_Target]) -> bool:
    return any(target.covers(path) for target in targets)


def _faults(subject: Subject, bank: Bank) -> list[Fault]:
    faults = [fault for check in CHECKS for fault in check(subject)]
    return faults + list(prose.links(subject, bank.questions.keys()))


def _history(
    pack: Path, questions: Sequence[Question], found: dict[str, list[Fault]], record: bool
) -> Iterator[Problem]:
    try:
        recorded = history.read(pack)
        if record:
            sound = [each for each in questions if not _has_error(found[each.slug])]
            noted = history.recorded_with(recorded, sound)
            if noted != recorded:
                history.write(pack, noted)
            recorded = noted
    except HistoryError as error:
        yield Problem(pack / history.FILE_NAME, 1, str(error), error.hint)
        return
    for question in questions:
        yield from (fault.at(question.path) for fault in history.check(question, recorded))


def _has_error(faults: Sequence[Fault]) -> bool:
    return any(fault.severity == "error" for fault in faults)
