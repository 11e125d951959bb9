"""Choices: texts that differ in every variant. That as many are right as the mode says, a variant demands."""

from collections import Counter
from collections.abc import Iterator

from app.bank.lint.subject import Subject
from app.bank.problems import Fault


def check(subject: Subject) -> Iterator[Fault]:
    for sample in (*subject.drawn, *subject.edges):
        texts = Counter(str(choice.text) for choice in sample.variant.choices)
        text, times = texts.most_common(1)[0] if texts else ("", 0)
        if times > 1:
            yield Fault(
                subject.line("choices"), f"with {sample.label} two choices read the same: {text[:80]}"
            )
            return
