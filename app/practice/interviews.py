"""Mock interviews: so many questions against a clock, one at a time, with a report at the end.

An interview's clock is the moment that it started at and its minutes: closing the window does not stop it. An
answer after that is kept and late. A question's numbers are drawn when it is asked, never those of an earlier
sitting, and its sitting belongs to the interview and to no browser.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import delete as remove
from sqlmodel import Session, col, select

from app.accounts.users import User
from app.database import erasing
from app.models import AnswerRow, InterviewItemRow, InterviewNoteRow, InterviewRow, SittingRow
from app.practice.attempts import Answer, answer_of
from app.practice.notes import Note
from app.practice.ratings import rebuild_cards
from app.practice.records import QuestionKey
from app.practice.sittings import Sitting, sitting_of

MAX_MINUTES: Final = 240
MAX_QUESTIONS: Final = 20
MAX_TITLE: Final = 80
LISTED: Final = 50
NO_NOTE: Final = Note()


@dataclass(frozen=True, slots=True)
class Item:
    """A question that was asked, and what came of it.

    `points` are the ids of the key points that the learner found in their answer, None before they looked.
    `credit` is None where there is nothing to judge it by yet.
    """

    id: int
    place: int
    question: QuestionKey
    seed: int
    topic: str
    follows: int | None
    sitting: Sitting | None
    asked_at: datetime
    left_at: datetime | None
    passed: bool
    points: tuple[str, ...] | None
    credit: float | None
    answers: tuple[Answer, ...] = ()
    note: Note = NO_NOTE

    @property
    def done(self) -> bool:
        """Answered or passed over, so that its time has stopped."""
        return self.left_at is not None

    @property
    def hints_used(self) -> int:
        return self.sitting.hints_used if self.sitting else 0

    @property
    def answered(self) -> bool:
        return bool(self.answers)

    def seconds(self, until: datetime) -> int:
        """How long it took, or has taken so far; never below zero, whatever the clock did."""
        return max(int(((self.left_at or until) - self.asked_at).total_seconds()), 0)


@dataclass(frozen=True, slots=True)
class Interview:
    id: int
    title: str
    minutes: int
    questions: int
    plan: tuple[QuestionKey, ...]
    follow_ups: bool
    reveal_each: bool
    moves_schedule: bool
    started_at: datetime
    ended_at: datetime | None
    abandoned: bool
    items: tuple[Item, ...]

    @property
    def over(self) -> bool:
        return self.ended_at is not None

    @property
    def current(self) -> Item | None:
        """The question that was asked last, while the interview runs."""
        return self.items[-1] if self.items and not self.over else None

    def moment(self, now: datetime) -> datetime:
        """Now, by a clock that never runs backwards within the interview."""
        known = [self.started_at]
        for item in self.items:
            known += [item.asked_at, *([item.left_at] if item.left_at else [])]
        return max(now, *known)

    def seconds_left(self, now: datetime) -> int:
        """Of its minutes; below zero once they are over."""
        return 60 * self.minutes - int((self.moment(now) - self.started_at).total_seconds())

    def seconds_taken(self, now: datetime) -> int:
        return max(int(((self.ended_at or self.moment(now)) - self.started_at).total_seconds()), 0)

    def late(self, item: Item) -> bool:
        """Whether the question was answered after the time was up."""
        allowed = timedelta(minutes=self.minutes)
        return item.answered and item.left_at is not None and item.left_at - self.started_at > allowed

    def item(self, place: int) -> Item | None:
        return next((item for item in self.items if item.place == place), None)


@dataclass(frozen=True, slots=True)
class Summary:
    """An interview in a list: its mean credit is None where nothing of it was judged."""

    id: int
    title: str
    started_at: datetime
    ended_at: datetime | None
    abandoned: bool
    minutes: int
    asked: int
    judged: int
    credit: float | None
    seconds: int
    by_topic: Mapping[str, tuple[float, ...]]
    """The credits of its questions by topic."""


def row_of(session: Session, user: User, interview_id: int) -> InterviewRow | None:
    """The row of one of the user's interviews, locked where the database locks rows."""
    if not 0 < interview_id < 2**31:
        return None
    query = select(InterviewRow).where(InterviewRow.id == interview_id, InterviewRow.user_id == user.id)
    return session.exec(query.with_for_update()).one_or_none()


def get(session: Session, user: User, interview_id: int) -> Interview | None:
    """An interview of the user's."""
    row = session.get(InterviewRow, interview_id) if 0 < interview_id < 2**31 else None
    return load(session, row) if row is not None and row.user_id == user.id else None


def running(session: Session, user: User) -> Interview | None:
    """The one that is not over, if there is one."""
    row = session.exec(
        select(InterviewRow)
        .where(InterviewRow.user_id == user.id, col(InterviewRow.ended_at).is_(None))
        .order_by(col(InterviewRow.id).desc())
        .limit(1)
    ).one_or_none()
    return load(session, row) if row is not None else None


def load(session: Session, row: InterviewRow) -> Interview:
    assert row.id is not None
    items = session.exec(
        select(InterviewItemRow)
        .where(InterviewItemRow.interview_id == row.id)
        .order_by(col(InterviewItemRow.place))
    ).all()
    numbers = [item.sitting_id for item in items if item.sitting_id is not None]
    sittings = {
        each.id: sitting_of(each)
        for each in session.exec(
            select(SittingRow).where(col(SittingRow.id).in_(numbers), SittingRow.user_id == row.user_id)
        )
    }
    answers: dict[int | None, list[Answer]] = {}
    for answer in session.exec(
        select(AnswerRow).where(col(AnswerRow.sitting_id).in_(sittings)).order_by(col(AnswerRow.id))
    ):
        answers.setdefault(answer.sitting_id, []).append(answer_of(answer))
    kept = session.exec(
        select(InterviewNoteRow).where(col(InterviewNoteRow.item_id).in_([item.id for item in items]))
    )
    notes = {note.item_id: Note.of(note) for note in kept}
    return Interview(
        id=row.id,
        title=row.title,
        minutes=min(row.minutes, MAX_MINUTES),
        questions=min(row.questions, MAX_QUESTIONS),
        plan=_keys(row.plan),
        follow_ups=row.follow_ups,
        reveal_each=row.reveal_each,
        moves_schedule=row.moves_schedule,
        started_at=row.started_at,
        ended_at=row.ended_at,
        abandoned=row.abandoned,
        items=tuple(
            _item(
                item,
                sittings.get(item.sitting_id),
                answers.get(item.sitting_id, ()),
                notes.get(item.id or 0, NO_NOTE),
            )
            for item in items
        ),
    )


def delete(session: Session, user: User, interview_id: int) -> None:
    """Deletes an interview that is over with its answers, notes and links, for good.

    What its ratings moved in the schedule is taken back.
    """
    with erasing(session):
        row = row_of(session, user, interview_id)
        if row is None or row.ended_at is None:
            return
        sat = select(InterviewItemRow.sitting_id).where(
            InterviewItemRow.interview_id == interview_id, col(InterviewItemRow.sitting_id).is_not(None)
        )
        session.exec(
            remove(SittingRow).where(col(SittingRow.user_id) == user.id, col(SittingRow.id).in_(sat))
        )
        session.exec(remove(InterviewRow).where(col(InterviewRow.id) == interview_id))
        session.expire_all()
        rebuild_cards(session, user)


def summaries(session: Session, user: User) -> tuple[Summary, ...]:
    """The user's interviews, the newest first."""
    rows = session.exec(
        select(InterviewRow)
        .where(InterviewRow.user_id == user.id)
        .order_by(col(InterviewRow.id).desc())
        .limit(LISTED)
    ).all()
    items: dict[int, list[tuple[str, float | None]]] = {}
    for number, topic, credit in session.exec(
        select(
            col(InterviewItemRow.interview_id), col(InterviewItemRow.topic), col(InterviewItemRow.credit)
        ).where(col(InterviewItemRow.interview_id).in_([row.id for row in rows]))
    ):
        items.setdefault(number, []).append((topic, credit))
    return tuple(_summary(row, items.get(row.id or 0, [])) for row in rows)


def _summary(row: InterviewRow, items: Sequence[tuple[str, float | None]]) -> Summary:
    assert row.id is not None
    by_topic: dict[str, tuple[float, ...]] = {}
    for topic, credit in items:
        if credit is not None:
            by_topic[topic] = (*by_topic.get(topic, ()), credit)
    ended = row.ended_at or row.started_at
    return Summary(
        id=row.id,
        title=row.title,
        started_at=row.started_at,
        ended_at=row.ended_at,
        abandoned=row.abandoned,
        minutes=min(row.minutes, MAX_MINUTES),
        asked=len(items),
        judged=sum(credit is not None for _, credit in items),
        credit=mean(credit for _, credit in items if credit is not None),
        seconds=max(int((ended - row.started_at).total_seconds()), 0),
        by_topic=by_topic,
    )


def mean(credits_given: Iterable[float]) -> float | None:
    """Of the credits; None of none."""
    given = list(credits_given)
    return sum(given) / len(given) if given else None


def _item(row: InterviewItemRow, sitting: Sitting | None, answers: Sequence[Answer], note: Note) -> Item:
    assert row.id is not None
    return Item(
        id=row.id,
        place=row.place,
        question=QuestionKey(row.pack, row.slug),
        seed=row.seed,
        topic=row.topic,
        follows=row.follows,
        sitting=sitting,
        asked_at=row.asked_at,
        left_at=row.left_at,
        passed=row.passed,
        points=tuple(map(str, row.points)) if isinstance(row.points, list) else None,
        credit=row.credit,
        answers=tuple(answers),
        note=note,
    )


def _keys(plan: Any) -> tuple[QuestionKey, ...]:
    """The questions of a plan; an archive may have brought anything."""
    pairs = plan if isinstance(plan, list) else []
    return tuple(
        QuestionKey(str(pair[0]), str(pair[1])) for pair in pairs if isinstance(pair, list) and len(pair) == 2
    )
