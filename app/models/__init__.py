"""The tables, a module per subject. Only `app.accounts`, `app.practice` and `app.exchange` use these rows;
everybody else gets the frozen values that those return.
"""

from app.models.foundation import (
    NAMING,
    AnswerRow,
    CardRow,
    DraftRow,
    Json,
    RatingRow,
    SessionRow,
    SittingRow,
    UserRow,
    metadata,
)

__all__ = [
    "NAMING",
    "AnswerRow",
    "CardRow",
    "DraftRow",
    "Json",
    "RatingRow",
    "SessionRow",
    "SittingRow",
    "UserRow",
    "metadata",
]
