"""What signing in keeps: rates of trying, browsers on the way to a provider, tokens for the API."""

import sqlalchemy as sa
from alembic import op

revision = "0012_sign_in"
down_revision = "0011_packs"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "rates",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("free_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_rates")),
    )
    op.create_index(op.f("ix_rates_free_at"), "rates", ["free_at"])
    op.create_table(
        "provider_visits",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("state_hash", sa.String(), nullable=False),
        sa.Column("browser_hash", sa.String(), nullable=False),
        sa.Column("nonce", sa.String(), nullable=False),
        sa.Column("verifier", sa.String(), nullable=False),
        sa.Column("next", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_provider_visits")),
        sa.UniqueConstraint("state_hash", name=op.f("uq_provider_visits_state_hash")),
    )
    op.create_index(op.f("ix_provider_visits_expires_at"), "provider_visits", ["expires_at"])
    op.create_table(
        "api_tokens",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.Column("last_used_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_tokens")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_api_tokens_token_hash")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_api_tokens_user_id"), ondelete="CASCADE"
        ),
    )
    op.create_index(op.f("ix_api_tokens_user_id"), "api_tokens", ["user_id"])


def downgrade() -> None:
    for table in ("api_tokens", "provider_visits", "rates"):
        op.drop_table(table)
