"""Write-ups: interviews remembered, for their owner alone.

A question that was asked is linked to one of the bank or stands by itself. The learner's own note on it is
kept apart from text from elsewhere, which has a source and is to be verified.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from types import MappingProxyType
from typing import Final

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, func, or_, select

from app.accounts.users import User
from app.database import writing
from app.models import WriteUpQuestionRow, WriteUpRow, WriteUpTextRow
from app.practice.notes import Note
from app.practice.records import MAX_TEXT, QuestionKey

MAX_WRITE_UPS: Final = 500
MAX_QUESTIONS: Final = 50  # of a write-up
MAX_NUMBER: Final = 999_999  # of a question, ever
MAX_ASKED: Final = 1_000
# Characters of a write-up in all: a form sends the whole of it, which has to fit into a request's body.
MAX_TOTAL: Final = 200_000
MAX_WORDS: Final = 8  # of a search
MAX_NOTES: Final = 20  # shown with a question of the bank
OPENING: Final = 240  # characters of a write-up that a list shows

# The fields with how many characters each takes.
OF_INTERVIEW: Final[Mapping[str, int]] = MappingProxyType(
    {"company": 100, "role": 100, "level": 60, "date": 20, "about": MAX_TEXT}
)
OF_QUESTION: Final[Mapping[str, int]] = MappingProxyType(
    {"asked": MAX_ASKED, "note": MAX_TEXT, "elsewhere": MAX_TEXT, "source": 300}
)
_KEY: Final = re.compile(r"[A-Za-z0-9_-]{16}")
_PART: Final = re.compile(rf"([1-9][0-9]{{0,5}})-({'|'.join(OF_QUESTION)})")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_YEARS: Final = range(1970, 2100)
_NOTHING: Final = Note()


class NoSuchField(LookupError):  # noqa: N818 (reads as what it is)
    """A write-up has no field of this name, or not the question that it belongs to."""


def is_key(key: str) -> bool:
    """Whether a write-up can be named so."""
    return _KEY.fullmatch(key) is not None


def part_of(number: int, name: str) -> str:
    """The name of a question's field among all of a write-up's."""
    return f"{number}-{name}"


def split_part(part: str) -> tuple[int, str]:
    """The question's number, 0 for the interview itself, and its field. Raises `NoSuchField`."""
    if part in OF_INTERVIEW:
        return 0, part
    found = _PART.fullmatch(part)
    if found is None:
        raise NoSuchField(f"a write-up has no field {part[:40]!r}")
    return int(found[1]), found[2]


def read_day(text: str) -> date | None:
    """The day that is meant, None where none is given. Raises `ValueError` for anything else."""
    text = text.strip()
    if not text:
        return None
    try:
        day = date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        day = None
    if day is None or day.year not in _YEARS:
        first, last = _YEARS[0], _YEARS[-1]
        raise ValueError(
            f"“{text[:20]}” is no day: write year, month and day as in 2026-03-31, from {first} to {last}."
        )
    return day


def title(company: str, role: str) -> str:
    """What to call a write-up."""
    return ", ".join(filter(None, (company.strip(), role.strip()))) or "An interview"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was asked. `verified` is said of the text from elsewhere."""

    number: int
    question: QuestionKey | None = None
    verified: bool = False
    texts: Mapping[str, Note] = field(default_factory=dict)

    def text(self, name: str) -> str:
        return self.texts.get(name, _NOTHING).text


@dataclass(frozen=True, slots=True)
class WriteUp:
    """`made_at` is None for one of which nothing is kept yet.

    `next` has the number that the next question takes, and what is being typed for it.
    """

    key: str
    made_at: datetime | None = None
    texts: Mapping[str, Note] = field(default_factory=dict)
    questions: tuple[Asked, ...] = ()
    next: Asked = field(default_factory=lambda: Asked(1))

    def text(self, name: str) -> str:
        return self.texts.get(name, _NOTHING).text

    @property
    def title(self) -> str:
        return title(self.text("company"), self.text("role"))

    @property
    def day(self) -> date | None:
        return _day(self.text("date"))


@dataclass(frozen=True, slots=True)
class Summary:
    """A write-up in a list."""

    key: str
    company: str
    role: str
    level: str
    day: date | None
    made_at: datetime
    opening: str
    questions: int
    to_verify: int

    @property
    def title(self) -> str:
        return title(self.company, self.role)


@dataclass(frozen=True, slots=True)
class Found:
    """The write-ups that a search leaves, the newest interview first, among how many, by which companies."""

    shown: tuple[Summary, ...]
    total: int
    companies: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class NoteOn:
    """The learner's note on a question of the bank, from a write-up."""

    key: str
    number: int
    title: str
    day: date | None
    text: str


def get(session: Session, user: User, key: str) -> WriteUp | None:
    row = session.exec(
        select(WriteUpRow).where(WriteUpRow.user_id == user.id, WriteUpRow.key == key)
    ).one_or_none()
    if row is None:
        return None
    texts: dict[int, dict[str, Note]] = {}
    for each in session.exec(select(WriteUpTextRow).where(WriteUpTextRow.write_up_id == row.id)):
        try:
            number, name = split_part(each.part)
        except NoSuchField:  # an archive may have brought anything
            continue
        texts.setdefault(number, {})[name] = Note.of(each)
    questions = session.exec(
        select(WriteUpQuestionRow)
        .where(WriteUpQuestionRow.write_up_id == row.id)
        .order_by(col(WriteUpQuestionRow.place), col(WriteUpQuestionRow.number))
    )
    return WriteUp(
        key=row.key,
        made_at=row.made_at,
        texts=texts.get(0, {}),
        questions=tuple(
            Asked(each.number, _question(each), each.verified_at is not None, texts.get(each.number, {}))
            for each in questions
        ),
        next=Asked(row.numbered + 1, texts=texts.get(row.numbered + 1, {})),
    )


def delete(session: Session, user: User, key: str) -> None:
    """Deletes a write-up with all that is in it."""
    with writing(session):
        row = session.exec(
            select(WriteUpRow).where(WriteUpRow.user_id == user.id, WriteUpRow.key == key)
        ).one_or_none()
        if row is not None:
            session.delete(row)


def find(
    session: Session, user: User, text: str = "", company: str = "", *, titles: Mapping[str, str]
) -> Found:
    """The write-ups with every word of the text, in a field or in the title of a question linked to.

    `titles` are those of the bank's questions by slug. Of a company are those that spell it alike, but for
    capitals.
    """
    every = _summaries(session, user)
    companies: dict[str, list[Summary]] = {}
    for each in every.values():
        if each.company:
            companies.setdefault(each.company.casefold(), []).append(each)
    wanted = company.strip().casefold()
    words = text.split()[:MAX_WORDS]
    matching = _matching(session, every.keys(), words, titles) if words else every.keys()
    shown = [every[number] for number in matching if wanted in ("", every[number].company.casefold())]
    return Found(
        shown=tuple(sorted(shown, key=_newest_last, reverse=True)),
        total=len(every),
        companies=tuple((found[0].company, len(found)) for _, found in sorted(companies.items())),
    )


def newest(session: Session, user: User, count: int) -> tuple[Summary, ...]:
    """So many write-ups, of the newest interviews."""
    return tuple(sorted(_summaries(session, user).values(), key=_newest_last, reverse=True)[:count])


def notes_on(session: Session, user: User, question: QuestionKey) -> tuple[NoteOn, ...]:
    """What the learner's write-ups note on a question of the bank, the newest write-up first."""
    linked = session.exec(
        select(WriteUpRow, WriteUpQuestionRow.number)
        .join(WriteUpQuestionRow, col(WriteUpQuestionRow.write_up_id) == WriteUpRow.id)
        .where(
            WriteUpRow.user_id == user.id,
            WriteUpQuestionRow.pack == question.pack,
            WriteUpQuestionRow.slug == question.slug,
        )
        .order_by(col(WriteUpRow.id).desc(), col(WriteUpQuestionRow.place))
        .limit(MAX_NOTES)
    ).all()
    if not linked:
        return ()
    parts = {"company", "role", "date", *(part_of(number, "note") for _, number in linked)}
    texts: dict[tuple[int, str], str] = {
        (each.write_up_id, each.part): each.text
        for each in session.exec(
            select(WriteUpTextRow).where(
                col(WriteUpTextRow.write_up_id).in_({row.id for row, _ in linked}),
                col(WriteUpTextRow.part).in_(parts),
            )
        )
    }
    found = []
    for row, number in linked:
        company, role, day, note = (
            texts.get((row.id or 0, part), "")
            for part in ("company", "role", "date", part_of(number, "note"))
        )
        if note.strip():
            found.append(NoteOn(row.key, number, title(company, role), _day(day), note))
    return tuple(found)


def _question(row: WriteUpQuestionRow) -> QuestionKey | None:
    return None if row.slug is None else QuestionKey(row.pack or "", row.slug)


def _day(text: str) -> date | None:
    """The day, where the text is one: what is being typed need not be."""
    try:
        return read_day(text)
    except ValueError:
        return None


def _newest_last(summary: Summary) -> tuple[date, datetime]:
    return summary.day or summary.made_at.date(), summary.made_at


def _summaries(session: Session, user: User) -> dict[int, Summary]:
    """All of the user's write-ups, by the numbers of their rows."""
    rows = session.exec(select(WriteUpRow).where(WriteUpRow.user_id == user.id)).all()
    own = [row.id for row in rows]
    heads: dict[int, dict[str, str]] = {}
    for write_up, part, text in session.exec(
        select(
            WriteUpTextRow.write_up_id,
            WriteUpTextRow.part,
            func.substr(WriteUpTextRow.text, 1, OPENING + 1),
        ).where(
            col(WriteUpTextRow.write_up_id).in_(own),
            or_(col(WriteUpTextRow.part).in_(OF_INTERVIEW), _is_elsewhere()),
        )
    ):
        heads.setdefault(write_up, {})[part] = text.strip()
    counts: dict[int, int] = {}
    to_verify: dict[int, int] = {}
    # Columns, not rows: there can be thousands, and the home page waits for them.
    for write_up, number, verified in session.exec(
        select(
            WriteUpQuestionRow.write_up_id,
            WriteUpQuestionRow.number,
            col(WriteUpQuestionRow.verified_at).is_not(None),
        ).where(col(WriteUpQuestionRow.write_up_id).in_(own))
    ):
        counts[write_up] = counts.get(write_up, 0) + 1
        if not verified and heads.get(write_up, {}).get(part_of(number, "elsewhere")):
            to_verify[write_up] = to_verify.get(write_up, 0) + 1
    return {
        row.id: _summary(row, heads.get(row.id, {}), counts.get(row.id, 0), to_verify.get(row.id, 0))
        for row in rows
        if row.id is not None
    }


def _is_elsewhere() -> ColumnElement[bool]:
    return col(WriteUpTextRow.part).like("%-elsewhere")


def _summary(row: WriteUpRow, texts: Mapping[str, str], questions: int, to_verify: int) -> Summary:
    about = texts.get("about", "")
    return Summary(
        key=row.key,
        company=texts.get("company", ""),
        role=texts.get("role", ""),
        level=texts.get("level", ""),
        day=_day(texts.get("date", "")),
        made_at=row.made_at,
        opening=about if len(about) <= OPENING else f"{about[:OPENING].rsplit(maxsplit=1)[0]}…",
        questions=questions,
        to_verify=to_verify,
    )


def _matching(
    session: Session, write_ups: Collection[int], words: Iterable[str], titles: Mapping[str, str]
) -> set[int]:
    """Which of the write-ups have every word."""
    left = set(write_ups)
    for word in words:
        slugs = [slug for slug, each in titles.items() if word.casefold() in each.casefold()]
        texts = select(WriteUpTextRow.write_up_id).where(
            col(WriteUpTextRow.write_up_id).in_(left),
            col(WriteUpTextRow.text).icontains(word, autoescape=True),
        )
        linked = select(WriteUpQuestionRow.write_up_id).where(
            col(WriteUpQuestionRow.write_up_id).in_(left), col(WriteUpQuestionRow.slug).in_(slugs)
        )
        left = {*session.exec(texts.distinct()), *session.exec(linked.distinct())}
    return left
