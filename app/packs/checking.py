"""A pack as the lint sees it: every question read and proved, beside the bank that it will be part of."""

import tempfile
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.bank.load import Bank
from app.bank.problems import Problem
from app.bank.question import Pack, Question
from app.packs.contents import HISTORY, Contents, Finding

MAX_FINDINGS: Final = 200
_ONE_AT_A_TIME: Final = threading.Lock()  # it keeps a processor busy, some 0.1 s a question


@dataclass(frozen=True, slots=True)
class Summary:
    """What is kept of a question, to list it without reading the pack."""

    slug: str
    title: str
    topic: str
    content_hash: str


@dataclass(frozen=True, slots=True)
class Checked:
    """`contents` is the pack with its history brought up to date."""

    contents: Contents
    questions: tuple[Summary, ...]
    findings: tuple[Finding, ...]

    @property
    def sound(self) -> bool:
        return not any(finding.severity == "error" for finding in self.findings)


def check(
    contents: Contents, key: str, around: Mapping[str, Question], before: Contents | None = None
) -> Checked:
    """`around` are the questions that the pack is served with, `before` the version that it replaces.

    A question that decides verdicts in another way than before, under the same version, is an error.
    """
    from app.bank.lint import lint  # not at the top: only who adds a pack needs it

    with _ONE_AT_A_TIME, tempfile.TemporaryDirectory(prefix="ridgeway-pack-") as name:
        folder = Path(name).resolve() / "pack"
        write_files(contents, folder)
        if before is not None and HISTORY in before.files:
            (folder / HISTORY).write_bytes(before.files[HISTORY])
        bank = Bank([Pack(key, folder)])
        bank.reload()
        together = Bank.of({**around, **bank.questions}, bank.problems)
        problems = lint([folder], record=True, bank=together)
        taken = _taken(bank, around, key)
        findings = tuple(_finding(problem, folder) for problem in (*problems, *taken))
        history = folder / HISTORY
        with_history = contents.with_file(HISTORY, history.read_bytes()) if history.exists() else contents
    return Checked(with_history, tuple(map(summary, bank.questions.values())), findings[:MAX_FINDINGS])


def write_files(contents: Contents, folder: Path) -> None:
    """The files of a pack into a new folder; each path has been checked when the pack was read."""
    for path, content in contents.files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def summary(question: Question) -> Summary:
    return Summary(question.slug, question.title, question.meta.topics[0], question.content_hash)


def _taken(bank: Bank, around: Mapping[str, Question], key: str) -> Iterator[Problem]:
    """Questions under the slug of one in another pack of the team: which of them would be served?"""
    for slug, question in bank.questions.items():
        other = around.get(slug)
        if other is not None and other.pack != key and is_team_key(other.pack):
            message = f"the slug `{slug}` is taken by the pack {other.pack.rpartition('/')[2]} of the team"
            yield Problem(question.path, 1, message, "rename the file")


def team_key(team_slug: str, name: str) -> str:
    """What a pack of a team is called in what is stored of practice."""
    return f"{team_slug}/{name}"


def is_team_key(pack: str) -> bool:
    """Whether it is a pack of a team and not a folder of the server: those have no / in their names."""
    return "/" in pack


def _finding(problem: Problem, folder: Path) -> Finding:
    inside = problem.path.is_relative_to(folder) and problem.path != folder
    path = str(problem.path.relative_to(folder)) if inside else ""
    message = problem.message.replace(f"{folder}/", "")
    return Finding(path, message, problem.hint.replace(f"{folder}/", ""), problem.line, problem.severity)
