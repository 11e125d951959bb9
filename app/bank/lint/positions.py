"""Over the bank, the right choice is not always at the same place of the written order."""

from collections import Counter
from collections.abc import Iterator, Sequence

from app.bank.lint.subject import Subject
from app.bank.problems import Problem

FEWEST = 4  # questions below which a common place says nothing
LARGEST_SHARE = 0.6


def check(subjects: Sequence[Subject]) -> Iterator[Problem]:
    places: list[tuple[Subject, int]] = []
    for subject in subjects:
        meta = subject.question.meta
        if meta.choices and meta.mode == "single" and subject.drawn:
            variant = subject.drawn[0].variant
            places += [(subject, place) for place, choice in enumerate(variant.choices, 1) if choice.right]
    if len(places) < FEWEST:
        return
    place, times = Counter(place for _, place in places).most_common(1)[0]
    if times > LARGEST_SHARE * len(places):
        for subject, found in places:
            if found == place:
                message = f"the right choice is number {place} in {times} of {len(places)} questions"
                line = subject.line("choices")
                yield Problem(subject.question.path, line, message, "write the choices in another order here")
