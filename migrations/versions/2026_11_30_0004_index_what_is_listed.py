"""Index what is listed newest first: cases, shares, refusals, significant events."""

from alembic import op

revision = "2026_11_30_0004"
down_revision = "2026_11_30_0001"
branch_labels = None
depends_on = None

INDEXES = {
    "read.ix_read_cases_player": "read.cases (player)",
    "read.ix_read_cases_position_case_id": "read.cases (position, case_id)",
    "read.ix_read_jackpot_shares_position_seat": "read.jackpot_shares (position, seat)",
    "intake.ix_refusals_round_refusal": "intake.refusals (round, refusal)",
    "intake.ix_refusals_sender_refusal": "intake.refusals (sender, refusal)",
    "intake.ix_refusals_rule_refusal": "intake.refusals (rule, refusal)",
    "intake.ix_significant_events_kind_number": "intake.significant_events (kind, number)",
}


def upgrade() -> None:
    for name, place in INDEXES.items():
        op.execute(f"create index {name.partition('.')[2]} on {place}")


def downgrade() -> None:
    for name in INDEXES:
        op.execute(f"drop index {name}")
