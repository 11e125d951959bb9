"""/write-ups: interviews remembered, for their owner alone."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app.bank.load import Bank
from app.dependencies import BankDep, CurrentUser, IndexDep, Now, SessionDep
from app.pages import write_ups_view as view
from app.pages.drafts import DraftIn
from app.pages.htmx import VARY, wants_fragment
from app.pages.typed import TypedOut, told
from app.pages.visit import FormDep
from app.practice import write_ups, write_ups_editing
from app.practice.drills import MAX_TITLE
from app.practice.write_ups import NoSuchField, WriteUp
from app.practice.write_ups_editing import LimitError, Outcome
from app.rendering import render

router = APIRouter(prefix="/write-ups")
MAX_TEXT = 200
GONE = "There is no such write-up. It may have been deleted, or belong to somebody else."


def read_key(key: str) -> str:
    if not write_ups.is_key(key):
        raise HTTPException(404, GONE)
    return key


Key = Annotated[str, Depends(read_key)]


@router.get("")
def browse(
    request: Request, session: SessionDep, user: CurrentUser, bank: BankDep, q: str = "", company: str = ""
) -> HTMLResponse:
    q, company = q.strip()[:MAX_TEXT], company.strip()[:MAX_TEXT]
    titles = {slug: question.title for slug, question in bank.questions.items()}
    found = write_ups.find(session, user, q, company, titles=titles)
    return render(
        request,
        "write_ups/_list.html" if wants_fragment(request) else "write_ups/list.html",
        nav="write-ups",
        headers=VARY,
        q=q,
        company=company,
        found=found,
        count_line=view.count_line(found.shown, found.total, narrowed=bool(q or company)),
        written_day=view.written_day,
    )


@router.get("/new")
def new() -> Response:
    """An address of its own from the start, so that a reload goes on with it."""
    return RedirectResponse(f"/write-ups/{secrets.token_urlsafe(12)}/edit", status_code=303)


@router.get("/find")
def find(
    request: Request, bank: BankDep, index: IndexDep, number: int = 0, adds: bool = False
) -> HTMLResponse:
    """What the bank has for a text while it is typed."""
    text = request.query_params.get(f"q-{number}", "")
    return render(request, "write_ups/_found.html", search=view.search(bank, index, number, text, adds=adds))


def read_write_up(session: SessionDep, user: CurrentUser, key: Key) -> WriteUp:
    found = write_ups.get(session, user, key)
    if found is None:
        raise HTTPException(404, GONE)
    return found


WriteUpDep = Annotated[WriteUp, Depends(read_write_up)]


@router.get("/{key}")
def show(request: Request, write_up: WriteUpDep, bank: BankDep) -> HTMLResponse:
    slugs = view.to_practise(bank, write_up)
    return render(
        request,
        "write_ups/show.html",
        nav="write-ups",
        write_up=write_up,
        day=view.written_day(write_up.day),
        questions=view.asked_views(bank, write_up),
        slugs=slugs,
        drill_title=write_up.title[:MAX_TITLE],
        drill_key=secrets.token_urlsafe(12),
        form_token=secrets.token_urlsafe(12),
    )


@router.get("/{key}/delete")
def ask_to_delete(request: Request, write_up: WriteUpDep) -> HTMLResponse:
    return render(
        request,
        "write_ups/delete.html",
        nav="write-ups",
        write_up=write_up,
        day=view.written_day(write_up.day),
    )


@router.post("/{key}/delete")
def delete(session: SessionDep, user: CurrentUser, key: Key) -> Response:
    write_ups.delete(session, user, key)
    return RedirectResponse("/write-ups", status_code=303)


@router.put("/{key}/text")
def keep_text(sent: DraftIn, session: SessionDep, user: CurrentUser, key: Key, now: Now) -> TypedOut:
    """Where the browser keeps what is being typed into the form."""
    try:
        if sent.drop_other:
            write_ups_editing.dismiss(session, user, key, sent.part)
        saved = write_ups_editing.save_text(
            *(session, user, key, sent.part, sent.text),
            stamp=sent.stamp,
            now=now,
            typed_at=sent.typed_at,
        )
    except NoSuchField as error:
        raise HTTPException(404, "There is no such field to keep a text of.") from error
    except LimitError as error:
        raise HTTPException(422, str(error)) from error
    return told(sent, saved)


@dataclass(frozen=True, slots=True)
class Editing:
    """A request to a write-up's form; nothing need be kept of it yet."""

    request: Request
    bank: Bank
    write_up: WriteUp

    def page(
        self,
        outcome: Outcome,
        searching: view.Search,
        *,
        typed: Mapping[str, str] | None = None,
        focus: str = "",
        news: str = "",
    ) -> HTMLResponse:
        fragment = wants_fragment(self.request)
        errors = outcome.errors
        context: dict[str, Any] = {
            "write_up": self.write_up,
            "fields": view.interview_fields(self.write_up, typed or {}, errors),
            "questions": view.asked_forms(
                *(self.bank, self.write_up, typed or {}, errors),
                searching=searching,
                asks=outcome.number if outcome.asks else 0,
            ),
            "next": view.next_field(self.write_up, typed or {}, errors),
            "next_search": searching
            if searching.number == self.write_up.next.number
            else view.Search(self.write_up.next.number),
            "strays": outcome.strays,
            "refused": bool(errors or outcome.strays),
            "form_token": secrets.token_urlsafe(12),
            "focus": focus,
            "news": news,
        }
        return render(
            self.request,
            "write_ups/_form.html" if fragment else "write_ups/edit.html",
            nav="write-ups",
            status=422 if errors or outcome.strays else 200,
            headers=VARY,
            **context,
        )


@router.get("/{key}/edit")
def edit(
    request: Request,
    session: SessionDep,
    user: CurrentUser,
    key: Key,
    bank: BankDep,
    index: IndexDep,
    find: int = 0,
    q: str = "",
    remove: int = 0,
) -> HTMLResponse:
    write_up = write_ups.get(session, user, key) or WriteUp(key)
    searching = view.search(bank, index, find, q, adds=find == write_up.next.number)
    return Editing(request, bank, write_up).page(Outcome(number=remove, asks=bool(remove)), searching)


@router.post("/{key}/edit")
def change(
    request: Request,
    session: SessionDep,
    user: CurrentUser,
    key: Key,
    bank: BankDep,
    index: IndexDep,
    form: FormDep,
    now: Now,
) -> Response:
    sent = view.read_sent(form)
    name, number, word, direction = view.read_act(form)
    act = view.domain_act(bank, name, number, word)
    outcome = write_ups_editing.submit(session, user, key, sent, act, now)
    read = f"/write-ups/{key}"
    if outcome.errors or outcome.strays:
        write_up = write_ups.get(session, user, key) or WriteUp(key)
        return Editing(request, bank, write_up).page(outcome, view.Search(), typed=sent.texts)
    if name == "done" or form.get("from") == "reading":
        return _onwards(request, f"{read}#question-{outcome.number}" if outcome.number else read)
    found_for, text = view.searched(form) if name in ("find", "stay", "") else (0, "")
    if wants_fragment(request):
        write_up = write_ups.get(session, user, key) or WriteUp(key)
        searching = view.search(bank, index, found_for, text, adds=found_for == write_up.next.number)
        focus = view.focus(name, outcome, direction, write_up)
        news = view.news(name, outcome, write_up)
        return Editing(request, bank, write_up).page(outcome, searching, focus=focus, news=news)
    query: dict[str, str | int] = {"find": found_for, "q": text} if text else {}
    query |= {"remove": outcome.number} if outcome.asks else {}
    shown = found_for or outcome.number
    anchor = f"question-{shown}" if shown else "next"
    return RedirectResponse(f"{read}/edit{'?' + urlencode(query) if query else ''}#{anchor}", status_code=303)


def _onwards(request: Request, address: str) -> Response:
    if wants_fragment(request):
        return Response(headers={"HX-Redirect": address, **VARY})
    return RedirectResponse(address, status_code=303)
