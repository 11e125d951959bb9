"""Mock interviews: what was asked when, the notes taken meanwhile, saved set-ups, and links to reports.

Answers and hints are in the sitting of each question. It belongs to no browser, so that an interview can be
taken up again in any.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, CheckConstraint, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from app.database import CleanText, UtcDateTime
from app.models.kept_text import KeptTextColumns

Json = Any  # whatever JSON can hold


class InterviewRow(SQLModel, table=True):
    """An interview; its clock is `started_at` and `minutes`.

    `plan` holds the questions that may open a subject, in their order. `ended_at` is set by finishing it,
    and by abandoning it, after which it counts for nothing.
    """

    __tablename__ = "interviews"
    __table_args__ = (
        UniqueConstraint("user_id", "idempotency_key"),
        CheckConstraint("minutes >= 1", name="minutes"),
        CheckConstraint("questions >= 1", name="questions"),
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE")
    idempotency_key: str
    title: str
    minutes: int
    questions: int
    plan: Json = Field(sa_type=JSON)
    follow_ups: bool
    reveal_each: bool
    moves_schedule: bool
    started_at: datetime = Field(sa_type=UtcDateTime)
    ended_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    abandoned: bool = False


class InterviewItemRow(SQLModel, table=True):
    """A question that was asked. `left_at` is when it was answered or passed over, and stopped its time.

    `follows` is the place of the question that it follows up. `points` are the key points that the learner
    ticked, null before that; `credit` is null where there is nothing to judge it by yet.
    """

    __tablename__ = "interview_items"
    __table_args__ = (
        UniqueConstraint("interview_id", "place"),
        Index(None, "sitting_id"),
        CheckConstraint("seed >= 0", name="seed"),
        CheckConstraint("credit BETWEEN 0 AND 1", name="credit"),
    )

    id: int | None = Field(default=None, primary_key=True)
    interview_id: int = Field(foreign_key="interviews.id", ondelete="CASCADE")
    place: int
    pack: str
    slug: str
    seed: int = Field(sa_type=BigInteger)
    topic: str
    follows: int | None = None
    sitting_id: int | None = Field(foreign_key="sittings.id", ondelete="SET NULL")
    asked_at: datetime = Field(sa_type=UtcDateTime)
    left_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    passed: bool = False
    points: Json = Field(default=None, sa_type=JSON(none_as_null=True), nullable=True)
    credit: float | None = None


class InterviewNoteRow(KeptTextColumns, table=True):
    """What was thought aloud over a question, kept as it is typed, like a draft."""

    __tablename__ = "interview_notes"
    __table_args__ = (
        UniqueConstraint("item_id"),
        CheckConstraint("revision >= 1", name="revision"),
    )

    id: int | None = Field(default=None, primary_key=True)
    item_id: int = Field(foreign_key="interview_items.id", ondelete="CASCADE")


class InterviewLinkRow(SQLModel, table=True):
    """A link to a report for whoever has it. The token is in the link alone; here is its SHA-256."""

    __tablename__ = "interview_links"
    __table_args__ = (UniqueConstraint("token_hash"),)

    id: int | None = Field(default=None, primary_key=True)
    interview_id: int = Field(foreign_key="interviews.id", ondelete="CASCADE")
    token_hash: str
    with_notes: bool
    made_at: datetime = Field(sa_type=UtcDateTime)
    revoked_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class InterviewSetRow(SQLModel, table=True):
    """A set-up that was given a name. `slugs` names the questions themselves, else `choice` draws them."""

    __tablename__ = "interview_sets"
    __table_args__ = (UniqueConstraint("user_id", "name"),)

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE")
    name: str = Field(sa_type=CleanText)
    minutes: int
    questions: int
    choice: Json = Field(sa_type=JSON)
    slugs: Json = Field(sa_type=JSON)
    follow_ups: bool
    reveal_each: bool
    moves_schedule: bool
