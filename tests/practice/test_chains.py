from pathlib import Path

import pytest

from app.bank.load import Bank
from app.practice.chains import LONGEST, next_in_chain

QUESTION = """---
title: {title}
kind: open
level: mid
topics: [serving]
version: 1
minutes: 2
status: draft
follow_ups: [{follow_ups}]
sources: [{{title: "A paper", url: "https://arxiv.org/abs/2205.14135", section: "2"}}]
---

## Question
What happens?

## Answer
It depends.

## Key points
- [3!] {{#depends}} Says that it depends
"""
LEADS = {"first": "deep, wide", "deep": "deeper, first", "deeper": "", "wide": "gone, deeper"}


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Bank:
    folder: Path = tmp_path_factory.mktemp("chains") / "pack"
    (folder / "serving").mkdir(parents=True)
    for slug, follow_ups in LEADS.items():
        text = QUESTION.format(title=slug, follow_ups=follow_ups)
        (folder / "serving" / f"{slug}.md").write_text(text)
    bank = Bank.load([folder])
    assert set(bank.questions) == set(LEADS)
    return bank


def chain(bank: Bank, start: str, left_out: tuple[str, ...] = ()) -> list[str]:
    asked = [start]
    while (question := next_in_chain(bank, asked, left_out)) is not None:
        asked.append(question.slug)
    return asked


def test_deeper_each_time_then_back_to_what_is_open(bank: Bank) -> None:
    assert chain(bank, "first") == ["first", "deep", "deeper", "wide"]


def test_what_is_left_out_or_not_in_the_bank_is_passed_over(bank: Bank) -> None:
    assert chain(bank, "first", ("deep",)) == ["first", "wide", "deeper"]
    assert chain(bank, "deeper") == ["deeper"]
    assert next_in_chain(bank, ["no-such-question"]) is None
    assert next_in_chain(bank, []) is None


def test_a_chain_ends_somewhere(bank: Bank) -> None:
    assert next_in_chain(bank, ["first"] * LONGEST) is None
