"""/questions/{slug}: one question, answered, revealed, edited and rated, with each act a plain POST."""

import contextlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlmodel import Session
from starlette.datastructures import FormData

from app.accounts import users
from app.accounts.browser_sessions import BrowserSession
from app.accounts.users import User
from app.accounts.zones import UnknownZone
from app.bank.load import Bank
from app.bank.problems import BrokenQuestionError
from app.dependencies import (
    BankDep,
    CurrentUser,
    KnownBrowser,
    Now,
    OpenBrowser,
    SessionDep,
    SettingsDep,
    open_browser_session,
)
from app.pages import live_panel, question_address, sharing, verdict_view
from app.pages import question_view as view
from app.pages.answer_fields import WORKING, answer_fields, sent_revisions, sent_texts
from app.pages.htmx import VARY, address_headers, wants_fragment
from app.pages.practice import build_queue, practice_line
from app.pages.question_address import Asked, Links
from app.practice import answering, question_state, ratings, sittings
from app.practice.question_state import QuestionState, key_of
from app.practice.records import TextTooLong
from app.practice.schedule import Rating
from app.practice.study_day import study_day
from app.rendering import render

router = APIRouter(prefix="/questions/{slug}")
POINTS = "points"  # the part under which ticked key points are drafted


async def read_form(request: Request) -> FormData:
    """The form that was sent. Reading it waits, which the routes, being `def`, cannot."""
    return await request.form()


def read_address(request: Request, slug: str, bank: BankDep) -> Asked:
    question = bank.get(slug)
    if question is None:
        raise HTTPException(404, f"There is no question {slug[:80]!r}. It may have been renamed or left out.")
    try:
        return question_address.read(question, request.query_params.multi_items())
    except BrokenQuestionError as error:
        raise HTTPException(422, f"This question cannot be computed: {error}") from error


FormDep = Annotated[FormData, Depends(read_form)]
AskedDep = Annotated[Asked, Depends(read_address)]


@dataclass(frozen=True, slots=True)
class Visit:
    """One request to a question's page: who, when, and which numbers."""

    request: Request
    session: Session
    bank: Bank
    user: User
    browser: BrowserSession | None
    asked: Asked
    links: Links
    now: datetime

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
    base_url = settings.base_url or str(request.base_url)
    links = question_address.links(asked.variant, practice=asked.practice, base_url=base_url)
    return Visit(request, session, bank, user, browser, asked, links, now)


VisitDep = Annotated[Visit, Depends(read_visit)]


@dataclass(frozen=True, slots=True)
class Act:
    """A request that changes something: a visit, the browser's session, and the form with its texts kept."""

    visit: Visit
    browser: BrowserSession
    form: FormData
    texts: Mapping[str, str]
    revisions: Mapping[str, int]

    @property
    def key(self) -> str:
        return str(self.form.get("key") or secrets.token_urlsafe(12))


def read_act(visit: VisitDep, browser: OpenBrowser, form: FormDep) -> Act:
    user = visit.user
    if zone := str(form.get("zone") or ""):
        with contextlib.suppress(UnknownZone):  # a browser's word, worth no error
            user = users.remember_zone(visit.session, user, zone[:80])
    known = Visit(
        visit.request, visit.session, visit.bank, user, browser, visit.asked, visit.links, visit.now
    )
    variant = visit.asked.variant
    return Act(known, browser, form, sent_texts(variant, form), sent_revisions(variant, form))


ActDep = Annotated[Act, Depends(read_act)]


@router.get("")
def show(visit: VisitDep) -> Response:
    request, asked = visit.request, visit.asked
    if asked.reveal and request.headers.get("Sec-Fetch-Site") != "cross-site":
        browser = open_browser_session(request, visit.session, visit.user, visit.now, visit.browser)
        _reveal(visit, browser)
        return RedirectResponse(visit.links.here, status_code=303)
    state = visit.state()
    if not wants_fragment(request):
        return _page(visit, state)
    if not state.revealed:  # the sitting is over: the page begins anew
        return Response(headers={"HX-Refresh": "true", **VARY})
    if asked.errors:
        headers = {"HX-Reswap": "none", **VARY}
        return render(request, "questions/_refused.html", headers=headers, **_context(visit, state))
    headers = {**VARY, **address_headers(request, visit.links.here)}
    return render(request, "questions/_live.html", headers=headers, **_context(visit, state))


@router.get("/answer")
@router.get("/hint")
@router.get("/reveal")
@router.get("/rating")
@router.get("/restart")
def back(visit: VisitDep) -> Response:
    """An act's address that was reloaded or copied leads to its question, and does nothing."""
    return RedirectResponse(visit.links.here, status_code=303)


@router.post("/answer")
def answer(act: ActDep) -> Response:
    visit, variant = act.visit, act.visit.asked.variant
    errors = _keep(act)
    if not errors:
        taken = question_state.begin(visit.session, visit.user, act.browser, variant, visit.now)
        given = {part: text for part, text in act.texts.items() if part != WORKING}
        errors = answering.submit(
            visit.session,
            visit.user,
            act.browser,
            answering.Sheet(variant, taken, given, act.texts.get(WORKING, ""), act.key),
            visit.now,
        )
        _keep(act)
    if errors:
        state = question_state.with_texts(visit.state(), act.texts, visit.now)
        return _page(visit, state, status=422, errors=errors)
    return _done(visit, "verdict")


@router.post("/hint")
def hint(act: ActDep) -> Response:
    visit, variant = act.visit, act.visit.asked.variant
    taken = question_state.begin(visit.session, visit.user, act.browser, variant, visit.now)
    number = str(act.form.get("number") or "")
    asked_for = int(number) if number.isdecimal() and len(number) <= 3 else visit.state().hints_used + 1
    number_shown = min(asked_for, len(variant.question.sections.hints))
    if number_shown:
        sittings.take_hint(visit.session, visit.user, act.browser, taken, number_shown, visit.now)
    errors = _keep(act)
    return _done(visit, "hints-title", errors=errors, texts=act.texts)


@router.post("/reveal")
def reveal(act: ActDep) -> Response:
    _reveal(act.visit, act.browser)
    errors = _keep(act)
    return _done(act.visit, "model-answer", errors=errors, texts=act.texts)


@router.post("/ticks")
def ticks(act: ActDep) -> Response:
    """Keeps the key points that are ticked and says which rating they suggest."""
    visit = act.visit
    texts = {POINTS: ",".join(_points(act))}
    question_state.keep_texts(visit.session, visit.user, visit.asked.variant, texts, visit.now)
    state = visit.state()
    if not state.revealed:
        return Response(headers={"HX-Refresh": "true"})
    return render(visit.request, "questions/_ratings.html", headers=VARY, **_rating_context(visit, state))


@router.post("/rating")
def rating(act: ActDep) -> Response:
    visit = act.visit
    state = visit.state()
    given = str(act.form.get("rating") or "")
    if given not in {str(int(each)) for each in Rating}:
        raise HTTPException(422, "A rating is 1 (Again), 2 (Hard), 3 (Good) or 4 (Easy).")
    if state.sitting is None or not state.revealed:
        raise HTTPException(409, "A question is rated once its model answer has been revealed.")
    points = _points(act)
    texts = {POINTS: ",".join(points)}
    question_state.keep_texts(visit.session, visit.user, visit.asked.variant, texts, visit.now)
    ratings.rate(
        visit.session,
        visit.user,
        state.sitting.id,
        Rating(int(given)),
        points,
        key=act.key,
        now=visit.now,
    )
    if wants_fragment(visit.request):
        # The panel keeps the numbers that it shows: only what the rating changes is swapped.
        context = _context(visit, visit.state(), focus="next-question")
        return render(visit.request, "questions/_rated.html", headers=VARY, **context)
    return _done(visit, "next-question")


@router.post("/restart")
def restart(act: ActDep) -> Response:
    visit, variant = act.visit, act.visit.asked.variant
    sittings.start_again(
        visit.session, visit.user, act.browser, key_of(variant.question), variant.seed, visit.now
    )
    return RedirectResponse(visit.links.here, status_code=303)


def _reveal(visit: Visit, browser: BrowserSession) -> None:
    taken = question_state.begin(visit.session, visit.user, browser, visit.asked.variant, visit.now)
    sittings.reveal(visit.session, visit.user, browser, taken, visit.now)


def _keep(act: Act) -> dict[str, str]:
    """Keeps the form's texts as drafts; messages by part where one is too long to be kept."""
    visit = act.visit
    errors: dict[str, str] = {}
    for part, text in act.texts.items():
        try:
            question_state.keep_texts(
                *(visit.session, visit.user, visit.asked.variant, {part: text}, visit.now), act.revisions
            )
        except TextTooLong as error:
            errors[part] = f"This is too long: {error}."
    return errors


def _points(act: Act) -> list[str]:
    """The ids of the ticked key points, in the order of the question; what is none of them is left out."""
    ticked = {str(value) for value in act.form.getlist("point")}
    return [point.id for point in answering.key_points(act.visit.asked.variant) if point.id in ticked]


def _done(
    visit: Visit,
    focus: str,
    *,
    errors: Mapping[str, str] | None = None,
    texts: Mapping[str, str] | None = None,
) -> Response:
    """After an act: the page's new inside for htmx, and for a form the page's own address."""
    if errors and texts:
        state = question_state.with_texts(visit.state(), texts, visit.now)
        return _page(visit, state, status=422, errors=errors)
    if wants_fragment(visit.request):
        return _page(visit, visit.state(), focus=focus)
    return RedirectResponse(f"{visit.links.here}#{focus}", status_code=303)


def _page(
    visit: Visit,
    state: QuestionState,
    *,
    status: int = 200,
    errors: Mapping[str, str] | None = None,
    focus: str = "",
) -> HTMLResponse:
    fragment = wants_fragment(visit.request)
    return render(
        visit.request,
        "questions/_question.html" if fragment else "questions/question.html",
        nav="practice" if visit.asked.practice else "questions",
        status=status,
        headers=VARY,
        **_context(visit, state, errors or {}, focus),
    )


def _context(
    visit: Visit, state: QuestionState, errors: Mapping[str, str] | None = None, focus: str = ""
) -> dict[str, Any]:
    variant, asked = visit.asked.variant, visit.asked
    revealed = state.revealed
    context: dict[str, Any] = {
        "question": variant.question,
        "view": view.question_view(visit.bank, variant),
        "prose": view.prose(variant, revealed=revealed),
        "links": visit.links,
        "card": sharing.question_card(variant, visit.links.absolute),
        "seed": variant.seed,
        "key": secrets.token_urlsafe(12),
        "notices": asked.notices,
        "revealed": revealed,
        "focus": focus,
        "hints": view.hints(variant, state.hints_used),
        "verdict": verdict_view.verdict(variant, state),
        "answer_fields": () if revealed else answer_fields(variant, state, errors or {}),
        "panel": live_panel.panel(variant, asked.raw, asked.errors),
        "own_texts": verdict_view.own_texts(variant, state) if revealed else (),
        "choice_reviews": verdict_view.choice_reviews(variant, state) if revealed else (),
        "practice": None,
    }
    if revealed:
        context |= _rating_context(visit, state)
    if asked.practice:
        context["practice"] = practice_line(build_queue(visit.session, visit.user, visit.bank, visit.now))
    return context


def _rating_context(visit: Visit, state: QuestionState) -> dict[str, Any]:
    assert state.sitting is not None
    variant, sitting = visit.asked.variant, state.sitting
    today = study_day(visit.now, visit.user.zone)
    rated = ratings.current(visit.session, visit.user, sitting.id)
    offered = ratings.choices(visit.session, visit.user, key_of(variant.question), visit.now, sitting.id)
    drafted = POINTS in state.drafts
    ticked = frozenset(rated.key_points if rated and not drafted else state.text(POINTS).split(","))
    suggestion = answering.suggest(variant, state, ticked)
    return {
        "key_points": view.key_points(variant, ticked),
        "ratings": view.rating_buttons(offered, suggestion.rating if suggestion else None, rated, today),
        "suggestion": suggestion.reason if suggestion else "",
        "rated": view.rated_text(rated, offered, today) if rated else "",
    }
