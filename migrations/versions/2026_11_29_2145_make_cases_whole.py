"""Make cases a whole read model; tell results of a round, and hits, that were taken back from those that stand.

Cases are drawn anew: their table is made again, and their reader begins at the first event. The rows of lines and shares
are right as they are, for nothing was ever taken back before.
"""

from alembic import op

revision = "2026_11_29_2145"
down_revision = "2026_11_29_2130"
branch_labels = None
depends_on = None

STEPS = (
    "drop table read.cases",
    """
    create table read.cases (
        case_id text collate "C" not null,
        kind text collate "C" not null,
        standing text collate "C" not null,
        outcome text collate "C",
        round text collate "C",
        seat text collate "C",
        casino text collate "C",
        player text collate "C",
        currency text collate "C",
        opened_by text collate "C",
        grounds text collate "C",
        reason text collate "C",
        hand text collate "C",
        cards text collate "C",
        suggested_minor bigint,
        bet text collate "C",
        claimed_minor bigint,
        due_minor bigint,
        jackpot text collate "C",
        held_minor bigint,
        asked_minor bigint,
        proposal bigint,
        proposed_minor bigint,
        proposed_by text collate "C",
        proposed_at timestamptz,
        proposed_because text collate "C",
        expires_at timestamptz,
        seconded_by text collate "C",
        decision text collate "C",
        decided_by text collate "C",
        decided_at timestamptz,
        decided_because text collate "C",
        moved_minor bigint,
        opened_at timestamptz not null,
        closed_at timestamptz,
        position bigint not null,
        last_position bigint not null,
        constraint pk_cases primary key (case_id)
    )
    """,
    "create index ix_read_cases_round on read.cases (round)",
    "create index ix_read_cases_standing on read.cases (standing)",
    """
    create table read.case_casinos (
        case_id text collate "C" not null,
        casino text collate "C" not null,
        constraint pk_case_casinos primary key (case_id, casino)
    )
    """,
    "create index ix_read_case_casinos_casino on read.case_casinos (casino)",
    "delete from log.checkpoints where name = 'projection/cases'",
    "delete from read.stuck where reader = 'projection/cases'",
    "delete from read.versions where projection = 'cases'",
    """
    alter table read.round_lines
        add column number bigint not null default 1,
        add column replaced_at timestamptz,
        drop constraint pk_round_lines,
        add constraint pk_round_lines primary key (round, seat, bet, number)
    """,
    "alter table read.round_lines alter column number drop default",
    """
    alter table read.jackpot_shares
        add column number bigint not null default 1,
        add column reversed_at timestamptz,
        drop constraint pk_jackpot_shares,
        add constraint pk_jackpot_shares primary key (round, seat, percent, number)
    """,
    "alter table read.jackpot_shares alter column number drop default",
    "drop index read.ix_read_jackpot_shares_round",
    "update read.versions set version = 2 where projection in ('round-lines', 'jackpot-shares') and version = 1",
)


def upgrade() -> None:
    for step in STEPS:
        op.execute(step)


def downgrade() -> None:
    raise NotImplementedError("what was taken back could not be told from what stands")
