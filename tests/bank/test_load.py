"""The bank: broken files beside good ones, packs, reloading, and nothing from outside of a pack."""

import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from app.bank import load
from app.bank.load import Bank
from app.bank.reader import MAX_BYTES
from app.bank.variants import make_variant

WriteBank = Callable[[Mapping[str, str]], Bank]


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "CHECK_EVERY", 0.0)


BROKEN = [
    # name, what is replaced by what, the line that is reported, and with which words
    ("no-end", "---\n\n## Question", "\n## Question", 1, "does not end"),
    ("no-front-matter", "---\ntitle", "\ntitle", 1, "does not begin with front matter"),
    ("yaml", "kind: numeric", "kind: [numeric", 3, "YAML"),
    ("twice", "level: senior", "level: senior\nlevel: mid", 5, "given twice"),
    ("unknown-key", "minutes:", "minuets:", 7, "unknown key `minuets`"),
    ("control", "Shape first.", "Shape\x1b[31m", 44, "control character"),
    ("large", "Say the unit.", " " * MAX_BYTES, 1, "larger than"),
    ("topic", "[attention, training-memory]", "[kernels]", 5, "first topic is kernels"),
    ("calculator", "use: roofline", "use: rooflin", 21, "Did you mean roofline?"),
    ("input", "set: {bytes:", "set: {byte:", 21, "`byte` is not an input of roofline"),
    ("word", "flops: 4 * 128", "hardware: h200, flops: 4 * 128", 21, "Did you mean h200"),
    ("turned-around", "Shape first.", "Shape \u202e first.", 44, "control character"),
    ("unicode-line", "Shape first.", "Shape \u2028 first.", 44, "control character"),
    ("name", "[scores.score_bytes <", "[score.score_bytes <", 24, "`score` is not known"),
    ("require", "[scores.score_bytes < 1e12]", "[scores.score_bytes > 1e12]", 24, "do not satisfy"),
    ("no-condition", "[scores.score_bytes < 1e12]", "[scores.score_bytes]", 24, "is not a condition"),
    ("output", "/ read.hbm_bytes", "/ read.hbm_byte", 23, "has no `hbm_byte`"),
    ("bare", "/ read.hbm_bytes", "/ read", 23, "`read` is a calculator"),
    ("no-outputs", "/ read.hbm_bytes", "/ batch.size", 23, "is not a calculator"),
    ("later", "attention-scores}", "attention-scores, set: {layers: read.time}}", 20, "`read` is not known"),
    ("circle", "  times_over:", "  a: b + 1\n  b: a + 1\n  times_over:", 23, "need each other's value"),
    ("answer-in-let", "  times_over:", "  a: answer + 1\n  times_over:", 23, "`answer` is not known"),
    ("family", "family: bytes", "family: byte", 27, "not a family of units"),
    ("unit", "unit: GiB", "unit: TFLOP", 28, "not a unit of bytes"),
    ("constant", "value: 80 GB", "value: eighty", 12, "cannot be read"),
    ("ambiguous", "value: 80 GB", "value: 7B", 12, "add `family:`"),
    ("bounds", "max: 1048576", "max: 4096", 16, "outside of 1 to 4096"),
    ("min-of-words", "choices: [fp32, bf16]", "min: fp32", 17, "no min and max"),
    ("not-a-choice", "{value: fp32,", "{value: fp8,", 17, "not among its choices"),
    ("no-dtype", "{value: fp32,", "{value: fp33,", 17, "dtype is"),
    ("twice-a-choice", "[8, 16, 32, 64]", "[8, 16, 32, 32]", 14, "given twice"),
    ("section", "## Approach", "## Aproach", 43, "not a section"),
    ("key-point", "[3!] {#shape}", "[3!]", 56, "not a key point"),
    ("prose-name", "{{ heads }} heads", "{{ head }} heads", 37, "`head` is not known"),
    ("prose-output", "read.bound", "read.bond", 47, "has no `bond`"),
    ("part-answer", "In all {{ answer }}", "In all {{ answer.a }}", 47, "no part `a`"),
    ("condition", "if times_over > 1", "if times_over", 49, "needs a condition"),
    ("zero", "/ read.hbm_bytes", "/ (batch - 32)", 23, "divides by zero"),
    ("not-a-number", "value: scores.score_bytes\n", "value: read.bound\n", 26, "not a number"),
    ("calculator-refuses", "flops: 4 * 128", "flops: 0 * 128", 21, "calculator `read`"),
    ("missing-picture", "Shape first.", "![a](gone.svg)", 44, "no file gone.svg"),
    ("path-picture", "Shape first.", "![a](../x.svg)", 44, "beside the question"),
]


def test_each_broken_file_is_reported_and_the_rest_is_served(numeric: str, tmp_path: Path) -> None:
    folder = tmp_path / "questions" / "attention"
    folder.mkdir(parents=True)
    (folder / "good.md").write_text(numeric)
    (folder / "latin-1.md").write_bytes(numeric.replace("Shape first.", "Sh\xe4pe").encode("latin-1"))
    (folder / "empty.md").write_bytes(b"")
    for name, old, new, _, _ in BROKEN:
        assert old in numeric
        (folder / f"{name}.md").write_text(numeric.replace(old, new, 1))
    bank = Bank.load([tmp_path / "questions"])
    assert list(bank.questions) == ["good"]
    more = [("latin-1", "", "", 44, "not UTF-8"), ("empty", "", "", 1, "does not begin with front matter")]
    for name, _, _, line, words in BROKEN + more:
        found = [problem for problem in bank.problems if problem.path == folder / f"{name}.md"]
        assert any(words in f"{each.message} {each.hint}" and each.line == line for each in found), (
            name,
            found,
        )
        assert all(each.hint for each in found), found
        assert str(found[0]).startswith(f"{folder / name}.md:{found[0].line}: ")


def test_an_open_question_without_key_points_and_a_part_that_is_not_there(
    write_bank: WriteBank, open_: str, multi: str
) -> None:
    bank = write_bank(
        {
            "kernels/open.md": open_.split("## Key points")[0],
            "serving/multi.md": multi.replace("## Part b", "## Part z"),
            "serving/single.md": multi.replace("so {{ answer.b }}", "so {{ answer }}"),
            "serving/open-part.md": multi.replace("so {{ answer.b }}", "so {{ answer.c }}"),
        }
    )
    messages = {problem.path.stem: problem.message for problem in bank.problems}
    assert "needs `## Key points`" in messages["open"]
    assert "no part `z`" in messages["multi"]
    assert "no single answer" in messages["single"]
    assert "no part `c` with an answer" in messages["open-part"]


def test_only_questions_are_read(write_bank: WriteBank, open_: str) -> None:
    bank = write_bank(
        {
            "kernels/a.md": open_,
            "README.md": "# About",
            "kernels/REVIEW.md": "notes",
            "kernels/.hidden.md": "x",
            ".git/b.md": "x",
            "kernels/c.txt": "x",
        }
    )
    assert list(bank.questions) == ["a"]
    assert bank.problems == ()


def test_a_file_name_is_a_slug(write_bank: WriteBank, open_: str) -> None:
    bank = write_bank(
        {f"kernels/{name}.md": open_ for name in ("Upper", "under_score", "a--b", "x" * 81, "ok-1")}
    )
    assert list(bank.questions) == ["ok-1"]
    assert len(bank.problems) == 4


def test_links_out_of_the_pack_are_not_followed(write_bank: WriteBank, open_: str, tmp_path: Path) -> None:
    outside = tmp_path / "outside" / "kernels"
    outside.mkdir(parents=True)
    (outside / "secret.md").write_text(open_)
    inside = tmp_path / "questions" / "kernels"
    inside.mkdir(parents=True)
    (inside / "link.md").symlink_to(outside / "secret.md")
    (inside / "folder").symlink_to(outside, target_is_directory=True)
    (inside / "broken.md").symlink_to(tmp_path / "nowhere")
    os.mkfifo(inside / "pipe.md")
    bank = write_bank({"kernels/a.md": open_})
    assert list(bank.questions) == ["a"]
    assert sorted(problem.path.name for problem in bank.problems) == [
        "broken.md",
        "folder",
        "link.md",
        "pipe.md",
    ]


def test_depth_is_bounded_and_a_missing_folder_is_a_problem(
    write_bank: WriteBank, open_: str, tmp_path: Path
) -> None:
    bank = write_bank({"a/b/c/d/e/kernels/x.md": open_, "kernels/a.md": open_})
    assert list(bank.questions) == ["a"]
    assert "deeper than" in bank.problems[0].message
    assert "no such folder" in Bank.load([tmp_path / "gone"]).problems[0].message


def test_packs_have_names_and_the_first_keeps_a_slug(open_: str, tmp_path: Path) -> None:
    for parent in ("one", "two"):
        folder = tmp_path / parent / "Our Pack" / "kernels"
        folder.mkdir(parents=True)
        (folder / "shared.md").write_text(open_)
        (folder / f"only-{parent}.md").write_text(open_)
    first, second = tmp_path / "one" / "Our Pack", tmp_path / "two" / "Our Pack"
    bank = Bank.load([first, second, first])
    assert [(pack.name, pack.path) for pack in bank.packs] == [("our-pack", first), ("our-pack-2", second)]
    assert {slug: question.pack for slug, question in bank.questions.items()} == {
        "only-one": "our-pack",
        "shared": "our-pack",
        "only-two": "our-pack-2",
    }
    [problem] = bank.problems
    assert problem.path == second / "kernels" / "shared.md"
    assert "is taken by" in problem.message


def test_topics_have_names_and_summaries(write_bank: WriteBank, numeric: str) -> None:
    bank = write_bank({"attention/a.md": numeric})
    assert len(bank.topics) == 12
    assert all(topic.name and topic.summary.endswith(".") for topic in bank.topics.values())
    question = bank.questions["a"]
    assert [topic.name for topic in question.topics] == ["Attention", "Training memory"]
    assert question.companies == ("Example Labs",)


# ---------------------------------------------------------------- reloading


@pytest.mark.usefixtures("no_pause")
def test_a_change_is_taken_in_and_only_it(
    write_bank: WriteBank, numeric: str, open_: str, tmp_path: Path
) -> None:
    bank = write_bank({"attention/a.md": numeric, "kernels/b.md": open_})
    untouched = bank.questions["b"]
    before = bank.questions
    assert not bank.reload_if_changed()
    path = tmp_path / "questions" / "attention" / "a.md"
    path.write_text(numeric.replace("title: Memory", "title: The memory"))
    assert bank.reload_if_changed()
    assert bank.questions["a"].title.startswith("The memory")
    assert bank.questions["b"] is untouched
    assert before["a"].title.startswith("Memory")
    assert before["a"].content_hash != bank.questions["a"].content_hash


@pytest.mark.usefixtures("no_pause")
def test_a_file_that_breaks_and_is_mended(write_bank: WriteBank, open_: str, tmp_path: Path) -> None:
    bank = write_bank({"kernels/a.md": open_, "kernels/b.md": open_})
    path = tmp_path / "questions" / "kernels" / "a.md"
    path.write_text("broken")
    assert bank.reload_if_changed()
    assert list(bank.questions) == ["b"]
    assert [problem.path for problem in bank.problems] == [path]
    path.unlink()
    assert bank.reload_if_changed()
    assert bank.problems == ()
    path.write_text(open_)
    assert bank.reload_if_changed()
    assert list(bank.questions) == ["a", "b"]


@pytest.mark.usefixtures("no_pause")
def test_a_picture_that_changes_changes_its_question(
    write_bank: WriteBank, open_: str, tmp_path: Path
) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="{}"/></svg>'
    bank = write_bank({"kernels/a.md": open_.replace("The host's work.", "![text](pic.svg)")})
    assert "a" not in bank.questions
    picture = tmp_path / "questions" / "kernels" / "pic.svg"
    picture.write_text(svg.format(1))
    assert bank.reload_if_changed()
    first = bank.questions["a"]
    picture.write_text(svg.format(22))
    assert bank.reload_if_changed()
    second = bank.questions["a"]
    assert first.content_hash != second.content_hash
    assert 'width="22"' in make_variant(second).render(second.sections.answer)


def test_the_folders_are_looked_at_once_a_second(write_bank: WriteBank, open_: str, tmp_path: Path) -> None:
    bank = write_bank({"kernels/a.md": open_})
    (tmp_path / "questions" / "kernels" / "b.md").write_text(open_)
    assert not bank.reload_if_changed()
    assert list(bank.questions) == ["a"]


@pytest.mark.usefixtures("no_pause")
def test_readers_always_see_a_whole_bank(write_bank: WriteBank, open_: str, tmp_path: Path) -> None:
    bank = write_bank({f"kernels/q-{number}.md": open_ for number in range(6)})
    path = tmp_path / "questions" / "kernels" / "q-0.md"
    stop = threading.Event()
    seen: list[int] = []

    def read() -> None:
        while not stop.is_set():
            seen.append(len(bank.questions))
            bank.reload_if_changed()

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(8):
        path.write_text(open_.replace("minutes: 5", f"minutes: {number + 1}"))
        bank.reload_if_changed()
    stop.set()
    for thread in threads:
        thread.join()
    bank.reload_if_changed()
    assert set(seen) <= {5, 6}  # 5 while a file is being written
    assert bank.questions["q-0"].meta.minutes == 8


def test_a_condition_is_no_number_even_where_the_number_was_computed_before(
    write_bank: WriteBank, numeric: str
) -> None:
    one = numeric.replace("use: attention-scores}", "use: attention-scores, set: {layers: 1}}")
    true = numeric.replace("use: attention-scores}", "use: attention-scores, set: {layers: batch == batch}}")
    bank = write_bank({"attention/a.md": one, "attention/b.md": true})
    assert list(bank.questions) == ["a"]
    assert "layers is True" in bank.problems[0].message
