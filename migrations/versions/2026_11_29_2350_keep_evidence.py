"""Keep from where requests came, and who changed what from where; only ever added to."""

from alembic import op

revision = "2026_11_29_2350"
down_revision = "2026_11_29_2346"
branch_labels = None
depends_on = None

STEPS = (
    "alter table intake.accepted_keys add column whence text",
    """
    create table intake.significant_events (
        number bigint not null generated always as identity constraint pk_significant_events primary key,
        recorded_at timestamptz not null default now(),
        kind text not null,
        who text not null,
        whence text not null,
        what text not null,
        about text not null,
        why text,
        before json,
        after json,
        first_position bigint,
        last_position bigint,
        times bigint not null default 1,
        since timestamptz
    )
    """,
    "create index ix_significant_events_who_number on intake.significant_events (who, number)",
    """
    create trigger append_only before update or delete or truncate on intake.significant_events
    for each statement execute function log.refuse()
    """,
)


def upgrade() -> None:
    for step in STEPS:
        op.execute(step)


def downgrade() -> None:
    op.execute("drop table intake.significant_events")
    op.execute("alter table intake.accepted_keys drop column whence")
