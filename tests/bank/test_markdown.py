"""Prose into tokens and HTML: values stay text, conditions choose, faults know their lines."""

import re

import pytest

from app.bank.document import Document, Shown, build, plain_text, render
from app.bank.expressions import Expression, Names
from app.bank.markdown import MAX_LENGTH, parse, parse_line
from app.bank.problems import BrokenQuestionError
from app.bank.substitutions import FormattedSubstitution, NameSubstitution, Substitution, WordingSubstitution

NAMES: Names = {
    "n": 3,
    "big": 10**9,
    "word": "memory",
    "evil": "<img src=x onerror=alert(1)> **b**",
    "zero": 0,
}


class Values:
    """Names and nothing else, where pages have a variant."""

    def __init__(self, names: Names = NAMES) -> None:
        self.names = names

    def holds(self, condition: Expression) -> bool:
        return bool(condition.evaluate(self.names))

    def shown(self, substitution: Substitution) -> Shown:
        match substitution:
            case NameSubstitution():
                value = substitution.expression.evaluate(self.names)
                return Shown(str(value), "name" if isinstance(value, str) else "num", f'exact "{value}"')
            case FormattedSubstitution():
                return Shown(substitution.text(self.names), "num")
            case WordingSubstitution():
                return Shown(substitution.text(self.names), "wording")
        raise AssertionError(substitution)


def document(text: str) -> Document:
    parsed = parse(text)
    made, faults = build(parsed.tokens)
    assert parsed.faults + faults == []
    return made


def html(text: str, names: Names = NAMES) -> str:
    return re.sub(r' data-key="\w+"', "", str(render(document(text), Values(names)))).strip()


def faults(text: str, first_line: int = 1) -> list[tuple[int, str]]:
    parsed = parse(text, first_line=first_line)
    return [(fault.line, fault.message) for fault in parsed.faults + build(parsed.tokens)[1]]


def test_numbers_are_spans_with_the_exact_value_on_hover() -> None:
    assert html("It is {{ n }}.") == '<p>It is <span class="num" title="exact &quot;3&quot;">3</span>.</p>'
    assert html("{{ gb(big) }}") == '<p><span class="num">1 GB</span></p>'


def test_a_limit_has_its_colour_and_its_word() -> None:
    assert '<span class="limit limit-memory"' in html("{{ word }}")
    assert '<span class="limit limit-network">network</span>' in html(
        '{{ choose(n > 1, "network", "memory") }}'
    )


def test_a_value_never_becomes_markdown_or_html() -> None:
    assert "&lt;img src=x onerror=alert(1)&gt; **b**</span>" in html("{{ evil }}")


def test_texts_of_choose_stay_text() -> None:
    shown = html('{{ choose(n > 1, "<b>a}} | *x*</b>", "b") }}')
    assert shown == '<p><span class="wording">&lt;b&gt;a}} | *x*&lt;/b&gt;</span></p>'


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "a <b onclick=alert(1)>b</b>",
        "<!-- a comment --> text",
        "<style>p {}</style>",
        "`<script>alert(1)</script>`",
        "```text\n<script>\n```",
        "&lt;script&gt;",
        "### <svg onload=alert(1)>",
        "| <script> |\n|---|\n| <img onerror=1> |",
    ],
)
def test_html_of_an_author_is_shown_not_run(text: str) -> None:
    shown = html(text)
    assert not re.search(r"<(script|img|style|svg|b)\b|<!--", shown)
    assert "&lt;" in shown


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java&#115;cript:alert(1)",
        "data:text/html,<script>",
        "vbscript:x",
        "http://plain.example/",
        "//evil.example/",
        "/\\/evil.example/",
        "https://user@evil.example/",
        "relative",
        "mailto:a@b.c",
        "/a?b={{n}}",
    ],
)
def test_a_link_leads_to_https_or_stays_here(address: str) -> None:
    found = faults(f"line\n\n[a]({address})")
    assert len(found) == 1
    assert found[0][0] == 3
    assert "link" in found[0][1]


def test_links_that_are_allowed() -> None:
    assert html("[a](https://arxiv.org/abs/1)") == (
        '<p><a href="https://arxiv.org/abs/1" rel="noopener noreferrer">a</a></p>'
    )
    assert 'href="/calculators/roofline?flops=1e12"' in html("[a](/calculators/roofline?flops=1e12)")
    assert 'href="#hints"' in html("[a](#hints)")


def test_conditions_follow_the_values() -> None:
    text = "::: if n > 2\nlarge\n\n::: if zero == 0\nand zero\n:::\n\n::: else\nsmall\n:::\n\nafter"
    assert re.findall(r"<p>(.*)</p>", html(text)) == ["large", "and zero", "after"]
    assert re.findall(r"<p>(.*)</p>", html(text, {**NAMES, "n": 1})) == ["small", "after"]


def test_an_else_may_be_a_block_of_its_own() -> None:
    text = "::: if n > 2\nlarge\n:::\n::: else\n\n::: if zero == 1\none\n:::\n::: else\nzero\n:::\n\n:::\n"
    assert re.findall(r"<p>(.*)</p>", html(text)) == ["large"]
    assert re.findall(r"<p>(.*)</p>", html(text, {**NAMES, "n": 1})) == ["zero"]


def test_a_hidden_condition_is_not_evaluated() -> None:
    text = "::: if zero > 0\n::: if n / zero > 1\nx\n:::\n{{ sig3(n / zero) }}\n:::\nshown"
    assert html(text) == "<p>shown</p>"


def test_conditions_inside_a_list_item() -> None:
    text = "- first\n\n  ::: if n > 2\n  more\n  :::\n\n- second"
    assert "<p>more</p>" in html(text)
    assert "more" not in html(text, {**NAMES, "n": 1})


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a\n\n::: if n > 1\nb", 3, "not ended"),
        ("a\n\n:::", 3, "without a ::: if"),
        ("::: else\na\n:::", 1, "without a ::: if"),
        ("::: if n\na\n::: else\nb\n::: else\nc\n:::", 5, "second ::: else"),
        ("::: if n >\na\n:::", 1, "::: if"),
        ("::: when n\na\n:::", 1, "not known"),
        ("- a\n\n  ::: if n > 1\n\nb\n\n:::", 3, "not ended"),
        ("::: if n > 1\n" * 9 + "a\n" + ":::\n" * 9, 9, "deeper than 8"),
        ("text {{ n", 1, "do not match up"),
        ("text n }} more", 1, "do not match up"),
        ("a\nb {{ n + }}", 2, "cannot be read"),
        ("a\nb\n{{ n * 2 }}", 3, "needs a formatter"),
        ("{{ gb(n, 2) }}", 1, "prints one number"),
        ("{{ __import__('os') }}", 1, "refused"),
        ("{{ n.__class__ }}", 1, "__class__"),
        ("{{ ().x }}", 1, "{{"),
        ("one\n\n`{{ n }}`", 3, "inside code"),
        ("```\n{{ n }}\n```", 1, "inside code"),
        ("one\n\n$x {{ n }}$", 3, "inside math"),
        ("$$\n{{ n }}\n$$", 1, "inside math"),
        ("one\n\n$\\href{javascript:alert(1)}{x}$", 3, "\\href"),
        ("one\n\n[a](/questions/{{ n }})", 3, "inside a link's address"),
        ("[a](/x{{n}})", 1, "inside a link's address"),
        ('[a](/x "is {{ n }}")', 1, "inside a link's address or title"),
        ("```pyton\nx\n```", 1, "not a known language"),
        ("# Title", 1, "one #"),
        ("![a](pic.svg)", 1, "no place here"),
        ("text ![a](pic.svg)", 1, "paragraph of its own"),
    ],
)  # fmt: skip
def test_each_fault_has_its_line(text: str, line: int, words: str) -> None:
    found = faults(text, first_line=101)
    assert any(words in message and at == line + 100 for at, message in found), found


def test_an_error_of_a_value_names_the_line() -> None:
    made, _ = build(parse("a\n\nb {{ sig3(n / zero) }}", first_line=41).tokens)
    with pytest.raises(BrokenQuestionError) as caught:
        render(made, Values())
    assert caught.value.line == 43


def test_keys_are_stable_and_apart() -> None:
    text = "{{ n }} and {{  n }} and {{ gb(big) }}\n\n::: if n > 2\n{{ n }}\n:::"
    keys = re.findall(r'data-key="(\w+)"', str(render(document(text), Values())))
    assert len(set(keys)) == 4
    without_the_first = re.findall(r'data-key="(\w+)"', str(render(document("{{ gb(big) }}"), Values())))
    assert without_the_first == [keys[2]]
    fewer = re.findall(r'data-key="(\w+)"', str(render(document(text), Values({**NAMES, "n": 1}))))
    assert fewer == keys[:3]
    other = parse_line("{{ n }}", place="choices.a.text").tokens
    assert re.findall(r'data-key="(\w+)"', str(render(Document(tuple(other)), Values()))) != keys[:1]


def test_money_is_not_math() -> None:
    assert html("It costs $5 and $10 a day") == "<p>It costs $5 and $10 a day</p>"


def test_code_math_and_tables_have_classes_and_no_style() -> None:
    text = "```python\nx = 1\n```\n\n$$\n\\begin{aligned} a &= b \\end{aligned}\n$$\n\n"
    text += "|a|b|\n|:-|-:|\n|1|{{ n }}|\n"
    shown = html(text)
    assert "style" not in shown.replace("displaystyle", "")
    assert '<span class="hl-mi">1</span>' in shown
    assert '<mtd class="math-right math-tight-right">' in shown
    assert '<td class="right"><span class="num"' in shown


def test_the_words_of_a_document() -> None:
    made = document("Read {{ n }} of *them*\nin $b n^2$.\n\n```text\ncode\n```\n\n|a|\n|-|\n|cell|")
    assert plain_text(made) == "Read of them in b n^2. code a cell"


def test_a_text_has_a_largest_length() -> None:
    assert "longer than" in parse("a" * (MAX_LENGTH + 1)).faults[0].message


@pytest.mark.parametrize(
    "text",
    [
        "[" * 30_000,
        "*a" * 15_000,
        "> " * 15_000,
        "{{" * 15_000,
        "`a" * 15_000,
        "$a" * 15_000,
        "- " * 15_000,
        "![" * 15_000,
        ":::\n" * 15_000,
        "|a" * 15_000,
        "a\\\n" * 20_000,
        "[a](" * 15_000,
        "&" * 15_000,
        "<a" * 15_000,
    ],
    ids=lambda text: text[:4],
)
def test_hostile_repetition_ends(text: str) -> None:
    parsed = parse(text)
    made, wrong = build(parsed.tokens)
    if not parsed.faults and not wrong:
        render(made, Values())
