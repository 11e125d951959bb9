"""Sources and provenance beyond what the schema demands: a fact can be looked up, and a claim too."""

from collections.abc import Iterator

from app.bank.lint.subject import Subject
from app.bank.problems import Fault


def check(subject: Subject) -> Iterator[Fault]:
    meta = subject.question.meta
    if not meta.sources:
        hint = "sources: - {title: ..., url: https://..., section: ...}"
        yield Fault(1, "the question cites no source", hint)
    for number, source in enumerate(meta.sources):
        if not source.section:
            line = subject.line("sources", number)
            yield Fault(line, f"the source “{source.title}” does not say where", "section: 2.1, or table 3")
    for number, asked in enumerate(meta.asked_at):
        if asked.confidence == "published" and asked.url is None:
            line = subject.line("asked_at", number)
            message = f"that {asked.company} asked this is published where?"
            yield Fault(line, message, "add its url, or unconfirmed")
