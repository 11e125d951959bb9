"""Which seed comes next: another variant has other numbers, a review numbers that were not seen yet."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from app.bank import drawing
from app.bank.params import MAX_SEED
from app.bank.problems import BrokenQuestionError
from app.bank.question import Question

TRIES = 48  # of a few combinations, each is met in so many draws


@dataclass(frozen=True, slots=True)
class _Drawn:
    seed: int
    params: Mapping[str, str]  # as a variant and a sitting keep them


def next_seed(question: Question, after: int, seen: Collection[Mapping[str, str]] = ()) -> int:
    """The first seed after this one with numbers that are neither its own nor among `seen`.

    `seen` are the parameters of earlier variants by name, as a sitting keeps them. Where all have been seen,
    the numbers at least change; where none vary, only choices are shuffled, and without those the seed stays.
    """
    varies = any(len(param.choices) > 1 for param in question.program.params.values())
    if not varies:
        shuffled = question.meta.choices or any(part.choices for part in question.meta.parts)
        return _after(after, 1) if shuffled else after
    present = _params(question, after)
    changed: int | None = None
    for drawn in _drawn(question, after):
        if drawn.params == present:
            continue
        if drawn.params not in seen:
            return drawn.seed
        changed = drawn.seed if changed is None else changed
    return _after(after, 1) if changed is None else changed


def _drawn(question: Question, after: int) -> Iterator[_Drawn]:
    for step in range(1, TRIES + 1):
        seed = _after(after, step)
        params = _params(question, seed)
        if params is not None:
            yield _Drawn(seed, params)


def _params(question: Question, seed: int) -> dict[str, str] | None:
    try:
        settings = drawing.draw(question.program, question.slug, seed).settings
    except BrokenQuestionError:
        return None
    return {name: setting.text for name, setting in settings.items()}


def _after(seed: int, step: int) -> int:
    """Later seeds begin again at 1: 0 is the written values, which somebody who asks for others has seen."""
    return (seed + step - 1) % MAX_SEED + 1
