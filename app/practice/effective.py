"""What counts: ratings that no later row corrects or takes back, and sittings, as their interviews say."""

from sqlalchemy import ColumnElement, and_
from sqlalchemy.orm import aliased
from sqlmodel import col, exists, select
from sqlmodel.sql.expression import SelectOfScalar

from app.models import InterviewItemRow, InterviewRow, RatingRow, SittingRow


def counting(user_id: int) -> tuple[ColumnElement[bool], ...]:
    """The conditions under which one of the user's rows is a rating that counts."""
    later = aliased(RatingRow)
    return (
        col(RatingRow.user_id) == user_id,
        col(RatingRow.rating).is_not(None),
        ~exists().where(col(later.undoes_id) == col(RatingRow.id)),
    )


def effective_ratings(user_id: int) -> SelectOfScalar[RatingRow]:
    """The user's ratings that count, to be narrowed further."""
    return select(RatingRow).where(*counting(user_id))


def told(user_id: int) -> ColumnElement[bool]:
    """The condition under which a sitting's verdicts may be told: an interview may keep them to its end."""
    kept_back = and_(col(InterviewRow.ended_at).is_(None), col(InterviewRow.reveal_each).is_(False))
    return _unless_in_interview(user_id, kept_back)


def counted(user_id: int) -> ColumnElement[bool]:
    """The condition under which a sitting counts: `told`, and in no interview that was abandoned."""
    return and_(told(user_id), _unless_in_interview(user_id, col(InterviewRow.abandoned).is_(True)))


def _unless_in_interview(user_id: int, such: ColumnElement[bool]) -> ColumnElement[bool]:
    left_out = (
        select(InterviewItemRow.sitting_id)
        .join(InterviewRow, col(InterviewRow.id) == col(InterviewItemRow.interview_id))
        .where(InterviewRow.user_id == user_id, col(InterviewItemRow.sitting_id).is_not(None), such)
    )
    return col(SittingRow.id).not_in(left_out)
