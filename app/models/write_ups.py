"""Write-ups: interviews remembered, with the questions that were asked in them."""

from datetime import datetime

from sqlalchemy import CheckConstraint, UniqueConstraint
from sqlmodel import Field, SQLModel

from app.database import UtcDateTime
from app.models.kept_text import KeptTextColumns


class WriteUpRow(SQLModel, table=True):
    """An interview remembered. `key` names it in addresses, also before anything of it is kept.

    `numbered` is the last number that a question of it was given. `last_form` is the digest of the form that
    was taken in last, so that the same one sent twice is taken in once.
    """

    __tablename__ = "write_ups"
    __table_args__ = (
        UniqueConstraint("user_id", "key"),
        CheckConstraint("numbered BETWEEN 0 AND 999999", name="numbered"),
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE")
    key: str
    made_at: datetime = Field(sa_type=UtcDateTime)
    numbered: int = 0
    last_form: str = ""


class WriteUpQuestionRow(SQLModel, table=True):
    """A question that was asked, linked to one of the bank where it names a `slug`.

    `number` is its name for good, `place` where it stands. `verified_at` says of the text from elsewhere when
    the learner checked it.
    """

    __tablename__ = "write_up_questions"
    __table_args__ = (
        UniqueConstraint("write_up_id", "number"),
        CheckConstraint("number BETWEEN 1 AND 999999", name="number"),
    )

    id: int | None = Field(default=None, primary_key=True)
    write_up_id: int = Field(foreign_key="write_ups.id", ondelete="CASCADE")
    number: int
    place: int
    pack: str | None = None
    slug: str | None = None
    verified_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class WriteUpTextRow(KeptTextColumns, table=True):
    """What is in a field, kept as it is typed, like a draft: each field has revisions of its own.

    `part` names the field: `company`, or `3-note` for the note on question number 3.
    """

    __tablename__ = "write_up_texts"
    __table_args__ = (
        UniqueConstraint("write_up_id", "part"),
        CheckConstraint("revision >= 1", name="revision"),
    )

    id: int | None = Field(default=None, primary_key=True)
    write_up_id: int = Field(foreign_key="write_ups.id", ondelete="CASCADE")
    part: str
