"""A request to a question's page: who, in which browser, when, which numbers, and what a form brings."""

import contextlib
import secrets
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated

from fastapi import Depends, HTTPException, Request
from sqlmodel import Session
from starlette.datastructures import FormData

from app.accounts import users
from app.accounts.browser_sessions import BrowserSession
from app.accounts.users import User
from app.accounts.zones import UnknownZone
from app.bank.load import Bank
from app.bank.params import read_seed
from app.bank.problems import BrokenQuestionError
from app.bank.question import Question
from app.dependencies import (
    BankDep,
    Caller,
    CurrentUser,
    KnownBrowser,
    Now,
    OpenBrowser,
    SessionDep,
    SettingsDep,
    get_now,
)
from app.pages import question_address
from app.pages.answer_fields import sent_stamps, sent_texts
from app.pages.question_address import Asked, Links
from app.practice import drills, question_state, sittings
from app.practice.drills import Drill
from app.practice.kept_text import Stamp
from app.practice.question_state import QuestionState


async def read_form(request: Request) -> AsyncIterator[FormData]:
    """The form that was sent. Reading it waits, which the routes, being `def`, cannot."""
    async with request.form() as form:
        yield form


def read_address(request: Request, slug: str, bank: BankDep) -> Asked:
    seed = read_seed(request.query_params.get("seed") or "0")
    question = question_in_progress(request, bank, slug, seed if isinstance(seed, int) else 0)
    if question is None:
        raise HTTPException(404, f"There is no question {slug[:80]!r}. It may have been renamed or left out.")
    try:
        return question_address.read(question, request.query_params.multi_items())
    except BrokenQuestionError as error:
        raise HTTPException(422, f"This question cannot be computed: {error}") from error


def question_in_progress(request: Request, bank: Bank, slug: str, seed: int) -> Question | None:
    """The question under this slug; with the text that this browser began it with, while that goes on.

    Only a team's bank changes so: an owner replaces a pack, or hides a question, while members practise.
    """
    caller: Caller | None = getattr(request.state, "caller", None)
    if bank.earlier is not None and caller is not None:
        who = (request.state.session, caller.user, caller.browser)
        begun = sittings.begun_with(*who, slug, seed, get_now(request))
        if begun is not None and (question := bank.as_begun(*begun)) is not None:
            return question
    return bank.get(slug)


FormDep = Annotated[FormData, Depends(read_form)]
AskedDep = Annotated[Asked, Depends(read_address)]


@dataclass(frozen=True, slots=True)
class Visit:
    """`drill` is the one that the address names, where it is the user's own."""

    request: Request
    session: Session
    bank: Bank
    user: User
    browser: BrowserSession | None
    asked: Asked
    links: Links
    drill: Drill | None
    now: datetime

    @property
    def may_move(self) -> bool:
        """Whether a rating here is meant for the schedule."""
        return self.drill is None or self.drill.moves_schedule

    def state(self) -> QuestionState:
        return question_state.load(self.session, self.user, self.browser, self.asked.variant, self.now)


def read_visit(
    request: Request,
    session: SessionDep,
    bank: BankDep,
    settings: SettingsDep,
    user: CurrentUser,
    browser: KnownBrowser,
    asked: AskedDep,
    now: Now,
) -> Visit:
    drill = drills.get(session, user, asked.course.drill)
    if drill is None and asked.course.drill:  # somebody else's link
        asked = replace(asked, course=replace(asked.course, drill=0))
    base_url = settings.base_url or str(request.base_url)
    links = question_address.links(asked.variant, course=asked.course, base_url=base_url)
    return Visit(request, session, bank, user, browser, asked, links, drill, now)


VisitDep = Annotated[Visit, Depends(read_visit)]


@dataclass(frozen=True, slots=True)
class Act:
    """A request that changes something: a visit, the browser's session, and the form with its texts kept."""

    visit: Visit
    browser: BrowserSession
    form: FormData
    texts: Mapping[str, str]
    stamps: Mapping[str, Stamp]

    @property
    def key(self) -> str:
        return str(self.form.get("key") or secrets.token_urlsafe(12))


def read_act(visit: VisitDep, browser: OpenBrowser, form: FormDep) -> Act:
    user = visit.user
    if zone := str(form.get("zone") or ""):
        with contextlib.suppress(UnknownZone):  # a browser's word, worth no error
            user = users.remember_zone(visit.session, user, zone[:80])
    known = replace(visit, user=user, browser=browser)
    variant = visit.asked.variant
    return Act(known, browser, form, sent_texts(variant, form), sent_stamps(variant, form))


ActDep = Annotated[Act, Depends(read_act)]
