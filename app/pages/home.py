"""/: what is due, a question to try at once, and the topics."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from app.bank.load import Bank
from app.bank.topics import TOPICS
from app.bank.variants import Variant, make_variant
from app.dependencies import BankDep, Caller, CurrentUser, KnownBrowser, Now, SessionDep
from app.pages import question_address
from app.pages.answer_fields import AnswerField, answer_fields
from app.pages.course import Course
from app.pages.course_line import build_queue, queue_line
from app.pages.practice_view import start_label
from app.practice import interviews, question_state, write_ups
from app.practice.fresh import fresh_seed
from app.practice.question_state import QuestionState, key_of
from app.practice.queue import Item, Queue, State
from app.practice.records import QuestionKey
from app.practice.standing import TopicMastery, mastery_by_topic, standings
from app.rendering import render
from calculators import quantities

if TYPE_CHECKING:
    from app.pages.team_assignments_view import Row

router = APIRouter()
NEWEST = 3  # write-ups
SHOWPIECE = "attention-matrix-memory"  # offered first for as long as the bank has it and it is new


@dataclass(frozen=True, slots=True)
class Tryout:
    """A question to be answered where one is: `field` is its number's, None where it takes more than that."""

    title: str
    address: str
    prompt: Markup
    action: str
    draft: str
    seed: int
    key: str
    field: AnswerField | None


@dataclass(frozen=True, slots=True)
class TopicRow:
    slug: str
    name: str
    questions: int
    seen: int
    mastery: str


@router.get("/")
def home(
    request: Request,
    session: SessionDep,
    user: CurrentUser,
    browser: KnownBrowser,
    bank: BankDep,
    now: Now,
) -> HTMLResponse:
    waiting = build_queue(session, user, bank, now)
    known = standings(session, user, [key_of(each) for each in bank.questions.values()], now)
    first_visit = all(standing.new for standing in known.values())
    item = _to_try(bank, waiting, first_visit=first_visit)
    tryout = None
    if item is not None and (question := bank.at(item.question)) is not None:
        seed = fresh_seed(session, user, question) if item.seed is None else item.seed
        variant = make_variant(question, seed)
        tryout = _tryout(variant, question_state.load(session, user, browser, variant, now))
    return render(
        request,
        "home/home.html",
        due=waiting.due + waiting.again,
        line=queue_line(waiting),
        today=_today(waiting),
        start=start_label(waiting),
        interview=interviews.running(session, user),
        set_for_me=_set_for_me(request, now),
        first_visit=first_visit,
        tryout=tryout,
        topics=[_topic_row(topic) for topic in mastery_by_topic(known, questions_by_topic(bank))],
        write_ups=write_ups.newest(session, user, NEWEST),
        problems=_problems(bank),
    )


def _set_for_me(request: Request, now: datetime) -> "Sequence[Row]":
    """What the user's team has set them to do and they have not done."""
    caller: Caller | None = getattr(request.state, "caller", None)
    if caller is None or caller.team is None:
        return ()
    from app.pages.team_assignments import undone  # not at the top: one user alone starts without it

    return undone(request, caller.user, caller.team, now)


def questions_by_topic(bank: Bank) -> Mapping[str, Sequence[QuestionKey]]:
    """Each topic's questions, counted under the first of their topics."""
    found: dict[str, list[QuestionKey]] = {slug: [] for slug in TOPICS}
    for question in bank.questions.values():
        found[question.topics[0].slug].append(key_of(question))
    return found


def _to_try(bank: Bank, waiting: Queue, *, first_visit: bool) -> Item | None:
    """On a first visit the showpiece, then whatever is next in the queue."""
    showpiece = bank.get(SHOWPIECE) if first_visit else None
    if showpiece is not None:
        return Item(key_of(showpiece), State.NEW)
    return next((item for item in waiting.items if bank.at(item.question)), None)


def _tryout(variant: Variant, state: QuestionState) -> Tryout:
    """In the queue, so that what is begun here goes on there."""
    question = variant.question
    links = question_address.links(variant, course=Course(practice=True))
    numeric = question.meta.kind == "numeric" and not state.revealed
    return Tryout(
        title=question.title,
        address=links.here,
        prompt=variant.render(question.sections.question),
        action=links.answer,
        draft=links.draft,
        seed=variant.seed,
        key=secrets.token_urlsafe(12),
        field=answer_fields(variant, state, {})[0] if numeric else None,
    )


def _today(waiting: Queue) -> str:
    new = waiting.new
    return f"{waiting.done_today} done today, {new} new {'question' if new == 1 else 'questions'} to meet."


def _topic_row(topic: TopicMastery) -> TopicRow:
    remembered = topic.remembered
    mastery = "–" if remembered is None else quantities.format_quantity(remembered, "ratio", figures=2)
    return TopicRow(topic.topic, TOPICS[topic.topic].name, topic.questions, topic.seen, mastery)


def _problems(bank: Bank) -> str:
    count = sum(problem.severity == "error" for problem in bank.problems)
    if not count:
        return ""
    files = "1 problem keeps" if count == 1 else f"{count} problems keep"
    return f"{files} a question file from being served. “ridgeway lint” names the file and the line."
