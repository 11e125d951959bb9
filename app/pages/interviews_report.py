"""/interviews/{number}: the interview while it runs, its report once it is over, and links to the report."""

import secrets
from typing import Any, Final

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app.bank.load import Bank
from app.dependencies import BankDep, Now, SessionDep, SettingsDep
from app.pages import interviews_run
from app.pages import interviews_view as view
from app.pages.interviews import read_number
from app.pages.interviews_run import ActDep, Seat, SeatDep
from app.pages.visit import FormDep
from app.practice import interviews, interviews_running, interviews_sharing
from app.practice import interviews_results as results
from app.practice.interviews import Interview
from app.practice.interviews_sharing import TooManyLinks
from app.rendering import render

router = APIRouter(prefix="/interviews")
SHARED: Final = "/interviews/shared"


@router.get("/shared/{token}")
def shared(request: Request, token: str, session: SessionDep, bank: BankDep, now: Now) -> HTMLResponse:
    """The report for whoever has the link: nothing of other interviews, and notes only where it says so."""
    found = interviews_sharing.find(session, token)
    if found is None:
        raise HTTPException(404, "This link leads nowhere. It may have been revoked, or copied in part.")
    interview, with_notes = found
    topics = results.by_topic(interview, (), now)
    return render(
        request,
        "interviews/shared.html",
        headers={"X-Robots-Tag": "noindex", "Referrer-Policy": "no-referrer"},
        topics=[view.topic_row(topic) for topic in topics],
        entries=[view.entry(bank, interview, item, {}, with_notes=with_notes) for item in interview.items],
        **_summary(interview, "UTC"),
    )


@router.get("/{number}")
def show(seat: SeatDep, settings: SettingsDep) -> HTMLResponse:
    if not seat.interview.over:
        return interviews_run.page(seat)
    return _report(seat, settings)


@router.post("/{number}/points")
def points(act: ActDep) -> Response:
    """Keeps which key points an answer had."""
    seat, place = act.seat, act.item.place
    ticked = interviews_run.read_points(act.form) or set()
    interviews_running.mark(*act.where, ticked, seat.now)
    return RedirectResponse(f"{seat.here}#question-{place}", status_code=303)


@router.post("/{number}/share")
def share(seat: SeatDep, form: FormDep, settings: SettingsDep) -> HTMLResponse:
    """Makes a link and shows it, this once: only its hash is kept."""
    token = str(form.get("token") or "")
    if not interviews_sharing.usable(token):
        raise HTTPException(422, "The form has no token for a link. Open the report again.")
    try:
        made = interviews_sharing.share(
            *(seat.session, seat.user, seat.interview.id, token),
            with_notes=form.get("notes") == "1",
            now=seat.now,
        )
    except TooManyLinks as error:
        return _report(seat, settings, share_error=f"No link was made: {error}.", status=422)
    return _report(seat, settings, made=token if made else "")


@router.post("/{number}/revoke")
def revoke(seat: SeatDep, form: FormDep) -> Response:
    link = read_number(str(form.get("link") or ""))
    interviews_sharing.revoke(seat.session, seat.user, seat.interview.id, link, seat.now)
    return RedirectResponse(f"{seat.here}#share", status_code=303)


def _report(
    seat: Seat, settings: SettingsDep, *, made: str = "", share_error: str = "", status: int = 200
) -> HTMLResponse:
    interview = seat.interview
    before = results.earlier(seat.session, seat.user, interview)
    topics = results.by_topic(interview, before, seat.now)
    weak = [item.question.slug for item in results.weak_questions(interview)]
    base_url = (settings.base_url or str(seat.request.base_url)).rstrip("/")
    return render(
        seat.request,
        "interviews/report.html",
        nav="interviews",
        status=status,
        here=seat.here,
        earlier=[view.summary_row(each, seat.user.zone) for each in before],
        topics=[view.topic_row(topic) for topic in topics],
        entries=[
            view.entry(
                *(seat.bank, interview, item),
                {} if item.answered else seat.state(item).drafts,
                with_notes=True,
            )
            for item in interview.items
        ],
        weak=_known(seat.bank, weak),
        weak_topics=[(topic, view.topic_name(topic)) for topic in results.weak_topics(topics)],
        again=_known(seat.bank, [item.question.slug for item in interview.items]),
        links=[
            (link, view.day(link.made_at, seat.user.zone))
            for link in interviews_sharing.links(seat.session, interview)
        ],
        made=f"{base_url}{SHARED}/{made}" if made else "",
        share_error=share_error,
        token=interviews_sharing.new_token(),
        keys=[secrets.token_urlsafe(12) for _ in range(2)],
        **_summary(interview, seat.user.zone),
    )


@router.get("/{number}/delete")
def ask_to_delete(seat: SeatDep) -> Response:
    if not seat.interview.over:
        return RedirectResponse(seat.here, status_code=303)
    return render(
        seat.request,
        "interviews/delete.html",
        nav="interviews",
        interview=seat.interview,
        here=seat.here,
        day=view.day(seat.interview.started_at, seat.user.zone),
    )


@router.post("/{number}/delete")
def delete(seat: SeatDep) -> Response:
    interviews.delete(seat.session, seat.user, seat.interview.id)
    return RedirectResponse("/interviews", status_code=303)


def _known(bank: Bank, slugs: list[str]) -> list[str]:
    return [slug for slug in slugs if bank.get(slug) is not None]


def _summary(interview: Interview, zone: str) -> dict[str, Any]:
    """What the head of a report says."""
    ended = interview.ended_at or interview.started_at
    judged = [item for item in interview.items if item.credit is not None]
    return {
        "interview": interview,
        "day": view.day(interview.started_at, zone),
        "result": view.percent(results.overall(interview)),
        "judged": len(judged),
        "time": view.clock(interview.seconds_taken(ended)),
        "allowed": view.clock(60 * interview.minutes),
        "hints": sum(item.hints_used for item in interview.items),
        "late": sum(interview.late(item) for item in interview.items),
        "answered": sum(item.answered for item in interview.items),
        "model_answer": view.model_answer,
    }
