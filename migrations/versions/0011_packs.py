"""Questions of a team's own: packs, their versions, and what a team hides."""

import sqlalchemy as sa
from alembic import op

revision = "0011_packs"
down_revision = "0010_typed_in_which_page"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def _foreign_key(table: str, column: str, other: str, ondelete: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}")
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=name, ondelete=ondelete)


def upgrade() -> None:
    op.add_column("teams", sa.Column("bank", sa.String(), server_default=sa.text("''"), nullable=False))
    op.create_table(
        "packs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("current", sa.Integer(), nullable=False),
        sa.Column("made_at", MOMENT, nullable=False),
        sa.Column("removed_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_packs")),
        sa.UniqueConstraint("team_id", "name", name=op.f("uq_packs_team_id_name")),
        sa.UniqueConstraint("key", name=op.f("uq_packs_key")),
        _foreign_key("packs", "team_id", "teams", "CASCADE"),
        sa.CheckConstraint("current >= 1", name=op.f("ck_packs_current")),
    )
    op.create_table(
        "pack_versions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("pack_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("archive", sa.LargeBinary(), nullable=False),
        sa.Column("contents", sa.JSON(), nullable=False),
        sa.Column("report", sa.JSON(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("made_by", sa.Integer(), nullable=True),
        sa.Column("made_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pack_versions")),
        sa.UniqueConstraint("pack_id", "number", name=op.f("uq_pack_versions_pack_id_number")),
        _foreign_key("pack_versions", "pack_id", "packs", "CASCADE"),
        _foreign_key("pack_versions", "made_by", "users", "SET NULL"),
        sa.CheckConstraint("number >= 1", name=op.f("ck_pack_versions_number")),
    )
    op.create_table(
        "hidden_questions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("hidden_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hidden_questions")),
        sa.UniqueConstraint("team_id", "pack", "slug", name=op.f("uq_hidden_questions_team_id_pack_slug")),
        _foreign_key("hidden_questions", "team_id", "teams", "CASCADE"),
    )


def downgrade() -> None:
    for table in ("hidden_questions", "pack_versions", "packs"):
        op.drop_table(table)
    op.drop_column("teams", "bank")
