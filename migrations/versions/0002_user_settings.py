"""What a user sets: single-key shortcuts, what new questions are drawn from, a day's larger goal."""

import sqlalchemy as sa
from alembic import op

revision = "0002_user_settings"
down_revision = "0001_foundation"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("users", sa.Column("single_keys", sa.Boolean(), server_default=sa.true(), nullable=False))
    op.add_column("users", sa.Column("new_choice", sa.JSON(), nullable=True))
    op.add_column("users", sa.Column("extra_day", sa.Date(), nullable=True))
    op.add_column("users", sa.Column("extra_goal", sa.Integer(), server_default=sa.text("0"), nullable=False))


def downgrade() -> None:
    for column in ("extra_goal", "extra_day", "new_choice", "single_keys"):
        op.drop_column("users", column)
