"""Find the lines of a day: rows come nearly in the order of time, so the spans of blocks are enough, at next to no cost."""

from alembic import op

revision = "2026_11_30_0028"
down_revision = "2026_11_30_0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
    create index ix_read_round_lines_happened_at
        on read.round_lines using brin (happened_at) with (autosummarize = on)
    """)


def downgrade() -> None:
    op.execute("drop index read.ix_read_round_lines_happened_at")
