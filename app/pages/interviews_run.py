"""/interviews/{number} while it runs: one question at a time, and what a form of its page does.

Every form brings all that stands on the page, so that no act loses what was typed: answers are kept as drafts
of their question and notes with the interview, whatever else the act does.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlmodel import Session
from starlette.datastructures import FormData

from app.accounts.users import User
from app.bank.load import Bank
from app.bank.variants import Variant
from app.dependencies import BankDep, CurrentUser, Now, SessionDep
from app.pages import interviews_view as view
from app.pages import question_view
from app.pages.answer_fields import WORKING, answer_fields, sent_stamps, sent_texts
from app.pages.interviews import read_number
from app.pages.typed import TypedIn, TypedOut, sent_stamp, told, too_long
from app.pages.visit import FormDep
from app.practice import drafts, interviews_notes, interviews_running, question_state
from app.practice import interviews_results as results
from app.practice.interviews import Interview, Item, get
from app.practice.interviews_notes import NoSuchQuestion
from app.practice.kept_text import Stamp
from app.practice.question_state import QuestionState
from app.practice.records import MAX_TEXT, TextTooLong
from app.rendering import render

router = APIRouter(prefix="/interviews/{number}")


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits in which interview, and when it is."""

    request: Request
    session: Session
    bank: Bank
    user: User
    interview: Interview
    now: datetime

    @property
    def here(self) -> str:
        return f"/interviews/{self.interview.id}"

    def state(self, item: Item) -> QuestionState:
        """What stands in the question's fields: the drafts, which are kept by its numbers."""
        typed = drafts.load(self.session, self.user, item.question, item.seed, self.now)
        return QuestionState(item.sitting, item.answers, typed)


def read_seat(
    request: Request, number: str, session: SessionDep, bank: BankDep, user: CurrentUser, now: Now
) -> Seat:
    interview = get(session, user, read_number(number))
    if interview is None:
        raise HTTPException(404, "There is no such interview. It may belong to somebody else.")
    return Seat(request, session, bank, user, interview, now)


SeatDep = Annotated[Seat, Depends(read_seat)]


@dataclass(frozen=True, slots=True)
class Act:
    """A form about one of the questions: what it brings for its fields, kept before anything else is done."""

    seat: Seat
    item: Item
    variant: Variant | None
    form: FormData
    texts: Mapping[str, str]
    errors: Mapping[str, str]

    @property
    def where(self) -> tuple[Session, User, Bank, int, int]:
        seat = self.seat
        return seat.session, seat.user, seat.bank, seat.interview.id, self.item.place


def read_act(seat: SeatDep, form: FormDep) -> Act:
    item = seat.interview.item(read_number(str(form.get("place") or "")))
    if item is None:
        raise HTTPException(422, "The form names no question of this interview. Open the interview again.")
    variant = results.variant_of(seat.bank, item)
    texts: dict[str, str] = {}
    errors: dict[str, str] = {}
    if variant is not None:
        texts = sent_texts(variant, form)
        errors = _keep_texts(seat, variant, texts, form)
    _keep_note(seat, item, form)
    return Act(seat, item, variant, form, texts, errors)


ActDep = Annotated[Act, Depends(read_act)]


@router.get("/answer")
@router.get("/pass")
@router.get("/hint")
@router.get("/next")
@router.get("/notes")
@router.get("/finish")
@router.get("/abandon")
@router.get("/points")
@router.get("/share")
@router.get("/revoke")
def back(seat: SeatDep) -> Response:
    """An act's address that was reloaded or copied leads to the interview, and does nothing."""
    return RedirectResponse(seat.here, status_code=303)


@router.get("/clock")
def clock(seat: SeatDep) -> dict[str, int]:
    """What is left, for the page to set its clock by."""
    return {"left": seat.interview.seconds_left(seat.now)}


@router.post("/answer")
def answer(act: ActDep) -> Response:
    errors = act.errors or _submit(act)
    return show(act, errors) if errors else _go(act.seat)


@router.post("/pass")
def pass_over(act: ActDep) -> Response:
    return _after(act, interviews_running.pass_over)


@router.post("/hint")
def hint(act: ActDep) -> Response:
    number = read_number(str(act.form.get("number") or "")) or act.item.hints_used + 1
    interviews_running.take_hint(*act.where, number, act.seat.now)
    return _go(act.seat, "#hints")


@router.post("/next")
def go_on(act: ActDep) -> Response:
    interviews_running.go_on(*act.where, read_points(act.form), act.seat.now)
    return _go(act.seat)


@router.post("/notes")
def keep_notes(act: ActDep) -> Response:
    """Without JavaScript; with it they are kept while they are typed."""
    return show(act, act.errors) if act.errors else _go(act.seat, "#notes")


@router.post("/finish")
def finish(act: ActDep) -> Response:
    """Takes in an answer that stands there and can be read; else it stays as what was typed."""
    seat = act.seat
    ticked = read_points(act.form)
    if ticked is not None:
        interviews_running.mark(*act.where, ticked, seat.now)
    elif not act.errors:
        _submit(act, last=True)
    interviews_running.end(seat.session, seat.user, seat.bank, seat.interview.id, seat.now)
    return _go(seat)


@router.post("/abandon")
def abandon(act: ActDep) -> Response:
    seat = act.seat
    interviews_running.end(seat.session, seat.user, seat.bank, seat.interview.id, seat.now, abandoned=True)
    return _go(seat)


@router.put("/notes/{place}")
def note(seat: SeatDep, place: str, sent: TypedIn) -> TypedOut:
    where = (seat.session, seat.user, seat.interview.id, read_number(place))
    try:
        if sent.drop_other:
            interviews_notes.dismiss(*where)
        saved = interviews_notes.save(
            *where, sent.text, stamp=sent.stamp, now=seat.now, typed_at=sent.typed_at
        )
    except NoSuchQuestion as error:
        raise HTTPException(404, "There is no such question to keep notes of.") from error
    except TextTooLong as error:
        raise HTTPException(422, too_long(error)) from error
    return told(sent, saved)


def read_points(form: FormData) -> set[str] | None:
    """The key points ticked; None where the form has none to tick."""
    return {str(value) for value in form.getlist("point")} if form.get("marking") == "1" else None


def page(seat: Seat, errors: Mapping[str, str] | None = None, *, status: int = 200) -> HTMLResponse:
    """The question that is open, or its model answer where each is revealed."""
    interview = seat.interview
    item = interview.current
    assert item is not None
    variant = results.variant_of(seat.bank, item)
    state = seat.state(item)
    before = interview.item(item.follows) if item.follows else None
    answered = item.done and variant is not None
    return render(
        seat.request,
        "interviews/run.html",
        nav="interviews",
        status=status,
        interview=interview,
        item=item,
        here=seat.here,
        key=secrets.token_urlsafe(12),
        seconds_left=interview.seconds_left(seat.now),
        left=view.left(interview.seconds_left(seat.now)),
        last=item.place >= interview.questions,
        title=view.title_of(seat.bank, item),
        follow_up_to=view.title_of(seat.bank, before) if before else "",
        question=variant.question if variant else None,
        kind=question_view.KINDS[variant.question.meta.kind] if variant else "",
        prompt=question_view.prose(variant, revealed=False).question if variant else "",
        hints=question_view.hints(variant, item.hints_used) if variant else None,
        answer_fields=answer_fields(variant, state, errors or {}) if variant and not item.done else (),
        entry=view.entry(seat.bank, interview, item, {}, with_notes=False) if answered else None,
        model_answer=view.model_answer,
    )


def show(act: Act, errors: Mapping[str, str]) -> HTMLResponse:
    """The page with what was sent in its fields, and what is wrong with it."""
    seat = act.seat
    interview = get(seat.session, seat.user, seat.interview.id)  # again, with the notes that came along
    current = interview.current if interview is not None else None
    if interview is None or current is None or current.place != act.item.place:
        raise HTTPException(422, " ".join(errors.values()))
    return page(replace(seat, interview=interview), errors, status=422)


def _submit(act: Act, *, last: bool = False) -> dict[str, str]:
    return interviews_running.answer(
        *act.where,
        {part: text for part, text in act.texts.items() if part != WORKING},
        working=act.texts.get(WORKING, ""),
        key=str(act.form.get("key") or ""),
        now=act.seat.now,
        last=last,
    )


def _after(act: Act, do: Callable[[Session, User, Bank, int, int, datetime], None]) -> Response:
    do(*act.where, act.seat.now)
    return _go(act.seat)


def _go(seat: Seat, fragment: str = "") -> Response:
    return RedirectResponse(f"{seat.here}{fragment}", status_code=303)


def _keep_texts(seat: Seat, variant: Variant, texts: Mapping[str, str], form: FormData) -> dict[str, str]:
    """Messages by part where a text is too long to be kept."""
    stamps = sent_stamps(variant, form)
    errors: dict[str, str] = {}
    for part, text in texts.items():
        try:
            question_state.keep_texts(*(seat.session, seat.user, variant, {part: text}, seat.now), stamps)
        except TextTooLong as error:
            errors[part] = too_long(error)
    return errors


def _keep_note(seat: Seat, item: Item, form: FormData) -> None:
    if form.get("note") is None:
        return
    text = str(form.get("note")).replace("\r\n", "\n")[:MAX_TEXT]
    stamp = sent_stamp(form, "note") or Stamp(item.note.stamp.revision)
    if text == item.note.text and not stamp.writer:
        return
    where = (seat.session, seat.user, seat.interview.id, item.place)
    interviews_notes.save(*where, text, stamp=stamp, now=seat.now)
