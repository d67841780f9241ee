"""Create the ledger's written-out postings: filled by projecting the log from its first event on."""

from alembic import op

revision = "2026_11_29_2346"
down_revision = "2026_11_29_2342"
branch_labels = None
depends_on = None

STEPS = (
    """
    create table read.entries (
        position bigint not null,
        line bigint not null,
        amount_minor bigint not null,
        happened_at timestamptz not null,
        recorded_at timestamptz not null,
        kind text collate "C" not null,
        owner text collate "C" not null,
        holder text collate "C" not null,
        currency text collate "C" not null,
        casino text collate "C" not null,
        type text collate "C" not null,
        round text collate "C",
        constraint pk_entries primary key (position, line)
    )
    """,
    "create index ix_read_entries_kind_owner_holder_position on read.entries (kind, owner, holder, position)",
    "create index ix_read_entries_happened_at on read.entries using brin (happened_at) with (autosummarize = on)",
    "create index ix_read_entries_recorded_at on read.entries using brin (recorded_at) with (autosummarize = on)",
)


def upgrade() -> None:
    for step in STEPS:
        op.execute(step)


def downgrade() -> None:
    op.execute("drop table read.entries")
