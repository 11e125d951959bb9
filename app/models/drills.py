"""Drills: a number of questions in a row, chosen once, beside the daily queue."""

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from app.database import UtcDateTime


class DrillRow(SQLModel, table=True):
    """A drill; its ratings move the schedule only where that was asked for."""

    __tablename__ = "drills"
    __table_args__ = (
        Index(None, "user_id"),
        Index("uq_drills_user_id_idempotency_key", "user_id", "idempotency_key", unique=True),
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE")
    title: str
    moves_schedule: bool
    started_at: datetime = Field(sa_type=UtcDateTime)
    ended_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    idempotency_key: str | None = None


class DrillItemRow(SQLModel, table=True):
    """A variant of the drill. What came of it is in the sitting with these numbers."""

    __tablename__ = "drill_items"
    __table_args__ = (
        UniqueConstraint("drill_id", "place"),
        CheckConstraint("seed >= 0", name="seed"),
    )

    id: int | None = Field(default=None, primary_key=True)
    drill_id: int = Field(foreign_key="drills.id", ondelete="CASCADE")
    place: int
    pack: str
    slug: str
    seed: int = Field(sa_type=BigInteger)
    passed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
