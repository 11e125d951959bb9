"""HTML and script in every place of a question file: shown as text or refused, never run."""

from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markupsafe import Markup

from app.bank.load import Bank
from app.bank.question import Question
from app.bank.variants import Variant, make_variant

WriteBank = Callable[[Mapping[str, str]], Bank]
ReadQuestion = Callable[[str], Question]

PAYLOADS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<a href=javascript:alert(1)>x</a>",
    "</span><iframe src=//evil.example>",
    "<math><mtext><script>alert(1)</script>",
    "<style>@import url(//evil.example)</style>",
    "<b style=color:red onmouseover=alert(1)>",
]
_FORBIDDEN = {"script", "iframe", "img", "style", "object", "embed", "form", "input", "base", "link", "meta"}


class _Tags(HTMLParser):
    """Fails at the first tag or attribute that could run or load something."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in _FORBIDDEN, tag
        for name, value in attrs:
            assert not name.startswith("on"), name
            assert name not in ("style", "src", "xlink:href", "action"), name
            if name == "href":
                assert value is not None
                assert value.startswith(("https://", "/", "#"))


def page(variant: Variant) -> str:
    """Everything of a variant that goes into a page as HTML."""
    pieces = [variant.render(document) for document in variant.question.documents]
    pieces += [choice.text + choice.say for choice in variant.choices]
    pieces += [mistake.say for mistake in variant.mistakes]
    pieces += [part.prompt for part in variant.parts]
    assert all(isinstance(piece, Markup) for piece in pieces)
    return "".join(pieces)


def assert_harmless(html: str) -> None:
    _Tags(convert_charrefs=True).feed(html)


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("For batch", "{} For batch"),
        ("Shape first.", "**{}**"),
        ("Shape first.", "> {}"),
        ("Shape first.", "### {}"),
        ("Shape first.", "| {} |\n|---|\n| {} |"),
        ("Shape first.", "`{}`"),
        ("Shape first.", "```python\n{}\n```"),
        ("Shape first.", "$\\text{{{}}}$"),
        ("Shape first.", '[x](/a "{}")'),
        ("Shape first.", '{{{{ choose(batch > 1, "{}", "no") }}}}'),
        ("Shape first.", "::: if batch > 1\n{}\n:::"),
        ("What is the shape", "{} What is the shape"),
        ("Says the tensor has", "{} Says"),
        ("Say the unit.", "{}"),
        ('say: "That is', 'say: "{} That is'),
    ],
)
def test_prose(read_question: ReadQuestion, numeric: str, old: str, new: str, payload: str) -> None:
    assert old in numeric
    filled = new.replace("{}", "\0").replace("{{", "{").replace("}}", "}").replace("\0", payload)
    html = page(make_variant(read_question(numeric.replace(old, filled, 1)), 3))
    assert_harmless(html)
    assert "&lt;" in html or 'title="' + payload.replace('"', "&quot;") in html


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_parameter_and_a_constant_stay_text(
    read_question: ReadQuestion, numeric: str, payload: str
) -> None:
    quoted = f"'{payload}'"
    text = numeric.replace("  batch: ", f"  word: {{value: {quoted}, choices: [{quoted}, plain]}}\n  batch: ")
    question = read_question(text.replace("For batch", "{{ word }} of {{ card }} for batch"))
    for seed in range(3):
        assert_harmless(page(make_variant(question, seed)))
    html = page(make_variant(question))
    assert '<span class="name"' in html
    assert "&lt;" in html


@pytest.mark.parametrize("payload", PAYLOADS)
def test_choices_and_parts(read_question: ReadQuestion, choice: str, multi: str, payload: str) -> None:
    text = choice.replace('text: "{{ batch }} rows"', f"text: '{{{{ batch }}}} {payload}'")
    html = page(make_variant(read_question(text.replace("say: Thin.", f"say: '{payload}'"))))
    assert_harmless(html)
    assert html.count("&lt;") >= 2
    text = multi.replace("prompt: How many in 50 GB?", f"prompt: 'How many {payload}'")
    text = text.replace("say: K or V alone.", f"say: '{payload}'")
    html = page(make_variant(read_question(text.replace("A smaller cache of $n$ tokens", f"'{payload}'"))))
    assert_harmless(html)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_plain_fields_are_plain_strings(read_question: ReadQuestion, numeric: str, payload: str) -> None:
    """Templates escape them; nothing marks them as safe on the way."""
    text = numeric.replace("title: Memory of the full attention matrix", f"title: '{payload}'")
    text = text.replace("company: Example Labs", f"company: '{payload}'").replace(
        "source: interview write-up", f"source: '{payload}'"
    )
    question = read_question(text.replace("title: FlashAttention", f"title: '{payload}'"))
    fields = [
        question.title,
        *question.companies,
        question.meta.asked_at[0].source,
        question.meta.sources[0].title,
    ]
    for value in fields:
        assert value == payload
        assert type(value) is str


@pytest.mark.parametrize("payload", PAYLOADS)
def test_names_and_headings_are_refused(write_bank: WriteBank, numeric: str, payload: str) -> None:
    for number, text in enumerate(
        (
            numeric.replace("## Approach", f"## {payload}"),
            numeric.replace("  batch: ", f"  '{payload}': "),
            numeric.replace("id: one-head", f"id: '{payload}'"),
            numeric.replace("{#shape}", f"{{#{payload}}}"),
            numeric.replace("unit: GiB", f"unit: '{payload}'"),
            numeric.replace("family: bytes", f"family: '{payload}'"),
            numeric.replace("use: roofline", f"use: '{payload}'"),
            numeric.replace('url: "https://arxiv.org/abs/2205.14135"', f"url: '{payload}'"),
        )
    ):
        bank = write_bank({f"attention/refused-{number}.md": text})
        assert f"refused-{number}" not in bank.questions
        assert any(problem.path.stem == f"refused-{number}" for problem in bank.problems)


@pytest.mark.parametrize(
    "expression",
    [
        "__import__('os').system('id')",
        "().__class__.__bases__[0].__subclasses__()",
        "scores.__class__",
        "scores.score_bytes.real",
        "open('/etc/passwd')",
        "eval('1')",
        "9**9**9",
        "(2**1024)**1024",
        "'a' * 10**9",
        "'a' + 'b' == 'ab'",
        "[1, 2][0]",
        "{1: 2}",
        "lambda: 1",
        "batch if heads else 1",
        "batch := 1",
        "f'{batch}'",
        "getattr(scores, 'x')",
        "batch; heads",
        "1" * 301,
        "-" * 250 + "1",
    ],
)
def test_an_expression_can_only_compute(write_bank: WriteBank, numeric: str, expression: str) -> None:
    quoted = expression.replace('"', "'").replace("'", "''")
    texts = {
        "let": numeric.replace(
            "times_over: scores.score_bytes / read.hbm_bytes", f"times_over: '{quoted} + 0'"
        ),
        "set": numeric.replace("bytes: 2 * scores.score_bytes", f"bytes: '{quoted}'"),
        "require": numeric.replace("[scores.score_bytes < 1e12]", f"['{quoted} == 1']"),
        "answer": numeric.replace("value: scores.score_bytes\n", f"value: '{quoted}'\n"),
        "mistake": numeric.replace("value: scores.score_bytes / heads", f"value: '{quoted}'"),
        "condition": numeric.replace("::: if times_over > 1", f"::: if {expression} > 1"),
        "prose": numeric.replace("gib(4 * scores.score_bytes)", f"gib({expression})"),
    }
    bank = write_bank({f"attention/{place}.md": text for place, text in texts.items()})
    assert bank.questions == {}
    assert {problem.path.stem for problem in bank.problems} == texts.keys()


def test_a_picture_is_inlined_with_its_text_version(
    write_bank: WriteBank, numeric: str, tmp_path: Path
) -> None:
    folder = tmp_path / "questions" / "attention"
    folder.mkdir(parents=True)
    (folder / "tiles.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="alert(1)">'
        "<script>alert(1)</script>"
        "<rect width='9'/></svg>"
    )
    text = numeric.replace("Shape first.", "![Tiles of {{ batch }} rows, **side** by side](tiles.svg)")
    bank = write_bank({"attention/pictured.md": text})
    question = bank.questions["pictured"]
    html = make_variant(question).render(question.sections.approach)
    assert '<figure class="picture"><svg viewBox="0 0 9 9"' in html
    assert '<rect width="9"></rect></svg><details><summary>Text version</summary><p>Tiles of <span' in html
    assert "<strong>side</strong>" in html
    assert "script" not in html
    assert "onload" not in html
    [problem] = bank.problems
    assert problem.severity == "warning"
    assert "onload, <script>" in problem.message
    assert question.warnings == (problem,)
