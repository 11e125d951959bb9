"""Where the browser keeps what is being typed into the fields of a question's page (static/js/drafts.js)."""

from fastapi import APIRouter, HTTPException, Request
from pydantic import Field

from app.bank.load import Bank
from app.bank.question import Question
from app.dependencies import BankDep, CurrentUser, Now, SessionDep
from app.pages.answer_fields import WORKING
from app.pages.question import POINTS
from app.pages.typed import TypedIn, TypedOut, told, too_long
from app.pages.visit import question_in_progress
from app.practice import drafts, notes
from app.practice.question_state import key_of
from app.practice.records import MAX_SEED, TextTooLong

router = APIRouter(prefix="/questions/{slug}")


class DraftIn(TypedIn):
    """What is being typed into a field of a variant's page."""

    seed: int = Field(ge=0, le=MAX_SEED)
    part: str = Field(max_length=40)


@router.put("/draft")
def draft(
    *,
    request: Request,
    slug: str,
    sent: DraftIn,
    session: SessionDep,
    bank: BankDep,
    user: CurrentUser,
    now: Now,
) -> TypedOut:
    question = _question(request, bank, slug, sent.seed)
    key = key_of(question)
    if sent.part not in {"", WORKING, POINTS, *(part.id for part in question.meta.parts)}:
        raise HTTPException(404, "There is no such field to keep a text of.")
    if sent.drop_other:
        drafts.dismiss(session, user, key, sent.seed, sent.part)
    where = (session, user, key, sent.seed, sent.part)
    try:
        saved = drafts.save(*where, sent.text, stamp=sent.stamp, now=now, typed_at=sent.typed_at)
    except TextTooLong as error:
        raise HTTPException(422, too_long(error)) from error
    return told(sent, saved)


@router.put("/note")
def note(
    *,
    request: Request,
    slug: str,
    sent: DraftIn,
    session: SessionDep,
    bank: BankDep,
    user: CurrentUser,
    now: Now,
) -> TypedOut:
    key = key_of(_question(request, bank, slug, sent.seed))
    if sent.drop_other:
        notes.dismiss(session, user, key)
    try:
        saved = notes.save(session, user, key, sent.text, stamp=sent.stamp, now=now, typed_at=sent.typed_at)
    except TextTooLong as error:
        raise HTTPException(422, too_long(error)) from error
    return told(sent, saved)


def _question(request: Request, bank: Bank, slug: str, seed: int) -> Question:
    question = question_in_progress(request, bank, slug, seed)
    if question is None:
        raise HTTPException(404, "There is no such question. It may have been renamed or left out.")
    return question
