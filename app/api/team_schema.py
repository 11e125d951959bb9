"""What the API says of a team, as types."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from pydantic import BaseModel, ConfigDict, Field

from app.accounts.teams import Member, Role
from app.bank.load import Bank
from app.practice.assignments import MAX_ASKED, MAX_NOTE, MAX_TITLE, Assignment, Kind, Result, Task
from app.practice.interviews import MAX_MINUTES
from app.practice.question_state import key_of
from app.practice.records import QuestionKey
from app.practice.standing import TopicMastery


class MemberOut(BaseModel):
    id: int
    name: str
    role: Role
    email: str | None = Field(description="For owners of the team alone")
    joined_at: datetime


class TeamOut(BaseModel):
    slug: str
    name: str
    role: Role = Field(description="Yours in it")
    members: list[MemberOut]


class ResultOut(BaseModel):
    """How far somebody is with an assignment."""

    member: int
    done: int
    asked: int
    finished: bool
    credit: float | None = Field(description="From 0 to 1, of the first tries; null where none was graded")
    last_at: datetime | None


class AssignedQuestion(BaseModel):
    pack: str
    slug: str
    title: str | None = Field(description="Null where the question is not there any more")


class AssignmentOut(BaseModel):
    id: int
    title: str
    kind: Kind
    note: str
    minutes: int | None = Field(description="Of a mock interview")
    due: date | None
    closed: bool
    made_at: datetime
    questions: list[AssignedQuestion]
    results: list[ResultOut] = Field(description="Of all whom it concerns; for members their own alone")


class Assignments(BaseModel):
    assignments: list[AssignmentOut]


class AssignmentIn(BaseModel):
    """What to set. Without `minutes` it is questions to answer, with them a mock interview."""

    model_config = ConfigDict(extra="forbid")

    title: str = Field(min_length=1, max_length=MAX_TITLE)
    questions: list[str] = Field(min_length=1, max_length=MAX_ASKED, description="Slugs of the team's bank")
    minutes: int | None = Field(default=None, ge=1, le=MAX_MINUTES)
    note: str = Field(default="", max_length=MAX_NOTE)
    due: date | None = None
    people: list[int] | None = Field(
        default=None, max_length=1_000, description="Members by their numbers; null for all of the team"
    )


class AssignmentMade(BaseModel):
    id: int


class TopicOut(BaseModel):
    topic: str
    questions: int
    met: int
    remembered: float | None = Field(description="From 0 to 1; null where none was rated")


class MemberSeen(BaseModel):
    """All that a team sees of a member; never answers, notes, drafts or write-ups."""

    member: MemberOut
    assignments: list[AssignmentOut]
    topics: list[TopicOut]


def member_out(member: Member, *, with_email: bool) -> MemberOut:
    return MemberOut(
        id=member.user_id,
        name=member.shown,
        role=member.role,
        email=member.login if with_email else None,
        joined_at=member.joined_at,
    )


def assignment_out(bank: Bank, assignment: Assignment, found: Mapping[int, Result]) -> AssignmentOut:
    task = assignment.task
    return AssignmentOut(
        id=assignment.id,
        title=task.title,
        kind=task.kind,
        note=task.note,
        minutes=task.minutes,
        due=task.due,
        closed=assignment.closed,
        made_at=assignment.made_at,
        questions=[_asked(bank, key) for key in task.questions],
        results=[
            ResultOut(
                member=user_id,
                done=result.done,
                asked=result.asked,
                finished=result.finished,
                credit=result.credit,
                last_at=result.last_at,
            )
            for user_id, result in found.items()
        ],
    )


def topic_out(topic: TopicMastery) -> TopicOut:
    return TopicOut(topic=topic.topic, questions=topic.questions, met=topic.seen, remembered=topic.remembered)


def task(sent: AssignmentIn, bank: Bank, members: Sequence[Member], errors: dict[str, str]) -> Task:
    """What was sent; questions and people that are not there are in `errors`."""
    questions = {slug: bank.get(slug) for slug in sent.questions}
    if unknown := [slug for slug, question in questions.items() if question is None]:
        errors["questions"] = f"The team has no question “{unknown[0][:80]}”."
    known = {member.user_id for member in members}
    if strangers := [number for number in sent.people or () if number not in known]:
        errors["people"] = f"Nobody of the team has the number {strangers[0]}."
    return Task(
        title=sent.title,
        questions=tuple(key_of(question) for question in questions.values() if question is not None),
        minutes=sent.minutes,
        note=sent.note,
        due=sent.due,
        people=None if sent.people is None else frozenset(sent.people),
    )


def _asked(bank: Bank, key: QuestionKey) -> AssignedQuestion:
    question = bank.at(key)
    return AssignedQuestion(pack=key.pack, slug=key.slug, title=question.title if question else None)
