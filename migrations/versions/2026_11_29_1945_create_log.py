"""Create the log: events that can only be added, the head, the checkpoints."""

from alembic import op

revision = "2026_11_29_1945"
down_revision = None
branch_labels = None
depends_on = None

STEPS = (
    "create schema log",
    # Names are compared as bytes: no locale, so no upgrade of the machine's locales can disorder an index.
    """
    create table log.events (
        position bigint not null constraint pk_events primary key,
        event_id uuid not null constraint uq_events_event_id unique,
        stream text collate "C" not null,
        version bigint not null,
        type text collate "C" not null,
        schema bigint not null,
        happened_at timestamptz not null,
        recorded_at timestamptz not null,
        actor text collate "C" not null,
        cause uuid,
        correlation text collate "C",
        data json not null,
        hash bytea not null,
        constraint uq_events_stream_version unique (stream, version)
    )
    """,
    """
    create table log.head (
        single boolean not null default true constraint pk_head primary key,
        log_id uuid not null,
        position bigint not null,
        hash bytea not null,
        constraint ck_head_single check (single)
    )
    """,
    # The log's id is the first link of its chain.
    """
    insert into log.head (log_id, position, hash)
    select id, 0, sha256(uuid_send(id)) from (select gen_random_uuid() as id) as new
    """,
    """
    create table log.checkpoints (
        name text collate "C" not null constraint pk_checkpoints primary key,
        log_id uuid not null,
        position bigint not null,
        hash bytea not null
    )
    """,
    """
    create function log.refuse() returns trigger language plpgsql as $$
    begin
        raise exception 'the log is append-only: % on %.% is refused', tg_op, tg_table_schema, tg_table_name
            using errcode = 'restrict_violation';
    end
    $$
    """,
    """
    create trigger append_only before update or delete or truncate on log.events
    for each statement execute function log.refuse()
    """,
    """
    create trigger one_head before delete or truncate on log.head
    for each statement execute function log.refuse()
    """,
)


def upgrade() -> None:
    for step in STEPS:
        op.execute(step)


def downgrade() -> None:
    raise NotImplementedError("the log is never dropped")
