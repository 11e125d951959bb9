"""Mock interviews with their questions and notes, saved set-ups, and links to reports."""

import sqlalchemy as sa
from alembic import op

revision = "0007_interviews"
down_revision = "0006_drills__add_key"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "interviews",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("idempotency_key", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("minutes", sa.Integer(), nullable=False),
        sa.Column("questions", sa.Integer(), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("follow_ups", sa.Boolean(), nullable=False),
        sa.Column("reveal_each", sa.Boolean(), nullable=False),
        sa.Column("moves_schedule", sa.Boolean(), nullable=False),
        sa.Column("started_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.Column("abandoned", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_interviews")),
        sa.UniqueConstraint("user_id", "idempotency_key", name=op.f("uq_interviews_user_id_idempotency_key")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_interviews_user_id"), ondelete="CASCADE"
        ),
        sa.CheckConstraint("minutes >= 1", name=op.f("ck_interviews_minutes")),
        sa.CheckConstraint("questions >= 1", name=op.f("ck_interviews_questions")),
    )
    op.create_table(
        "interview_items",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("interview_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("follows", sa.Integer(), nullable=True),
        sa.Column("sitting_id", sa.Integer(), nullable=True),
        sa.Column("asked_at", MOMENT, nullable=False),
        sa.Column("left_at", MOMENT, nullable=True),
        sa.Column("passed", sa.Boolean(), nullable=False),
        sa.Column("points", sa.JSON(), nullable=True),
        sa.Column("credit", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_interview_items")),
        sa.UniqueConstraint("interview_id", "place", name=op.f("uq_interview_items_interview_id_place")),
        sa.ForeignKeyConstraint(
            ["interview_id"],
            ["interviews.id"],
            name=op.f("fk_interview_items_interview_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["sitting_id"],
            ["sittings.id"],
            name=op.f("fk_interview_items_sitting_id"),
            ondelete="SET NULL",
        ),
        sa.CheckConstraint("seed >= 0", name=op.f("ck_interview_items_seed")),
        sa.CheckConstraint("credit BETWEEN 0 AND 1", name=op.f("ck_interview_items_credit")),
    )
    op.create_table(
        "interview_notes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.Column("set_aside", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_interview_notes")),
        sa.UniqueConstraint("item_id", name=op.f("uq_interview_notes_item_id")),
        sa.ForeignKeyConstraint(
            ["item_id"],
            ["interview_items.id"],
            name=op.f("fk_interview_notes_item_id"),
            ondelete="CASCADE",
        ),
        sa.CheckConstraint("revision >= 1", name=op.f("ck_interview_notes_revision")),
    )
    op.create_table(
        "interview_links",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("interview_id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("with_notes", sa.Boolean(), nullable=False),
        sa.Column("made_at", MOMENT, nullable=False),
        sa.Column("revoked_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_interview_links")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_interview_links_token_hash")),
        sa.ForeignKeyConstraint(
            ["interview_id"],
            ["interviews.id"],
            name=op.f("fk_interview_links_interview_id"),
            ondelete="CASCADE",
        ),
    )
    op.create_table(
        "interview_sets",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("minutes", sa.Integer(), nullable=False),
        sa.Column("questions", sa.Integer(), nullable=False),
        sa.Column("choice", sa.JSON(), nullable=False),
        sa.Column("slugs", sa.JSON(), nullable=False),
        sa.Column("follow_ups", sa.Boolean(), nullable=False),
        sa.Column("reveal_each", sa.Boolean(), nullable=False),
        sa.Column("moves_schedule", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_interview_sets")),
        sa.UniqueConstraint("user_id", "name", name=op.f("uq_interview_sets_user_id_name")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_interview_sets_user_id"), ondelete="CASCADE"
        ),
    )


def downgrade() -> None:
    for table in (
        "interview_sets",
        "interview_links",
        "interview_notes",
        "interview_items",
        "interviews",
    ):
        op.drop_table(table)
