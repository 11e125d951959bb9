"""Which paths the lint takes, and how it prints a problem."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from app.bank.lint import report
from app.bank.problems import Problem

if TYPE_CHECKING:
    from tests.bank.lint.conftest import LintedPack


def test_paths_are_files_topics_or_packs(pack: "LintedPack") -> None:
    pack.change((', section: "2.1"}', "}"))
    pack.change((', section: "The Roofline model"}', "}"), slug="second")
    first, second = pack.file("attention-matrix"), pack.file("second")
    assert {problem.path for problem in pack.problems(first)} == {first}
    assert {problem.path for problem in pack.problems(pack.path / "attention")} == {first, second}
    assert pack.problems(first, second) == pack.problems()
    assert pack.problems() == sorted(pack.problems())


def test_a_path_that_is_not_there(pack: "LintedPack") -> None:
    missing = pack.path / "attention" / "none.md"
    assert [(each.path, each.message) for each in pack.problems(missing)] == [
        (missing, "there is no such file or folder")
    ]
    assert "there is no such" in pack.problems(pack.path / "nowhere")[0].message


def test_a_path_without_questions_is_told_so_once(pack: "LintedPack", tmp_path: Path) -> None:
    notes, link = tmp_path.resolve() / "notes.txt", pack.path / "attention" / "link.md"
    notes.write_text("a")
    link.symlink_to(notes)
    assert [(each.path, each.message) for each in pack.problems(notes)] == [
        (notes, "a question is a file whose name ends in .md")
    ]
    (problem,) = pack.problems(link)
    assert (problem.path, problem.message) == (link, "is a symbolic link, which is not followed")


def test_a_line_for_people_and_editors() -> None:
    base = Path(os.sep) / "bank"
    problem = Problem(base / "attention" / "a.md", 7, "no must-have", "mark one", "warning")
    assert report(problem, base) == "attention/a.md:7: warning: no must-have (mark one)"
    assert report(Problem(base / "a.md", 1, "empty"), Path(os.sep) / "other") == "/bank/a.md:1: error: empty"
    assert report(Problem(Path("a\nb\x1b.md"), 1, "empty")) == "a\ufffdb\ufffd.md:1: error: empty"
