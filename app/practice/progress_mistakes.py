"""The mistakes made most: those of a unit over all questions, those that an author named by question."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from markupsafe import Markup
from sqlmodel import Session, col, select

from app.accounts.users import User
from app.models import AnswerRow
from app.practice.answering import message
from app.practice.attempts import answer_of
from app.practice.progress_history import History, Slip
from app.practice.records import QuestionKey

SHOWN: Final = 8

# What was written for what was meant: the slips that the grader knows in any question.
GENERIC: Final[Mapping[str, str]] = MappingProxyType(
    {
        "gib-as-gb": "GB for GiB",
        "gb-as-gib": "GiB for GB",
        "bits-as-bytes": "Bytes for bits",
        "bytes-as-bits": "Bits for bytes",
        "wrong-prefix": "Wrong prefix",
        "share-as-percent": "A share as a percentage",
        "percent-as-share": "A percentage as a share",
    }
)


@dataclass(frozen=True, slots=True)
class MadeMistake:
    """A mistake, how often it was made and where: the question of the last time first."""

    id: str
    times: int
    questions: tuple[QuestionKey, ...]
    say: Markup
    """What was said of it the last time."""

    @property
    def name(self) -> str:
        """In words: "GB for GiB", or what the author called it."""
        return GENERIC.get(self.id) or self.id.replace("-", " ").capitalize()


def made_most(session: Session, user: User, history: History, limit: int = SHOWN) -> tuple[MadeMistake, ...]:
    """The mistakes of the history made most often, of two as frequent the one made last."""
    found: dict[tuple[str, QuestionKey | None], list[Slip]] = {}
    for slip in history.slips:
        where = None if slip.mistake in GENERIC else slip.question
        found.setdefault((slip.mistake, where), []).append(slip)
    most = sorted(found.values(), key=lambda slips: (-len(slips), -slips[-1].answer_id))[:limit]
    said = _said(session, user, [slips[-1].answer_id for slips in most])
    return tuple(
        MadeMistake(
            id=slips[-1].mistake,
            times=len(slips),
            questions=tuple(dict.fromkeys(slip.question for slip in reversed(slips))),
            say=said.get(slips[-1].answer_id, Markup()),
        )
        for slips in most
    )


def _said(session: Session, user: User, answers: list[int]) -> dict[int, Markup]:
    rows = session.exec(select(AnswerRow).where(AnswerRow.user_id == user.id, col(AnswerRow.id).in_(answers)))
    return {answer.id: message(answer) for answer in map(answer_of, rows)}
