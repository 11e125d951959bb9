"""People with a password, teams, memberships, invites, links that work once, sign-ins by a provider."""

import sqlalchemy as sa
from alembic import op

revision = "0009_accounts"
down_revision = "0008_write_ups"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
ROLE = "role IN ('owner', 'editor', 'member')"


def _foreign_key(table: str, column: str, other: str, ondelete: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}")
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=name, ondelete=ondelete)


def upgrade() -> None:
    op.add_column("users", sa.Column("name", sa.Text(), server_default=sa.text("''"), nullable=False))
    op.add_column("users", sa.Column("password_hash", sa.String(), nullable=True))
    op.add_column("users", sa.Column("operator", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("users", sa.Column("disabled_at", MOMENT, nullable=True))
    op.create_table(
        "teams",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_teams")),
        sa.UniqueConstraint("slug", name=op.f("uq_teams_slug")),
    )
    op.create_table(
        "memberships",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("joined_at", MOMENT, nullable=False),
        sa.Column("chosen_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memberships")),
        sa.UniqueConstraint("team_id", "user_id", name=op.f("uq_memberships_team_id_user_id")),
        _foreign_key("memberships", "team_id", "teams", "CASCADE"),
        _foreign_key("memberships", "user_id", "users", "CASCADE"),
        sa.CheckConstraint(ROLE, name=op.f("ck_memberships_role")),
    )
    op.create_index(op.f("ix_memberships_user_id"), "memberships", ["user_id"])
    op.create_table(
        "invites",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("made_by", sa.Integer(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.Column("max_uses", sa.Integer(), nullable=False),
        sa.Column("uses", sa.Integer(), nullable=False),
        sa.Column("revoked_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invites")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_invites_token_hash")),
        _foreign_key("invites", "team_id", "teams", "CASCADE"),
        _foreign_key("invites", "made_by", "users", "SET NULL"),
        sa.CheckConstraint(ROLE, name=op.f("ck_invites_role")),
        sa.CheckConstraint("uses BETWEEN 0 AND max_uses", name=op.f("ck_invites_uses")),
    )
    op.create_index(op.f("ix_invites_team_id"), "invites", ["team_id"])
    op.create_table(
        "one_time_links",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.Column("used_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_one_time_links")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_one_time_links_token_hash")),
        _foreign_key("one_time_links", "user_id", "users", "CASCADE"),
        sa.CheckConstraint("purpose IN ('first-owner', 'password')", name=op.f("ck_one_time_links_purpose")),
        sa.CheckConstraint(
            "(purpose = 'password') = (user_id IS NOT NULL)", name=op.f("ck_one_time_links_names_whom")
        ),
    )
    op.create_index(op.f("ix_one_time_links_user_id"), "one_time_links", ["user_id"])
    op.create_table(
        "identities",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("issuer", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_identities")),
        sa.UniqueConstraint("issuer", "subject", name=op.f("uq_identities_issuer_subject")),
        _foreign_key("identities", "user_id", "users", "CASCADE"),
    )
    op.create_index(op.f("ix_identities_user_id"), "identities", ["user_id"])
    op.add_column("sessions", sa.Column("agent", sa.Text(), server_default=sa.text("''"), nullable=False))


def downgrade() -> None:
    op.drop_column("sessions", "agent")
    for table in ("identities", "one_time_links", "invites", "memberships", "teams"):
        op.drop_table(table)
    for column in ("disabled_at", "operator", "password_hash", "name"):
        op.drop_column("users", column)
