"""/questions/{slug}: one question, answered, revealed, edited and rated, with each act a plain POST."""

import secrets
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app.accounts.browser_sessions import BrowserSession
from app.dependencies import Caller, open_browser_session
from app.pages import course_line, live_panel, sharing, verdict_view
from app.pages import question_view as view
from app.pages.answer_fields import WORKING, answer_fields
from app.pages.htmx import VARY, address_headers, wants_fragment
from app.pages.typed import sent_stamp, too_long
from app.pages.visit import Act, ActDep, Visit, VisitDep
from app.practice import (
    answering,
    drills,
    marks,
    notes,
    preferences,
    question_state,
    ratings,
    sittings,
    write_ups,
)
from app.practice.chains import next_in_chain
from app.practice.question_state import QuestionState, key_of
from app.practice.records import TextTooLong, VariantSnapshot
from app.practice.schedule import Rating
from app.practice.study_day import study_day
from app.rendering import render

router = APIRouter(prefix="/questions/{slug}")
POINTS = "points"  # the part under which ticked key points are drafted


@router.get("")
def show(visit: VisitDep) -> Response:
    request, asked = visit.request, visit.asked
    if asked.reveal and request.headers.get("Sec-Fetch-Site") != "cross-site":
        browser = open_browser_session(request, visit.session, Caller(visit.user, visit.browser))
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
        taken = _begin(visit, act.browser)
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
    taken = _begin(visit, act.browser)
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
    _keep_points(act, _points(act))
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
    _keep_points(act, points)
    ratings.rate(
        visit.session,
        visit.user,
        state.sitting.id,
        Rating(int(given)),
        points,
        key=act.key,
        now=visit.now,
        may_move=visit.may_move,
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


def _begin(visit: Visit, browser: BrowserSession) -> VariantSnapshot:
    """What an act is about; in the queue it is remembered as where the queue stands."""
    variant, course = visit.asked.variant, visit.asked.course
    if course.practice and not course.chain:
        preferences.remember_served(visit.session, visit.user, key_of(variant.question), variant.seed)
    return question_state.begin(visit.session, visit.user, browser, variant, visit.now)


def _reveal(visit: Visit, browser: BrowserSession) -> None:
    taken = _begin(visit, browser)
    sittings.reveal(visit.session, visit.user, browser, taken, visit.now)


def _keep(act: Act) -> dict[str, str]:
    """Keeps the form's texts as drafts; messages by part where one is too long to be kept."""
    visit = act.visit
    errors: dict[str, str] = {}
    for part, text in act.texts.items():
        try:
            question_state.keep_texts(
                *(visit.session, visit.user, visit.asked.variant, {part: text}, visit.now), act.stamps
            )
        except TextTooLong as error:
            errors[part] = too_long(error)
    return errors


def _points(act: Act) -> list[str]:
    """The ids of the ticked key points, in the order of the question; what is none of them is left out."""
    ticked = {str(value) for value in act.form.getlist("point")}
    return [point.id for point in answering.key_points(act.visit.asked.variant) if point.id in ticked]


def _keep_points(act: Act, points: list[str]) -> None:
    visit = act.visit
    stamp = sent_stamp(act.form, POINTS)
    question_state.keep_texts(
        *(visit.session, visit.user, visit.asked.variant, {POINTS: ",".join(points)}, visit.now),
        {POINTS: stamp} if stamp is not None else {},
    )


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
        nav="practice" if visit.asked.course.led else "questions",
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
        **_course_context(visit, state),
        **_own_context(visit),
    }
    if revealed:
        context |= _rating_context(visit, state)
    return context


def _course_context(visit: Visit, state: QuestionState) -> dict[str, Any]:
    """The line above the question, what comes before it in a chain, and what comes after it."""
    course, slug = visit.asked.course, visit.asked.variant.question.slug
    line: course_line.Line | None = None
    drill = drills.get(visit.session, visit.user, course.drill)  # again, for a rating may have been given
    if drill is not None:
        line = course_line.drill_line(drill)
    elif course.practice:
        line = course_line.queue_line(
            course_line.build_queue(visit.session, visit.user, visit.bank, visit.now)
        )
    sitting_id = state.sitting.id if state.sitting else 0
    following = None
    if state.answers or state.revealed:
        suspended = {
            key.slug for key, each in marks.all_of(visit.session, visit.user).items() if each.suspended
        }
        following = next_in_chain(visit.bank, [*course.chain, slug], suspended)
    return {
        "course": course,
        "line": line,
        "undo": course_line.last_rating(
            visit.session, visit.user, visit.bank, visit.now, sitting_id=sitting_id
        )
        if line
        else None,
        "next_address": course.next_after(slug),
        "follow_up": following,
        "follow_up_address": course.follow_up_after(slug),
        "asked_before": visit.bank.get(course.chain[0]) if course.chain else None,
    }


def _own_context(visit: Visit) -> dict[str, Any]:
    """What the learner has noted about the question."""
    key = key_of(visit.asked.variant.question)
    return {
        "marks": marks.of(visit.session, visit.user, key),
        "note": notes.load(visit.session, visit.user, key),
        "write_up_notes": write_ups.notes_on(visit.session, visit.user, key),
    }


def _rating_context(visit: Visit, state: QuestionState) -> dict[str, Any]:
    assert state.sitting is not None
    variant, sitting = visit.asked.variant, state.sitting
    today = study_day(visit.now, visit.user.zone)
    rated = ratings.current(visit.session, visit.user, sitting.id)
    offered = ratings.choices(
        *(visit.session, visit.user, key_of(variant.question), visit.now, sitting.id),
        may_move=visit.may_move,
    )
    drafted = POINTS in state.drafts
    ticked = frozenset(rated.key_points if rated and not drafted else state.text(POINTS).split(","))
    suggestion = answering.suggest(variant, state, ticked)
    return {
        "key_points": view.key_points(variant, ticked),
        "points_revision": state.stamp(POINTS).revision,
        "ratings": view.rating_buttons(offered, suggestion.rating if suggestion else None, rated, today),
        "suggestion": suggestion.reason if suggestion else "",
        "rated": view.rated_text(rated, offered, today) if rated else "",
        "rating_id": rated.id if rated else 0,
    }
