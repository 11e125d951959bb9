"""The front matter against its models: each fault is named with its line, all at once."""

from fractions import Fraction

import pytest

from app.bank.frontmatter import read, split
from app.bank.problems import Fault
from app.bank.schema import FrontMatter
from app.bank.validation import validate


def check(text: str) -> tuple[FrontMatter | None, list[Fault]]:
    cut = split(text)
    return validate(read(cut.yaml, cut.yaml_line))


def test_a_whole_front_matter(numeric: str) -> None:
    meta, faults = check(numeric)
    assert faults == []
    assert meta is not None
    assert meta.params["seq_len"].choices == (1024, 2048, 4096, 8192)
    assert meta.answer is not None
    assert meta.answer.tolerance.size == Fraction(1, 20)
    assert meta.mistakes[0].credit == Fraction(3, 10)
    assert meta.asked_at[0].url is None


def test_a_key_without_a_value_counts_as_not_given(numeric: str) -> None:
    meta, _ = check(numeric.replace("asked_at:\n  - {", "related:\nasked_at:\n  - {"))
    assert meta is not None
    assert meta.related == ()


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("title:", "titel:", 2, "unknown key `titel` (did you mean title?)"),
        ("title: Memory of the full attention matrix", "title:", 2, "`title` is missing"),
        ("kind: numeric", "kind: number", 3, "number"),
        ("level: senior", "level: boss", 4, "staff"),
        ("topics: [attention,", "topics: [atention,", 5, "did you mean attention?"),
        ("topics: [attention, training-memory]", "topics: []", 5, "`topics`: must not be empty"),
        ("topics: [attention, training-memory]", "topics: [attention, attention]", 5, "listed twice"),
        ("version: 1", "version: 0", 6, "greater than or equal to 1"),
        ("version: 1", "version: true", 6, "must be a whole number"),
        ("version: 1", 'version: "1"', 6, "must be a whole number"),
        ("minutes: 4", "minutes: 4.5", 7, "must be a whole number"),
        ("status: reviewed", "status: done", 8, "verified"),
        ("confidence: unconfirmed", "confidence: sure", 10, "first-hand"),
        ("company: Example Labs, ", "", 10, "`asked_at.0.company` is missing"),
        ("{value: 80 GB, source:", "{value: 80 GB, sorce:", 12, "did you mean source?"),
        ("  batch: ", "  Batch: ", 14, "lower-case"),
        ("  batch: ", "  seed: ", 14, "reserved"),
        ("  batch: ", "  answer: ", 14, "reserved"),
        ("  batch: ", "  chain: ", 14, "`chain` is no name for a parameter"),
        ("  batch: ", "  __class__: ", 14, "lower-case"),
        ("  batch: ", "  lambda: ", 14, "expression language"),
        ("  batch:    {value: 32, choices", "  batch:    {value: 32, chioces", 14, "did you mean choices?"),
        ("choices: [8, 16, 32, 64]", "choices: [[8], 16]", 14, "number or a word"),
        ("choices: [8, 16, 32, 64]", "choices: [" + "1, " * 65 + "1]", 14, "more than 64"),
        ("use: attention-scores}", "use: attention-scores, sets: {}}", 20, "did you mean set?"),
        ("  times_over:", "  batch:", 23, "already a name under `params`"),
        ("tolerance: 5%", "tolerance: about right", 29, "{factor: 1.2}"),
        ("tolerance: 5%", "tolerance: {factor: 0.5}", 29, "{factor: 1.2}"),
        ("tolerance: 5%", "tolerance: {decade: false}", 29, "{factor: 1.2}"),
        ("tolerance: 5%", "tolerance: {figures: 3, factor: 2}", 29, "{factor: 1.2}"),
        ("tolerance: 5%", "tolerance: true", 29, "{factor: 1.2}"),
        ("tolerance: 5%", "tolerance: 101%", 29, "{factor: 1.2}"),
        ("topics: [attention, training-memory]", "topics: attention", 5, "must be a list"),
        ("minutes: 4", "minutes: 4.5", 7, "whole number, given: 4.5"),
        ("version: 1", "version: true", 6, "whole number, given: true"),
        ("{value: fp32, choices: [fp32, bf16]}", "fp32", 17, "must be a block of keys"),
        ("title: Memory of the full attention matrix", "title: 42", 2, "must be a text"),
        ("credit: 0.3", "credit: 1.3", 31, "from 0 to 1"),
        ("id: one-head", "id: One head", 31, "is no slug"),
        ('url: "https://arxiv', 'url: "http://arxiv', 33, "https://"),
        ('url: "https://arxiv.org/abs/2205.14135"', 'url: "javascript:alert(1)"', 33, "https://"),
        ('url: "https://arxiv.org/abs/2205.14135"', 'url: "https://user@evil.example/"', 33, "https://"),
    ],
)  # fmt: skip
def test_each_fault_has_its_line(numeric: str, old: str, new: str, line: int, words: str) -> None:
    assert old in numeric
    meta, faults = check(numeric.replace(old, new, 1))
    assert meta is None
    found = [f"{fault.message} ({fault.hint})" for fault in faults if fault.line == line]
    assert any(words in text for text in found), faults


def test_a_refused_entry_does_not_make_its_list_empty(numeric: str) -> None:
    _, faults = check(numeric.replace("topics: [attention, training-memory]", "topics: [atention]"))
    assert [(fault.message, fault.hint) for fault in faults] == [
        ("`topics.0`: is not a topic, given: atention", "did you mean attention?")
    ]


def test_all_faults_come_at_once(numeric: str) -> None:
    text = numeric.replace("level: senior", "level: x").replace("version: 1", "version: x")
    _, faults = check(text.replace("credit: 0.3", "credit: x"))
    assert [fault.line for fault in faults] == [4, 6, 31]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("open", "`answer` belongs to a question of kind numeric"),
        ("choice", "needs `choices`"),
        ("multi", "needs `parts`"),
    ],
)
def test_each_kind_has_its_own_keys(numeric: str, kind: str, words: str) -> None:
    _, faults = check(numeric.replace("kind: numeric", f"kind: {kind}"))
    assert any(words in fault.message for fault in faults)


@pytest.mark.parametrize(
    ("text", "form", "size"),
    [
        ("5%", "relative", Fraction(1, 20)),
        ("0.5 %", "relative", Fraction(1, 200)),
        ("0.05", "relative", Fraction(1, 20)),
        ("0", "relative", Fraction(0)),
        ("{factor: 1.2}", "factor", Fraction(6, 5)),
        ("{figures: 3}", "figures", Fraction(3)),
        ("{decade: true}", "decade", Fraction(1)),
    ],
)
def test_tolerances(numeric: str, text: str, form: str, size: Fraction) -> None:
    meta, faults = check(numeric.replace("tolerance: 5%", f"tolerance: {text}"))
    assert faults == []
    assert meta is not None
    assert meta.answer is not None
    assert (meta.answer.tolerance.form, meta.answer.tolerance.size) == (form, size)


def test_parts_and_choices_are_checked_against_each_other() -> None:
    head = "---\ntitle: T\nkind: {}\nlevel: mid\ntopics: [serving]\nversion: 1\nminutes: 1\nstatus: draft\n"
    multi = head.format("multi") + "parts:\n  - {id: a, prompt: P}\n  - {id: a, prompt: P, uses: [b]}\n---\n"
    assert any("one of answer, choices and key_points" in fault.message for fault in check(multi)[1])
    point = "key_points: [{id: k, weight: 3, text: t}]"
    multi = head.format("multi") + f"parts:\n  - {{id: a, prompt: P, uses: [b], {point}}}\n---\n"
    assert any("not an earlier part" in fault.message for fault in check(multi)[1])
    choice = head.format("choice") + "choices:\n  - {id: a, text: t}\n  - {id: a, text: u}\nlast: [z]\n---\n"
    messages = [fault.message for fault in check(choice)[1]]
    assert "the id `a` is given twice" in messages
    assert "`last` names `z`, which is no choice" in messages
