"""Bookmarks, suspended and skipped questions, own notes; of two windows' texts the one that lost."""

import sqlalchemy as sa
from alembic import op

revision = "0003_question_marks"
down_revision = "0002_user_settings"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "question_marks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("bookmarked_at", MOMENT, nullable=True),
        sa.Column("suspended_at", MOMENT, nullable=True),
        sa.Column("skipped_day", sa.Date(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_question_marks")),
        sa.UniqueConstraint("user_id", "pack", "slug", name=op.f("uq_question_marks_user_id_pack_slug")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_question_marks_user_id"), ondelete="CASCADE"
        ),
    )
    op.create_table(
        "notes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.Column("set_aside", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notes")),
        sa.UniqueConstraint("user_id", "pack", "slug", name=op.f("uq_notes_user_id_pack_slug")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_notes_user_id"), ondelete="CASCADE"),
        sa.CheckConstraint("revision >= 1", name=op.f("ck_notes_revision")),
    )
    op.add_column("drafts", sa.Column("set_aside", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("drafts", "set_aside")
    op.drop_table("notes")
    op.drop_table("question_marks")
