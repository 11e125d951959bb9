"""/interviews: a mock interview set up, the set-ups that have a name, and the interviews so far."""

import contextlib
import random
import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlmodel import Session
from starlette.datastructures import FormData, QueryParams

from app.accounts import users
from app.accounts.users import User
from app.accounts.zones import UnknownZone
from app.bank.load import Bank
from app.bank.question import Question
from app.bank.topics import TOPICS
from app.dependencies import BankDep, CurrentUser, Now, SessionDep
from app.pages.choosing import choice_groups, read_choice
from app.pages.interviews_view import summary_row
from app.pages.visit import FormDep
from app.practice import interviews, interviews_running, interviews_sets, marks
from app.practice.interviews import MAX_MINUTES, MAX_QUESTIONS, MAX_TITLE
from app.practice.interviews_running import InterviewRunning
from app.practice.interviews_sets import SetUp, TooManySets
from app.practice.question_state import key_of
from app.rendering import render

router = APIRouter(prefix="/interviews")
USUAL: Final = SetUp()


@router.get("")
def set_up(request: Request, session: SessionDep, user: CurrentUser, bank: BankDep, now: Now) -> HTMLResponse:
    given = request.query_params
    saved = interviews_sets.get(session, user, read_number(given.get("set", "")))
    if saved is not None:
        return _page(request, session, user, bank, now, saved.set_up, name=saved.name)
    return _page(request, session, user, bank, now, read_set_up(given, {}), name=_name(given))


@router.post("")
def start(
    request: Request, session: SessionDep, user: CurrentUser, bank: BankDep, form: FormDep, now: Now
) -> Response:
    """Starts an interview, or keeps the set-up under its name."""
    if zone := str(form.get("zone") or ""):
        with contextlib.suppress(UnknownZone):  # a browser's word, worth no error
            user = users.remember_zone(session, user, zone[:80])
    errors: dict[str, str] = {}
    saved = interviews_sets.get(session, user, read_number(str(form.get("set") or "")))
    wanted = saved.set_up if saved is not None else read_set_up(form, errors)
    name = saved.name if saved is not None else _name(form)
    plan = [] if errors else _plan(session, user, bank, wanted)
    if not errors and not plan:
        errors["choice"] = "No question is all of this. Tick less, or other things."
    keep_only = form.get("save") == "1"
    if keep_only and not name:
        errors["name"] = "Give the set-up a name to save it under."
    if not errors and name and saved is None:
        try:
            interviews_sets.save(session, user, name, wanted)
        except TooManySets as error:
            errors["name"] = f"It was not saved: {error}."
    if errors:
        return _page(
            request, session, user, bank, now, wanted, name=name, errors=errors, given=form, status=422
        )
    if keep_only:
        return RedirectResponse("/interviews#sets", status_code=303)
    try:
        number = interviews_running.start(
            *(session, user, bank, plan, wanted),
            title=name or _title(wanted),
            key=str(form.get("key") or ""),
            now=now,
        )
    except InterviewRunning as error:
        number = error.interview_id
    return RedirectResponse(f"/interviews/{number}", status_code=303)


@router.post("/sets/{number}/delete")
def delete_set(number: str, session: SessionDep, user: CurrentUser) -> Response:
    interviews_sets.delete(session, user, read_number(number))
    return RedirectResponse("/interviews#sets", status_code=303)


def read_number(text: str) -> int:
    """A number of ours in an address or a form; 0, which is nobody's, for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else 0


def read_set_up(given: FormData | QueryParams, errors: dict[str, str]) -> SetUp:
    """What a form or a link asks for; what it leaves out is as usual, what makes no sense is an error."""
    sent = given.get("sent") == "1"  # a form leaves out what is not ticked
    slugs = tuple(dict.fromkeys(str(slug)[:80] for slug in given.getlist("question")[:MAX_QUESTIONS]))
    count = _whole(given, "count", "Questions", len(slugs) or USUAL.questions, MAX_QUESTIONS, errors)
    return SetUp(
        minutes=_whole(given, "minutes", "Minutes", USUAL.minutes, MAX_MINUTES, errors),
        questions=count,
        choice=read_choice(given),
        slugs=slugs,
        follow_ups=given.get("follow_ups") == "1" if sent else USUAL.follow_ups,
        reveal_each=given.get("reveal") == "each",
        moves_schedule=given.get("schedule") == "1",
    )


def _whole(
    given: FormData | QueryParams, name: str, label: str, usual: int, most: int, errors: dict[str, str]
) -> int:
    text = str(given.get(name) or "").strip()
    if not text:
        return usual
    if text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= most:
        return int(text)
    errors[name] = f"{label} is “{text[:40]}”: allowed is a whole number from 1 to {most}."
    return usual


def _name(given: FormData | QueryParams) -> str:
    return " ".join(str(given.get("name") or "").split())[: interviews_sets.MAX_NAME]


def _plan(session: Session, user: User, bank: Bank, wanted: SetUp) -> list[Question]:
    if wanted.slugs:
        return _named(bank, wanted.slugs)
    suspended = {key for key, each in marks.all_of(session, user).items() if each.suspended}
    admitted = [
        question
        for question in bank.questions.values()
        if wanted.choice.admits(question) and key_of(question) not in suspended
    ]
    return interviews_running.draw(session, user, admitted, wanted, random.SystemRandom())


def _named(bank: Bank, slugs: tuple[str, ...]) -> list[Question]:
    return [question for slug in slugs if (question := bank.get(slug)) is not None]


def _title(wanted: SetUp) -> str:
    choice = wanted.choice
    if wanted.slugs:
        return "Chosen questions"
    topics = [TOPICS[slug].name for slug in TOPICS if slug in choice.topics]
    words = [" and ".join(topics) if len(topics) <= 2 else f"{len(topics)} topics"] if topics else []
    words += [", ".join(sorted(choice.levels))] if choice.levels else []
    words += [", ".join(sorted(choice.companies))] if choice.companies else []
    return ", ".join(words)[:MAX_TITLE] or "All topics"


def _page(
    request: Request,
    session: Session,
    user: User,
    bank: Bank,
    now: datetime,
    wanted: SetUp,
    *,
    name: str,
    errors: Mapping[str, str] | None = None,
    given: FormData | None = None,
    status: int = 200,
) -> HTMLResponse:
    shown = {"minutes": str(wanted.minutes), "count": str(wanted.questions), "name": name}
    if given is not None:
        shown = {each: str(given.get(each) or "")[:80] for each in shown}
    running = interviews.running(session, user)
    return render(
        request,
        "interviews/set_up.html",
        nav="interviews",
        status=status,
        running=running,
        running_left=running.seconds_left(now) if running else 0,
        wanted=wanted,
        shown=shown,
        named=_named(bank, wanted.slugs),
        groups=choice_groups(bank, wanted.choice),
        errors=errors or {},
        sets=interviews_sets.saved(session, user),
        earlier=[
            summary_row(each, user.zone)
            for each in interviews.summaries(session, user)
            if each.ended_at is not None
        ],
        key=secrets.token_urlsafe(12),
        most_minutes=MAX_MINUTES,
        most=MAX_QUESTIONS,
    )
