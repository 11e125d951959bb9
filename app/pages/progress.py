"""/progress: what is remembered now, how it went in a period, and the attempts one by one."""

from dataclasses import dataclass
from datetime import datetime

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.accounts.zones import zone_named
from app.bank.load import Bank
from app.dependencies import BankDep, CurrentUser, Now, SessionDep
from app.pages import progress_view as view
from app.pages.course_line import build_queue
from app.pages.home import questions_by_topic
from app.pages.question_view import RATINGS, day_text
from app.practice import answering, progress
from app.practice.attempts import Answer
from app.practice.progress import Attempt
from app.practice.progress_overview import Period, overview
from app.rendering import render

router = APIRouter()
PAGE = 50
MAX_ANSWERS = 5  # of an attempt
MAX_QUOTED = 80  # characters of an answer that the table repeats
VERDICTS = {
    "right": "right",
    "near": "near",
    "mistake": "not right",
    "wrong": "not right",
    answering.WRITTEN: "in words",
}


@dataclass(frozen=True, slots=True)
class AttemptRow:
    at: str
    when: str
    title: str
    address: str
    answers: tuple[tuple[str, str], ...]  # what was written, and its verdict
    more: int  # answers that the row has no room for
    note: str
    rating: str


@router.get("/progress")
def show(
    request: Request,
    session: SessionDep,
    user: CurrentUser,
    bank: BankDep,
    now: Now,
    before: str = "",
    period: str = "",
) -> HTMLResponse:
    below = int(before) if before.isascii() and before.isdigit() and len(before) <= 10 else None
    wanted = Period(period) if period in set(Period) else Period.TWELVE_WEEKS
    topics = {key: topic for topic, keys in questions_by_topic(bank).items() for key in keys}
    seen = overview(session, user, topics, wanted, now)
    page = progress.attempts(session, user, before=below, limit=PAGE)
    kept = f"&period={wanted}" if period else ""
    waiting = build_queue(session, user, bank, now)
    due_now = waiting.due + waiting.again
    return render(
        request,
        "progress/progress.html",
        nav="progress",
        summary=view.summary(seen, due_now),
        practised=seen.practised,
        calendar=view.calendar_view(seen.calendar, seen.today),
        weekdays=view.WEEKDAYS,
        mastery=[view.mastery_row(topic) for topic in seen.mastery],
        forecast=view.forecast_view(seen.forecast, seen.today),
        reviews=[view.review_row(bank, *pair, seen.today) for pair in seen.upcoming[: view.MAX_REVIEWS]],
        more_reviews=max(len(seen.upcoming) - view.MAX_REVIEWS, 0),
        due_now=due_now,
        period=wanted,
        periods=view.PERIODS,
        in_period=view.IN_PERIOD[wanted],
        pause=view.PAUSE_MINUTES,
        time=view.time_view(seen.time, wanted, seen.today),
        topics=[view.topic_row(result) for result in seen.topics],
        ratings=view.calibration_rows(seen.calibration),
        calibration=view.calibration_says(seen.calibration),
        mistakes=[view.mistake_item(bank, seen, made) for made in seen.mistakes],
        hardest=[view.hard_row(bank, hard) for hard in seen.hardest],
        hardest_drill=view.drill_button(seen, "The hardest", [hard.question for hard in seen.hardest]),
        attempts=[_attempt(bank, attempt, user.zone, now) for attempt in page.attempts],
        older=f"/progress?before={page.before}{kept}#attempts" if page.before else "",
        zone=user.zone,
    )


def _attempt(bank: Bank, attempt: Attempt, zone: str, now: datetime) -> AttemptRow:
    sitting = attempt.sitting
    last = attempt.answers[-1] if attempt.answers else None
    at = last.given_at if last else sitting.started_at
    seed = f"?v={sitting.version}&seed={sitting.seed}" if sitting.seed else ""
    shown = attempt.answers[-MAX_ANSWERS:]
    return AttemptRow(
        at=at.isoformat(),
        when=moment_text(at, zone, now),
        title=view.title_of(bank, sitting.question),
        address=f"/questions/{sitting.question.slug}{seed}",
        answers=tuple((_quoted(each), VERDICTS.get(each.graded.outcome, "")) for each in shown),
        more=len(attempt.answers) - len(shown),
        note=_note(attempt),
        rating=RATINGS[attempt.rating] if attempt.rating else "",
    )


def moment_text(moment: datetime, zone: str, now: datetime) -> str:
    """A moment by the clock on the learner's wall: 14:05 today, 8 Dec 14:05."""
    local, here = moment.astimezone(zone_named(zone)), now.astimezone(zone_named(zone))
    return f"{day_text(local.date(), here.date())} {local:%H:%M}"


def _quoted(answer: Answer) -> str:
    text = " ".join(answer.text.split())
    return text if len(text) <= MAX_QUOTED else f"{text[: MAX_QUOTED - 1]}…"


def _note(attempt: Attempt) -> str:
    """What else happened: an interview, hints, a reveal without an answer."""
    words = []
    if attempt.abandoned is not None:
        words.append("interview, abandoned" if attempt.abandoned else "interview")
    if hints := attempt.sitting.hints_used:
        words.append("1 hint" if hints == 1 else f"{hints} hints")
    if not attempt.answers and attempt.abandoned is not None:
        words.append("not answered")
    elif attempt.sitting.revealed and not attempt.answers:
        words.append("revealed without an answer")
    return ", ".join(words)
