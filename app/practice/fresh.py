"""The numbers for the next time: a variant that this learner has not sat with, drawn by itself."""

from typing import Final

from sqlmodel import Session, col, select

from app.accounts.users import User
from app.bank import drawing
from app.bank.params import MAX_SEED
from app.bank.problems import BrokenQuestionError
from app.bank.question import Question
from app.bank.reseeding import next_seed
from app.models import SittingRow
from app.practice.question_state import key_of

REMEMBERED: Final = 200  # sittings with a question whose numbers are not drawn again


def fresh_seed(session: Session, user: User, question: Question) -> int:
    """The written numbers at first, then others than those of the sittings so far, while there are some.

    Never the seed of an earlier sitting, so that nothing of one shows in the next.
    """
    key = key_of(question)
    rows = session.exec(
        select(col(SittingRow.seed), col(SittingRow.params))
        .where(SittingRow.user_id == user.id, SittingRow.pack == key.pack, SittingRow.slug == key.slug)
        .order_by(col(SittingRow.id).desc())
        .limit(REMEMBERED)
    ).all()
    if not rows:
        return 0
    met = {seed for seed, _ in rows}
    seed = next_seed(question, rows[0][0], [params for _, params in rows])
    while seed in met:
        seed = seed % MAX_SEED + 1
    return seed


def computes(question: Question, seed: int) -> bool:
    """Whether the question has numbers for the seed: one that has none must not hold up all others."""
    try:
        drawing.draw(question.program, question.slug, seed)
    except BrokenQuestionError:
        return False
    return True
