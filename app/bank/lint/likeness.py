"""No two questions ask the same with other numbers: their prompts do not share most of their wording.

Compared are runs of words with the numbers taken out, because a question of other figures is a variant and
not a question. A draft may still be a copy that is being rewritten.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from app.bank.problems import Problem
from app.bank.question import Question

RUN: Final = 3  # words
MOST_SHARED: Final = 0.5  # of the runs of both
_WORD = re.compile(r"[a-z]+")

Run = tuple[str, ...]


def check(questions: Sequence[Question]) -> Iterator[Problem]:
    questions = [question for question in questions if question.meta.status != "draft"]
    runs = [runs_of(question.prompt) for question in questions]
    having: defaultdict[Run, list[int]] = defaultdict(list)
    for number, question in enumerate(questions):
        shared = Counter(other for run in runs[number] for other in having[run])
        for other, common in sorted(shared.items()):
            share = common / (len(runs[number]) + len(runs[other]) - common)
            if share > MOST_SHARED:
                message = f"the prompt is like that of `{questions[other].slug}`: they share {share:.0%}"
                hint = "other numbers are a variant; ask something else, or join the two"
                yield Problem(question.path, 1, message, hint)
        for run in runs[number]:
            having[run].append(number)


def runs_of(prompt: str) -> frozenset[Run]:
    """Every run of words of a prompt, in small letters and without its numbers."""
    words = _WORD.findall(prompt.lower())
    return frozenset(zip(*(words[start:] for start in range(RUN)), strict=False))
