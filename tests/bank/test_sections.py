"""The sections of a body, its hints and key points."""

import pytest

from app.bank.document import plain_text
from app.bank.markdown import parse
from app.bank.problems import Fault
from app.bank.sections import Sections, split

BODY = "## Question\nQ\n\n## Answer\nA\n"


def sections(text: str, first_line: int = 1) -> tuple[Sections, list[Fault]]:
    return split(parse(text, first_line=first_line).tokens, first_line)


def test_every_section_is_found() -> None:
    text = "".join(
        f"## {name}\n{content}\n\n"
        for name, content in {
            "Question": "Q\n\n### Within it\n\n```text\n## not a heading\n```",
            "Hints": "1. First\n2. Second\n\n   with more\n",
            "Approach": "Ap",
            "Answer": "An",
            "Key points": "- [3!] {#one} One $x$\n- [-2] {#two-b} `Two`\n- [1] {#three} $x$ first",
            "Pitfalls": "Pi",
            "Pro tip": "Pr",
            "Part b": "Pb",
        }.items()
    )
    found, faults = sections(text)
    assert faults == []
    assert "## not a heading" in plain_text(found.question)
    assert [plain_text(hint) for hint in found.hints] == ["First", "Second with more"]
    assert [(point.id, point.weight, point.must) for point in found.key_points] == [
        ("one", 3, True),
        ("two-b", -2, False),
        ("three", 1, False),
    ]
    assert [plain_text(point.text) for point in found.key_points] == ["One x", "Two", "x first"]
    assert plain_text(found.approach) == "Ap"
    assert plain_text(found.pro_tip) == "Pr"
    assert plain_text(found.pitfalls) == "Pi"
    assert plain_text(found.parts["b"]) == "Pb"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("## Question\nQ\n", 11, "`## Answer` is missing"),
        ("before\n\n" + BODY, 11, "before the first section"),
        (BODY + "\n## Anser\nx\n", 17, "not a section"),
        (BODY + "\n## Answer\nx\n", 17, "given twice"),
        (BODY + "\n## Part a\nx\n\n## Part a\ny\n", 20, "given twice"),
        (BODY + "\n## Hints\n", 17, "is empty"),
        (BODY + "\n## Hints\n- a\n- b\n", 17, "numbered list"),
        (BODY + "\n## Hints\n1. a\n\ntext\n", 17, "numbered list"),
        (BODY + "\n## Hints\n" + "1. a\n" * 9, 17, "more than 8"),
        (BODY + "\n## Hints\n1. a\n2.\n", 19, "empty"),
        (BODY + "\n## Hints\n1. a\n\n   ::: if n > 1\n", 20, "not ended"),
        (BODY + "\n## Key points\n1. [1] {#a} x\n", 17, "one list"),
        (BODY + "\n## Key points\n- [1] {#a} x\n- says it\n", 19, "not a key point"),
        (BODY + "\n## Key points\n- [1] {#A} x\n", 18, "not a key point"),
        (BODY + "\n## Key points\n- [1] {#a}\n", 18, "not a key point"),
        (BODY + "\n## Key points\n- [0] {#a} x\n", 18, "weight"),
        (BODY + "\n## Key points\n- [9] {#a} x\n", 18, "weight"),
        (BODY + "\n## Key points\n- [-1!] {#a} x\n", 18, "must-have"),
        (BODY + "\n## Key points\n- [1] {#a} x\n- [1] {#a} y\n", 19, "given twice"),
        (BODY + "\n## Key points\n- [1] {#a} x\n\n  - [1] {#b} y\n", 18, "single paragraph"),
        (BODY + "\n## Key points\n- [2]: https://x.example\n", 18, "single paragraph"),
        (BODY + "\n::: if n > 1\n", 17, "not ended"),
    ],
)
def test_each_fault_has_its_line(text: str, line: int, words: str) -> None:
    _, faults = sections(text, first_line=11)
    assert any(words in fault.message and fault.line == line for fault in faults), faults


def test_a_typo_in_a_heading_gets_a_hint() -> None:
    _, faults = sections(BODY + "\n## Key point\n- [1] {#a} x\n")
    assert [fault.hint for fault in faults] == ["did you mean Key points?"]


def test_the_question_may_end_a_condition_only_in_its_own_section() -> None:
    _, faults = sections("## Question\n::: if n > 1\nQ\n\n## Answer\n:::\n")
    assert [fault.line for fault in faults] == [2, 6]
