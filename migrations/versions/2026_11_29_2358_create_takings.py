"""Create the takings: what every fact brought or cost each casino."""

from alembic import op

revision = "2026_11_29_2358"
down_revision = "2026_11_29_2350"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
    create table read.takings (
        position bigint not null,
        casino text collate "C" not null,
        currency text collate "C" not null,
        happened_at timestamptz not null,
        of_round boolean not null,
        round text collate "C",
        case_id text collate "C",
        rounds bigint not null,
        hands bigint not null,
        cancelled bigint not null,
        ante_stakes_minor bigint not null,
        call_stakes_minor bigint not null,
        bonus_stakes_minor bigint not null,
        exchange_stakes_minor bigint not null,
        jackpot_stakes_minor bigint not null,
        pot_stakes_minor bigint not null,
        ante_payouts_minor bigint not null,
        call_payouts_minor bigint not null,
        bonus_payouts_minor bigint not null,
        pot_payouts_minor bigint not null,
        fixed_prizes_minor bigint not null,
        pool_prizes_minor bigint not null,
        contributions_minor bigint not null,
        refunds_minor bigint not null,
        rake_minor bigint not null,
        commission_minor bigint not null,
        ggr_minor bigint not null,
        compensation_minor bigint not null,
        borne_minor bigint not null,
        written_off_minor bigint not null,
        constraint pk_takings primary key (position, casino, currency)
    )
    """)


def downgrade() -> None:
    op.execute("drop table read.takings")
