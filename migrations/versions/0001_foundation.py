"""Users, browser sessions, sittings with their answers and ratings, cards and drafts."""

import sqlalchemy as sa
from alembic import op

revision = "0001_foundation"
down_revision = None
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("login", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("retention", sa.Float(), nullable=False),
        sa.Column("daily_goal", sa.Integer(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("login", name=op.f("uq_users_login")),
        sa.CheckConstraint("retention BETWEEN 0.70 AND 0.97", name=op.f("ck_users_retention")),
        sa.CheckConstraint("daily_goal BETWEEN 1 AND 500", name=op.f("ck_users_daily_goal")),
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("last_seen_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_sessions_token_hash")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_sessions_user_id"), ondelete="CASCADE"
        ),
    )
    op.create_index(op.f("ix_sessions_user_id"), "sessions", ["user_id"])
    op.create_index(op.f("ix_sessions_expires_at"), "sessions", ["expires_at"])
    op.create_table(
        "sittings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.Integer(), nullable=True),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("library_version", sa.String(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("params", sa.JSON(), nullable=False),
        sa.Column("right", sa.JSON(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("study_day", sa.Date(), nullable=False),
        sa.Column("started_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.Column("revealed_at", MOMENT, nullable=True),
        sa.Column("hints_used", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sittings")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_sittings_user_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], name=op.f("fk_sittings_session_id"), ondelete="SET NULL"
        ),
        sa.CheckConstraint("hints_used >= 0", name=op.f("ck_sittings_hints_used")),
        sa.CheckConstraint("seed >= 0", name=op.f("ck_sittings_seed")),
    )
    op.create_index(
        "uq_sittings_open",
        "sittings",
        ["user_id", "session_id", "pack", "slug", "seed"],
        unique=True,
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.create_index(op.f("ix_sittings_user_id_pack_slug"), "sittings", ["user_id", "pack", "slug"])
    op.create_index(op.f("ix_sittings_session_id"), "sittings", ["session_id"])
    op.create_table(
        "answers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("sitting_id", sa.Integer(), nullable=False),
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("idempotency_key", sa.String(), nullable=False),
        sa.Column("body_hash", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("credit", sa.Float(), nullable=True),
        sa.Column("reading", sa.Text(), nullable=True),
        sa.Column("mistake_id", sa.String(), nullable=True),
        sa.Column("verdict", sa.JSON(), nullable=False),
        sa.Column("repeat_of", sa.Integer(), nullable=True),
        sa.Column("given_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_answers")),
        sa.UniqueConstraint(
            "user_id",
            "idempotency_key",
            "body_hash",
            name=op.f("uq_answers_user_id_idempotency_key_body_hash"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_answers_user_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["sitting_id"], ["sittings.id"], name=op.f("fk_answers_sitting_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["repeat_of"], ["answers.id"], name=op.f("fk_answers_repeat_of"), ondelete="SET NULL"
        ),
        sa.CheckConstraint("credit BETWEEN 0 AND 1", name=op.f("ck_answers_credit")),
    )
    op.create_index(op.f("ix_answers_sitting_id"), "answers", ["sitting_id"])
    op.create_index(op.f("ix_answers_repeat_of"), "answers", ["repeat_of"])
    op.create_table(
        "ratings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("sitting_id", sa.Integer(), nullable=False),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=True),
        sa.Column("key_points", sa.JSON(), nullable=False),
        sa.Column("moves_schedule", sa.Boolean(), nullable=False),
        sa.Column("undoes_id", sa.Integer(), nullable=True),
        sa.Column("retention", sa.Float(), nullable=False),
        sa.Column("idempotency_key", sa.String(), nullable=False),
        sa.Column("body_hash", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("study_day", sa.Date(), nullable=False),
        sa.Column("rated_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ratings")),
        sa.UniqueConstraint(
            "user_id",
            "idempotency_key",
            "body_hash",
            name=op.f("uq_ratings_user_id_idempotency_key_body_hash"),
        ),
        sa.UniqueConstraint("undoes_id", name=op.f("uq_ratings_undoes_id")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_ratings_user_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["sitting_id"], ["sittings.id"], name=op.f("fk_ratings_sitting_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["undoes_id"], ["ratings.id"], name=op.f("fk_ratings_undoes_id"), ondelete="CASCADE"
        ),
        sa.CheckConstraint("rating BETWEEN 1 AND 4", name=op.f("ck_ratings_rating")),
        sa.CheckConstraint(
            "rating IS NOT NULL OR undoes_id IS NOT NULL", name=op.f("ck_ratings_says_something")
        ),
    )
    op.create_index(op.f("ix_ratings_user_id_pack_slug"), "ratings", ["user_id", "pack", "slug"])
    op.create_index(op.f("ix_ratings_user_id_study_day"), "ratings", ["user_id", "study_day"])
    op.create_index(op.f("ix_ratings_sitting_id"), "ratings", ["sitting_id"])
    op.create_table(
        "cards",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("due_day", sa.Date(), nullable=False),
        sa.Column("last_day", sa.Date(), nullable=False),
        sa.Column("last_rating", sa.Integer(), nullable=False),
        sa.Column("stability", sa.Float(), nullable=False),
        sa.Column("difficulty", sa.Float(), nullable=False),
        sa.Column("reviews", sa.Integer(), nullable=False),
        sa.Column("lapses", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cards")),
        sa.UniqueConstraint("user_id", "pack", "slug", name=op.f("uq_cards_user_id_pack_slug")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_cards_user_id"), ondelete="CASCADE"),
    )
    op.create_index(op.f("ix_cards_user_id_due_day"), "cards", ["user_id", "due_day"])
    op.create_table(
        "drafts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_drafts")),
        sa.UniqueConstraint(
            *("user_id", "pack", "slug", "seed", "part"), name=op.f("uq_drafts_user_id_pack_slug_seed_part")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_drafts_user_id"), ondelete="CASCADE"
        ),
        sa.CheckConstraint("revision >= 1", name=op.f("ck_drafts_revision")),
    )


def downgrade() -> None:
    for table in ("drafts", "cards", "ratings", "answers", "sittings", "sessions", "users"):
        op.drop_table(table)
