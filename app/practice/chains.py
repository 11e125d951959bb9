"""Follow-up chains: what the interviewer asks next, deeper each time, then back to what is still open."""

from collections.abc import Collection, Sequence
from typing import Final

from app.bank.load import Bank
from app.bank.question import Question

LONGEST: Final = 12  # questions of one chain


def next_in_chain(bank: Bank, asked: Sequence[str], left_out: Collection[str] = ()) -> Question | None:
    """The follow-up after these questions, in the order in which they were asked; None at the chain's end.

    First the last question's own follow-ups, then those that remain of the ones before it. A question that
    is not in the bank, that was asked already or that is left out is passed over.
    """
    if len(asked) >= LONGEST:
        return None
    for slug in reversed(asked):
        question = bank.get(slug)
        for following in question.meta.follow_ups if question else ():
            found = bank.get(following)
            if found is not None and following not in asked and following not in left_out:
                return found
    return None
