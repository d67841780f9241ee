"""Create the read side: one table a read model, written only by projecting the log."""

from alembic import op

revision = "2026_11_29_2010"
down_revision = "2026_11_29_1945"
branch_labels = None
depends_on = None

STEPS = (
    "create schema read",
    """
    create table read.versions (
        projection text collate "C" not null,
        version bigint not null,
        constraint pk_versions primary key (projection)
    )
    """,
    """
    create table read.balances (
        casino text collate "C" not null,
        player text collate "C" not null,
        currency text collate "C" not null,
        balance_minor bigint not null,
        constraint pk_balances primary key (casino, player, currency)
    ) with (fillfactor = 60)
    """,
    """
    create table read.jackpot_meters (
        jackpot text collate "C" not null,
        casino text collate "C" not null,
        currency text collate "C" not null,
        contributed_minor bigint not null,
        refunded_minor bigint not null,
        paid_out_minor bigint not null,
        balance_minor bigint not null,
        constraint pk_jackpot_meters primary key (jackpot, casino, currency),
        constraint ck_jackpot_meters_balance check (
            balance_minor = contributed_minor - refunded_minor - paid_out_minor
        )
    ) with (fillfactor = 10)
    """,
    """
    create table read.rounds (
        round text collate "C" not null,
        table_id text collate "C" not null,
        number text collate "C" not null,
        ruleset text collate "C" not null,
        jackpot text collate "C",
        dealer text collate "C",
        shift text collate "C",
        phase text collate "C" not null,
        suspended boolean not null,
        opened_at timestamptz not null,
        ended_at timestamptz,
        first_position bigint not null,
        last_position bigint not null,
        constraint pk_rounds primary key (round)
    )
    """,
    """
    create table read.round_lines (
        round text collate "C" not null,
        seat text collate "C" not null,
        bet text collate "C" not null,
        position bigint not null,
        happened_at timestamptz not null,
        casino text collate "C" not null,
        player text collate "C" not null,
        currency text collate "C" not null,
        stake_minor bigint not null,
        result text collate "C" not null,
        odds bigint,
        payout_minor bigint not null,
        rule text collate "C" not null,
        cut_minor bigint not null,
        pooled_minor bigint not null,
        paid_by text collate "C" not null,
        constraint pk_round_lines primary key (round, seat, bet, position)
    )
    """,
    """
    create table read.jackpot_shares (
        position bigint not null,
        seat text collate "C" not null,
        jackpot text collate "C" not null,
        cycle bigint not null,
        percent bigint not null,
        round text collate "C" not null,
        casino text collate "C" not null,
        player text collate "C" not null,
        currency text collate "C" not null,
        base_currency text collate "C" not null,
        share_base_minor bigint not null,
        rate text collate "C" not null,
        amount_minor bigint not null,
        happened_at timestamptz not null,
        constraint pk_jackpot_shares primary key (position, seat)
    )
    """,
    "create index ix_read_jackpot_shares_round on read.jackpot_shares (round)",
    """
    create table read.cases (
        case_id text collate "C" not null,
        kind text collate "C" not null,
        state text collate "C" not null,
        round text collate "C" not null,
        seat text collate "C" not null,
        casino text collate "C" not null,
        player text collate "C" not null,
        currency text collate "C" not null,
        hand text collate "C",
        cards text collate "C",
        suggested_minor bigint,
        bet text collate "C",
        claimed_minor bigint,
        due_minor bigint,
        opened_at timestamptz not null,
        position bigint not null,
        constraint pk_cases primary key (case_id)
    )
    """,
    "create index ix_read_cases_round on read.cases (round)",
    # The inline ones are right from the start only where nothing was appended before they were there.
    """
    insert into read.versions (projection, version)
    select name, case when position = 0 then 1 else 0 end
    from log.head, (values ('balances'), ('jackpot-meters')) as inline (name)
    """,
)


def upgrade() -> None:
    for step in STEPS:
        op.execute(step)


def downgrade() -> None:
    op.execute("drop schema read cascade")
