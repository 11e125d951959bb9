"""Questions of a team's own. A version is never changed: sittings that began with it are answered with it."""

from datetime import datetime

from sqlalchemy import JSON, CheckConstraint, LargeBinary, UniqueConstraint
from sqlmodel import Field, SQLModel

from app.database import CleanText, UtcDateTime
from app.models.foundation import Json


class PackRow(SQLModel, table=True):
    """A pack of a team. `key` names it in what is stored of practice, as `pack` of a question.

    `current` is the number of the version that is served. A pack that was removed keeps its versions.
    """

    __tablename__ = "packs"
    __table_args__ = (
        UniqueConstraint("team_id", "name"),
        UniqueConstraint("key"),
        CheckConstraint("current >= 1", name="current"),
    )

    id: int | None = Field(default=None, primary_key=True)
    team_id: int = Field(foreign_key="teams.id", ondelete="CASCADE")
    name: str
    key: str
    current: int
    made_at: datetime = Field(sa_type=UtcDateTime)
    removed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class PackVersionRow(SQLModel, table=True):
    """All files of a pack at one time, in an archive of our own making.

    `contents` says of each question its slug, title, topic and content hash; `report` holds the lint's
    warnings; `source` is the name of the file or folder that it came from.
    """

    __tablename__ = "pack_versions"
    __table_args__ = (
        UniqueConstraint("pack_id", "number"),
        CheckConstraint("number >= 1", name="number"),
    )

    id: int | None = Field(default=None, primary_key=True)
    pack_id: int = Field(foreign_key="packs.id", ondelete="CASCADE")
    number: int
    content_hash: str
    archive: bytes = Field(sa_type=LargeBinary)
    contents: Json = Field(sa_type=JSON)
    report: Json = Field(sa_type=JSON)
    source: str = Field(sa_type=CleanText)
    made_by: int | None = Field(default=None, foreign_key="users.id", ondelete="SET NULL")
    made_at: datetime = Field(sa_type=UtcDateTime)


class HiddenQuestionRow(SQLModel, table=True):
    """A question that a team does not see: one of the built-in bank, or of a pack of its own."""

    __tablename__ = "hidden_questions"
    __table_args__ = (UniqueConstraint("team_id", "pack", "slug"),)

    id: int | None = Field(default=None, primary_key=True)
    team_id: int = Field(foreign_key="teams.id", ondelete="CASCADE")
    pack: str
    slug: str
    hidden_at: datetime = Field(sa_type=UtcDateTime)
