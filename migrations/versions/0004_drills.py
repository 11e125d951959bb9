"""Drills with their questions, and the ratings that must not move the schedule."""

import sqlalchemy as sa
from alembic import op

revision = "0004_drills"
down_revision = "0003_question_marks"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "drills",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("moves_schedule", sa.Boolean(), nullable=False),
        sa.Column("started_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_drills")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_drills_user_id"), ondelete="CASCADE"
        ),
    )
    op.create_index(op.f("ix_drills_user_id"), "drills", ["user_id"])
    op.create_table(
        "drill_items",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("drill_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("passed_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_drill_items")),
        sa.UniqueConstraint("drill_id", "place", name=op.f("uq_drill_items_drill_id_place")),
        sa.ForeignKeyConstraint(
            ["drill_id"], ["drills.id"], name=op.f("fk_drill_items_drill_id"), ondelete="CASCADE"
        ),
        sa.CheckConstraint("seed >= 0", name=op.f("ck_drill_items_seed")),
    )
    op.add_column("ratings", sa.Column("may_move", sa.Boolean(), server_default=sa.true(), nullable=False))


def downgrade() -> None:
    op.drop_column("ratings", "may_move")
    op.drop_table("drill_items")
    op.drop_table("drills")
