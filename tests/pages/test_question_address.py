"""Addresses of a question: read leniently, written one way."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calculators
from app.bank.load import Bank
from app.bank.question import Question
from app.pages.course import Course
from app.pages.question_address import links, read
from app.paths import QUESTIONS

QUESTION = Bank.load([QUESTIONS]).questions["attention-matrix-memory"]


def canonical(question: Question, query: list[tuple[str, str]]) -> str:
    return links(read(question, query).variant, base_url="https://ridgeway.test/").canonical


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ([], ""),
        ([("v", "1"), ("seed", "0")], ""),
        ([("seed", "7")], "?v=1&seed=7"),
        ([("seq_len", "8192")], "?v=1&seed=0&seq_len=8192"),
        ([("seq_len", "8k"), ("batch", "32")], "?v=1&seed=0&seq_len=8k"),
        ([("seq_len", "1024"), ("batch", " ")], ""),
    ],
)
def test_values_of_the_seed_stay_out_of_the_address(query: list[tuple[str, str]], address: str) -> None:
    assert canonical(QUESTION, query) == f"/questions/attention-matrix-memory{address}"


def test_the_mode_of_practice_stays_out_of_what_is_shared() -> None:
    made = links(
        read(QUESTION, [("seed", "7")]).variant,
        course=Course(practice=True),
        base_url="https://ridgeway.test/",
    )
    assert made.absolute == "https://ridgeway.test/questions/attention-matrix-memory?v=1&seed=7"
    assert made.here.endswith("?v=1&seed=7&practice=1")
    assert made.answer.endswith("/answer?v=1&seed=7&practice=1")


NAMES = st.sampled_from(["v", "seed", "reveal", "practice", "seq_len", "batch", "dtype", "hardware", "other"])
TEXTS = st.one_of(st.text(max_size=70), st.sampled_from(["8192", "8k", "bf16", "-1", "1e9", "9" * 64]))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(NAMES, TEXTS), max_size=6))
def test_whatever_a_link_says_its_address_restores_what_is_shown(query: list[tuple[str, str]]) -> None:
    asked = read(QUESTION, query)
    made = links(asked.variant)
    again = read(QUESTION, parse_qsl(urlsplit(made.canonical).query))
    assert not again.errors
    assert again.variant.names == asked.variant.names


def test_a_link_from_before_the_cost_library_was_corrected_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    older = links(read(QUESTION, [("seed", "7")]).variant).canonical
    monkeypatch.setattr(calculators, "LIBRARY_VERSION", "3")
    asked = read(QUESTION, parse_qsl(urlsplit(older).query))
    assert [notice[:58] for notice in asked.notices] == [
        "The calculators have been corrected since this link was ma"
    ]
    newer = links(asked.variant).canonical
    assert newer.endswith("?v=1.3&seed=7")
    assert read(QUESTION, parse_qsl(urlsplit(newer).query)).notices == ()
    [odd] = read(QUESTION, [("v", "1.4")]).notices
    assert odd == "This link says version 1.4; it is read as version 1.3."
