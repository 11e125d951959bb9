"""What a learner has noted about a question itself, apart from any attempt at it."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, Date, UniqueConstraint
from sqlmodel import Field, SQLModel

from app.database import UtcDateTime
from app.models.kept_text import KeptTextColumns


class QuestionMarkRow(SQLModel, table=True):
    """Bookmarked, suspended (never served), or put off for one study day."""

    __tablename__ = "question_marks"
    __table_args__ = (UniqueConstraint("user_id", "pack", "slug"),)

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE")
    pack: str
    slug: str
    bookmarked_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    suspended_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    skipped_day: date | None = Field(default=None, sa_type=Date)


class NoteRow(KeptTextColumns, table=True):
    """The learner's own note on a question, kept as it is typed, like a draft."""

    __tablename__ = "notes"
    __table_args__ = (
        UniqueConstraint("user_id", "pack", "slug"),
        CheckConstraint("revision >= 1", name="revision"),
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE")
    pack: str
    slug: str
