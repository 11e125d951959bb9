"""The lint: each check fires on a question that is broken in one place, at its line, and on no sound one."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.bank.lint import report
from app.bank.problems import Problem

if TYPE_CHECKING:
    from tests.bank.lint.conftest import LintedPack

Case = tuple[list[tuple[str, str]], str, str]  # what to change, what stands in the line, what the lint says


def test_the_sound_pack_has_no_problem(pack: "LintedPack") -> None:
    assert pack.says() == []


FLASH_ATTENTION = """\
  - {title: "FlashAttention", url: "https://arxiv.org/abs/2205.14135", section: "2.1"}
"""

BROKEN: dict[str, Case] = {
    "an unused parameter": (
        [("  dtype: {value: fp32", "  layers_seen: {value: 3}\n  dtype: {value: fp32")],
        "layers_seen",
        "the parameter `layers_seen` is used nowhere",
    ),
    "an unused constant": (
        [("constants:\n", 'constants:\n  card: {value: 80 GB, source: "Datasheet"}\n')],
        "card:",
        "the constant `card` is used nowhere",
    ),
    "an unused calculator": (
        [("calculators:\n", "calculators:\n  spare: {use: matmul}\n")],
        "spare:",
        "the calculator `spare` is used nowhere",
    ),
    "an unused let": (
        [("let:\n", "let:\n  spare: heads * 2\n")],
        "spare:",
        "the name under let `spare` is used nowhere",
    ),
    "require that no draw satisfies": (
        [("require: [scores.score_bytes < 1e15]", "require: [scores.score_bytes > 1e15]")],
        "require:",
        "with the written values: require does not hold",
    ),
    "require that leaves too few": (
        [
            (
                "require: [scores.score_bytes < 1e15]",
                "require: [batch == 32 and heads == 16 and seq_len == 1024]",
            ),
        ],
        "params:",
        "200 seeds give 2 different variants, of 16 combinations",
    ),
    "a name that is null for some seed": (
        [
            (
                "per_head: scores.score_bytes / heads",
                "per_head: scores.score_bytes / heads + 1 / (batch - 16)",
            ),
        ],
        "per_head: ",
        "divides by zero",
    ),
    "an end of a range that does not compute": (
        [
            (
                "per_head: scores.score_bytes / heads",
                "per_head: scores.score_bytes / heads + 0 / (batch - 4096)",
            )
        ],
        "per_head: ",
        "with batch at 4096: This divides by zero",
    ),
    "prose that fails for some seed": (
        [
            ("{{ gb(per_head) }} for", "{{ gb(per_head / (heads - heads)) }} for"),
            ("per_head > 1e12", "per_head > 1e6"),
        ],
        "That is {{ gb",
        "This divides by zero",
    ),
    "an answer that is never told": (
        [("take {{ answer }}, or", "take")],
        "answer:",
        "the Answer never prints {{ answer }}",
    ),
    "a literal number with a unit": (
        [("### In detail\n", "### In detail\nThe card holds 80 GB.\n")],
        "80 GB",
        "“80 GB” in the answer is typed, not computed",
    ),
    "money in the answer": (
        [("### In detail\n", "### In detail\nIt costs $2 an hour.\n")],
        "$2",
        "“$2” in the answer is typed, not computed",
    ),
    "a percentage in the answer": (
        [("### In detail\n", "### In detail\nAbout 41.5% of it.\n")],
        "41.5%",
        "“41.5%” in the answer is typed, not computed",
    ),
    "a formatter of another family": (
        [("{{ us(read.time_memory) }}", "{{ us(read.bytes) }}")],
        "{{ us(",
        "`read.bytes` is of the family bytes, where time belongs",
    ),
    "an answer of another family": (
        [("value: scores.score_bytes\n", "value: scores.score_elements\n")],
        "value: scores.score_elements",
        "`scores.score_elements` is a plain number, where bytes belongs",
    ),
    "a sum of different families": (
        [
            (
                "per_head: scores.score_bytes / heads",
                "per_head: scores.score_bytes / heads + read.time_memory * 0",
            )
        ],
        "per_head: ",
        "adds bytes and time",
    ),
    "too few key points": (
        [("- [2] {#fused} Says that a fused kernel keeps O(n) instead\n", "")],
        "- [3!]",
        "the rubric has 2 key points",
    ),
    "no must-have": ([("[3!]", "[3]")], "- [3]", "no key point is a must-have"),
    "a source without a section": (
        [(', section: "2.1"}', "}")],
        "FlashAttention",
        "the source “FlashAttention” does not say where",
    ),
    "no sources": (
        [("sources:\n", "related: []\n"), (FLASH_ATTENTION, "")],
        "---",
        "the question cites no source",
    ),
    "published, but nobody says where": (
        [("confidence: unconfirmed", "confidence: published")],
        "Example Labs",
        "that Example Labs asked this is published where?",
    ),
    "a follow-up that does not exist": (
        [("follow_ups: [second]", "follow_ups: [secnd]")],
        "follow_ups",
        "follow_ups names no question: secnd",
    ),
    "a follow-up to itself": (
        [("follow_ups: [second]", "follow_ups: [attention-matrix]")],
        "follow_ups",
        "follow_ups names this question itself",
    ),
    "a link to no calculator": (
        [("/calculators/roofline", "/calculators/rooflin")],
        "See [roofline]",
        "the link /calculators/rooflin leads nowhere",
    ),
    "a heading that skips a level": (
        [("### In detail", "#### In detail")],
        "#### In",
        "a heading of #### under one of ##",
    ),
    "a mistake that is right": (
        [("value: per_head, credit", "value: scores.score_bytes * 1.04, credit")],
        "id: one-head",
        "the mistake `one-head` (2.08 GiB) is graded right",
    ),
    "two mistakes that cannot be told apart": (
        [("value: scores.score_bytes / batch / 3", "value: per_head * 1.001")],
        "id: one-sequence",
        "the mistakes `one-head` and `one-sequence` cannot be told apart",
    ),
    "a tolerance that takes GB for GiB": (
        [("tolerance: 5%", "tolerance: 8%")],
        "tolerance: 8%",
        "“2 GB” is graded right, though 2 GiB is meant",
    ),
    "figures that three do not reach": (
        [("tolerance: 5%", "tolerance: {figures: 6}"), ("choices: [16, 32]", "choices: [7, 11, 32]")],
        "tolerance: {",
        "is not graded right",
    ),
    "an answer or rubric that changed": (
        [("[1] {#traffic}", "[2] {#traffic}")],
        "version: 1",
        "answer, params, mistakes or rubric changed since version 1 was recorded",
    ),
    "a version that nobody recorded": (
        [("version: 1", "version: 2")],
        "version: 2",
        "version 2 is not in versions.json yet",
    ),
}


@pytest.mark.parametrize("case", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_question(pack: "LintedPack", case: Case) -> None:
    edits, at, says = case
    text = pack.change(*edits)
    line = next(number for number, content in enumerate(text.splitlines(), 1) if at in content)
    found = [problem for problem in pack.problems() if says in problem.message]
    assert [(each.path.name, each.line) for each in found] == [("attention-matrix.md", line)], pack.says()


def test_an_answer_that_never_changes_is_a_warning(pack: "LintedPack") -> None:
    pack.change(("  value: scores.score_bytes\n", "  value: 34e9 + 0 * scores.score_bytes\n"))
    assert any("warning: the answer is the same for every variant" in line for line in pack.says())


def test_choices_that_read_the_same(pack: "LintedPack") -> None:
    pack.change(('"{{ int(seq_len) }} tokens"', '"One token"'), slug="second")
    assert any("two choices read the same: One token" in line for line in pack.says())


def test_no_right_choice_for_some_seed(pack: "LintedPack") -> None:
    pack.change(("choices: [2048, 4096, 8192]", "choices: [1, 4096, 8192]"), slug="second")
    assert any("second.md" in line and "one right choice" in line for line in pack.says())


def test_weights_that_do_not_fit(pack: "LintedPack") -> None:
    spare = "  plan: {use: serving-capacity, set: {model: llama-2-70b, dtype: bf16, hardware: h100-sxm}}\n"
    pack.change(
        ("calculators:\n", "calculators:\n" + spare),
        ("### In detail\n", "### In detail\nIt leaves {{ gb(plan.free_bytes) }}.\n"),
    )
    assert any("the weights of `plan` do not fit the device" in line for line in pack.says())
    pack.change(
        (
            "It leaves {{ gb(plan.free_bytes) }}.",
            "::: if plan.fits\nIt leaves {{ gb(plan.free_bytes) }}.\n:::",
        ),
    )
    assert not any("do not fit" in line for line in pack.says())


def test_a_share_above_the_peak(pack: "LintedPack") -> None:
    pack.change(
        (
            "calculators:\n",
            "calculators:\n  run: {use: mfu, set: {tokens_per_second: 1e9, heads: 48, dtype: bf16}}\n",
        ),
        ("### In detail\n", "### In detail\nMFU is {{ pct(run.mfu) }}.\n"),
    )
    assert any("run.mfu is" in line and "above the peak" in line for line in pack.says())


def test_right_choices_at_one_place(pack: "LintedPack") -> None:
    text = pack.file("second").read_text("utf-8")
    for number in range(3):
        pack.write(f"other-{number}", text)
    says = pack.says(pack.problems(record=True))
    assert sum("the right choice is number 2 in 4 of 4 questions" in line for line in says) == 4
    first = '  - {id: many, text: "{{ int(seq_len) }} tokens", right: \'many.bound == "compute"\'}\n'
    for number in range(2):
        pack.change((first, ""), ("choices:\n", "choices:\n" + first), slug=f"other-{number}")
    assert not any("the right choice is number" in line for line in pack.says())


def test_what_the_loader_reports_is_reported(pack: "LintedPack") -> None:
    pack.change(("kind: numeric", "kind: numerical"))
    says = pack.says()
    assert any(line.startswith("attention-matrix.md:3: error:") for line in says)
    assert any("follow_ups" not in line for line in says)


# ---------------------------------------------------------------- history


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


def test_drafts_are_not_recorded(pack: "LintedPack") -> None:
    text = pack.file("second").read_text("utf-8").replace("status: reviewed", "status: draft")
    pack.write("third", text)
    assert pack.problems(record=True) == []
    pack.change(("[2048, 4096, 8192]", "[4096, 8192]"), slug="third")
    assert pack.problems() == []
    pack.change(("status: draft", "status: reviewed"), slug="third")
    assert pack.says() == ["third.md:6: error: `third` is not in versions.json yet"]


def test_a_question_with_an_error_is_not_recorded(pack: "LintedPack") -> None:
    pack.write("third", pack.file("second").read_text("utf-8").replace(', section: "The Roofline model"', ""))
    assert len(pack.problems(record=True)) == 2
    assert "third" not in (pack.path / "versions.json").read_text("utf-8")


@pytest.mark.parametrize("content", ["{", "[]", '{"a": 1}', '{"a": {"version": "x", "hash": ""}}', "\xff"])
def test_a_history_that_cannot_be_read(pack: "LintedPack", content: str) -> None:
    (pack.path / "versions.json").write_text(content, "latin-1")
    [problem] = pack.problems(record=True)
    assert "cannot be read" in problem.message
    assert (pack.path / "versions.json").read_text("latin-1") == content


# ---------------------------------------------------------------- paths and lines


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


def test_a_line_for_people_and_editors() -> None:
    base = Path(os.sep) / "bank"
    problem = Problem(base / "attention" / "a.md", 7, "no must-have", "mark one", "warning")
    assert report(problem, base) == "attention/a.md:7: warning: no must-have (mark one)"
    assert report(Problem(base / "a.md", 1, "empty"), Path(os.sep) / "other") == "/bank/a.md:1: error: empty"
