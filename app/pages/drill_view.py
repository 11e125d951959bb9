"""A drill in plain data: what a form or a link asks for, and how it went."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import FormData, QueryParams

from app.bank.load import Bank
from app.bank.question import Question
from app.bank.topics import TOPICS
from app.errors import shorten
from app.pages.choosing import Group, Option, read_choice
from app.pages.course import Course, question_address
from app.pages.question_view import RATINGS
from app.practice import drills
from app.practice.drills import Drill, DrillItem
from app.practice.preferences import Choice
from app.practice.question_state import key_of
from app.practice.records import QuestionKey
from app.practice.schedule import Rating
from app.practice.states import STATES

USUAL: Final = 10
OFFERED: Final = ("new", "due", "wrong", "bookmarked")  # of the states that a question may be in


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a form or a link asks for: `questions` names them, or they are drawn by the choice."""

    choice: Choice
    states: frozenset[str]
    questions: tuple[str, ...]
    count: int
    title: str
    moves_schedule: bool


@dataclass(frozen=True, slots=True)
class Row:
    place: int
    title: str
    address: str
    answered: str
    outcome: str
    rating: str


def read_wanted(given: FormData | QueryParams) -> Wanted:
    count = str(given.get("count") or "").strip()
    usable = count.isascii() and count.isdigit() and len(count) <= 4 and int(count) > 0
    slugs = [str(slug) for slug in given.getlist("question")[: drills.MAX_QUESTIONS]]
    return Wanted(
        choice=read_choice(given),
        states=frozenset(map(str, given.getlist("state"))) & frozenset(OFFERED),
        questions=tuple(dict.fromkeys(slugs)),
        count=min(int(count), drills.MAX_QUESTIONS) if usable else USUAL,
        title=" ".join(str(given.get("title") or "").split())[: drills.MAX_TITLE],
        moves_schedule=given.get("schedule") == "1",
    )


def named(bank: Bank, slugs: tuple[str, ...]) -> list[Question]:
    return [question for slug in slugs if (question := bank.get(slug)) is not None]


def state_group(wanted: Wanted, states: Mapping[str, Sequence[QuestionKey]]) -> Group:
    offered = (Option(state, STATES[state], len(states[state]), state in wanted.states) for state in OFFERED)
    return Group("state", "State", tuple(offered))


def admitted(bank: Bank, wanted: Wanted, states: Mapping[str, Sequence[QuestionKey]]) -> list[Question]:
    in_states = {key for state in wanted.states for key in states[state]}
    suspended = set(states["suspended"])
    return [
        question
        for question in bank.questions.values()
        if wanted.choice.admits(question)
        and (not wanted.states or key_of(question) in in_states)
        and key_of(question) not in suspended
    ]


def title(wanted: Wanted) -> str:
    choice = wanted.choice
    topics = [TOPICS[slug].name for slug in TOPICS if slug in choice.topics]
    words = [" and ".join(topics) if len(topics) <= 2 else f"{len(topics)} topics"] if topics else []
    words += [", ".join(sorted(choice.levels))] if choice.levels else []
    words += [", ".join(sorted(choice.companies))] if choice.companies else []
    words += (
        [", ".join(STATES[state] for state in OFFERED if state in wanted.states)] if wanted.states else []
    )
    return ", ".join(words) or "All topics"


def address(question: Question, item: DrillItem, drill: Drill) -> str:
    return question_address(question.slug, question.meta.version, item.seed, Course(drill=drill.id))


def row(item: DrillItem, drill: Drill, bank: Bank) -> Row:
    question = bank.at(item.question)
    in_words = [answer.text for answer in item.firsts if question and question.meta.kind != "choice"]
    return Row(
        place=item.place,
        title=question.title if question else item.question.slug,
        address=address(question, item, drill) if question else "",
        answered=shorten("; ".join(in_words), 90),
        outcome=outcome(item),
        rating=RATINGS[item.rating] if item.rating else "",
    )


def outcome(item: DrillItem) -> str:
    """How the first answers did, in a word or two."""
    if not item.firsts:
        return "passed over" if item.passed else "not answered" if item.done else ""
    if item.credit is None:
        return "in words"
    if item.credit == 1:
        return "right"
    if all(answer.graded.outcome in ("right", "near") for answer in item.firsts):
        return "near"
    return "partly right" if len(item.firsts) > 1 and item.credit > 0 else "not right"


def went_wrong(item: DrillItem) -> bool:
    return item.rating == Rating.AGAIN or outcome(item) not in ("right", "in words")


def result(drill: Drill) -> str:
    graded = [item.credit for item in drill.items if item.credit is not None]
    said = f"{drill.done} of {len(drill.items)} done"
    return f"{said}, {graded.count(1)} of {len(graded)} right at once." if graded else f"{said}."
