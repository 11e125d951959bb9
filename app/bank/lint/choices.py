"""Choices: texts that differ in every variant. That as many are right as the mode says, a variant demands."""

from collections import Counter
from collections.abc import Iterator

from app.bank.document import plain_text
from app.bank.frontmatter import Place
from app.bank.lint.subject import Subject
from app.bank.problems import Fault
from app.bank.question import Question
from app.bank.variants import Variant


def check(subject: Subject) -> Iterator[Fault]:
    owners: list[tuple[Place, str]] = [((), "")] if subject.question.meta.choices else []
    for number, part in enumerate(subject.question.meta.parts):
        if part.choices:
            owners.append((("parts", number), f"parts.{part.id}."))
    for place, prefix in owners:
        yield from _alike(subject, place, prefix)


def _alike(subject: Subject, place: Place, prefix: str) -> Iterator[Fault]:
    """The first variant in which two choices read the same."""
    for sample in (*subject.drawn, *subject.edges):
        owner = sample.variant.parts[int(place[1])] if place else sample.variant
        texts = Counter(
            _words(subject.question, prefix, choice.id, sample.variant) for choice in owner.choices
        )
        text, times = texts.most_common(1)[0]
        if times > 1:
            message = f"with {sample.label} two choices read the same: {text[:80]}"
            hint = "keep such values out under require, or let the texts tell them apart"
            yield Fault(subject.line(*place, "choices"), message, hint)
            return


def _words(question: Question, prefix: str, choice: str, variant: Variant) -> str:
    """A choice as it reads: in its HTML each number has a key of its own."""
    return plain_text(question.texts[f"{prefix}choices.{choice}.text"], variant)
