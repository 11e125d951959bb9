"""Search and browse: which questions and calculators a text finds, and how many each filter would leave.

Hints, answers and key points are not indexed: neither a hit nor a snippet gives an answer away.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from app.bank.fulltext import FullText, Piece
from app.bank.schema import KINDS, LEVELS
from app.bank.topics import TOPICS

MAX_PAGE = 100
MAX_CALCULATORS = 8
OPENING = 200  # characters of the prompt that stand for a snippet where nothing was searched for

FACETS = ("topic", "level", "company", "kind", "state")
_QUESTION_WEIGHTS = {"title": 10.0, "topics": 4.0, "companies": 4.0, "words": 3.0, "prompt": 2.0}
_CALCULATOR_WEIGHTS = {"title": 10.0, "words": 4.0, "summary": 3.0}


@dataclass(frozen=True, slots=True)
class QuestionEntry:
    """What the index knows of a question; `prompt` is plain text with the written values put in."""

    slug: str
    title: str
    prompt: str
    level: str
    kind: str
    topics: tuple[str, ...]  # slugs
    companies: tuple[str, ...] = ()
    words: str = ""  # whatever else should find it: the calculators it uses, models, hardware


@dataclass(frozen=True, slots=True)
class CalculatorEntry:
    slug: str
    title: str
    summary: str
    words: str = ""  # names and labels of its inputs and outputs


@dataclass(frozen=True, slots=True)
class QuestionHit:
    slug: str
    snippet: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class FacetCount:
    """A value of a filter, and how many questions it would show with the other filters as they are."""

    value: str
    label: str
    count: int
    selected: bool


@dataclass(frozen=True, slots=True)
class Results:
    hits: tuple[QuestionHit, ...]  # the page that was asked for
    total: int  # matching questions
    of: int  # all questions
    facets: Mapping[str, tuple[FacetCount, ...]]
    calculators: tuple[CalculatorEntry, ...]  # found by the text


@dataclass(frozen=True, slots=True)
class Filters:
    """Chosen values by facet: any value of a facet, and every facet. An unknown value finds nothing."""

    topic: frozenset[str] = frozenset()
    level: frozenset[str] = frozenset()
    company: frozenset[str] = frozenset()
    kind: frozenset[str] = frozenset()
    state: frozenset[str] = frozenset()

    def of(self, facet: str) -> frozenset[str]:
        chosen: frozenset[str] = getattr(self, facet)
        return chosen


@dataclass(slots=True)
class _Facet:
    """The values of a facet in their order, each with its label and the set of its questions as bits."""

    labels: dict[str, str]
    members: dict[str, int] = field(default_factory=dict)

    def add(self, value: str, bit: int) -> None:
        self.labels.setdefault(value, value)
        self.members[value] = self.members.get(value, 0) | bit

    def chosen(self, values: Collection[str], everything: int) -> int:
        """The questions with one of the values; all of them where none is chosen."""
        if not values:
            return everything
        union = 0
        for value in values:
            union |= self.members.get(value, 0)
        return union


class SearchIndex:
    """Built once from the bank. A set of questions is an int with a bit for each: counting is cheap."""

    def __init__(self, questions: Iterable[QuestionEntry], calculators: Iterable[CalculatorEntry]) -> None:
        self._questions = tuple(sorted(questions, key=_browsing_order))
        self._calculators = tuple(calculators)
        self._numbers = {entry.slug: number for number, entry in enumerate(self._questions)}
        self._everything = (1 << len(self._questions)) - 1
        self._facets = self._count_members()
        self._question_text = FullText(_QUESTION_WEIGHTS, [_question_row(each) for each in self._questions])
        self._calculator_text = FullText(
            _CALCULATOR_WEIGHTS, [_calculator_row(each) for each in self._calculators]
        )

    def close(self) -> None:
        """Free the memory of an index that a newer one replaces."""
        self._question_text.close()
        self._calculator_text.close()

    def search(
        self,
        text: str = "",
        filters: Filters | None = None,
        *,
        states: Mapping[str, Collection[str]] = MappingProxyType({}),
        limit: int = 50,
        offset: int = 0,
    ) -> Results:
        """Questions that the text finds and the filters let through, best first.

        `states` names the learner's states in their order, each with the slugs of its questions. Without a
        text the questions come in the bank's order: by topic, level and title.
        """
        filters = filters or Filters()
        facets = self._facets | {"state": self._states(states)}
        rows = self._question_text.search(text)
        found = self._everything if rows is None else sum(1 << row for row in rows)
        chosen = {name: facet.chosen(filters.of(name), self._everything) for name, facet in facets.items()}
        shown = found
        for members in chosen.values():
            shown &= members
        order: Iterable[int] = range(len(self._questions)) if rows is None else rows
        first, last = max(offset, 0), max(offset, 0) + min(max(limit, 0), MAX_PAGE)
        page = [row for row in order if shown >> row & 1][first:last]
        return Results(
            hits=self._hits(text, page),
            total=shown.bit_count(),
            of=len(self._questions),
            facets={name: _counts(name, facets, chosen, found, filters) for name in FACETS},
            calculators=self._found_calculators(text),
        )

    def _hits(self, text: str, page: Sequence[int]) -> tuple[QuestionHit, ...]:
        snippets = self._question_text.snippets(text, "prompt", page)
        return tuple(
            QuestionHit(self._questions[row].slug, snippets.get(row) or _opening(self._questions[row].prompt))
            for row in page
        )

    def _found_calculators(self, text: str) -> tuple[CalculatorEntry, ...]:
        rows = self._calculator_text.search(text) or []
        return tuple(self._calculators[row] for row in rows[:MAX_CALCULATORS])

    def _count_members(self) -> dict[str, _Facet]:
        facets = {
            "topic": _Facet({topic.slug: topic.name for topic in TOPICS.values()}),
            "level": _Facet({level: level for level in LEVELS}),
            "company": _Facet({}),
            "kind": _Facet({kind: kind for kind in KINDS}),
        }
        for number, entry in enumerate(self._questions):
            bit = 1 << number
            values = {
                "topic": entry.topics,
                "level": (entry.level,),
                "company": entry.companies,
                "kind": (entry.kind,),
            }
            for name, of_entry in values.items():
                for value in of_entry:
                    facets[name].add(value, bit)
        facets["company"].labels = dict(
            sorted(facets["company"].labels.items(), key=lambda pair: pair[0].casefold())
        )
        return facets

    def _states(self, states: Mapping[str, Collection[str]]) -> _Facet:
        facet = _Facet({state: state for state in states})
        for state, slugs in states.items():
            for slug in slugs:
                if slug in self._numbers:
                    facet.add(state, 1 << self._numbers[slug])
        return facet


def _counts(
    name: str, facets: Mapping[str, _Facet], chosen: Mapping[str, int], found: int, filters: Filters
) -> tuple[FacetCount, ...]:
    """The values of one facet, counted among what the text and the other facets leave."""
    left = found
    for other, members in chosen.items():
        if other != name:
            left &= members
    facet, selected = facets[name], filters.of(name)
    return tuple(
        FacetCount(value, label, (left & facet.members.get(value, 0)).bit_count(), value in selected)
        for value, label in facet.labels.items()
        if value in facet.members or name == "state" or value in selected
    )


def _browsing_order(entry: QuestionEntry) -> tuple[int, int, str, str]:
    topic = list(TOPICS).index(entry.topics[0])
    return topic, LEVELS.index(entry.level), entry.title.casefold(), entry.slug


def _question_row(entry: QuestionEntry) -> dict[str, str]:
    return {
        "title": entry.title,
        "topics": ", ".join(TOPICS[topic].name for topic in entry.topics),
        "companies": ", ".join(entry.companies),
        "words": f"{entry.slug} {entry.level} {entry.kind} {entry.words}",
        "prompt": entry.prompt,
    }


def _calculator_row(entry: CalculatorEntry) -> dict[str, str]:
    return {"title": entry.title, "words": f"{entry.slug} {entry.words}", "summary": entry.summary}


def _opening(prompt: str) -> tuple[Piece, ...]:
    text = " ".join(prompt.split())
    if len(text) > OPENING:
        text = text[:OPENING].rsplit(" ", 1)[0] + "…"
    return (Piece(text),)
