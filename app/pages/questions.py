"""/questions: search and browse, with what each filter would leave."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.bank.fulltext import Piece
from app.bank.load import Bank
from app.bank.question import Question
from app.bank.search import FACETS, FacetCount, Filters, Results
from app.dependencies import BankDep, CurrentUser, IndexDep, Now, SessionDep
from app.pages.htmx import VARY, address_headers, wants_fragment
from app.pages.question_view import KINDS, day_text
from app.practice import marks
from app.practice.marks import Marks
from app.practice.question_state import key_of
from app.practice.records import QuestionKey
from app.practice.standing import Standing, standings
from app.practice.states import STATES, by_state
from app.practice.study_day import study_day
from app.rendering import render

router = APIRouter()
PAGE = 50
MAX_TEXT = 200
MAX_VALUES = 20  # of one filter
LABELS = {"topic": "Topic", "level": "Level", "company": "Company", "kind": "Kind", "state": "State"}
RESULTS = {"right": "last right", "near": "last near", "mistake": "last not right", "wrong": "last not right"}


@dataclass(frozen=True, slots=True)
class Row:
    """A question of the list, and how the learner stands with it."""

    slug: str
    title: str
    topic: str
    level: str
    kind: str
    minutes: int
    companies: str
    state: str
    snippet: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Facet:
    name: str
    label: str
    choices: tuple[FacetCount, ...]


@dataclass(frozen=True, slots=True)
class Browsing:
    """What a query asks for."""

    text: str
    filters: Filters
    offset: int

    @property
    def chosen(self) -> list[tuple[str, str]]:
        return [(name, value) for name in FACETS for value in sorted(self.filters.of(name))]

    def address(self, *, offset: int = 0, filtered: bool = True) -> str:
        query = [("q", self.text)] if self.text else []
        query += self.chosen if filtered else []
        query += [("from", str(offset))] if offset else []
        return f"/questions?{urlencode(query)}" if query else "/questions"


def read_browsing(request: Request) -> Browsing:
    """Anything that is no filter is passed over; a value that no question has finds nothing."""
    query = request.query_params
    filters = {name: frozenset(filter(None, query.getlist(name)[:MAX_VALUES])) for name in FACETS}
    offset = query.get("from", "")
    return Browsing(
        text=query.get("q", "").strip()[:MAX_TEXT],
        filters=Filters(**filters),
        offset=int(offset) if offset.isdecimal() and len(offset) <= 6 else 0,
    )


@router.get("/questions")
def browse(
    request: Request, session: SessionDep, user: CurrentUser, bank: BankDep, index: IndexDep, now: Now
) -> HTMLResponse:
    asked = read_browsing(request)
    today = study_day(now, user.zone)
    keys = {slug: key_of(question) for slug, question in bank.questions.items()}
    known = standings(session, user, keys.values(), now)
    marked = marks.all_of(session, user)
    states = by_state(known, marked, today)
    found = index.search(
        *(asked.text, asked.filters),
        states={state: [key.slug for key in questions] for state, questions in states.items()},
        limit=PAGE,
        offset=asked.offset,
    )
    fragment = wants_fragment(request)
    return render(
        request,
        "questions/_list.html" if fragment else "questions/list.html",
        nav="questions",
        headers={**VARY, **(address_headers(request, asked.address()) if fragment else {})},
        q=asked.text,
        rows=_rows(bank, found, known, marked, today, searched=bool(asked.text)),
        count_line=_count_line(found, asked),
        facets=_facets(found),
        filtered=bool(asked.chosen),
        unfiltered=asked.address(filtered=False),
        next_page=asked.address(offset=asked.offset + PAGE) if asked.offset + PAGE < found.total else "",
        calculators=found.calculators,
    )


def _rows(
    bank: Bank,
    found: Results,
    known: Mapping[QuestionKey, Standing],
    marked: Mapping[QuestionKey, Marks],
    today: date,
    *,
    searched: bool,
) -> list[Row]:
    rows = []
    for hit in found.hits:
        question = bank.get(hit.slug)
        if question is not None:  # the bank may have been read again since
            key = key_of(question)
            state = state_text(known.get(key, Standing()), today, marked.get(key, marks.NONE))
            rows.append(row(question, state, hit.snippet if searched else ()))
    return rows


def row(question: Question, state: str, snippet: tuple[Piece, ...] = ()) -> Row:
    return Row(
        slug=question.slug,
        title=question.title,
        topic=question.topics[0].name,
        level=question.meta.level,
        kind=KINDS[question.meta.kind],
        minutes=question.meta.minutes,
        companies=", ".join(question.companies),
        state=state,
        snippet=snippet,
    )


def state_text(standing: Standing, today: date, marked: Marks = marks.NONE) -> str:
    """Where the learner stands, in a few words: "new", "★ · due today · last right"."""
    words = ["★"] if marked.bookmarked else []
    words += ["suspended"] if marked.suspended else []
    if standing.new:
        return " · ".join([*words, "new"])
    if standing.due_day is not None:
        words.append("due" if standing.due_day <= today else f"due {day_text(standing.due_day, today)}")
    if standing.outcome is not None:
        words.append(RESULTS.get(standing.outcome, "answered"))
    return " · ".join(words)


def _count_line(found: Results, asked: Browsing) -> str:
    noun = "question" if found.of == 1 else "questions"
    line = f"{found.total} of {found.of} {noun}"
    return f"{line} for “{asked.text}”" if asked.text else line


def _facets(found: Results) -> list[Facet]:
    named = {"state": STATES}
    return [
        Facet(
            name,
            LABELS[name],
            tuple(
                replace(each, label=named.get(name, {}).get(each.value, each.label))
                for each in found.facets[name]
            ),
        )
        for name in FACETS
        if found.facets[name]
    ]
