"""Search and browse: hits, snippets, counts, and queries that are only ever text."""

import threading
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.bank.fulltext import FullText, Piece, match_query
from app.bank.search import CalculatorEntry, Filters, QuestionEntry, Results, SearchIndex

QUESTIONS = [
    QuestionEntry(
        "attention-matrix-memory",
        "Memory of the full attention matrix",
        "For batch 32, 16 heads and a sequence of 1,024 tokens in fp32, how much memory does it take?",
        "mid",
        "numeric",
        ("attention", "training-memory"),
        words="attention-scores roofline h100-sxm",
    ),
    QuestionEntry(
        "kernel-fusion",
        "Kernel fusion and CUDA graphs",
        "A chain of elementwise operations runs over one tensor. What does fusing the kernels save?",
        "senior",
        "open",
        ("kernels", "where-the-time-goes"),
        ("Anthropic",),
    ),
    QuestionEntry(
        "ffn-limit",
        "The FFN layer: compute, memory or network?",
        "Which limit binds? "
        + "The device reads the weights of the layer once for each step that it makes. " * 20,
        "senior",
        "open",
        ("where-the-time-goes",),
        ("Anthropic", "Zürich Labs"),
    ),
    QuestionEntry(
        "which-matmul", "Which matmul is bound by compute?", "Four shapes.", "junior", "choice", ("kernels",)
    ),
]
CALCULATORS = [
    CalculatorEntry(
        "attention-scores", "Attention scores", "Memory of the score matrix", "batch heads seq_len"
    ),
    CalculatorEntry("roofline", "Roofline", "Which of compute and memory binds", "flops bytes intensity"),
]


@pytest.fixture(name="index")
def _index() -> Iterator[SearchIndex]:
    index = SearchIndex(QUESTIONS, CALCULATORS)
    yield index
    index.close()


def slugs(results: Results) -> list[str]:
    return [hit.slug for hit in results.hits]


def counts(results: Results, facet: str) -> dict[str, int]:
    return {each.value: each.count for each in results.facets[facet]}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("attention", ["attention-matrix-memory"]),
        ("attentio", ["attention-matrix-memory"]),
        ("ATTENTION heads", ["attention-matrix-memory"]),
        ("kernels", ["which-matmul", "kernel-fusion"]),
        ("kernels fus", ["kernel-fusion"]),
        ("h100", ["attention-matrix-memory"]),
        ("zurich", ["ffn-limit"]),
        ("anthropic", ["kernel-fusion", "ffn-limit"]),
        ("memory", ["attention-matrix-memory", "ffn-limit"]),
        ("1,024", ["attention-matrix-memory"]),
        ("compute AND matmul", []),
        ("compute NOT matmul", []),
        ("nothing-like-this", []),
    ],
)
def test_what_a_text_finds(index: SearchIndex, text: str, found: list[str]) -> None:
    assert sorted(slugs(index.search(text))) == sorted(found)


def test_a_title_outweighs_a_prompt(index: SearchIndex) -> None:
    assert slugs(index.search("memory"))[0] == "attention-matrix-memory"


def test_no_text_shows_everything_in_the_order_of_the_bank(index: SearchIndex) -> None:
    results = index.search("  ...  ")
    assert slugs(results) == ["ffn-limit", "attention-matrix-memory", "which-matmul", "kernel-fusion"]
    assert (results.total, results.of) == (4, 4)
    assert results.calculators == ()


def test_counts_of_a_filter_leave_that_filter_out(index: SearchIndex) -> None:
    results = index.search("", Filters(level=frozenset({"senior"}), kind=frozenset({"open"})))
    assert slugs(results) == ["ffn-limit", "kernel-fusion"]
    assert counts(results, "level") == {"junior": 0, "mid": 0, "senior": 2}
    assert counts(results, "kind") == {"open": 2, "numeric": 0, "choice": 0}
    assert counts(results, "topic") == {
        "where-the-time-goes": 2,
        "attention": 0,
        "kernels": 1,
        "training-memory": 0,
    }
    assert counts(results, "company") == {"Anthropic": 2, "Zürich Labs": 1}
    assert [each.value for each in results.facets["level"] if each.selected] == ["senior"]
    assert results.facets["topic"][0].label == "Where the time goes"


def test_values_of_one_filter_add_up_and_filters_narrow(index: SearchIndex) -> None:
    both = index.search("", Filters(level=frozenset({"junior", "mid"})))
    assert both.total == 2
    assert counts(both, "level") == {"junior": 1, "mid": 1, "senior": 2}
    assert index.search("", Filters(topic=frozenset({"kernels"}), level=frozenset({"mid"}))).total == 0


def test_a_text_narrows_the_counts(index: SearchIndex) -> None:
    assert counts(index.search("memory"), "level") == {"junior": 0, "mid": 1, "senior": 1}


def test_an_unknown_value_finds_nothing_and_stays_visible(index: SearchIndex) -> None:
    results = index.search("", Filters(company=frozenset({"'; DROP TABLE"})))
    assert results.total == 0
    assert counts(results, "company") == {"Anthropic": 2, "Zürich Labs": 1}


def test_states_are_the_callers(index: SearchIndex) -> None:
    states = {"due": {"kernel-fusion", "gone"}, "new": set[str](), "answered": {"kernel-fusion", "ffn-limit"}}
    results = index.search("", Filters(state=frozenset({"answered"})), states=states)
    assert slugs(results) == ["ffn-limit", "kernel-fusion"]
    assert counts(results, "state") == {"due": 1, "new": 0, "answered": 2}


def test_pages(index: SearchIndex) -> None:
    everything = slugs(index.search())
    assert slugs(index.search(limit=2)) == everything[:2]
    assert slugs(index.search(limit=2, offset=3)) == everything[3:]
    assert slugs(index.search(limit=-1, offset=-5)) == []
    assert index.search(limit=2, offset=10**9).total == 4


def test_a_snippet_shows_the_passage_that_matched(index: SearchIndex) -> None:
    [hit] = index.search("fusing").hits
    assert Piece("fusing", marked=True) in hit.snippet
    assert "".join(piece.text for piece in hit.snippet) == QUESTIONS[1].prompt


def test_without_a_match_in_the_prompt_the_snippet_is_its_beginning(index: SearchIndex) -> None:
    [hit] = [hit for hit in index.search().hits if hit.slug == "ffn-limit"]
    assert hit.snippet[0].text.startswith("Which limit binds?")
    assert len(hit.snippet[0].text) <= 201
    assert hit.snippet[0].text.endswith("…")


def test_calculators_are_found_too(index: SearchIndex) -> None:
    assert [each.slug for each in index.search("seq_len").calculators] == ["attention-scores"]
    assert [each.slug for each in index.search("bind").calculators] == ["roofline"]


def test_html_stays_text() -> None:
    entry = QuestionEntry("x", "T", "<b>bold</b> \x02claims\x03 & more\x00", "mid", "open", ("attention",))
    index = SearchIndex([entry], [])
    [hit] = index.search("bold").hits
    assert "".join(piece.text for piece in hit.snippet) == "<b>bold</b>  claims  & more "
    assert [piece.text for piece in hit.snippet if piece.marked] == ["bold"]
    index.close()


HOSTILE = [
    *(
        '"',
        '""',
        '" OR "',
        "title:x",
        "a*",
        "*",
        "^a",
        "NEAR(a b)",
        "a -b",
        "(",
        "{title}: a",
        "'",
        "-",
        "--",
        "/*",
    ),
    *("\x00", "a\x00b", "\ud800", "٣", "日本語", "é" * 10_000, "a " * 10_000, '"a" OR NOT'),
]


@pytest.mark.parametrize("text", HOSTILE)
def test_any_query_is_only_text(index: SearchIndex, text: str) -> None:
    assert index.search(text).total <= 4


@settings(deadline=None)
@given(st.text(max_size=60))
def test_every_text_is_searched_without_an_error(text: str) -> None:
    assert SHARED.search(text).of == 4


SHARED = SearchIndex(QUESTIONS, CALCULATORS)


def test_every_term_is_quoted() -> None:
    assert match_query('memory "of" OR x-y') == '"memory" "of" "OR" "x-y"*'
    assert match_query(" -- ") == ""
    assert match_query("a " * 100).count('"') == 24


def test_threads_share_an_index(index: SearchIndex) -> None:
    wrong: list[object] = []

    def work(text: str, expected: int) -> None:
        for _ in range(100):
            total = index.search(text).total
            if total != expected:
                wrong.append((text, total))

    threads = [
        threading.Thread(target=work, args=case)
        for case in [("memory", 2), ("kernels", 2), ("", 4), ("zz", 0)]
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_bank_of_ten_thousand_is_searched_while_one_types() -> None:
    entries = [
        QuestionEntry(
            f"q{n}", f"Question {n}", f"memory of layer {n} and {n % 97}", "mid", "open", ("attention",)
        )
        for n in range(10_000)
    ]
    index = SearchIndex(entries, [])
    results = index.search("memory lay")
    assert results.total == 10_000
    assert len(index.search("memory lay", limit=10_000).hits) == 100
    assert index.search("memory 96").total < 400
    index.close()


def test_rows_are_found_by_every_column() -> None:
    text = FullText({"a": 2.0, "b": 1.0}, [{"a": "one", "b": "two"}, {"a": "two", "b": "three"}])
    assert text.search("two") == [1, 0]
    assert text.search("") is None
    assert text.snippets("three", "b", [1]) == {1: (Piece("three", marked=True),)}
    assert text.snippets("three", "b", []) == {}
    text.close()
