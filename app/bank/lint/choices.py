"""Choices: texts that differ in every variant. That as many are right as the mode says, a variant demands."""

from collections import Counter
from collections.abc import Iterator

from app.bank.document import plain_text
from app.bank.lint.subject import Subject
from app.bank.problems import Fault
from app.bank.question import Question
from app.bank.variants import Variant


def check(subject: Subject) -> Iterator[Fault]:
    for sample in (*subject.drawn, *subject.edges):
        texts = Counter(
            _words(subject.question, choice.id, sample.variant) for choice in sample.variant.choices
        )
        text, times = texts.most_common(1)[0] if texts else ("", 0)
        if times > 1:
            yield Fault(
                subject.line("choices"),
                f"with {sample.label} two choices read the same: {text[:80]}",
                "keep such values out under require, or let the texts tell them apart",
            )
            return


def _words(question: Question, choice: str, variant: Variant) -> str:
    """A choice as it reads: in its HTML each number has a key of its own."""
    return plain_text(question.texts[f"choices.{choice}.text"], variant)
