"""The tables, a module per subject. Only `app.accounts`, `app.practice` and `app.exchange` use these rows;
everybody else gets the frozen values that those return.
"""

from app.database import metadata
from app.models.accounts import IdentityRow, InviteRow, MembershipRow, OneTimeLinkRow, TeamRow
from app.models.assignments import AssignedPersonRow, AssignmentRow
from app.models.drills import DrillItemRow, DrillRow
from app.models.foundation import (
    AnswerRow,
    CardRow,
    DraftRow,
    Json,
    RatingRow,
    SessionRow,
    SittingRow,
    UserRow,
)
from app.models.interviews import (
    InterviewItemRow,
    InterviewLinkRow,
    InterviewNoteRow,
    InterviewRow,
    InterviewSetRow,
)
from app.models.marks import NoteRow, QuestionMarkRow
from app.models.packs import HiddenQuestionRow, PackRow, PackVersionRow
from app.models.sign_in import ApiTokenRow, ProviderVisitRow, RateRow
from app.models.write_ups import WriteUpQuestionRow, WriteUpRow, WriteUpTextRow

__all__ = [
    "AnswerRow",
    "ApiTokenRow",
    "AssignedPersonRow",
    "AssignmentRow",
    "CardRow",
    "DraftRow",
    "DrillItemRow",
    "DrillRow",
    "HiddenQuestionRow",
    "IdentityRow",
    "InterviewItemRow",
    "InterviewLinkRow",
    "InterviewNoteRow",
    "InterviewRow",
    "InterviewSetRow",
    "InviteRow",
    "Json",
    "MembershipRow",
    "NoteRow",
    "OneTimeLinkRow",
    "PackRow",
    "PackVersionRow",
    "ProviderVisitRow",
    "QuestionMarkRow",
    "RateRow",
    "RatingRow",
    "SessionRow",
    "SittingRow",
    "TeamRow",
    "UserRow",
    "WriteUpQuestionRow",
    "WriteUpRow",
    "WriteUpTextRow",
    "metadata",
]
