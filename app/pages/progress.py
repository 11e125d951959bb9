"""/progress: attempts with their verdicts, reviews to come, results by topic."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.accounts.zones import zone_named
from app.bank.load import Bank
from app.bank.topics import TOPICS
from app.dependencies import BankDep, CurrentUser, Now, SessionDep
from app.pages.question_view import RATINGS, day_text
from app.practice import answering, progress
from app.practice.attempts import Answer
from app.practice.progress import Attempt, TopicResult
from app.practice.question_state import key_of
from app.practice.records import QuestionKey
from app.practice.standing import Standing, standings, upcoming
from app.practice.study_day import study_day
from app.rendering import render

router = APIRouter()
PAGE = 50
MAX_REVIEWS = 30
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


@dataclass(frozen=True, slots=True)
class ReviewRow:
    day: str
    when: str
    title: str
    address: str
    rating: str


@dataclass(frozen=True, slots=True)
class TopicRow:
    slug: str
    name: str
    right: int
    graded: int
    text: str


@router.get("/progress")
def show(
    request: Request, session: SessionDep, user: CurrentUser, bank: BankDep, now: Now, before: str = ""
) -> HTMLResponse:
    below = int(before) if before.isdecimal() and len(before) <= 10 else None
    page = progress.attempts(session, user, before=below, limit=PAGE)
    topics = {key_of(question): question.topics[0].slug for question in bank.questions.values()}
    known = standings(session, user, topics, now)
    today = study_day(now, user.zone)
    reviews = upcoming(known)
    results = progress.results_by_topic(session, user, topics)
    return render(
        request,
        "progress/progress.html",
        nav="progress",
        summary=_summary(results, reviews, today),
        due=[_review(bank, key, standing, today) for key, standing in reviews[:MAX_REVIEWS]],
        due_now=any(standing.due_day <= today for _, standing in reviews if standing.due_day),
        topics=[_topic(result) for result in results],
        attempts=[_attempt(bank, attempt, user.zone, now) for attempt in page.attempts],
        older=f"/progress?before={page.before}" if page.before else "",
        zone=user.zone,
    )


def _summary(
    results: Sequence[TopicResult], reviews: Sequence[tuple[QuestionKey, Standing]], today: date
) -> str:
    if not results and not reviews:
        return "Nothing yet: what you answer and rate shows here."
    practised = sum(result.questions for result in results)
    due = sum(standing.due_day <= today for _, standing in reviews if standing.due_day)
    questions = "question" if practised == 1 else "questions"
    return f"{practised} {questions} practised, {due} due now."


def _review(bank: Bank, key: QuestionKey, standing: Standing, today: date) -> ReviewRow:
    assert standing.due_day is not None
    return ReviewRow(
        day=standing.due_day.isoformat(),
        when="due now" if standing.due_day <= today else day_text(standing.due_day, today),
        title=_title(bank, key),
        address=f"/questions/{key.slug}",
        rating=RATINGS[standing.rating] if standing.rating else "",
    )


def _topic(result: TopicResult) -> TopicRow:
    sittings = "sitting" if result.graded == 1 else "sittings"
    graded = f"{result.right_at_once} of {result.graded} {sittings} right at once"
    return TopicRow(
        slug=result.topic,
        name=TOPICS[result.topic].name,
        right=result.right_at_once,
        graded=result.graded,
        text=graded if result.graded else "rated, no graded answer",
    )


def _attempt(bank: Bank, attempt: Attempt, zone: str, now: datetime) -> AttemptRow:
    sitting = attempt.sitting
    last = attempt.answers[-1] if attempt.answers else None
    at = last.given_at if last else sitting.started_at
    seed = f"?v=1&seed={sitting.seed}" if sitting.seed else ""
    shown = attempt.answers[-MAX_ANSWERS:]
    return AttemptRow(
        at=at.isoformat(),
        when=moment_text(at, zone, now),
        title=_title(bank, sitting.question),
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
    """What else happened: hints, and a reveal without an answer."""
    words = []
    if hints := attempt.sitting.hints_used:
        words.append("1 hint" if hints == 1 else f"{hints} hints")
    if attempt.sitting.revealed and not attempt.answers:
        words.append("revealed without an answer")
    return ", ".join(words)


def _title(bank: Bank, key: QuestionKey) -> str:
    question = bank.get(key.slug)
    return question.title if question else f"{key.slug} (no longer in the bank)"
