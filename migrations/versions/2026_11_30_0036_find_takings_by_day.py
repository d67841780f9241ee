"""Find a day's takings by indexes: the rounds that ended on it, what belongs to no round, what a round brought."""

from alembic import op

revision = "2026_11_30_0036"
down_revision = "2026_11_30_0028"
branch_labels = None
depends_on = None

STEPS = (
    "create index ix_read_rounds_ended_at on read.rounds (ended_at)",
    "create index ix_read_takings_round on read.takings (round)",
    "create index ix_read_takings_happened_at on read.takings (happened_at) where not of_round",
)


def upgrade() -> None:
    for step in STEPS:
        op.execute(step)


def downgrade() -> None:
    op.execute("drop index read.ix_read_rounds_ended_at")
    op.execute("drop index read.ix_read_takings_round")
    op.execute("drop index read.ix_read_takings_happened_at")
