"""What the browser says of a text that it keeps on the server while it is typed, and what it is told."""

from datetime import UTC, datetime

from pydantic import AwareDatetime, BaseModel, Field
from starlette.datastructures import FormData

from app.database import clean_text
from app.practice.drafts import Draft
from app.practice.kept_text import MAX_COUNT, WRITER, Stamp
from app.practice.notes import Note
from app.practice.records import TextTooLong


class TypedIn(BaseModel):
    """A text, the revision that it was typed over, and the page that it was typed in."""

    text: str
    revision: int = Field(ge=0, le=2**31 - 1)
    writer: str = Field(default="", pattern=rf"^({WRITER})?$")
    count: int = Field(default=0, ge=0, le=MAX_COUNT)
    typed_at: AwareDatetime | None = Field(
        default=None, ge=datetime(2000, 1, 1, tzinfo=UTC), description="When, if it could not be sent at once"
    )
    drop_other: bool = Field(default=False, description="The text that was set aside is not wanted")

    @property
    def stamp(self) -> Stamp:
        return Stamp(self.revision, self.writer, self.count)


class TypedOut(BaseModel):
    revision: int
    kept: bool = Field(description="False where another page's newer text is kept in its place")
    other: str | None = Field(default=None, description="The other of two texts typed at the same time")


def told(sent: TypedIn, saved: Draft | Note) -> TypedOut:
    """What the browser is told of a text that it sent, by what is kept now. A page's own are no news."""
    own = bool(sent.writer) and saved.stamp.writer == sent.writer
    kept = own or saved.text == clean_text(sent.text)
    return TypedOut(revision=saved.stamp.revision, kept=kept, other=saved.set_aside if kept else saved.text)


def sent_stamp(form: FormData, name: str) -> Stamp | None:
    """How the text of a form's field was typed, where the form says so."""
    return Stamp.read(str(form.get(f"stamp-{name}") or ""))


def too_long(error: TextTooLong) -> str:
    return f"This is too long: {error}."
