"""A small pack of sound questions, of which a test breaks one in one place."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from app.bank.lint import lint
from app.bank.problems import Problem

NUMERIC = """\
---
title: Memory of the full attention matrix
kind: numeric
level: senior
topics: [attention]
version: 1
minutes: 4
status: reviewed
asked_at:
  - {company: Example Labs, source: interview write-up, confidence: unconfirmed}
constants:
  head_dim: {value: 128, source: "Example paper, table 1", family: count}
params:
  batch: {value: 32, choices: [16, 32], min: 1, max: 4096}
  heads: {value: 16, choices: [12, 16], min: 1, max: 256}
  seq_len: {value: 1024, choices: [1024, 2048], min: 1, max: 1048576}
  dtype: {value: fp32, choices: [fp32, bf16]}
calculators:
  scores: {use: attention-scores}
  read:
    use: roofline
    set: {bytes: 2 * scores.score_bytes, flops: 4 * head_dim * scores.score_elements, hardware: h100-sxm}
let:
  per_head: scores.score_bytes / heads
require: [scores.score_bytes < 1e15]
answer:
  value: scores.score_bytes
  family: bytes
  unit: GiB
  tolerance: 5%
mistakes:
  - {id: one-head, value: per_head, credit: 0.3, say: "That is one head."}
  - {id: one-sequence, value: scores.score_bytes / batch / 3, say: "That is a third of one sequence."}
follow_ups: [second]
sources:
  - {title: "FlashAttention", url: "https://arxiv.org/abs/2205.14135", section: "2.1"}
---

## Question
For batch {{ batch }}, {{ heads }} heads and {{ seq_len }} tokens in {{ dtype }}, how much memory is it?

## Answer
One head holds a matrix; all of them take {{ answer }}, or {{ gb(scores.score_bytes) }}.

### In detail
Reading it takes {{ us(read.time_memory) }} and is bound by {{ read.bound }}.
See [roofline](/calculators/roofline).

::: if per_head > 1e12
That is {{ gb(per_head) }} for one head.
:::

## Key points
- [3!] {#shape} Says the tensor has $b h n^2$ elements
- [2] {#fused} Says that a fused kernel keeps O(n) instead
- [1] {#traffic} Separates capacity from traffic
- [-1] {#kv-cache} Takes the KV cache for it
"""

CHOICE = """\
---
title: Which one is bound by compute?
kind: choice
level: junior
topics: [attention]
version: 1
minutes: 2
status: reviewed
params:
  seq_len: {value: 4096, choices: [2048, 4096, 8192]}
calculators:
  one: {use: matmul, set: {m: 1, k: 4096, n: 4096, batch: 1, dtype: bf16, hardware: h100-sxm}}
  many: {use: matmul, set: {m: seq_len, k: 4096, n: 4096, batch: 1, dtype: bf16, hardware: h100-sxm}}
choices:
  - {id: one, text: "One token", right: 'one.bound == "compute"', say: "Each weight is read for one token."}
  - {id: many, text: "{{ int(seq_len) }} tokens", right: 'many.bound == "compute"'}
sources:
  - {title: "Roofline", url: "https://doi.org/10.1145/1498765.1498785", section: "The Roofline model"}
---

## Question
Which one is bound by compute?

## Answer
The many: {{ sig3(many.intensity) }} FLOP/B against {{ sig3(one.intensity) }}.
"""


class LintedPack:
    """A folder of questions and what the lint says of it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.write("attention-matrix", NUMERIC)
        self.write("second", CHOICE)

    def file(self, slug: str, topic: str = "attention") -> Path:
        return self.path / topic / f"{slug}.md"

    def write(self, slug: str, text: str, topic: str = "attention") -> Path:
        path = self.file(slug, topic)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def change(self, *edits: tuple[str, str], slug: str = "attention-matrix") -> str:
        """Replace pieces of a question, each of which has to be there; the new text."""
        text = self.file(slug).read_text("utf-8")
        for old, new in edits:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        self.write(slug, text)
        return text

    def problems(self, *paths: Path, record: bool = False) -> list[Problem]:
        return lint(paths or [self.path], record=record)

    def says(self, problems: Sequence[Problem] | None = None) -> list[str]:
        found = self.problems() if problems is None else problems
        return [f"{each.path.name}:{each.line}: {each.severity}: {each.message}" for each in found]


@pytest.fixture(scope="session", name="recorded")
def _recorded(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The history of the sound pack."""
    pack = LintedPack(tmp_path_factory.mktemp("sound").resolve())
    assert pack.says(pack.problems(record=True)) == []
    return (pack.path / "versions.json").read_text("utf-8")


@pytest.fixture
def pack(tmp_path: Path, recorded: str) -> LintedPack:
    pack = LintedPack(tmp_path.resolve() / "pack")
    (pack.path / "versions.json").write_text(recorded, "utf-8")
    return pack
