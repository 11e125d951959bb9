"""What is thought aloud over a question of an interview: kept as it is typed, and taken at any time."""

from datetime import datetime

from sqlmodel import Session, select

from app.accounts.users import User
from app.database import clean_text, writing
from app.models import InterviewItemRow, InterviewNoteRow
from app.practice import kept_text
from app.practice.interviews import row_of
from app.practice.kept_text import Stamp
from app.practice.notes import Note
from app.practice.records import checked_text


class NoSuchQuestion(LookupError):  # noqa: N818 (reads as what it is)
    """The user has no interview of this number that has asked a question at this place."""


def save(
    session: Session,
    user: User,
    interview_id: int,
    place: int,
    text: str,
    *,
    stamp: Stamp,
    now: datetime,
    typed_at: datetime | None = None,
) -> Note:
    """Keeps what was typed, as `drafts.save` does. Raises `TextTooLong`, `NoSuchQuestion`."""
    text = clean_text(checked_text(text))
    typed_at = min(typed_at, now) if typed_at else now
    with writing(session):
        item_id = _item_id(session, user, interview_id, place)
        row = _row(session, item_id)
        if row is None:
            row = InterviewNoteRow(item_id=item_id, **kept_text.begin(text, stamp, typed_at))
            session.add(row)
        else:
            kept_text.take(row, text, stamp, typed_at)
        return Note.of(row)


def dismiss(session: Session, user: User, interview_id: int, place: int) -> None:
    """Drops the text that was set aside, which the learner does not want. Raises `NoSuchQuestion`."""
    with writing(session):
        row = _row(session, _item_id(session, user, interview_id, place))
        if row is not None:
            row.set_aside = None


def _item_id(session: Session, user: User, interview_id: int, place: int) -> int:
    # The interview is locked where the database locks rows, so that of two windows one is first.
    if row_of(session, user, interview_id) is not None and 0 < place < 2**31:
        found = session.exec(
            select(InterviewItemRow.id).where(
                InterviewItemRow.interview_id == interview_id, InterviewItemRow.place == place
            )
        ).one_or_none()
        if found is not None:
            return found
    raise NoSuchQuestion(f"interview {interview_id} has no question {place}")


def _row(session: Session, item_id: int) -> InterviewNoteRow | None:
    return session.exec(select(InterviewNoteRow).where(InterviewNoteRow.item_id == item_id)).one_or_none()
