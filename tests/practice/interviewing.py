"""An interview to sit in: a bank with a chain of follow-ups, and the acts of its pages in one word each."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlmodel import col, select

from app.bank.load import Bank
from app.models import RatingRow
from app.practice import interviews, interviews_running
from app.practice.interviews import Interview, Item
from app.practice.interviews_sets import SetUp
from tests.practice.conftest import Practice

NUMERIC = """---
title: {slug}
kind: numeric
level: mid
topics: [{topic}]
version: 1
minutes: 2
status: draft
follow_ups: [{follow_ups}]
params:
  n: {{value: 2, min: 1, max: 9}}
answer: {{value: 10 * n, family: count, tolerance: 1%}}
sources: [{{title: "A paper", url: "https://arxiv.org/abs/2205.14135", section: "2"}}]
---

## Question
How many are ten times {{{{ n }}}}?

## Hints
1. Multiply.
2. By ten.

## Answer
{{{{ answer }}}}.

## Key points
- [3!] {{#product}} Multiplies
"""
OPEN = """---
title: words
kind: open
level: staff
topics: [kernels]
version: 1
minutes: 2
status: draft
sources: [{title: "A paper", url: "https://arxiv.org/abs/2205.14135", section: "2"}]
---

## Question
Why?

## Answer
Because.

## Key points
- [3!] {#cause} Names the cause
- [1] {#size} Says how large it is
- [-1] {#slip} Takes it for another
"""
DEEPER = {
    "start": "deep",
    "deep": "deeper",
    "deeper": "deepest",
    "deepest": "bottom",
    "bottom": "",
    "other": "",
}


def make_bank(folder: Path) -> Bank:
    for topic in ("serving", "kernels"):
        (folder / topic).mkdir(parents=True)
    for slug, follow_ups in DEEPER.items():
        text = NUMERIC.format(slug=slug, topic="serving", follow_ups=follow_ups)
        (folder / "serving" / f"{slug}.md").write_text(text)
    (folder / "kernels" / "words.md").write_text(OPEN)
    bank = Bank.load([folder])
    assert set(bank.questions) == {*DEEPER, "words"}
    return bank


@dataclass
class Room:
    """An interview of somebody who practises: the acts of its pages, in one word each."""

    practice: Practice
    bank: Bank
    number: int = 0

    def start(self, *slugs: str, key: str = "once", **wanted: Any) -> int:
        given: dict[str, Any] = {"minutes": 10, "questions": len(slugs), **wanted}
        self.number = interviews_running.start(
            *(self.practice.session, self.practice.user, self.bank),
            [self.bank.questions[slug] for slug in slugs],
            SetUp(**given),
            title="Serving",
            key=key,
            now=self.practice.clock(),
        )
        return self.number

    @property
    def interview(self) -> Interview:
        found = interviews.get(self.practice.session, self.practice.user, self.number)
        assert found is not None
        return found

    @property
    def open(self) -> Item:
        item = self.interview.current
        assert item is not None
        return item

    def answer(self, text: str = "20", *, place: int = 0, key: str = "") -> dict[str, str]:
        return interviews_running.answer(
            *(self.practice.session, self.practice.user, self.bank, self.number, place or self.open.place),
            {"": text},
            key=key,
            now=self.practice.clock(),
        )

    def pass_over(self) -> None:
        practice = self.practice
        interviews_running.pass_over(
            *(practice.session, practice.user, self.bank, self.number, self.open.place), practice.clock()
        )

    def mark(self, place: int, points: Sequence[str]) -> None:
        practice = self.practice
        interviews_running.mark(
            *(practice.session, practice.user, self.bank, self.number, place, points), practice.clock()
        )

    def end(self, *, abandoned: bool = False) -> None:
        practice = self.practice
        interviews_running.end(
            *(practice.session, practice.user, self.bank, self.number, practice.clock()), abandoned=abandoned
        )

    def ratings(self) -> list[tuple[str, int | None, bool]]:
        rows = self.practice.session.exec(select(RatingRow).order_by(col(RatingRow.id)))
        return [(row.slug, row.rating, row.moves_schedule) for row in rows]
