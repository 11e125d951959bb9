"""A text that is kept as it is typed names the page that typed it, and counts the texts of that page."""

import sqlalchemy as sa
from alembic import op

revision = "0010_typed_in_which_page"
down_revision = "0009_accounts"
branch_labels = None
depends_on = None

TABLES = ("drafts", "notes", "interview_notes", "write_up_texts")


def upgrade() -> None:
    for table in TABLES:
        op.add_column(table, sa.Column("writer", sa.String(), server_default=sa.text("''"), nullable=False))
        op.add_column(table, sa.Column("count", sa.BigInteger(), server_default=sa.text("0"), nullable=False))


def downgrade() -> None:
    for table in TABLES:
        for column in ("count", "writer"):
            op.drop_column(table, column)
