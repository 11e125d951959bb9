"""What happened, as the page of progress counts it: read at once, by the same few queries however much it is.

Everything is reckoned to the study day that was stored with it, so that moving to another zone changes no
past.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, select
from sqlmodel import Session, col

from app.accounts.users import User
from app.models import AnswerRow, RatingRow, SittingRow
from app.practice.attempts import FORMAT
from app.practice.effective import counted, counting
from app.practice.records import QuestionKey
from app.practice.schedule import Rating
from app.practice.study_day import study_day


class Act(NamedTuple):
    """Something that was done: a sitting begun, an answer, a reveal, a rating."""

    at: datetime
    day: date
    question: QuestionKey


class Slip(NamedTuple):
    """An answer in which a mistake was recognised by its name."""

    answer_id: int
    day: date
    question: QuestionKey
    mistake: str


@dataclass(frozen=True, slots=True)
class PastSitting:
    """A sitting with the credit of the first answer to each of its graded parts."""

    day: date
    question: QuestionKey
    answered: bool
    credits: tuple[float, ...]
    rating: Rating | None

    @property
    def credit(self) -> float | None:
        """Their mean; None where nothing was graded."""
        return sum(self.credits) / len(self.credits) if self.credits else None

    @property
    def right_at_once(self) -> bool:
        return bool(self.credits) and min(self.credits) == 1


@dataclass(frozen=True, slots=True)
class History:
    """The sittings and the slips in the order in which they came, the acts in the order of their moments."""

    sittings: tuple[PastSitting, ...]
    acts: tuple[Act, ...]
    slips: tuple[Slip, ...]

    def since(self, day: date | None) -> "History":
        """The part of it from that day on; all of it without one."""
        if day is None:
            return self
        return replace(
            self,
            sittings=tuple(sitting for sitting in self.sittings if sitting.day >= day),
            acts=tuple(act for act in self.acts if act.day >= day),
            slips=tuple(slip for slip in self.slips if slip.day >= day),
        )


class _Sat(NamedTuple):
    """Whose answers and ratings are read next."""

    question: QuestionKey
    zone: str
    day: date


def load(session: Session, user: User, since: date | None = None) -> History:
    """The sittings that began on that study day or later, or all, and what came of them."""
    wanted: list[ColumnElement[bool]] = [col(SittingRow.user_id) == user.id, counted(user.id)]
    if since is not None:
        wanted.append(col(SittingRow.study_day) >= since)
    sat, acts = _sittings(session, wanted)
    first, slips, answer_acts = _answers(session, wanted, sat)
    ratings, rating_acts = _ratings(session, user, wanted)
    return History(
        sittings=tuple(
            PastSitting(
                day=each.day,
                question=each.question,
                answered=number in first,
                credits=tuple(credit for credit in first.get(number, ()) if credit is not None),
                rating=ratings.get(number),
            )
            for number, each in sat.items()
        ),
        acts=tuple(sorted([*acts, *answer_acts, *rating_acts])),
        slips=tuple(slips),
    )


def _sittings(session: Session, wanted: Sequence[ColumnElement[bool]]) -> tuple[dict[int, _Sat], list[Act]]:
    rows = session.connection().execute(
        select(
            col(SittingRow.id),
            col(SittingRow.pack),
            col(SittingRow.slug),
            col(SittingRow.zone),
            col(SittingRow.study_day),
            col(SittingRow.started_at),
            col(SittingRow.revealed_at),
        )
        .where(*wanted)
        .order_by(col(SittingRow.id))
    )
    sat: dict[int, _Sat] = {}
    acts: list[Act] = []
    for number, pack, slug, zone, day, started_at, revealed_at in rows:
        assert number is not None
        question = QuestionKey(pack, slug)
        sat[number] = _Sat(question, zone, day)
        acts.append(Act(started_at, day, question))
        if revealed_at is not None:
            acts.append(Act(revealed_at, study_day(revealed_at, zone), question))
    return sat, acts


def _answers(
    session: Session, wanted: Sequence[ColumnElement[bool]], sat: dict[int, _Sat]
) -> tuple[dict[int, list[float | None]], list[Slip], list[Act]]:
    """Of each sitting the credits of the first answers that count, the slips, and the acts."""
    rows = session.connection().execute(
        select(
            col(AnswerRow.id),
            col(AnswerRow.sitting_id),
            col(AnswerRow.part),
            col(AnswerRow.credit),
            col(AnswerRow.mistake_id),
            col(AnswerRow.given_at),
        )
        .join(SittingRow, col(SittingRow.id) == col(AnswerRow.sitting_id))
        .where(*wanted, col(AnswerRow.outcome) != FORMAT, col(AnswerRow.repeat_of).is_(None))
        .order_by(col(AnswerRow.id))
    )
    first: dict[int, list[float | None]] = defaultdict(list)
    met: set[tuple[int, str]] = set()
    slips: list[Slip] = []
    acts: list[Act] = []
    for number, sitting, part, credit, mistake, given_at in rows:
        if sitting not in sat or number is None:  # begun since the sittings were read
            continue
        question, zone, _ = sat[sitting]
        day = study_day(given_at, zone)
        acts.append(Act(given_at, day, question))
        if mistake is not None:
            slips.append(Slip(number, day, question, mistake))
        if (sitting, part) not in met:
            met.add((sitting, part))
            first[sitting].append(credit)
    return first, slips, acts


def _ratings(
    session: Session, user: User, wanted: Sequence[ColumnElement[bool]]
) -> tuple[dict[int, Rating], list[Act]]:
    rows = session.connection().execute(
        select(
            col(RatingRow.sitting_id),
            col(RatingRow.pack),
            col(RatingRow.slug),
            col(RatingRow.rating),
            col(RatingRow.study_day),
            col(RatingRow.rated_at),
        )
        .join(SittingRow, col(SittingRow.id) == col(RatingRow.sitting_id))
        .where(*wanted, *counting(user.id))
    )
    ratings: dict[int, Rating] = {}
    acts: list[Act] = []
    for sitting, pack, slug, rating, day, rated_at in rows:
        assert rating is not None
        ratings[sitting] = Rating(rating)
        acts.append(Act(rated_at, day, QuestionKey(pack, slug)))
    return ratings, acts
