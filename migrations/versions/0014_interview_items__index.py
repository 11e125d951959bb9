"""A sitting finds its interview, and is deleted, without a look at every interview there is."""

from alembic import op

revision = "0014_interview_items__index"
down_revision = "0013_assignments"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(op.f("ix_interview_items_sitting_id"), "interview_items", ["sitting_id"])


def downgrade() -> None:
    op.drop_index(op.f("ix_interview_items_sitting_id"), "interview_items")
