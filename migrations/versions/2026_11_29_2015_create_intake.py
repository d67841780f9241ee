"""Create the intake: accepted keys, refusals, how far imports have come."""

from alembic import op

revision = "2026_11_29_2015"
down_revision = "2026_11_29_2010"
branch_labels = None
depends_on = None

STEPS = (
    "create schema intake",
    """
    create table intake.accepted_keys (
        sender text collate "C" not null,
        key text collate "C" not null,
        content bytea not null,
        first_position bigint not null,
        last_position bigint not null,
        constraint pk_accepted_keys primary key (sender, key)
    )
    """,
    """
    create table intake.refusals (
        refusal bigint not null generated always as identity constraint pk_refusals primary key,
        refused_at timestamptz not null default now(),
        sender text not null,
        key text,
        round text,
        rule text not null,
        reason text not null,
        action bytea not null,
        import_id bigint,
        line bigint
    )
    """,
    "create index ix_refusals_import_id_line on intake.refusals (import_id, line)",
    """
    create table intake.imports (
        import_id bigint not null generated always as identity constraint pk_imports primary key,
        sender text not null,
        started_at timestamptz not null default now(),
        finished_at timestamptz,
        offset_bytes bigint not null default 0,
        digest bytea not null,
        lines bigint not null default 0,
        accepted bigint not null default 0,
        repeated bigint not null default 0,
        refused bigint not null default 0,
        rounds bigint not null default 0
    )
    """,
)


def upgrade() -> None:
    for step in STEPS:
        op.execute(step)


def downgrade() -> None:
    op.execute("drop schema intake cascade")
