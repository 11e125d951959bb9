"""Which questions are in which state for a learner: new, due, being learned, and what comes on top."""

from collections.abc import Mapping
from datetime import date

from app.practice.marks import Marks
from app.practice.records import QuestionKey
from app.practice.standing import Standing

STATES: Mapping[str, str] = {
    "due": "due",
    "new": "new",
    "learning": "learning",
    "wrong": "wrong lately",
    "bookmarked": "bookmarked",
    "suspended": "suspended",
}


def by_state(
    known: Mapping[QuestionKey, Standing], marked: Mapping[QuestionKey, Marks], today: date
) -> dict[str, list[QuestionKey]]:
    """The questions in each state. Each is new, due or being learned; the other states come on top."""
    states: dict[str, list[QuestionKey]] = {state: [] for state in STATES}
    for question, standing in known.items():
        if standing.due_day is not None and standing.due_day <= today:
            states["due"].append(question)
        else:
            states["new" if standing.new else "learning"].append(question)
        if standing.wrong_lately(today):
            states["wrong"].append(question)
        marks = marked.get(question)
        if marks is not None and marks.bookmarked:
            states["bookmarked"].append(question)
        if marks is not None and marks.suspended:
            states["suspended"].append(question)
    return states
