"""Write-ups in plain data: the fields of their form, what a form says, and how one is read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from starlette.datastructures import FormData

from app.bank.load import Bank
from app.bank.question import Question
from app.bank.search import Filters, SearchIndex
from app.bank.topics import TOPICS
from app.pages.question_view import KINDS
from app.pages.typed import sent_stamp
from app.practice import drills
from app.practice.kept_text import UNTYPED, Stamp
from app.practice.notes import Note
from app.practice.question_state import key_of
from app.practice.records import digest
from app.practice.write_ups import (
    OF_INTERVIEW,
    OF_QUESTION,
    Asked,
    NoSuchField,
    WriteUp,
    part_of,
    split_part,
)
from app.practice.write_ups_editing import Act, Outcome, Sent

MAX_FOUND: Final = 6
MAX_SEARCH: Final = 200
NO_NOTE: Final = Note()
MOVED: Final = ("up", "down")


@dataclass(frozen=True, slots=True)
class Field:
    part: str
    label: str
    text: str
    stamp: Stamp = UNTYPED
    set_aside: str = ""
    error: str = ""

    @property
    def id(self) -> str:
        return f"field-{self.part}"


@dataclass(frozen=True, slots=True)
class Match:
    """A question of the bank that a search has found; `act` is what its button sends."""

    title: str
    about: str
    does: str
    act: str


@dataclass(frozen=True, slots=True)
class Search:
    """A search in the bank for a question of the write-up, perhaps the next one."""

    number: int = 0
    text: str = ""
    matches: tuple[Match, ...] = ()

    @property
    def said(self) -> str:
        """What to say where nothing was found."""
        return "No question of the bank has all of these words." if self.text and not self.matches else ""


@dataclass(frozen=True, slots=True)
class AskedView:
    """A question that was asked. `title` is the bank's, empty where it stands by itself."""

    number: int
    place: int
    title: str
    address: str
    missing: str
    asked: str
    note: str
    elsewhere: str
    source: str
    verified: bool

    @property
    def name(self) -> str:
        """What to call it in a line."""
        return self.title or self.asked or f"Question {self.place}"


@dataclass(frozen=True, slots=True)
class AskedForm:
    """The same with its fields; `search` where one was asked for without JavaScript."""

    view: AskedView
    fields: Mapping[str, Field]
    search: Search
    asks: bool
    last: bool


LABELS: Final[Mapping[str, str]] = {
    "company": "Company",
    "role": "Role",
    "level": "Level",
    "date": "Day",
    "about": "How it went",
    "asked": "As it was asked",
    "note": "Your own note",
    "elsewhere": "The text",
    "source": "Where it is from",
}


def read_act(form: FormData) -> tuple[str, int, str, str]:
    """What a button's value says: a name, the number of a question, and up to two words more."""
    words = [*str(form.get("act") or "")[:MAX_SEARCH].split(":", 3), "", "", ""]
    return words[0], _number(words[1]), words[2], words[3]


def domain_act(bank: Bank, name: str, number: int, word: str) -> Act:
    """The act as the practice takes it; a question that is not in the bank is none."""
    question = bank.get(word) if name in ("add", "link") else None
    if name == "add" and word and question is None:
        return Act()
    return Act(name, number, _number(word), key_of(question) if question is not None else None)


def read_sent(form: FormData) -> Sent:
    """What a form says, by the fields' names."""
    texts, stamps = {}, {}
    for name, value in form.multi_items():
        try:
            split_part(name)
        except NoSuchField:
            continue
        texts[name] = str(value).replace("\r\n", "\n")
        if stamp := sent_stamp(form, name):
            stamps[name] = stamp
    token, act = str(form.get("form") or ""), str(form.get("act") or "")
    return Sent(texts, stamps, digest(token, act, *(word for pair in texts.items() for word in pair)))


def searched(form: FormData) -> tuple[int, str]:
    """The question that a text was typed for into a search, and the text; the first where there are more."""
    for name, value in form.multi_items():
        text = str(value).strip()[:MAX_SEARCH]
        if text and name.startswith("q-"):
            return _number(name[2:]), text
    return 0, ""


def search(bank: Bank, index: SearchIndex, number: int, text: str, *, adds: bool) -> Search:
    """The questions of the bank with all words of the text; without a text none.

    A found one is linked to question `number`, which it adds where it is the next.
    """
    text = text.strip()[:MAX_SEARCH]
    hits = index.search(text, Filters(), states={}, limit=MAX_FOUND).hits if text else ()
    matches = []
    for hit in hits:
        question = bank.get(hit.slug)
        if question is not None:
            about = (TOPICS[question.meta.topics[0]].name, question.meta.level, KINDS[question.meta.kind])
            act = f"{'add' if adds else 'link'}:{number}:{hit.slug}"
            does = "Add" if adds else "Link"
            matches.append(Match(question.title, ", ".join(about), does, act))
    return Search(number, text, tuple(matches))


def interview_fields(
    write_up: WriteUp, typed: Mapping[str, str], errors: Mapping[str, str]
) -> dict[str, Field]:
    """The fields of the interview itself, with what was typed where that could not be kept."""
    return {
        name: _field(name, name, write_up.texts.get(name, NO_NOTE), typed, errors) for name in OF_INTERVIEW
    }


def next_field(write_up: WriteUp, typed: Mapping[str, str], errors: Mapping[str, str]) -> Field:
    """The field for the question that is added next."""
    each = write_up.next
    part = part_of(each.number, "asked")
    return _field(part, "asked", each.texts.get("asked", NO_NOTE), typed, errors)


def asked_forms(
    bank: Bank,
    write_up: WriteUp,
    typed: Mapping[str, str],
    errors: Mapping[str, str],
    *,
    searching: Search,
    asks: int,
) -> tuple[AskedForm, ...]:
    count = len(write_up.questions)
    return tuple(
        AskedForm(
            view=view,
            fields={
                name: _field(part_of(each.number, name), name, each.texts.get(name, NO_NOTE), typed, errors)
                for name in OF_QUESTION
            },
            search=searching if searching.number == each.number else Search(each.number),
            asks=asks == each.number,
            last=view.place == count,
        )
        for each, view in zip(write_up.questions, asked_views(bank, write_up), strict=True)
    )


def asked_views(bank: Bank, write_up: WriteUp) -> tuple[AskedView, ...]:
    return tuple(_asked(bank, each, place) for place, each in enumerate(write_up.questions, 1))


def to_practise(bank: Bank, write_up: WriteUp) -> tuple[str, ...]:
    """The questions of the bank that it is linked to, each once."""
    linked = (_linked(bank, each) for each in write_up.questions)
    slugs = dict.fromkeys(question.slug for question in linked if question is not None)
    return tuple(slugs)[: drills.MAX_QUESTIONS]


def written_day(day: date | None) -> str:
    return f"{day.day} {day:%B %Y}" if day else ""


def _asked(bank: Bank, asked: Asked, place: int) -> AskedView:
    question = _linked(bank, asked)
    return AskedView(
        number=asked.number,
        place=place,
        title=question.title if question else "",
        address=f"/questions/{question.slug}" if question else "",
        missing=asked.question.slug if asked.question and question is None else "",
        asked=asked.text("asked").strip(),
        note=asked.text("note").strip(),
        elsewhere=asked.text("elsewhere").strip(),
        source=asked.text("source").strip(),
        verified=asked.verified,
    )


def _linked(bank: Bank, asked: Asked) -> Question | None:
    """The question that it is linked to, while the bank has it."""
    found = bank.at(asked.question) if asked.question is not None else None
    return found if found is not None and key_of(found) == asked.question else None


def _field(
    part: str,
    name: str,
    note: Note,
    typed: Mapping[str, str],
    errors: Mapping[str, str],
) -> Field:
    return Field(
        part=part,
        label=LABELS[name],
        text=typed[part] if part in errors and part in typed else note.text,
        stamp=note.stamp,
        set_aside=note.set_aside or "",
        error=errors.get(part, ""),
    )


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else 0


def count_line(shown: Sequence[object], total: int, *, narrowed: bool) -> str:
    noun = "write-up" if total == 1 else "write-ups"
    return f"{len(shown)} of {total} {noun}" if narrowed else f"{total} {noun}"


def focus(name: str, outcome: Outcome, direction: str, write_up: WriteUp) -> str:
    """The id of what the keyboard goes on with after a button's act."""
    number, count = outcome.number, len(write_up.questions)
    if name in ("add", "own") and number:
        return f"field-{number}-note"
    if name == "move" and direction in MOVED:
        place = _place(write_up, number)
        at_the_end = place == (1 if direction == "up" else count)
        return f"{MOVED[1 - MOVED.index(direction)] if at_the_end else direction}-{number}"
    if outcome.asks:
        return f"remove-{number}"
    if name in ("link", "unlink", "verify", "unverify") and number:
        return f"title-{number}"
    return "questions" if name in ("remove", "remove-all") else ""


def news(name: str, outcome: Outcome, write_up: WriteUp) -> str:
    """What a screen reader says of a button's act."""
    place, count = _place(write_up, outcome.number), len(write_up.questions)
    if outcome.asks:
        return "Remove the question with its notes?"
    match name:
        case "add":
            return f"Added as question {place}."
        case "move":
            return f"Now question {place} of {count}."
        case "link":
            return "Linked to the bank."
        case "unlink":
            return "The link is taken away."
        case "remove" | "remove-all":
            return f"Removed. {count} {'question is' if count == 1 else 'questions are'} left."
        case "verify":
            return "Marked as verified."
        case "unverify":
            return "Marked as to verify."
        case "own":
            return "Moved into your own note."
        case _:
            return ""


def _place(write_up: WriteUp, number: int) -> int:
    return next((place for place, each in enumerate(write_up.questions, 1) if each.number == number), 0)
