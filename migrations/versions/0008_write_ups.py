"""Write-ups with the questions asked in them and the texts of their fields."""

import sqlalchemy as sa
from alembic import op

revision = "0008_write_ups"
down_revision = "0007_interviews"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "write_ups",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("made_at", MOMENT, nullable=False),
        sa.Column("numbered", sa.Integer(), nullable=False),
        sa.Column("last_form", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_write_ups")),
        sa.UniqueConstraint("user_id", "key", name=op.f("uq_write_ups_user_id_key")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_write_ups_user_id"), ondelete="CASCADE"
        ),
        sa.CheckConstraint("numbered BETWEEN 0 AND 999999", name=op.f("ck_write_ups_numbered")),
    )
    op.create_table(
        "write_up_questions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("write_up_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("pack", sa.String(), nullable=True),
        sa.Column("slug", sa.String(), nullable=True),
        sa.Column("verified_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_write_up_questions")),
        sa.UniqueConstraint("write_up_id", "number", name=op.f("uq_write_up_questions_write_up_id_number")),
        sa.ForeignKeyConstraint(
            ["write_up_id"],
            ["write_ups.id"],
            name=op.f("fk_write_up_questions_write_up_id"),
            ondelete="CASCADE",
        ),
        sa.CheckConstraint("number BETWEEN 1 AND 999999", name=op.f("ck_write_up_questions_number")),
    )
    op.create_table(
        "write_up_texts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("write_up_id", sa.Integer(), nullable=False),
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.Column("set_aside", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_write_up_texts")),
        sa.UniqueConstraint("write_up_id", "part", name=op.f("uq_write_up_texts_write_up_id_part")),
        sa.ForeignKeyConstraint(
            ["write_up_id"],
            ["write_ups.id"],
            name=op.f("fk_write_up_texts_write_up_id"),
            ondelete="CASCADE",
        ),
        sa.CheckConstraint("revision >= 1", name=op.f("ck_write_up_texts_revision")),
    )


def downgrade() -> None:
    for table in ("write_up_texts", "write_up_questions", "write_ups"):
        op.drop_table(table)
