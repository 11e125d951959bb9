"""What a team sets its people to do. How far they are follows from what they practised."""

from datetime import date, datetime

from sqlalchemy import JSON, CheckConstraint, Date, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from app.database import CleanText, UtcDateTime
from app.models.foundation import Json


class AssignmentRow(SQLModel, table=True):
    """Questions to answer, or to be asked in a mock interview of so many `minutes`.

    `questions` are pairs of pack and slug. It is for all who are in the team, also for who joins later, or
    for those whom `assigned_people` names.
    """

    __tablename__ = "assignments"
    __table_args__ = (
        Index(None, "team_id"),
        CheckConstraint("kind IN ('questions', 'interview')", name="kind"),
        CheckConstraint("(kind = 'interview') = (minutes IS NOT NULL)", name="minutes"),
    )

    id: int | None = Field(default=None, primary_key=True)
    team_id: int = Field(foreign_key="teams.id", ondelete="CASCADE")
    kind: str
    title: str = Field(sa_type=CleanText)
    note: str = Field(sa_type=CleanText)
    questions: Json = Field(sa_type=JSON)
    minutes: int | None
    for_all: bool
    due: date | None = Field(sa_type=Date)
    made_by: int | None = Field(default=None, foreign_key="users.id", ondelete="SET NULL")
    made_at: datetime = Field(sa_type=UtcDateTime)
    closed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class AssignedPersonRow(SQLModel, table=True):
    """Somebody whom an assignment is for."""

    __tablename__ = "assigned_people"
    __table_args__ = (UniqueConstraint("assignment_id", "user_id"), Index(None, "user_id"))

    id: int | None = Field(default=None, primary_key=True)
    assignment_id: int = Field(foreign_key="assignments.id", ondelete="CASCADE")
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE")
