"""The question that the queue served last, so that it goes on there after the window was closed."""

import sqlalchemy as sa
from alembic import op

revision = "0005_served_question"
down_revision = "0004_drills"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("users", sa.Column("served", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("users", "served")
