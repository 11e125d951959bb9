"""What a team sets its people to do: questions, or a mock interview over them, and how far everybody is.

How far somebody is follows from what they practised since: nobody marks anything as done.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final, Literal

from sqlmodel import Session, col, func, select

from app.accounts import users
from app.accounts.teams import Team
from app.accounts.users import User
from app.database import writing
from app.models import (
    AnswerRow,
    AssignedPersonRow,
    AssignmentRow,
    InterviewItemRow,
    InterviewRow,
    RatingRow,
    SittingRow,
)
from app.practice.attempts import FORMAT
from app.practice.interviews import MAX_MINUTES, MAX_QUESTIONS, mean
from app.practice.records import QuestionKey
from app.practice.standing import TopicMastery, mastery_by_topic, standings

Kind = Literal["questions", "interview"]
MAX_TITLE: Final = 80
MAX_NOTE: Final = 1_000
MAX_ASKED: Final = 50  # questions of one that is no interview
MAX_OPEN: Final = 100  # of one team, at a time
LISTED: Final = 200


class AssignmentRefused(ValueError):  # noqa: N818 (reads as what it is)
    """It cannot be set so. `errors` says by field, in a whole sentence, what to change."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(" ".join(errors.values()))
        self.errors = errors


@dataclass(frozen=True, slots=True)
class Task:
    """What to do. `people` is None where it is for all of the team; `minutes` are those of an interview."""

    title: str
    questions: tuple[QuestionKey, ...]
    minutes: int | None = None
    note: str = ""
    due: date | None = None
    people: frozenset[int] | None = None

    @property
    def kind(self) -> Kind:
        return "questions" if self.minutes is None else "interview"


@dataclass(frozen=True, slots=True)
class Assignment:
    id: int
    task: Task
    made_at: datetime
    closed: bool

    def concerns(self, user_id: int) -> bool:
        return self.task.people is None or user_id in self.task.people

    @property
    def interview_key(self) -> str:
        """What an interview that is begun from it is known by."""
        return f"assignment-{self.id}"


@dataclass(frozen=True, slots=True)
class Result:
    """How far somebody is: `credit` is the mean of the first answers, None where none was graded."""

    done: int
    asked: int
    credit: float | None
    last_at: datetime | None

    @property
    def finished(self) -> bool:
        return self.done >= self.asked


def checked(task: Task) -> Task:
    """The task, unless it makes no sense. Raises `AssignmentRefused`."""
    errors: dict[str, str] = {}
    title, note = " ".join(task.title.split()), task.note.strip()
    if not title or len(title) > MAX_TITLE:
        errors["title"] = f"The title has {len(title):,} characters: allowed are 1 to {MAX_TITLE}."
    if len(note) > MAX_NOTE:
        errors["note"] = f"The note has {len(note):,} characters: allowed are at most {MAX_NOTE:,}."
    most = MAX_ASKED if task.minutes is None else MAX_QUESTIONS
    if not 1 <= len(task.questions) <= most:
        errors["questions"] = f"{len(task.questions)} questions are chosen: allowed are 1 to {most}."
    if task.minutes is not None and not 1 <= task.minutes <= MAX_MINUTES:
        errors["minutes"] = (
            f"The minutes are {task.minutes}: allowed is a whole number from 1 to {MAX_MINUTES}."
        )
    if task.people is not None and not task.people:
        errors["people"] = "Nobody is chosen: choose somebody, or the whole team."
    if errors:
        raise AssignmentRefused(errors)
    return replace(task, title=title, note=note)


def create(session: Session, team: Team, maker: User, task: Task, now: datetime) -> int:
    """Sets it; its number. Raises `AssignmentRefused`."""
    task = checked(task)
    with writing(session):
        open_ones = select(func.count(col(AssignmentRow.id))).where(
            AssignmentRow.team_id == team.id, col(AssignmentRow.closed_at).is_(None)
        )
        if session.exec(open_ones).one() >= MAX_OPEN:
            raise AssignmentRefused({"title": f"The team has {MAX_OPEN} open assignments: close one first."})
        row = AssignmentRow(
            team_id=team.id,
            kind=task.kind,
            title=task.title,
            note=task.note,
            questions=[list(key) for key in task.questions],
            minutes=task.minutes,
            for_all=task.people is None,
            due=task.due,
            made_by=maker.id,
            made_at=now,
        )
        session.add(row)
        session.flush()
        assert row.id is not None
        for user_id in sorted(task.people or ()):
            session.add(AssignedPersonRow(assignment_id=row.id, user_id=user_id))
        return row.id


def close(session: Session, team: Team, assignment_id: int, now: datetime) -> None:
    """Nobody is asked to do it any more; what was done stays to be read."""
    with writing(session):
        row = _row(session, team, assignment_id)
        if row is not None:
            row.closed_at = row.closed_at or now


def of_team(session: Session, team: Team) -> tuple[Assignment, ...]:
    """Those that are open first, by when they are due, then the closed ones, the newest first."""
    rows = session.exec(
        select(AssignmentRow)
        .where(AssignmentRow.team_id == team.id)
        .order_by(col(AssignmentRow.id).desc())
        .limit(LISTED)
    ).all()
    people: dict[int, set[int]] = {}
    for person in session.exec(
        select(AssignedPersonRow).where(col(AssignedPersonRow.assignment_id).in_([row.id for row in rows]))
    ):
        people.setdefault(person.assignment_id, set()).add(person.user_id)
    found = [_assignment(row, people.get(row.id or 0, set())) for row in rows]
    return tuple(sorted(found, key=lambda each: (each.closed, each.task.due or date.max)))


def get(session: Session, team: Team, assignment_id: int) -> Assignment | None:
    return next((each for each in of_team(session, team) if each.id == assignment_id), None)


def results(session: Session, assignment: Assignment, user_ids: Collection[int]) -> dict[int, Result]:
    """How far each of these people is with it."""
    if assignment.task.kind == "interview":
        return _interview_results(session, assignment, user_ids)
    return _question_results(session, assignment, user_ids)


def by_topic(
    session: Session, user_id: int, topics: Mapping[str, Sequence[QuestionKey]], now: datetime
) -> tuple[TopicMastery, ...]:
    """Of each topic what somebody met and remembers: all that a team sees of practice that it did not set."""
    user = users.by_id(session, user_id)
    known = standings(session, user, [key for keys in topics.values() for key in keys], now)
    return mastery_by_topic(known, topics)


def interview_key(session: Session, assignment: Assignment, user: User) -> str:
    """The key of the interview that the user may take from it: another one after each that was abandoned."""
    abandoned = sum(row.abandoned for row in _interviews(session, assignment, [user.id]))
    return f"{assignment.interview_key}-{abandoned}" if abandoned else assignment.interview_key


def _question_results(
    session: Session, assignment: Assignment, user_ids: Collection[int]
) -> dict[int, Result]:
    wanted = frozenset(assignment.task.questions)
    slugs = {key.slug for key in wanted}
    credits: dict[tuple[int, QuestionKey], dict[str, float | None]] = {}
    sat: dict[tuple[int, QuestionKey], int] = {}
    last: dict[int, datetime] = {}
    answers = session.exec(
        select(SittingRow, AnswerRow)
        .join(AnswerRow, col(AnswerRow.sitting_id) == col(SittingRow.id))
        .where(
            col(SittingRow.user_id).in_(user_ids),
            col(SittingRow.slug).in_(slugs),
            AnswerRow.given_at >= assignment.made_at,
            AnswerRow.outcome != FORMAT,
            col(AnswerRow.repeat_of).is_(None),
        )
        .order_by(col(AnswerRow.id))
    )
    for sitting, answer in answers:
        key = QuestionKey(sitting.pack, sitting.slug)
        if key not in wanted:
            continue
        done = (sitting.user_id, key)
        # The first sitting counts: coming back until it is right is practice, and no result.
        if sat.setdefault(done, answer.sitting_id) == answer.sitting_id:
            credits.setdefault(done, {}).setdefault(answer.part, answer.credit)
        last[sitting.user_id] = max(last.get(sitting.user_id, answer.given_at), answer.given_at)
    for user_id, pack, slug, rated_at in session.exec(
        select(
            col(RatingRow.user_id), col(RatingRow.pack), col(RatingRow.slug), col(RatingRow.rated_at)
        ).where(
            col(RatingRow.user_id).in_(user_ids),
            col(RatingRow.slug).in_(slugs),
            RatingRow.rated_at >= assignment.made_at,
            col(RatingRow.rating).is_not(None),
            col(RatingRow.id).not_in(
                select(RatingRow.undoes_id).where(col(RatingRow.undoes_id).is_not(None))
            ),
        )
    ):
        key = QuestionKey(pack, slug)
        if key in wanted:
            credits.setdefault((user_id, key), {})
            last[user_id] = max(last.get(user_id, rated_at), rated_at)
    return {
        user_id: _result(
            [parts.values() for (who, _), parts in credits.items() if who == user_id],
            len(wanted),
            last.get(user_id),
        )
        for user_id in user_ids
    }


def _interview_results(
    session: Session, assignment: Assignment, user_ids: Collection[int]
) -> dict[int, Result]:
    asked = len(assignment.task.questions)
    found = {user_id: Result(0, asked, None, None) for user_id in user_ids}
    rows = {row.id: row for row in _interviews(session, assignment, user_ids) if not row.abandoned}
    items: dict[int, list[InterviewItemRow]] = {}
    for item in session.exec(
        select(InterviewItemRow).where(col(InterviewItemRow.interview_id).in_(rows.keys()))
    ):
        items.setdefault(item.interview_id, []).append(item)
    for number, row in rows.items():
        asked_items = items.get(number or 0, [])
        left = sum(item.left_at is not None for item in asked_items)
        credit = mean(item.credit for item in asked_items if item.credit is not None)
        done = asked if row.ended_at is not None else min(left, asked - 1)
        found[row.user_id] = Result(done, asked, credit, row.ended_at or row.started_at)
    return found


def _interviews(
    session: Session, assignment: Assignment, user_ids: Collection[int]
) -> Sequence[InterviewRow]:
    """Those begun from it: known by their key, and by asking nothing but its questions."""
    key = assignment.interview_key
    rows = session.exec(
        select(InterviewRow)
        .where(
            col(InterviewRow.user_id).in_(user_ids),
            (col(InterviewRow.idempotency_key) == key)
            | col(InterviewRow.idempotency_key).startswith(f"{key}-", autoescape=True),
        )
        .order_by(col(InterviewRow.id))
    )
    plan = [list(question) for question in assignment.task.questions]
    return [row for row in rows if all(question in plan for question in row.plan)]


def _result(credits: Sequence[Collection[float | None]], asked: int, last_at: datetime | None) -> Result:
    by_question = [mean(credit for credit in parts if credit is not None) for parts in credits]
    graded = [credit for credit in by_question if credit is not None]
    return Result(len(credits), asked, mean(graded), last_at)


def _row(session: Session, team: Team, assignment_id: int) -> AssignmentRow | None:
    row = session.get(AssignmentRow, assignment_id) if 0 < assignment_id < 2**31 else None
    return row if row is not None and row.team_id == team.id else None


def _assignment(row: AssignmentRow, people: set[int]) -> Assignment:
    assert row.id is not None
    stored: list[Any] = row.questions
    task = Task(
        title=row.title,
        questions=tuple(QuestionKey(pack, slug) for pack, slug in stored),
        minutes=row.minutes,
        note=row.note,
        due=row.due,
        people=None if row.for_all else frozenset(people),
    )
    return Assignment(row.id, task, row.made_at, row.closed_at is not None)
