"""Over the bank, the right choice is not always at the same place of the written order."""

from collections import Counter
from collections.abc import Iterator, Sequence

from app.bank.problems import Problem
from app.bank.question import Question
from app.bank.variants import make_variant

FEWEST = 4  # questions below which a common place says nothing
LARGEST_SHARE = 0.6


def check(questions: Sequence[Question]) -> Iterator[Problem]:
    places: list[tuple[Question, int]] = []
    for question in questions:
        if question.meta.choices and question.meta.mode == "single":
            choices = make_variant(question).choices
            places += [(question, place) for place, choice in enumerate(choices, 1) if choice.right]
    if len(places) < FEWEST:
        return
    place, times = Counter(place for _, place in places).most_common(1)[0]
    if times > LARGEST_SHARE * len(places):
        for question, found in places:
            if found == place:
                message = f"the right choice is number {place} in {times} of {len(places)} questions"
                line = question.tree.line(("choices",))
                yield Problem(question.path, line, message, "write the choices in another order here")
