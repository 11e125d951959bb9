"""Follow-ups lead on: an interview that comes back to a question it has asked would never end."""

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from app.bank.problems import Problem
from app.bank.question import Question


def check(questions: Mapping[str, Question]) -> Iterator[Problem]:
    """One circle, if there is any; the next one shows when it is mended."""
    following = {
        slug: [other for other in question.meta.follow_ups if other in questions and other != slug]
        for slug, question in questions.items()
    }
    try:
        TopologicalSorter(following).prepare()
    except CycleError as error:
        circle = list(reversed(error.args[1]))  # each leads to the next, and the last is the first again
        question = questions[circle[0]]
        line = question.tree.line(("follow_ups", question.meta.follow_ups.index(circle[1])))
        message = f"the follow-ups lead back to this question: {' → '.join(circle)}"
        yield Problem(question.path, line, message, "take one of them out")
