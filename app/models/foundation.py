"""People, browsers and practice. What happened (sittings, answers, ratings) is only ever added to.

Cards derive from it. `pack` is empty for the built-in bank. A study day is a date in the user's zone that
begins at 04:00 there; it is stored with the row, so that moving to another zone changes no past.
"""

from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    Connection,
    Date,
    Index,
    Table,
    UniqueConstraint,
    event,
    false,
    text,
    true,
)
from sqlmodel import Field, SQLModel

from app.database import CleanText, UtcDateTime
from app.models.kept_text import KeptTextColumns

Json = Any  # whatever JSON can hold: the domain's own values, already turned into plain ones


class UserRow(SQLModel, table=True):
    """A person who practises. `zone` is empty until a browser or the person has named one.

    `login` is what they sign in by, an e-mail address in small letters. An `operator` runs the server: makes
    teams, sees every account, makes links for a new password. Whoever is disabled cannot sign in.
    `new_choice` is what new questions are drawn from, null where from all; `extra_goal` is what was added to
    the goal of the study day `extra_day`; `served` is the question that the queue served last.
    """

    __tablename__ = "users"
    __table_args__ = (
        UniqueConstraint("login"),
        CheckConstraint("retention BETWEEN 0.70 AND 0.97", name="retention"),
        CheckConstraint("daily_goal BETWEEN 1 AND 500", name="daily_goal"),
    )

    id: int | None = Field(default=None, primary_key=True)
    login: str
    zone: str = ""
    retention: float
    daily_goal: int
    created_at: datetime = Field(sa_type=UtcDateTime)
    single_keys: bool = Field(default=True, sa_column_kwargs={"server_default": true()})
    new_choice: Json = Field(default=None, sa_type=JSON(none_as_null=True), nullable=True)
    extra_day: date | None = Field(default=None, sa_type=Date)
    extra_goal: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    served: Json = Field(default=None, sa_type=JSON(none_as_null=True), nullable=True)
    name: str = Field(default="", sa_type=CleanText, sa_column_kwargs={"server_default": text("''")})
    password_hash: str | None = None
    operator: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    disabled_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class SessionRow(SQLModel, table=True):
    """A browser. Its cookie holds the token; only the token's SHA-256 is here.

    `agent` says in short which browser it is.
    """

    __tablename__ = "sessions"
    __table_args__ = (UniqueConstraint("token_hash"), Index(None, "user_id"), Index(None, "expires_at"))

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE")
    token_hash: str
    created_at: datetime = Field(sa_type=UtcDateTime)
    last_seen_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime)
    agent: str = Field(default="", sa_type=CleanText, sa_column_kwargs={"server_default": text("''")})


_OPEN_SITTINGS: Final = "uq_sittings_open"
_IS_OPEN: Final = text("ended_at IS NULL")


class SittingRow(SQLModel, table=True):
    """One go at one variant of a question in one browser; closed by `ended_at`, or by its time being over."""

    __tablename__ = "sittings"
    __table_args__ = (
        # One open sitting each: two requests at once cannot make two.
        Index(
            _OPEN_SITTINGS,
            *("user_id", "session_id", "pack", "slug", "seed"),
            unique=True,
            sqlite_where=_IS_OPEN,
        ),
        Index(None, "user_id", "pack", "slug"),
        Index(None, "session_id"),
        CheckConstraint("hints_used >= 0", name="hints_used"),
        CheckConstraint("seed >= 0", name="seed"),
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE")
    session_id: int | None = Field(foreign_key="sessions.id", ondelete="SET NULL")
    pack: str
    slug: str
    version: int
    content_hash: str
    library_version: str
    seed: int = Field(sa_type=BigInteger)
    params: Json = Field(sa_type=JSON)
    right: Json = Field(sa_type=JSON)
    zone: str
    study_day: date = Field(sa_type=Date)
    started_at: datetime = Field(sa_type=UtcDateTime)
    ended_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    revealed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    hints_used: int = 0


@event.listens_for(SQLModel.metadata.tables["sittings"], "before_create")
def _condition_on_postgresql(table: Table, connection: Connection, **_options: object) -> None:
    # Given with the index, it would load that dialect and its drivers wherever the tables are imported.
    if connection.dialect.name == "postgresql":
        index = next(index for index in table.indexes if index.name == _OPEN_SITTINGS)
        index.dialect_options["postgresql"]["where"] = _IS_OPEN


class AnswerRow(SQLModel, table=True):
    """What was submitted and the verdict it got then."""

    __tablename__ = "answers"
    __table_args__ = (
        UniqueConstraint("user_id", "idempotency_key", "body_hash"),
        Index(None, "sitting_id"),
        Index(None, "repeat_of"),
        CheckConstraint("credit BETWEEN 0 AND 1", name="credit"),
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE")
    sitting_id: int = Field(foreign_key="sittings.id", ondelete="CASCADE")
    part: str
    idempotency_key: str
    body_hash: str
    text: str = Field(sa_type=CleanText)
    outcome: str
    credit: float | None
    reading: str | None = Field(sa_type=CleanText)
    mistake_id: str | None
    verdict: Json = Field(sa_type=JSON)
    repeat_of: int | None = Field(foreign_key="answers.id", ondelete="SET NULL")
    given_at: datetime = Field(sa_type=UtcDateTime)


class RatingRow(SQLModel, table=True):
    """How it went, 1 (Again) to 4 (Easy); null where the row only undoes another one.

    `may_move` is False where it was given in a drill that leaves the schedule alone.
    """

    __tablename__ = "ratings"
    __table_args__ = (
        UniqueConstraint("user_id", "idempotency_key", "body_hash"),
        UniqueConstraint("undoes_id"),
        Index(None, "user_id", "pack", "slug"),
        Index(None, "user_id", "study_day"),
        Index(None, "sitting_id"),
        CheckConstraint("rating BETWEEN 1 AND 4", name="rating"),
        CheckConstraint("rating IS NOT NULL OR undoes_id IS NOT NULL", name="says_something"),
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE")
    sitting_id: int = Field(foreign_key="sittings.id", ondelete="CASCADE")
    pack: str
    slug: str
    rating: int | None
    key_points: Json = Field(sa_type=JSON)
    moves_schedule: bool
    undoes_id: int | None = Field(foreign_key="ratings.id", ondelete="CASCADE")
    retention: float
    idempotency_key: str
    body_hash: str
    zone: str
    study_day: date = Field(sa_type=Date)
    rated_at: datetime = Field(sa_type=UtcDateTime)
    may_move: bool = Field(default=True, sa_column_kwargs={"server_default": true()})


class CardRow(SQLModel, table=True):
    """When to see a question again. Derived: replaying the ratings gives this row."""

    __tablename__ = "cards"
    __table_args__ = (
        UniqueConstraint("user_id", "pack", "slug"),
        Index(None, "user_id", "due_day"),
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE")
    pack: str
    slug: str
    due_day: date = Field(sa_type=Date)
    last_day: date = Field(sa_type=Date)
    last_rating: int
    stability: float
    difficulty: float
    reviews: int
    lapses: int


class DraftRow(KeptTextColumns, table=True):
    """What is being typed into a field of a question's page."""

    __tablename__ = "drafts"
    __table_args__ = (
        UniqueConstraint("user_id", "pack", "slug", "seed", "part"),
        CheckConstraint("revision >= 1", name="revision"),
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE")
    pack: str
    slug: str
    seed: int = Field(sa_type=BigInteger)
    part: str
