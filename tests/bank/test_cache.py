"""The cache between starts: the same questions faster, never other ones."""

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path

import pytest

from app.bank import cache as cache_module
from app.bank import frontmatter
from app.bank.load import Bank
from app.bank.variants import make_variant

WriteBank = Callable[[Mapping[str, str]], Bank]
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="{}" onload="x"/></svg>'


@pytest.fixture
def packs(write_bank: WriteBank, numeric: str, choice: str, open_: str, tmp_path: Path) -> list[Path]:
    folder = tmp_path / "questions"
    (folder / "kernels").mkdir(parents=True)
    (folder / "kernels" / "pic.svg").write_text(SVG.format(1))
    pictured = open_.replace("The host's work.", "![text](pic.svg)")
    write_bank(
        {
            "attention/numeric.md": numeric,
            "kernels/choice.md": choice,
            "kernels/pictured.md": pictured,
            "kernels/broken.md": "broken",
        }
    )
    return [folder]


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every front matter that is read as YAML from here on."""
    seen: list[str] = []
    read = frontmatter.read

    def spy(yaml: str, first_line: int = 1) -> frontmatter.Tree:
        seen.append(yaml)
        return read(yaml, first_line)

    monkeypatch.setattr(frontmatter, "read", spy)
    return seen


def rendered(bank: Bank) -> dict[str, str]:
    pages = {}
    for slug, question in bank.questions.items():
        variant = make_variant(question, 7)
        pages[slug] = "".join(variant.render(document) for document in question.documents)
        pages[slug] += f"{variant.to_json()} {question.content_hash} {question.warnings} {question.prompt}"
    return pages


def test_a_second_start_reads_no_yaml_and_gives_the_same(
    packs: list[Path], tmp_path: Path, reads: list[str]
) -> None:
    file = tmp_path / "data" / "bank.json"
    first = Bank.load(packs, cache=file)
    assert len(reads) == 3
    second = Bank.load(packs, cache=file)
    assert len(reads) == 3
    assert list(second.questions) == ["numeric", "choice", "pictured"]
    assert rendered(second) == rendered(first) == rendered(Bank.load(packs))
    assert second.problems == first.problems
    assert {problem.severity for problem in second.problems} == {"error", "warning"}
    assert [entry.name for entry in file.parent.iterdir()] == ["bank.json"]


def test_exact_numbers_and_lines_survive(packs: list[Path], tmp_path: Path) -> None:
    file = tmp_path / "bank.json"
    Bank.load(packs, cache=file)
    question = Bank.load(packs, cache=file).questions["numeric"]
    assert question.meta.mistakes[0].credit == Fraction(3, 10)
    assert question.program.steps[0].line == 20


def test_only_what_changed_is_read_again(packs: list[Path], tmp_path: Path, reads: list[str]) -> None:
    file = tmp_path / "bank.json"
    Bank.load(packs, cache=file)
    path = packs[0] / "attention" / "numeric.md"
    path.write_text(path.read_text().replace("minutes: 4", "minutes: 9"))
    reads.clear()
    assert Bank.load(packs, cache=file).questions["numeric"].meta.minutes == 9
    assert len(reads) == 1
    Bank.load(packs, cache=file)
    assert len(reads) == 1
    assert len(json.loads(file.read_text())["entries"]) == 3


def test_a_changed_picture_is_not_the_cached_one(packs: list[Path], tmp_path: Path) -> None:
    file = tmp_path / "bank.json"
    before = Bank.load(packs, cache=file).questions["pictured"]
    (packs[0] / "kernels" / "pic.svg").write_text(SVG.format(2))
    after = Bank.load(packs, cache=file).questions["pictured"]
    assert before.content_hash != after.content_hash
    assert 'width="2"' in make_variant(after).render(after.sections.answer)


def test_a_moved_file_is_checked_in_its_new_place(packs: list[Path], tmp_path: Path) -> None:
    file = tmp_path / "bank.json"
    Bank.load(packs, cache=file)
    (packs[0] / "attention" / "numeric.md").rename(packs[0] / "kernels" / "numeric.md")
    bank = Bank.load(packs, cache=file)
    assert "numeric" not in bank.questions
    assert any("lies in kernels/" in problem.message for problem in bank.problems)


def test_other_code_drops_the_cache(
    packs: list[Path], tmp_path: Path, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "bank.json"
    Bank.load(packs, cache=file)
    monkeypatch.setattr(cache_module, "_code_version", lambda: "other")
    reads.clear()
    Bank.load(packs, cache=file)
    assert len(reads) == 3


@pytest.mark.parametrize("content", ["", "{}", "[]", "null", "\x00", '{"code": "x", "entries": {}}'])
def test_a_damaged_cache_is_as_good_as_none(packs: list[Path], tmp_path: Path, content: str) -> None:
    file = tmp_path / "bank.json"
    file.write_text(content)
    assert len(Bank.load(packs, cache=file).questions) == 3


@pytest.mark.parametrize(
    "damage", [{"data": []}, {"data": {"": "x"}}, {"lines": [[1, 2, 3]]}, {"pictures": 3}, None]
)
def test_a_damaged_entry_is_read_again(
    packs: list[Path], tmp_path: Path, reads: list[str], damage: dict[str, object] | None
) -> None:
    file = tmp_path / "bank.json"
    Bank.load(packs, cache=file)
    stored = json.loads(file.read_text())
    for key, entry in stored["entries"].items():
        stored["entries"][key] = None if damage is None else {**entry, **damage}
    file.write_text(json.dumps(stored))
    reads.clear()
    assert len(Bank.load(packs, cache=file).questions) == 3
    assert len(reads) == 3


def test_a_cache_that_cannot_be_written_is_done_without(packs: list[Path], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert len(Bank.load(packs, cache=tmp_path / "file" / "bank.json").questions) == 3


def test_five_hundred_questions_start_from_the_cache(numeric: str, tmp_path: Path, reads: list[str]) -> None:
    folder = tmp_path / "many" / "attention"
    folder.mkdir(parents=True)
    (folder / "q-0.md").write_text(numeric)
    file = tmp_path / "bank.json"
    Bank.load([tmp_path / "many"], cache=file)
    stored = json.loads(file.read_text())
    [entry] = stored["entries"].values()
    for number in range(1, 500):
        path = folder / f"q-{number}.md"
        path.write_text(numeric)
        stored["entries"][cache_module._key(numeric.encode(), path)] = entry
    file.write_text(json.dumps(stored))
    reads.clear()
    bank = Bank.load([tmp_path / "many"], cache=file)
    assert len(bank.questions) == 500
    assert reads == []
