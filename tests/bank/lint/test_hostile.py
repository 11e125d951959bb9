"""Files from strangers: each is refused with its file, a line and a hint, quickly, and hides no other."""

import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.bank.lint import report

if TYPE_CHECKING:
    from tests.bank.lint.conftest import LintedPack

# What stands in place of what, in a question that is sound otherwise.
IN_THE_FRONT_MATTER = {
    "deep-brackets": ("minutes: 4", "minutes: " + "[" * 5000),
    "deep-braces": ("minutes: 4", "minutes: " + "{a: " * 5000),
    "aliases": ("minutes: 4", "minutes: &a [x, x]\nmore: &b [*a, *a]"),
    "tag": ("minutes: 4", "minutes: !!python/object/apply:os.system [id]"),
    "digits": ("{value: 128,", "{value: " + "9" * 5000 + ","),
    "exponent": ("{value: 128,", "{value: 1e99999,"),
    "infinity": ("{value: 128,", "{value: .inf,"),
    "many-choices": ("choices: [16, 32]", f"choices: {list(range(1, 80))}"),
    "a-range-that-breaks": ("max: 4096}", "max: 1e300}"),
    "tower": ("scores.score_bytes / heads", "9**9**9"),
    "growth": ("scores.score_bytes / heads", "10**400 * 10**400 * 10**400 * 10**400"),
    "parentheses": ("scores.score_bytes / heads", "'" + "(" * 149 + "1" + ")" * 149 + "'"),
    "import": ("scores.score_bytes / heads", "__import__('os').system('id')"),
    "no-number": ("scores.score_bytes / heads", "(0 - 1)**0.5"),
    "negative-tolerance": ("tolerance: 5%", "tolerance: -5%"),
    "version": ("version: 1", "version: 0"),
    "title": ("title: Memory of the full attention matrix", "title: [a]"),
}
IN_THE_BODY = {
    "huge": "word " * 200_000,
    "long": "word " * 8000,
    "quotes": ">" * 30_000,
    "brackets": "[" * 15_000 + "{{",
    "stars": "*a **b " * 4000 + "}}",
    "math-groups": "$" + "{" * 900 + "$",
    "math-macro": r"$\def\a{\a\a}\a$",
    "math-link": r"$\href{javascript:alert(1)}{x}$",
    "script-link": "[x](javascript:alert(1))",
    "host-link": "[x](//evil.example)",
    "unclosed": "::: if heads > 1\nMany.",
    "stray": ":::",
    "nested": "\n".join("::: if heads > 1" for _ in range(400)),
    "control": "a\x1b[31mb",
    "turned": "a\u202eb",
    "picture-entities": "![a](entities.svg)",
    "picture-depth": "![a](deep.svg)",
    "picture-bytes": "![a](bytes.svg)",
    "picture-link": "![a](link.svg)",
    "picture-path": "![a](../../../etc/passwd)",
}
PICTURES = {
    "entities.svg": b'<!DOCTYPE s [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><svg><text>&b;</text></svg>',
    "deep.svg": b'<svg xmlns="http://www.w3.org/2000/svg">' + b"<g>" * 5000 + b"</g>" * 5000 + b"</svg>",
    "bytes.svg": bytes(range(256)) * 4,
}


def test_hostile_files(pack: "LintedPack") -> None:
    sound = pack.file("attention-matrix").read_text("utf-8")
    files: dict[str, bytes] = {}
    for name, (old, new) in IN_THE_FRONT_MATTER.items():
        assert sound.count(old) == 1, name
        files[name] = sound.replace(old, new).encode()
    for name, text in IN_THE_BODY.items():
        files[name] = sound.replace("### In detail\n", f"### In detail\n{text}\n\n").encode()
    files |= {
        "binary": os.urandom(4000),
        "nul": sound.replace("One head", "One\0head").encode(),
        "utf-16": sound.encode("utf-16"),
        "latin-1": sound.replace("One head", "T\xeate").encode("latin-1"),
        "old-mac": sound.replace("\n", "\r").encode(),
        "empty": b"",
        "only-front-matter": sound.partition("\n## Question")[0].encode(),
        "no-end": b"---\ntitle: x\n",
        "nothing-in-it": b"---\n---\n",
    }
    folder = pack.path / "attention"
    for name, picture in PICTURES.items():
        (folder / name).write_bytes(picture)
    (folder / "link.svg").symlink_to("/etc/passwd")
    for name, content in files.items():
        (folder / f"{name}.md").write_bytes(content)
    start = time.process_time()
    found = pack.problems()
    assert time.process_time() - start < 20
    problems = [problem for problem in found if "is like that of" not in problem.message]  # all are copies
    for name in files:
        own = [problem for problem in problems if problem.path == folder / f"{name}.md"]
        assert own, name
        lines = files[name].count(b"\n") + 1
        assert all(each.hint and 1 <= each.line <= lines for each in own), (name, own)
    assert not any("root:" in report(problem) for problem in problems), "nothing of another file is shown"
    assert not [each for each in problems if each.path.stem in ("attention-matrix", "second")]


def test_a_mark_of_the_byte_order_and_the_line_ends_of_windows_are_read(pack: "LintedPack") -> None:
    path = pack.file("attention-matrix")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert pack.says() == []


def test_names_and_links_that_are_no_questions(pack: "LintedPack", tmp_path: Path) -> None:
    folder = pack.path / "attention"
    text = pack.file("second").read_bytes()
    for name in (b"with space.md", "f\xfcnf.md".encode(), b"new\nline.md", b"bad\xff.md", b"UPPER.md"):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_bytes(text)
    (folder / "out.md").symlink_to("/etc/passwd")
    (folder / "circle").symlink_to(folder / "circle")
    (folder / "elsewhere").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe.md")
    problems = pack.problems()
    left_out = ["with space.md", "f\xfcnf.md", "new\nline.md", "bad\udcff.md", "UPPER.md"]
    left_out += ["out.md", "circle", "elsewhere", "pipe.md"]
    assert sorted(each.path.name for each in problems) == sorted(left_out)
    assert all(each.hint for each in problems)
    assert report(problems[-1]).isprintable()


@pytest.mark.parametrize("name", ["README.md", ".hidden.md", "notes.txt", "x" * 300 + ".md", "loop"])
def test_what_is_no_question_is_said_to_be_none(pack: "LintedPack", name: str) -> None:
    path = pack.path / "attention" / name
    if name == "loop":
        path.symlink_to(path)
    elif len(name) < 200:
        path.write_text("# Notes\n")
    [problem] = pack.problems(path)
    assert (problem.path, problem.severity) == (path, "error")
    assert problem.hint


def test_a_folder_without_questions_is_said_to_have_none(pack: "LintedPack", tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    [problem] = pack.problems(tmp_path / "bare")
    assert problem.message == "there is no question here"


def test_a_history_that_cannot_be_written(pack: "LintedPack", monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may be able to write anywhere, so the folder itself is not what refuses."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    (pack.path / "versions.json").unlink()
    monkeypatch.setattr(tempfile, "NamedTemporaryFile", refuse)
    [problem] = pack.problems(record=True)
    assert problem.message == "cannot be written: Permission denied"
    assert problem.path == pack.path / "versions.json"
