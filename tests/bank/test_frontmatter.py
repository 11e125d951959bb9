"""The front matter as data: exact numbers, lines, and nothing of YAML that can grow or run."""

from fractions import Fraction

import pytest

from app.bank.frontmatter import MAX_CHARACTERS, FrontMatterError, read, split


def test_scalars_are_exact_and_mean_what_they_look_like() -> None:
    tree = read(
        "\n".join(
            (
                "big: 1e9",
                "tenth: 0.1",
                "whole: 2.0",
                "octal: 007",
                "word: No",
                "time: 12:30",
                "date: 2026-01-01",
                'text: "5"',
                "yes: true",
                "nothing:",
                "negative: -3",
                "small: 1e-3",
            )
        )
    )
    assert tree.data == {
        "big": 1_000_000_000,
        "tenth": Fraction(1, 10),
        "whole": 2,
        "octal": 7,
        "word": "No",
        "time": "12:30",
        "date": "2026-01-01",
        "text": "5",
        "yes": True,
        "nothing": None,
        "negative": -3,
        "small": Fraction(1, 1000),
    }
    assert type(tree.data["big"]) is int
    assert type(tree.data["whole"]) is int


def test_every_entry_knows_its_line() -> None:
    tree = read("a: 1\nb:\n  c: 2\n  d: [3,\n    4]\n", first_line=10)
    assert tree.line(("a",)) == 10
    assert tree.line(("b", "c")) == 12
    assert tree.line(("b", "d", 1)) == 14
    assert tree.line(("b", "d", "missing", "deeper")) == 13


@pytest.mark.parametrize(
    ("yaml", "line", "words"),
    [
        ("a: 1\nb: 2\na: 3", 3, "`a` is given twice"),
        ("x:\n  a: 1\n  a: 1", 3, "`a` is given twice"),
        ("a: &x 1", 1, "anchors and aliases"),
        ("a: [1]\nb: *x", 2, "anchors and aliases"),
        ("a: !!python/object/apply:os.system [id]", 1, "tags"),
        ("a: !x 1", 1, "tags"),
        ("a: .inf", 1, "not a finite number"),
        ("a: .NaN", 1, "not a finite number"),
        ("a: 1e999999", 1, "exponent"),
        ("a: " + "[" * 50_000, 1, "deeper than"),
        ("a: " + "{b: " * 5000, 1, "deeper than"),
        ("\n".join(f"k{n}: 1" for n in range(4001)), 4000, "more than 4,000 entries"),
        ("- 1", 1, "list of keys"),
        ("just words", 1, "list of keys"),
        ("", 1, "list of keys"),
        ("a: 1\n---\nb: 2", 2, "more than one YAML document"),
        ("a: b: c", 1, "YAML"),
        ("a: [1,\n  2", 1, "YAML"),
        ("a:\n\t- 1", 2, "YAML"),
        ("? [a]\n: 1", 1, "key is not a plain word"),
        ("a: \x01", 1, "YAML"),
        ("a: 1" * (MAX_CHARACTERS // 2), 1, "longer than"),
    ],
)
def test_what_is_refused_is_named_with_its_line(yaml: str, line: int, words: str) -> None:
    with pytest.raises(FrontMatterError) as caught:
        read(yaml)
    assert words in caught.value.fault.message
    assert caught.value.fault.line == line


def test_a_file_is_cut_at_its_two_fences() -> None:
    cut = split("---\na: 1\n---\n\n## Question\n---\n")
    assert (cut.yaml, cut.yaml_line) == ("a: 1", 2)
    assert (cut.body, cut.body_line) == ("\n## Question\n---\n", 4)


@pytest.mark.parametrize("text", ["", "# no front matter", "---\na: 1\n", " ---\na: 1\n---\n"])
def test_a_file_without_front_matter_is_refused(text: str) -> None:
    with pytest.raises(FrontMatterError):
        split(text)
