"""Question files as tests write them: whole ones to change a line of, and a bank made of them."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from app.bank.load import Bank
from app.bank.question import Question

NUMERIC = """\
---
title: Memory of the full attention matrix
kind: numeric
level: senior
topics: [attention, training-memory]
version: 1
minutes: 4
status: reviewed
asked_at:
  - {company: Example Labs, role: ML engineer, source: interview write-up, confidence: unconfirmed}
constants:
  card: {value: 80 GB, source: "H100 datasheet, memory"}
params:
  batch:    {value: 32, choices: [8, 16, 32, 64]}
  heads:    {value: 16, choices: [12, 16, 32]}
  seq_len:  {value: 1024, choices: [1024, 2048, 4096, 8192], min: 1, max: 1048576}
  dtype:    {value: fp32, choices: [fp32, bf16]}
  hardware: {value: h100-sxm, choices: [h100-sxm, a100-80gb-sxm]}
calculators:
  scores: {use: attention-scores}
  read:   {use: roofline, set: {bytes: 2 * scores.score_bytes, flops: 4 * 128 * scores.score_elements}}
let:
  times_over: scores.score_bytes / read.hbm_bytes
require: [scores.score_bytes < 1e12]
answer:
  value: scores.score_bytes
  family: bytes
  unit: GiB
  tolerance: 5%
mistakes:
  - {id: one-head, value: scores.score_bytes / heads, credit: 0.3, say: "That is one head of {{ heads }}."}
sources:
  - {title: FlashAttention, url: "https://arxiv.org/abs/2205.14135", section: "2.1"}
---

## Question
For batch {{ batch }}, {{ heads }} heads and {{ seq_len }} tokens in {{ dtype }}, how much memory?

## Hints
1. What is the shape of $QK^\\top$?
2. How many bytes has one element of {{ dtype }}?

## Approach
Shape first.

## Answer
In all {{ answer }}, doubled {{ gib(4 * scores.score_bytes) }}, bound by {{ read.bound }}.

::: if times_over > 1
It does not fit: {{ hardware }} holds {{ card }}.
::: else
It fits.
:::

## Key points
- [3!] {#shape} Says the tensor has $b h n^2$ elements
- [2] {#linear} Says that a fused kernel keeps O(n)
- [-1] {#kv-cache} Takes the KV cache for it

## Pro tip
Say the unit.
"""

OPEN = """\
---
title: What a graph saves
kind: open
level: mid
topics: [kernels]
version: 1
minutes: 5
status: draft
---

## Question
What does a graph save?

## Answer
The host's work.

## Key points
- [3!] {#host} Says that the host's launches go away
"""

CHOICE = """\
---
title: Which matmul
kind: choice
level: junior
topics: [kernels]
version: 1
minutes: 3
status: draft
params:
  batch: {value: 32, choices: [8, 16, 32, 64]}
calculators:
  small: {use: matmul, set: {m: batch, dtype: bf16}}
choices:
  - {id: thin, text: "{{ batch }} rows", right: 'small.bound == "compute"', say: Thin.}
  - {id: wide, text: "4,096 rows", right: true}
  - {id: tall, text: "One row"}
  - {id: none, text: None of them}
last: [none]
---

## Question
Which is bound by compute?

## Answer
The wide one.
"""

MULTI = """\
---
title: Two parts
kind: multi
level: mid
topics: [serving]
version: 1
minutes: 5
status: draft
params:
  seq_len: {value: 2048, choices: [1024, 2048]}
calculators:
  cache: {use: kv-cache, set: {model: llama-2-13b}}
parts:
  - id: a
    prompt: How much a sequence of {{ seq_len }}?
    answer: {value: cache.bytes_per_sequence, family: bytes, unit: GB, tolerance: 2%}
    mistakes:
      - {id: one-tensor, value: answer.a / 2, credit: 0.3, say: K or V alone.}
  - id: b
    prompt: How many in 50 GB?
    uses: [a]
    answer: {value: floor(50e9 / answer.a), family: count, tolerance: 0%}
  - id: c
    prompt: What would you change?
    key_points:
      - {id: cache, weight: 3, must: true, text: A smaller cache of $n$ tokens}
---

## Question
Size a device.

## Answer
Each {{ answer.a }}, so {{ answer.b }}.

## Part b
Divide.
"""

WriteBank = Callable[[Mapping[str, str]], Bank]
ReadQuestion = Callable[[str], Question]


@pytest.fixture
def numeric() -> str:
    return NUMERIC


@pytest.fixture
def open_() -> str:
    return OPEN


@pytest.fixture
def choice() -> str:
    return CHOICE


@pytest.fixture
def multi() -> str:
    return MULTI


@pytest.fixture
def write_bank(tmp_path: Path) -> WriteBank:
    """Write files (path: text) into a pack and load it."""

    def write(files: Mapping[str, str]) -> Bank:
        for name, text in files.items():
            path = tmp_path / "questions" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return Bank.load([tmp_path / "questions"])

    return write


@pytest.fixture
def read_question(write_bank: WriteBank, tmp_path: Path) -> ReadQuestion:
    """The question of one text, which must be free of errors."""

    def read(text: str) -> Question:
        shutil.rmtree(tmp_path / "questions", ignore_errors=True)
        topic = text.split("topics: [")[1].split("]")[0].split(",")[0]
        bank = write_bank({f"{topic}/a-question.md": text})
        assert [str(problem) for problem in bank.problems if problem.severity == "error"] == []
        return bank.questions["a-question"]

    return read
