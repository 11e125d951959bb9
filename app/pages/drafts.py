"""Where the browser keeps what is being typed into the fields of a question's page (static/js/drafts.js)."""

from datetime import UTC, datetime

from fastapi import APIRouter, HTTPException
from pydantic import AwareDatetime, BaseModel, Field

from app.bank.load import Bank
from app.bank.question import Question
from app.database import clean_text
from app.dependencies import BankDep, CurrentUser, Now, SessionDep
from app.pages.answer_fields import WORKING
from app.pages.question import POINTS
from app.practice import drafts, notes
from app.practice.question_state import key_of
from app.practice.records import MAX_SEED, MAX_TEXT

router = APIRouter(prefix="/questions/{slug}")


class DraftIn(BaseModel):
    """What is being typed into a field, and the revision that it was typed over."""

    seed: int = Field(ge=0, le=MAX_SEED)
    part: str = Field(max_length=40)
    text: str = Field(max_length=MAX_TEXT)
    revision: int = Field(ge=0, le=2**31 - 1)
    typed_at: AwareDatetime | None = Field(
        default=None, ge=datetime(2000, 1, 1, tzinfo=UTC), description="When, if it could not be sent at once"
    )
    drop_other: bool = Field(default=False, description="The text that was set aside is not wanted")


class DraftOut(BaseModel):
    revision: int
    kept: bool = Field(description="False where a newer text is kept in its place")
    other: str | None = Field(default=None, description="The other of two texts typed at the same time")


@router.put("/draft")
def draft(
    slug: str, sent: DraftIn, session: SessionDep, bank: BankDep, user: CurrentUser, now: Now
) -> DraftOut:
    question = _question(bank, slug)
    key = key_of(question)
    if sent.part not in {"", WORKING, POINTS, *(part.id for part in question.meta.parts)}:
        raise HTTPException(404, "There is no such field to keep a text of.")
    if sent.drop_other:
        drafts.dismiss(session, user, key, sent.seed, sent.part)
    saved = drafts.save(
        *(session, user, key, sent.seed, sent.part, sent.text),
        revision=sent.revision,
        now=now,
        typed_at=sent.typed_at,
    )
    return told(sent.text, saved)


@router.put("/note")
def note(
    slug: str, sent: DraftIn, session: SessionDep, bank: BankDep, user: CurrentUser, now: Now
) -> DraftOut:
    key = key_of(_question(bank, slug))
    if sent.drop_other:
        notes.dismiss(session, user, key)
    saved = notes.save(session, user, key, sent.text, revision=sent.revision, now=now, typed_at=sent.typed_at)
    return told(sent.text, saved)


def _question(bank: Bank, slug: str) -> Question:
    question = bank.get(slug)
    if question is None:
        raise HTTPException(404, "There is no such question. It may have been renamed or left out.")
    return question


def told(sent: str, saved: drafts.Draft | notes.Note) -> DraftOut:
    """What the browser is told of a text that it sent, by what is kept now."""
    if saved.text == clean_text(sent):
        return DraftOut(revision=saved.revision, kept=True, other=saved.set_aside)
    return DraftOut(revision=saved.revision, kept=False, other=saved.text)
