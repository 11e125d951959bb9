"""What signing in keeps: how often somebody tried, who is on the way to a provider, tokens for the API.

Of every token only its SHA-256 is here.
"""

from datetime import datetime

from sqlalchemy import JSON, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from app.database import CleanText, UtcDateTime
from app.models.foundation import Json


class RateRow(SQLModel, table=True):
    """How much of an allowance is used up: all of it is there again at `free_at`; `key` says whose it is."""

    __tablename__ = "rates"
    __table_args__ = (Index(None, "free_at"),)

    key: str = Field(primary_key=True)
    free_at: datetime = Field(sa_type=UtcDateTime)


class ProviderVisitRow(SQLModel, table=True):
    """A browser that was sent to the OpenID provider and has not come back yet."""

    __tablename__ = "provider_visits"
    __table_args__ = (UniqueConstraint("state_hash"), Index(None, "expires_at"))

    id: int | None = Field(default=None, primary_key=True)
    state_hash: str
    browser_hash: str
    nonce: str
    verifier: str
    next: str
    created_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime)


class ApiTokenRow(SQLModel, table=True):
    """A token that its owner's programs bear; `scopes` are what it is good for."""

    __tablename__ = "api_tokens"
    __table_args__ = (UniqueConstraint("token_hash"), Index(None, "user_id"))

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", ondelete="CASCADE")
    name: str = Field(sa_type=CleanText)
    token_hash: str
    scopes: Json = Field(sa_type=JSON)
    created_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime)
    last_used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
