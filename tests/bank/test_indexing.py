"""What search finds of real questions and calculators, and that it gives no answer away."""

from pathlib import Path

import pytest

import calculators
from app.bank.indexing import build_index, question_entry
from app.bank.load import Bank

QUESTION = """\
---
title: Memory of the scores
kind: numeric
level: mid
topics: [attention]
version: 1
minutes: 4
status: draft
asked_at:
  - {company: Example Labs, source: interview write-up, confidence: unconfirmed}
params:
  seq_len: {value: 1024, choices: [1024, 2048]}
  hardware: {value: h100-sxm, choices: [h100-sxm, a100-80gb-sxm]}
calculators:
  scores: {use: attention-scores}
  read: {use: roofline, set: {bytes: scores.score_bytes, dtype: bf16}}
answer: {value: scores.score_bytes, family: bytes, unit: GiB, tolerance: 5%}
---

## Question
With {{ seq_len }} tokens on `one` {{ hardware }}, what do $b h n^2$ scores take?

::: if seq_len > 1024
A long sequence.
:::
::: else
A *short* sequence.
:::

## Hints
1. Remember the zebra.

## Answer
{{ answer }}, said the giraffe, read in {{ us(read.time_memory) }}.

## Key points
- [3!] {#one} Names the okapi
- [1] {#two} Second
- [1] {#three} Third
"""


@pytest.fixture(name="bank")
def _bank(tmp_path: Path) -> Bank:
    (tmp_path / "attention").mkdir()
    (tmp_path / "attention" / "scores-memory.md").write_text(QUESTION, "utf-8")
    return Bank.load([tmp_path])


def test_the_prompt_is_indexed_as_it_reads(bank: Bank) -> None:
    entry = question_entry(bank.questions["scores-memory"])
    assert entry.prompt == (
        "With 1,024 tokens on one NVIDIA H100 SXM, what do b h n^2 scores take? A short sequence."
    )
    assert entry.companies == ("Example Labs",)
    assert (entry.level, entry.kind, entry.topics) == ("mid", "numeric", ("attention",))


@pytest.mark.parametrize(
    "text",
    ["scores", "h100", "H100 SXM", "1,024 tokens", "roofline", "example labs", "scores-memory", "short"],
)
def test_a_question_is_found_by_what_is_open_to_see(bank: Bank, text: str) -> None:
    index = build_index(bank.questions.values(), calculators.all())
    assert [hit.slug for hit in index.search(text).hits] == ["scores-memory"]


@pytest.mark.parametrize("text", ["zebra", "giraffe", "okapi", "GiB", "long"])
def test_hints_answers_and_key_points_are_not_searched(bank: Bank, text: str) -> None:
    index = build_index(bank.questions.values(), calculators.all())
    assert index.search(text).hits == ()


def test_calculators_are_found_by_their_inputs(bank: Bank) -> None:
    index = build_index(bank.questions.values(), calculators.all())
    assert "launch-overhead" in [entry.slug for entry in index.search("graph_node_time").calculators]
    assert index.search("roofline").calculators[0].slug == "roofline"
