"""The history of a pack: versions only rise, and a slug is never reused."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.bank.lint.conftest import LintedPack


def test_a_raised_version_is_recorded_once(pack: "LintedPack") -> None:
    pack.change(("[1] {#traffic}", "[2] {#traffic}"), ("version: 1", "version: 2"))
    assert len(pack.problems()) == 1
    assert pack.problems(record=True) == []
    assert pack.problems() == []
    pack.change(("version: 2", "version: 1"))
    assert pack.says() == ["attention-matrix.md:6: error: version 1 was 2 when it was recorded"]


def test_recording_does_not_hide_a_change(pack: "LintedPack") -> None:
    pack.change(("[1] {#traffic}", "[2] {#traffic}"))
    assert len(pack.problems(record=True)) == 1
    assert len(pack.problems()) == 1


def test_a_slug_is_never_reused(pack: "LintedPack") -> None:
    pack.change(("follow_ups: [second]", "follow_ups: []"))
    pack.file("second").unlink()
    assert pack.problems(record=True) == []
    pack.write("second", pack.file("attention-matrix").read_text("utf-8"))
    assert any(
        "second.md:6: error: answer, params, mistakes or rubric changed" in line for line in pack.says()
    )


def test_prose_and_comments_may_change(pack: "LintedPack") -> None:
    pack.change(
        ("title: Memory of", "title: The memory of"),
        ("how much memory is it?", "how much memory does it take?"),
        ("params:\n", "# drawn\nparams:\n"),
    )
    assert pack.problems() == []


ANOTHER_PROMPT = ("\nWhich one is bound by compute?\n", "\nWhich of the two waits for its memory?\n")


def test_drafts_are_not_recorded(pack: "LintedPack") -> None:
    text = pack.file("second").read_text("utf-8").replace("status: reviewed", "status: draft")
    pack.write("third", text)
    assert pack.problems(record=True) == []
    pack.change(("[2048, 4096, 8192]", "[4096, 8192]"), slug="third")
    assert pack.problems() == []
    pack.change(("status: draft", "status: reviewed"), ANOTHER_PROMPT, slug="third")
    assert pack.says() == ["third.md:6: error: `third` is not in versions.json yet"]


def test_a_question_with_an_error_is_not_recorded(pack: "LintedPack") -> None:
    text = pack.file("second").read_text("utf-8").replace(*ANOTHER_PROMPT)
    pack.write("third", text.replace(', section: "The Roofline model"', ""))
    assert len(pack.problems(record=True)) == 2
    assert "third" not in (pack.path / "versions.json").read_text("utf-8")


@pytest.mark.parametrize("content", ["{", "[]", '{"a": 1}', '{"a": {"version": "x", "hash": ""}}', "\xff"])
def test_a_history_that_cannot_be_read(pack: "LintedPack", content: str) -> None:
    (pack.path / "versions.json").write_text(content, "latin-1")
    [problem] = pack.problems(pack.file("second"), record=True)
    assert "cannot be read" in problem.message
    assert (pack.path / "versions.json").read_text("latin-1") == content
