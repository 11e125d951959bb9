"""Who may come in and where: teams, memberships, invites, links that work once, sign-ins by a provider.

Of every token only its SHA-256 is here.
"""

from datetime import datetime

from sqlalchemy import CheckConstraint, Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from app.database import CleanText, UtcDateTime


class TeamRow(SQLModel, table=True):
    """A team; `slug` names it in addresses and on the command line.

    `bank` is a digest of what its packs add to the bank and of what it hides, empty where that is nothing: it
    changes with them, so that each process knows when its copy is old.
    """

    __tablename__ = "teams"
    __table_args__ = (UniqueConstraint("slug"),)

    id: int | None = Field(default=None, primary_key=True)
    slug: str
    name: str = Field(sa_type=CleanText)
    created_at: datetime = Field(sa_type=UtcDateTime)
    bank: str = Field(default="", sa_column_kwargs={"server_default": text("''")})


class MembershipRow(SQLModel, table=True):
    """A person's place in a team. The one chosen last is the team whose questions the person sees."""

    __tablename__ = "memberships"
    __table_args__ = (
        UniqueConstraint("team_id", "user_id"),
        Index(None, "user_id"),
        CheckConstraint("role IN ('owner', 'editor', 'member')", name="role"),
    )

    id: int | None = Field(default=None, primary_key=True)
    team_id: int = Field(foreign_key="teams.id", ondelete="CASCADE")
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE")
    role: str
    joined_at: datetime = Field(sa_type=UtcDateTime)
    chosen_at: datetime = Field(sa_type=UtcDateTime)


class InviteRow(SQLModel, table=True):
    """A link that lets people into a team, `max_uses` times until `expires_at` or until it is revoked."""

    __tablename__ = "invites"
    __table_args__ = (
        UniqueConstraint("token_hash"),
        Index(None, "team_id"),
        CheckConstraint("role IN ('owner', 'editor', 'member')", name="role"),
        CheckConstraint("uses BETWEEN 0 AND max_uses", name="uses"),
    )

    id: int | None = Field(default=None, primary_key=True)
    team_id: int = Field(foreign_key="teams.id", ondelete="CASCADE")
    role: str
    label: str = Field(default="", sa_type=CleanText)
    token_hash: str
    made_by: int | None = Field(default=None, foreign_key="users.id", ondelete="SET NULL")
    created_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime)
    max_uses: int
    uses: int = 0
    revoked_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class OneTimeLinkRow(SQLModel, table=True):
    """A link that works once: to become the first owner, or to set a new password for `user_id`."""

    __tablename__ = "one_time_links"
    __table_args__ = (
        UniqueConstraint("token_hash"),
        Index(None, "user_id"),
        CheckConstraint("purpose IN ('first-owner', 'password')", name="purpose"),
        CheckConstraint("(purpose = 'password') = (user_id IS NOT NULL)", name="names_whom"),
    )

    id: int | None = Field(default=None, primary_key=True)
    purpose: str
    user_id: int | None = Field(default=None, foreign_key="users.id", ondelete="CASCADE")
    token_hash: str
    created_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class IdentityRow(SQLModel, table=True):
    """A person as an OpenID provider names them."""

    __tablename__ = "identities"
    __table_args__ = (UniqueConstraint("issuer", "subject"), Index(None, "user_id"))

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE")
    issuer: str
    subject: str
    created_at: datetime = Field(sa_type=UtcDateTime)
