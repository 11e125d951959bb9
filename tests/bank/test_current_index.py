"""The search index follows the bank."""

import os
from pathlib import Path

import pytest

from app.bank import load
from app.bank.current_index import CurrentIndex
from app.bank.load import Bank

QUESTION = """---
title: {title}
kind: open
level: mid
topics: [kernels]
version: 1
minutes: 2
status: draft
---

## Question

Why?

## Answer

Because.

## Key points

- [3!] {{#why}} Says why
"""


def test_it_is_built_once_and_again_after_a_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "CHECK_EVERY", 0.0)
    folder = tmp_path / "pack" / "kernels"
    folder.mkdir(parents=True)
    file = folder / "one.md"
    file.write_text(QUESTION.format(title="Before"))
    bank = Bank.load([tmp_path / "pack"])
    current = CurrentIndex(bank)
    first = current.get()
    assert first is current.get()
    assert [hit.slug for hit in first.search("before").hits] == ["one"]

    file.write_text(QUESTION.format(title="Afterwards"))
    os.utime(file, ns=(1, 1))
    assert bank.reload_if_changed()
    assert not current.get().search("before").hits
    assert [hit.slug for hit in current.get().search("afterwards").hits] == ["one"]
    assert [hit.slug for hit in first.search("before").hits] == ["one"], "a search under way ends as it began"
