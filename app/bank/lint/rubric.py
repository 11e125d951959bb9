"""Key points: a rubric can tell a good answer from a poor one only with a must-have and three points."""

from collections.abc import Iterator, Sequence

from app.bank.lint.subject import Subject
from app.bank.problems import Fault
from app.bank.schema import KeyPointSpec
from app.bank.sections import KeyPoint

LEAST_POINTS = 3


def check(subject: Subject) -> Iterator[Fault]:
    question = subject.question
    points = question.sections.key_points
    if points:
        yield from _rubric(points, points[0].line)
    for number, part in enumerate(question.meta.parts):
        if part.key_points:
            yield from _rubric(part.key_points, subject.line("parts", number, "key_points"))


def _rubric(points: Sequence[KeyPoint | KeyPointSpec], line: int) -> Iterator[Fault]:
    wanted = [point for point in points if point.weight > 0]
    if len(wanted) < LEAST_POINTS:
        yield Fault(line, f"the rubric has {len(wanted)} key points", f"it needs {LEAST_POINTS} or more")
    if not any(point.must for point in wanted):
        yield Fault(line, "no key point is a must-have", "mark what an answer cannot do without: [3!]")
