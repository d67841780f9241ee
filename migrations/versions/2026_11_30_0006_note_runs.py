"""Note what is being done by somebody who may die of it."""

from alembic import op

revision = "2026_11_30_0006"
down_revision = "2026_11_30_0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
    create table intake.runs (
        run bigint not null generated always as identity constraint pk_runs primary key,
        task text collate "C" not null,
        begun_at timestamptz not null default now()
    )
    """)


def downgrade() -> None:
    op.execute("drop table intake.runs")
