"""/practice: what is due, then what is new, one question after the other."""

from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from sqlmodel import Session

from app.accounts.users import User
from app.bank.load import Bank
from app.dependencies import BankDep, CurrentUser, Now, SessionDep
from app.pages.question_view import day_text
from app.practice import queue
from app.practice.question_state import key_of
from app.practice.queue import Item, Queue, State
from app.practice.standing import standings, upcoming
from app.practice.study_day import study_day
from app.rendering import render

router = APIRouter()


@dataclass(frozen=True, slots=True)
class PracticeLine:
    """How far today's practice is: `of` is what it would come to with all that is due."""

    done: int
    due: int
    new: int
    of: int
    text: str


def build_queue(session: Session, user: User, bank: Bank, now: Now) -> Queue:
    return queue.build(session, user, [key_of(question) for question in bank.questions.values()], now)


def practice_line(waiting: Queue) -> PracticeLine:
    due = waiting.count(State.DUE) + waiting.count(State.AGAIN)
    of = max(waiting.daily_goal, waiting.done_today + due)
    return PracticeLine(
        done=waiting.done_today,
        due=due,
        new=waiting.count(State.NEW),
        of=of,
        text=f"{waiting.done_today} of {of} today",
    )


def address(item: Item) -> str:
    """Where a question of the queue is answered, with numbers that this learner has not met."""
    query = {"v": "1", "seed": str(item.seed), "practice": "1"}
    return f"/questions/{item.question.slug}?{urlencode(query)}"


@router.get("/practice")
def practice(
    request: Request, session: SessionDep, user: CurrentUser, bank: BankDep, now: Now, after: str = ""
) -> Response:
    """On to the next question; the one that was just left (`after`) only where no other waits."""
    waiting = build_queue(session, user, bank, now)
    others = [item for item in waiting.items if item.question.slug != after]
    for item in [*others, *waiting.items]:
        return RedirectResponse(address(item), status_code=303)
    heading, message = _nothing(session, user, bank, now)
    return render(
        request,
        "practice/done.html",
        nav="practice",
        practice=practice_line(waiting),
        heading=heading,
        message=message,
    )


def _nothing(session: Session, user: User, bank: Bank, now: Now) -> tuple[str, str]:
    if not bank.questions:
        return "No questions yet", "The bank is empty: no question file could be read."
    keys = [key_of(question) for question in bank.questions.values()]
    coming = upcoming(standings(session, user, keys, now))
    days = [standing.due_day for _, standing in coming if standing.due_day is not None]
    if not days:
        return "All done", "Every question has been practised."
    when = day_text(days[0], study_day(now, user.zone))
    return "All done for today", f"Nothing is due. The next review comes {when}."
