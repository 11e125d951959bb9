"""Sources and provenance: a fact can be looked up, and no company is named on hearsay alone."""

from collections.abc import Iterator

from app.bank.lint.subject import Subject
from app.bank.problems import Fault


def check(subject: Subject) -> Iterator[Fault]:
    meta = subject.question.meta
    if not meta.sources:
        yield Fault(
            1, "the question cites no source", "sources: - {title: ..., url: https://..., section: ...}"
        )
    for number, source in enumerate(meta.sources):
        line = subject.line("sources", number)
        if not source.url.startswith("https://"):
            yield Fault(line, f"the source “{source.title}” has no https:// address")
        if not source.section:
            yield Fault(line, f"the source “{source.title}” does not say where", "section: 2.1, or table 3")
    for number, asked in enumerate(meta.asked_at):
        line = subject.line("asked_at", number)
        if not asked.source:
            yield Fault(line, f"nothing says that {asked.company} asked this", "name the source")
        if asked.confidence == "published" and asked.url is None:
            yield Fault(
                line, f"that {asked.company} asked this is published where?", "add its url, or unconfirmed"
            )
