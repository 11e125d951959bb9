"""What the tables share that keep a text as it is typed."""

from datetime import datetime

from sqlalchemy import BigInteger
from sqlalchemy import text as sql
from sqlmodel import Field, SQLModel

from app.database import CleanText, UtcDateTime


class KeptTextColumns(SQLModel):
    """The revision grows with each change. `writer` is the page that typed the text, `count` grows in it.

    `set_aside` is the text that lost where two windows typed at once, until the learner has decided.
    """

    text: str = Field(sa_type=CleanText)
    revision: int
    writer: str = Field(default="", sa_column_kwargs={"server_default": sql("''")})
    count: int = Field(default=0, sa_type=BigInteger, sa_column_kwargs={"server_default": sql("0")})
    updated_at: datetime = Field(sa_type=UtcDateTime)
    set_aside: str | None = Field(default=None, sa_type=CleanText)
