"""Today's plan in words: what is left of it, what comes first, and what to say when nothing is left."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Final

from app.bank.load import Bank
from app.pages.question_view import day_text
from app.practice.queue import Item, Queue, State
from app.practice.standing import Standing

SHOWN: Final = 8  # of the plan


@dataclass(frozen=True, slots=True)
class PlanRow:
    slug: str
    title: str
    why: str


def heading(waiting: Queue, bank: Bank) -> str:
    if not bank.questions:
        return "No questions yet"
    if waiting.items:
        return "Practice"
    return "That is your goal for today" if waiting.due + waiting.new else "All done for today"


def remark(waiting: Queue, known: Collection[Standing], today: date) -> str:
    """What today's plan comes to, in a sentence."""
    if waiting.items:
        due = sum(item.state == State.DUE for item in waiting.items)
        new = sum(item.state == State.NEW for item in waiting.items)
        parts = [f"{due} to review"] if due else []
        parts += [f"{new} new"] if new else []
        parts += [f"{waiting.again} to try again"] if waiting.again else []
        left = f"Left for today: {', '.join(parts)}."
        later = waiting.due - due
        return f"{left} {later} more are due and can wait." if later > 0 else left
    if waiting.due + waiting.new:
        parts = [f"{waiting.due} more are due"] if waiting.due else []
        parts += [f"{waiting.new} new ones wait"] if waiting.new else []
        return f"{' and '.join(parts)}. Nothing is lost by leaving them for tomorrow."
    days = [each.due_day for each in known if each.due_day is not None and each.due_day > today]
    if not known:
        return "The bank is empty: no question file could be read."
    if not days:
        return "Nothing waits."
    return f"Nothing is due. The next review comes {day_text(min(days), today)}."


def start_label(waiting: Queue) -> str:
    """What the button says; empty where nothing waits."""
    if not waiting.items:
        return ""
    if waiting.items[0].seed is not None or waiting.done_today:
        return "Go on"
    return "Practise what is due" if waiting.due else "Start practising"


def plan(waiting: Queue, bank: Bank, today: date) -> list[PlanRow]:
    """The next few questions, and why each is in the plan."""
    rows = []
    for item in waiting.items[:SHOWN]:
        question = bank.at(item.question)
        if question is not None:
            rows.append(PlanRow(question.slug, question.title, _why(item, today)))
    return rows


def _why(item: Item, today: date) -> str:
    if item.state == State.AGAIN:
        return "once more today"
    if item.due_day is None:
        return "new"
    return "due today" if item.due_day == today else f"due since {day_text(item.due_day, today)}"
