"""Changing a write-up: each field as it is typed, and whole forms with what a button of theirs does.

A write-up begins with the first text that is kept under its key, so that one begun twice is one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, func, select

from app.accounts.users import User
from app.database import clean_text, writing
from app.models import WriteUpQuestionRow, WriteUpRow, WriteUpTextRow
from app.practice import kept_text
from app.practice.kept_text import Stamp
from app.practice.notes import Note
from app.practice.records import QuestionKey
from app.practice.write_ups import (
    MAX_NUMBER,
    MAX_QUESTIONS,
    MAX_TOTAL,
    MAX_WRITE_UPS,
    OF_INTERVIEW,
    OF_QUESTION,
    NoSuchField,
    part_of,
    read_day,
    split_part,
)

NOTHING: Final = "Write something first: a company, a day, what was asked."


class LimitError(ValueError):
    """More than is kept; `str()` is a sentence that says how much is."""


@dataclass(frozen=True, slots=True)
class Act:
    """What a form's button does beside keeping the form's texts: a name of `_ACTS`, or nothing.

    `number` is the question's that it is about, the next one's where it adds one; `place` is the place to
    move it to, and `question` the one of the bank to link it to.
    """

    name: str = ""
    number: int = 0
    place: int = 0
    question: QuestionKey | None = None


@dataclass(frozen=True, slots=True)
class Sent:
    """A form: its texts by part, how each was typed, and a digest of all of it."""

    texts: Mapping[str, str]
    stamps: Mapping[str, Stamp]
    digest: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a form: messages by part, after which its button did nothing.

    `number` is the question that it was about. `asks` where it is to be asked whether to remove that one.
    `strays` are texts for questions that another window has removed.
    """

    errors: Mapping[str, str] = field(default_factory=dict)
    number: int = 0
    asks: bool = False
    strays: tuple[str, ...] = ()


def save_text(
    session: Session,
    user: User,
    key: str,
    part: str,
    text: str,
    *,
    stamp: Stamp,
    now: datetime,
    typed_at: datetime | None = None,
) -> Note:
    """Keeps a field's text, as `drafts.save` does.

    Raises `LimitError` and `NoSuchField`.
    """
    split_part(part)
    text = clean_text(text)
    with writing(session):
        row = _row(session, user, key)
        if row is None:
            if not text.strip():
                return Note()
            row = _create(session, user, key, now)
        open_ = _Open(session, row, now)
        return open_.take(part, text, stamp, min(typed_at, now) if typed_at else now)


def dismiss(session: Session, user: User, key: str, part: str) -> None:
    """Drops the text that was set aside, which the learner does not want."""
    with writing(session):
        row = _row(session, user, key)
        kept = _Open(session, row, row.made_at).texts.get(part) if row is not None else None
        if kept is not None:
            kept.set_aside = None


def submit(session: Session, user: User, key: str, sent: Sent, act: Act, now: datetime) -> Outcome:
    """Keeps what a form says, then does what its button says; the same form again changes nothing."""
    texts: Mapping[str, str] = {part: clean_text(text) for part, text in sent.texts.items()}
    said = any(text.strip() for text in texts.values())
    with writing(session):
        row = _row(session, user, key)
        if row is None:
            if not said and act.name != "add":
                return Outcome({"company": NOTHING} if act.name == "done" else {})
            try:
                row = _create(session, user, key, now)
            except LimitError as error:
                return Outcome({"company": str(error)})
        if row.last_form == sent.digest:
            return Outcome(number=act.number)
        open_ = _Open(session, row, now)
        if act.name == "add":
            texts = open_.renumbered(texts, act.number)
        errors, strays = open_.take_all(texts, sent.stamps)
        if errors or strays:
            return Outcome(errors, act.number, strays=strays)
        row.last_form = sent.digest
        try:
            return _ACTS.get(act.name, _Open.nothing)(open_, act)
        except LimitError as error:
            return Outcome({part_of(act.number, "note"): str(error)}, act.number)


class _Open:
    """A write-up while it is changed: all its rows, read once."""

    def __init__(self, session: Session, row: WriteUpRow, now: datetime) -> None:
        self.session = session
        self.row = row
        self.now = now
        questions = session.exec(
            select(WriteUpQuestionRow)
            .where(WriteUpQuestionRow.write_up_id == row.id)
            .order_by(col(WriteUpQuestionRow.place), col(WriteUpQuestionRow.number))
        )
        self.questions = {each.number: each for each in questions}
        texts = session.exec(select(WriteUpTextRow).where(WriteUpTextRow.write_up_id == row.id))
        self.texts = {each.part: each for each in texts}

    @property
    def next(self) -> int:
        """The number of the question that is added next."""
        return self.row.numbered + 1

    def text(self, part: str) -> str:
        return self.texts[part].text if part in self.texts else ""

    def take(self, part: str, text: str, stamp: Stamp, typed_at: datetime) -> Note:
        """Takes in a field's text."""
        number, name = split_part(part)
        if number and number not in self.questions and (number, name) != (self.next, "asked"):
            raise NoSuchField(f"question {number} is not in the write-up")
        before = self.text(part)
        self._check(part, text, OF_QUESTION[name] if number else OF_INTERVIEW[name])
        row = self.texts.get(part)
        if row is None:
            if not text:
                return Note()
            assert self.row.id is not None
            row = WriteUpTextRow(write_up_id=self.row.id, part=part, **kept_text.begin(text, stamp, typed_at))
            self.session.add(row)
            self.texts[part] = row
        else:
            kept_text.take(row, text, stamp, typed_at)
        if name == "elsewhere" and row.text != before:
            self.questions[number].verified_at = None  # it was another text that was verified
        return Note.of(row)

    def take_all(
        self, texts: Mapping[str, str], stamps: Mapping[str, Stamp]
    ) -> tuple[dict[str, str], tuple[str, ...]]:
        """Messages by part for what cannot be kept, and texts whose question is gone."""
        errors: dict[str, str] = {}
        strays = []
        for part, text in texts.items():
            stamp = stamps.get(part) or self._stamp(part)
            if text == self.text(part) and not stamp.writer:
                continue
            try:
                self.take(part, text, stamp, self.now)
            except LimitError as error:
                errors[part] = str(error)
            except NoSuchField:
                strays.append(text)
        return errors, tuple(strays)

    def renumbered(self, texts: Mapping[str, str], number: int) -> Mapping[str, str]:
        """The texts of a form that adds question `number`, where another window has added one meanwhile."""
        if number not in self.questions:
            return texts
        given, next_ = part_of(number, "asked"), part_of(self.next, "asked")
        return {next_ if part == given else part: text for part, text in texts.items()}

    def put(self, part: str, text: str) -> None:
        """Sets a field's text, with nothing to set aside."""
        self.take(part, text, self._stamp(part), self.now)

    def _stamp(self, part: str) -> Stamp:
        """Over what is kept, and in no page."""
        return Stamp(self.texts[part].revision) if part in self.texts else Stamp()

    def _check(self, part: str, text: str, most: int, *, freed: int = 0) -> None:
        """Raises `LimitError` unless there is room for the text, once so many other characters are gone."""
        if len(text) > most:
            raise LimitError(f"This has {len(text):,} characters; at most {most:,} are kept here.")
        others = sum(len(row.text) for other, row in self.texts.items() if other != part)
        total = others + len(text) - freed
        if total > MAX_TOTAL and len(text) > len(self.text(part)):
            raise LimitError(
                f"With this the write-up has {total:,} characters; at most {MAX_TOTAL:,} are kept in all."
            )

    def nothing(self, act: Act) -> Outcome:
        return Outcome(number=act.number)

    def done(self, _act: Act) -> Outcome:
        try:
            read_day(self.text("date"))
        except ValueError as error:
            return Outcome({"date": str(error)})
        return Outcome()

    def add(self, act: Act) -> Outcome:
        """Adds the next question: the bank's, or one in the words that were typed for it."""
        number, part = self.next, part_of(self.next, "asked")
        if act.question is None and not self.text(part).strip():
            return Outcome({part: "Write what was asked, or choose a question of the bank."})
        if len(self.questions) >= MAX_QUESTIONS or number > MAX_NUMBER:
            most = f"A write-up has at most {MAX_QUESTIONS} questions: remove one, or begin another write-up."
            return Outcome({part: most})
        assert self.row.id is not None
        added = WriteUpQuestionRow(write_up_id=self.row.id, number=number, place=len(self.questions) + 1)
        if act.question is not None:
            added.pack, added.slug = act.question
        self.session.add(added)
        self.questions[number] = added
        self.row.numbered = number
        return Outcome(number=number)

    def link(self, act: Act) -> Outcome:
        if act.number in self.questions and act.question is not None:
            row = self.questions[act.number]
            row.pack, row.slug = act.question
        return Outcome(number=act.number)

    def unlink(self, act: Act) -> Outcome:
        if act.number in self.questions:
            row = self.questions[act.number]
            row.pack, row.slug = None, None
        return Outcome(number=act.number)

    def move(self, act: Act) -> Outcome:
        """To a place, not by so many, so that asking twice moves once."""
        if act.number in self.questions:
            order = [number for number in self.questions if number != act.number]
            order.insert(max(act.place - 1, 0), act.number)
            self._order(order)
        return Outcome(number=act.number)

    def remove(self, act: Act) -> Outcome:
        """Removes a question that has no text; for one that has, asks first."""
        if any(self.text(part_of(act.number, name)).strip() for name in OF_QUESTION):
            return Outcome(number=act.number, asks=act.number in self.questions)
        return self.remove_all(act)

    def remove_all(self, act: Act) -> Outcome:
        if act.number in self.questions:
            self.session.delete(self.questions.pop(act.number))
            for name in OF_QUESTION:
                if (text := self.texts.pop(part_of(act.number, name), None)) is not None:
                    self.session.delete(text)
            self._order(list(self.questions))
        return Outcome()

    def verify(self, act: Act) -> Outcome:
        if self.text(part_of(act.number, "elsewhere")).strip() and act.number in self.questions:
            self.questions[act.number].verified_at = self.now
        return Outcome(number=act.number)

    def unverify(self, act: Act) -> Outcome:
        if act.number in self.questions:
            self.questions[act.number].verified_at = None
        return Outcome(number=act.number)

    def own(self, act: Act) -> Outcome:
        """Moves the text from elsewhere to the end of the own note, which then names its source."""
        note, elsewhere, source = (part_of(act.number, name) for name in ("note", "elsewhere", "source"))
        taken = self.text(elsewhere).strip()
        if act.number in self.questions and taken:
            if from_ := self.text(source).strip():
                taken += f"\n(From: {from_})"
            before = self.text(note).rstrip()
            whole = f"{before}\n\n{taken}" if before else taken
            freed = len(self.text(elsewhere)) + len(self.text(source))
            self._check(note, whole, OF_QUESTION["note"], freed=freed)
            for part, text in ((elsewhere, ""), (source, ""), (note, whole)):
                self.put(part, text)
        return Outcome(number=act.number)

    def _order(self, order: list[int]) -> None:
        for place, number in enumerate(order, 1):
            self.questions[number].place = place


_ACTS: Final[Mapping[str, Callable[[_Open, Act], Outcome]]] = {
    "done": _Open.done,
    "add": _Open.add,
    "link": _Open.link,
    "unlink": _Open.unlink,
    "move": _Open.move,
    "remove": _Open.remove,
    "remove-all": _Open.remove_all,
    "verify": _Open.verify,
    "unverify": _Open.unverify,
    "own": _Open.own,
}


def _row(session: Session, user: User, key: str) -> WriteUpRow | None:
    # Locked where the database locks rows, so that of two forms at once one sees what the other did.
    return session.exec(
        select(WriteUpRow).where(WriteUpRow.user_id == user.id, WriteUpRow.key == key).with_for_update()
    ).one_or_none()


def _create(session: Session, user: User, key: str, now: datetime) -> WriteUpRow:
    count = session.exec(select(func.count()).where(col(WriteUpRow.user_id) == user.id)).one()
    if count >= MAX_WRITE_UPS:
        raise LimitError(f"There are {MAX_WRITE_UPS} write-ups, as many as are kept: delete one first.")
    try:
        with session.begin_nested():
            row = WriteUpRow(user_id=user.id, key=key, made_at=now)
            session.add(row)
    except IntegrityError:  # another request was first
        made = _row(session, user, key)
        if made is None:
            raise
        return made
    return row
