"""Choosing questions by topic, level and company: the fields that a page offers, and what is sent in them."""

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.datastructures import FormData, QueryParams

from app.bank.load import Bank
from app.bank.schema import LEVELS
from app.bank.topics import TOPICS
from app.practice import preferences
from app.practice.preferences import Choice
from app.practice.question_state import key_of
from app.practice.records import QuestionKey
from app.practice.standing import Standing


@dataclass(frozen=True, slots=True)
class Option:
    value: str
    label: str
    count: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    label: str
    options: tuple[Option, ...]


def read_choice(given: FormData | QueryParams) -> Choice:
    """The topics, levels and companies that a form or a link names; what nobody has finds nothing."""
    names = ("topic", "level", "company")
    topics, levels, companies = (
        frozenset(str(value)[:120] for value in given.getlist(name)[: preferences.MAX_VALUES])
        for name in names
    )
    return Choice(topics & frozenset(TOPICS), levels & frozenset(LEVELS), companies)


def choice_groups(
    bank: Bank, choice: Choice, known: Mapping[QuestionKey, Standing] | None = None
) -> tuple[Group, ...]:
    """What there is to choose among, with its questions counted: only new ones, where `known` is given."""
    counted = [
        question for question in bank.questions.values() if known is None or known[key_of(question)].new
    ]
    companies = sorted(
        {name for each in bank.questions.values() for name in each.companies}, key=str.casefold
    )
    topics = [slug for slug in TOPICS if any(slug in each.meta.topics for each in bank.questions.values())]
    groups = (
        ("topic", "Topic", [(slug, TOPICS[slug].name) for slug in topics], choice.topics),
        ("level", "Level", [(level, level) for level in LEVELS], choice.levels),
        ("company", "Company", [(name, name) for name in companies], choice.companies),
    )
    values = [(set(each.meta.topics), {each.meta.level}, set(each.companies)) for each in counted]
    return tuple(
        Group(
            name,
            label,
            tuple(
                Option(value, text, sum(value in each[place] for each in values), value in chosen)
                for value, text in offered
            ),
        )
        for place, (name, label, offered, chosen) in enumerate(groups)
        if offered
    )
