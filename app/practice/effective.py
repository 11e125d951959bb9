"""Which ratings count: those that no later row corrects or takes back."""

from sqlalchemy import ColumnElement
from sqlalchemy.orm import aliased
from sqlmodel import col, exists, select
from sqlmodel.sql.expression import SelectOfScalar

from app.models import RatingRow


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
