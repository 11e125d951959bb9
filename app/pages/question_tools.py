"""What a learner does with a question besides answering: skip, bookmark, suspend, note, report a mistake."""

from urllib.parse import quote, urlencode

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse, Response

import calculators
from app.dependencies import SettingsDep
from app.pages.htmx import VARY, wants_fragment
from app.pages.typed import sent_stamp
from app.pages.visit import ActDep, Visit, VisitDep
from app.practice import answering, drills, marks, notes, question_state
from app.practice.kept_text import Stamp
from app.practice.question_state import key_of
from app.practice.records import MAX_TEXT
from app.rendering import render

router = APIRouter(prefix="/questions/{slug}")
QUOTED = 400  # characters of an answer in a report


@router.get("/skip")
@router.get("/marks")
@router.get("/note")
def back(visit: VisitDep) -> Response:
    """An act's address that was reloaded or copied leads to its question, and does nothing."""
    return RedirectResponse(visit.links.here, status_code=303)


@router.post("/skip")
def skip(act: ActDep) -> Response:
    """On without it: in a drill for good, else for today. What was typed is kept."""
    visit, variant = act.visit, act.visit.asked.variant
    texts = {part: text for part, text in act.texts.items() if len(text) <= MAX_TEXT}
    question_state.keep_texts(visit.session, visit.user, variant, texts, visit.now, act.stamps)
    key = key_of(variant.question)
    if visit.drill is not None:
        drills.pass_over(visit.session, visit.user, visit.drill.id, key, variant.seed, visit.now)
    else:
        marks.skip(visit.session, visit.user, key, visit.now)
    onwards = visit.asked.course.next_after(variant.question.slug)
    if wants_fragment(visit.request):
        return Response(headers={"HX-Redirect": onwards, **VARY})
    return RedirectResponse(onwards, status_code=303)


@router.post("/marks")
def mark(act: ActDep) -> Response:
    visit = act.visit
    key = key_of(visit.asked.variant.question)
    if (bookmark := act.form.get("bookmark")) in ("0", "1"):
        marks.bookmark(visit.session, visit.user, key, visit.now, on=bookmark == "1")
    if (suspend := act.form.get("suspend")) in ("0", "1"):
        marks.suspend(visit.session, visit.user, key, visit.now, on=suspend == "1")
    if wants_fragment(visit.request):
        return render(
            visit.request,
            "questions/_marks.html",
            headers=VARY,
            marks=marks.of(visit.session, visit.user, key),
            links=visit.links,
        )
    return RedirectResponse(visit.links.here, status_code=303)


@router.post("/note")
def note(act: ActDep) -> Response:
    """Without JavaScript; with it the note is kept while it is typed."""
    visit = act.visit
    key = key_of(visit.asked.variant.question)
    text = str(act.form.get("note") or "").replace("\r\n", "\n")[:MAX_TEXT]
    stamp = sent_stamp(act.form, "note") or Stamp(notes.load(visit.session, visit.user, key).stamp.revision)
    notes.save(visit.session, visit.user, key, text, stamp=stamp, now=visit.now)
    return RedirectResponse(f"{visit.links.here}#note", status_code=303)


@router.get("/report")
def report(visit: VisitDep, settings: SettingsDep) -> HTMLResponse:
    """A text about a mistake in the question, ready to be sent or copied."""
    variant = visit.asked.variant
    subject = f"Mistake in “{variant.question.title}”"
    text = _report(visit)
    return render(
        visit.request,
        "questions/report.html",
        nav="questions",
        question=variant.question,
        links=visit.links,
        text=text,
        send_to=_send_to(settings.report_to, subject, text),
        by_mail=settings.report_to.startswith("mailto:"),
    )


def _report(visit: Visit) -> str:
    variant = visit.asked.variant
    meta = variant.question.meta
    numbers = ", ".join(f"{chosen.name} = {chosen.text}" for chosen in variant.params.values()) or "none"
    lines = [
        "What is wrong, and how do you know?",
        "",
        "",
        "---",
        f"Question: {variant.question.slug}, version {meta.version}",
        f"Title: {meta.title}",
        f"Seed: {variant.seed}",
        f"Numbers: {numbers}",
        f"Text: {variant.question.content_hash}; cost library {calculators.LIBRARY_VERSION}",
    ]
    for answer in visit.state().answers[-6:]:
        part = f" to {answer.part}" if answer.part else ""
        told = answering.message(answer).striptags().strip()
        judged = f" → {answer.graded.outcome}" + (f": {told}" if told else "")
        lines.append(f"Answered{part}: {answer.text[:QUOTED]}{judged}")
    return "\n".join(lines)


def _send_to(report_to: str, subject: str, text: str) -> str:
    """The address that opens a mail or a new entry of a tracker with the text in it; empty without one."""
    if report_to.startswith("mailto:"):
        return f"{report_to}?{urlencode({'subject': subject, 'body': text}, quote_via=quote)}"
    if not report_to:
        return ""
    return f"{report_to}{'&' if '?' in report_to else '?'}{urlencode({'title': subject, 'body': text})}"
