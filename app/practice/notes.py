"""The learner's own note on a question: kept as it is typed, apart from every attempt and from the bank."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from app.accounts.users import User
from app.database import clean_text, writing
from app.models import NoteRow
from app.practice import kept_text
from app.practice.kept_text import UNTYPED, KeptText, Stamp
from app.practice.records import QuestionKey, checked_text


@dataclass(frozen=True, slots=True)
class Note:
    """`set_aside` is the other text where two windows typed at once."""

    text: str = ""
    stamp: Stamp = UNTYPED
    set_aside: str | None = None

    @classmethod
    def of(cls, row: KeptText) -> "Note":
        return cls(row.text, kept_text.stamp_of(row), kept_text.other_of(row))


def load(session: Session, user: User, question: QuestionKey) -> Note:
    row = _row(session, user, question)
    return Note.of(row) if row else Note()


def save(
    session: Session,
    user: User,
    question: QuestionKey,
    text: str,
    *,
    stamp: Stamp,
    now: datetime,
    typed_at: datetime | None = None,
) -> Note:
    """Keeps a note, as `drafts.save` does. Raises `TextTooLong`."""
    text = clean_text(checked_text(text))
    typed_at = min(typed_at, now) if typed_at else now
    with writing(session):
        row = _row(session, user, question)
        if row is None:
            try:
                with session.begin_nested():
                    row = NoteRow(
                        user_id=user.id,
                        pack=question.pack,
                        slug=question.slug,
                        **kept_text.begin(text, stamp, typed_at),
                    )
                    session.add(row)
                return Note.of(row)
            except IntegrityError:  # another window was first
                row = _row(session, user, question)
                if row is None:
                    raise
        kept_text.take(row, text, stamp, typed_at)
        return Note.of(row)


def dismiss(session: Session, user: User, question: QuestionKey) -> None:
    """Drops the text that was set aside, which the learner does not want."""
    with writing(session):
        row = _row(session, user, question)
        if row is not None:
            row.set_aside = None


def _row(session: Session, user: User, question: QuestionKey) -> NoteRow | None:
    return session.exec(
        select(NoteRow)
        .where(NoteRow.user_id == user.id, NoteRow.pack == question.pack, NoteRow.slug == question.slug)
        .with_for_update()
    ).one_or_none()
