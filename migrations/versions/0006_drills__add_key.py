"""A drill that is asked for twice, by a double click, is one drill."""

import sqlalchemy as sa
from alembic import op

revision = "0006_drills__add_key"
down_revision = "0005_served_question"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("drills", sa.Column("idempotency_key", sa.String(), nullable=True))
    op.create_index(
        op.f("uq_drills_user_id_idempotency_key"), "drills", ["user_id", "idempotency_key"], unique=True
    )


def downgrade() -> None:
    op.drop_index(op.f("uq_drills_user_id_idempotency_key"), "drills")
    op.drop_column("drills", "idempotency_key")
