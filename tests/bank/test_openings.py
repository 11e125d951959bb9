"""The opening pages of the topics: whole, true to the bank, and strict about what they are given."""

from pathlib import Path
from textwrap import dedent

import pytest

from app.bank.load import Bank
from app.bank.openings import FILE_NAME, Openings, read_opening
from app.bank.topics import TOPICS
from app.paths import QUESTIONS

ATTENTION = TOPICS["attention"]
WHOLE = """\
    ---
    calculators:
      scores: {use: attention-scores, set: {seq_len: 2048}}
    numbers:
      - {name: Scores, value: "{{ gib(scores.score_bytes) }}", how: "$n^2$ of them.", calculator: scores}
    ---

    About it: {{ gb(scores.score_bytes) }}.
    """


def read(text: str, *changes: tuple[str, str]) -> tuple[object, list[str]]:
    text = dedent(text)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    opening, faults = read_opening(text, Path("attention") / FILE_NAME, ATTENTION)
    return opening, [f"{fault.line}: {fault.message}" for fault in faults]


class TestTheBuiltInOnes:
    def test_each_topic_has_one_with_five_numbers_or_more(self) -> None:
        openings = Openings(QUESTIONS)
        assert list(openings.all()) == list(TOPICS)
        assert openings.problems == ()
        for slug, opening in openings.all().items():
            assert len(opening.numbers) >= 5, slug
            assert all(number.address or number.source for number in opening.numbers)

    def test_they_begin_with_questions_of_their_topic(self, bank: Bank) -> None:
        for slug, opening in Openings(QUESTIONS).all().items():
            assert len(set(opening.order)) == len(opening.order)
            for question in opening.order:
                found = bank.get(question)
                assert found is not None, f"{slug}: {question}"
                assert slug in found.meta.topics, f"{slug}: {question}"


class TestReading:
    def test_numbers_are_computed_and_lead_to_their_calculator(self) -> None:
        opening, faults = read_opening(dedent(WHOLE), Path("attention") / FILE_NAME, ATTENTION)
        assert faults == []
        assert opening is not None
        assert "8 GiB" in opening.numbers[0].value
        assert "8.59 GB" in opening.about
        assert opening.numbers[0].address.startswith("/calculators/attention-scores?v=1&batch=32")
        assert "seq_len=2048" in opening.numbers[0].address

    def test_markup_in_it_stays_text(self) -> None:
        opening, faults = read_opening(
            dedent(WHOLE).replace("About it", "<b>About</b>"), Path("attention") / FILE_NAME, ATTENTION
        )
        assert faults == []
        assert opening is not None
        assert "&lt;b&gt;About&lt;/b&gt;" in opening.about

    @pytest.mark.parametrize(
        ("old", "new", "fault"),
        [
            (", calculator: scores", "", "5: `numbers.0`: a number has a calculator or a source"),
            ("calculator: scores", "calculator: other", "`other` is no calculator of this page"),
            ("use: attention-scores", "use: attention-score", "3: "),
            ("seq_len: 2048", "seq_len: -1", "seq_len"),
            ("gib(scores.score_bytes)", "gib(scores.bytes)", "bytes"),
            ("numbers:", "figures:", "figures"),
        ],
    )
    def test_what_is_wrong_is_told_with_its_line(self, old: str, new: str, fault: str) -> None:
        opening, faults = read(WHOLE, (old, new))
        assert opening is None
        assert any(fault in each for each in faults), faults

    def test_a_changed_file_is_read_again(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("app.bank.openings.CHECK_EVERY", 0.0)
        file = tmp_path / "attention" / FILE_NAME
        file.parent.mkdir()
        openings = Openings(tmp_path)
        assert openings.get("attention") is None
        file.write_text(dedent(WHOLE))
        first = openings.get("attention")
        assert first is not None
        file.write_text(dedent(WHOLE).replace("Scores", "Score matrix"))
        second = openings.get("attention")
        assert second is not None
        assert second.numbers[0].name == "Score matrix"
