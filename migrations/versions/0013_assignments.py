"""What a team sets its people to do."""

import sqlalchemy as sa
from alembic import op

revision = "0013_assignments"
down_revision = "0012_sign_in"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def _foreign_key(table: str, column: str, other: str, ondelete: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}")
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=name, ondelete=ondelete)


def upgrade() -> None:
    op.create_table(
        "assignments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("questions", sa.JSON(), nullable=False),
        sa.Column("minutes", sa.Integer(), nullable=True),
        sa.Column("for_all", sa.Boolean(), nullable=False),
        sa.Column("due", sa.Date(), nullable=True),
        sa.Column("made_by", sa.Integer(), nullable=True),
        sa.Column("made_at", MOMENT, nullable=False),
        sa.Column("closed_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignments")),
        _foreign_key("assignments", "team_id", "teams", "CASCADE"),
        _foreign_key("assignments", "made_by", "users", "SET NULL"),
        sa.CheckConstraint("kind IN ('questions', 'interview')", name=op.f("ck_assignments_kind")),
        sa.CheckConstraint(
            "(kind = 'interview') = (minutes IS NOT NULL)", name=op.f("ck_assignments_minutes")
        ),
    )
    op.create_index(op.f("ix_assignments_team_id"), "assignments", ["team_id"])
    op.create_table(
        "assigned_people",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assigned_people")),
        sa.UniqueConstraint(
            "assignment_id", "user_id", name=op.f("uq_assigned_people_assignment_id_user_id")
        ),
        _foreign_key("assigned_people", "assignment_id", "assignments", "CASCADE"),
        _foreign_key("assigned_people", "user_id", "users", "CASCADE"),
    )
    op.create_index(op.f("ix_assigned_people_user_id"), "assigned_people", ["user_id"])


def downgrade() -> None:
    op.drop_table("assigned_people")
    op.drop_table("assignments")
