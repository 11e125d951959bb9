"""Over the bank, the right choice is not always at the same place of the written order."""

from collections import Counter
from collections.abc import Iterator, Sequence

from app.bank.frontmatter import Place
from app.bank.graded import Choice
from app.bank.problems import Problem
from app.bank.question import Question
from app.bank.variants import make_variant

FEWEST = 4  # questions below which a common place says nothing
LARGEST_SHARE = 0.6


def check(questions: Sequence[Question]) -> Iterator[Problem]:
    found = [each for question in questions for each in _places(question)]
    if len(found) < FEWEST:
        return
    common, times = Counter(place for _, _, place in found).most_common(1)[0]
    if times > LARGEST_SHARE * len(found):
        for question, line, place in found:
            if place == common:
                message = f"the right choice is number {common} in {times} of {len(found)} questions"
                yield Problem(question.path, line, message, "write the choices in another order here")


def _places(question: Question) -> Iterator[tuple[Question, int, int]]:
    """Where the one right choice stands, of the question or of each of its parts, and its line."""
    meta = question.meta
    parts = any(part.choices and part.mode == "single" for part in meta.parts)
    if not parts and not (meta.choices and meta.mode == "single"):
        return
    variant = make_variant(question)
    owners: list[tuple[Place, Sequence[Choice]]] = [((), variant.choices if meta.mode == "single" else ())]
    owners += [
        (("parts", number), part.choices if part.mode == "single" else ())
        for number, part in enumerate(variant.parts)
    ]
    for place, choices in owners:
        for position, choice in enumerate(choices, 1):
            if choice.right:
                yield question, question.tree.line((*place, "choices")), position
