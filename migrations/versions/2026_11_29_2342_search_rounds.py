"""Search rounds: by number, table, casino, player, hand, phase, and by the amounts of their bets.

Rounds are drawn anew: their table is emptied, and their reader begins at the first event. The lines are right as they are
and get indexes. Indexes on lines are built under a lock on that read table; its writers wait and go on behind it.
"""

from alembic import op

revision = "2026_11_29_2342"
down_revision = "2026_11_29_2145"
branch_labels = None
depends_on = None

STEPS = (
    "truncate read.rounds",
    "create index ix_read_rounds_opened_at_first_position on read.rounds (opened_at, first_position)",
    """
    create index ix_read_rounds_number_opened_at_first_position
        on read.rounds (number, opened_at, first_position)
    """,
    """
    create index ix_read_rounds_table_id_opened_at_first_position
        on read.rounds (table_id, opened_at, first_position)
    """,
    """
    create index ix_read_rounds_phase on read.rounds (phase, opened_at, first_position)
        where phase <> 'settled'
    """,
    """
    create table read.round_casinos (
        round text collate "C" not null,
        casino text collate "C" not null,
        opened_at timestamptz not null,
        position bigint not null,
        constraint pk_round_casinos primary key (round, casino)
    )
    """,
    """
    create index ix_read_round_casinos_casino_opened_at_position
        on read.round_casinos (casino, opened_at, position)
    """,
    """
    create table read.round_players (
        round text collate "C" not null,
        casino text collate "C" not null,
        player text collate "C" not null,
        joined_at timestamptz not null,
        position bigint not null,
        constraint pk_round_players primary key (round, casino, player)
    )
    """,
    """
    create index ix_read_round_players_casino_player_joined_at_position
        on read.round_players (casino, player, joined_at, position)
    """,
    """
    create table read.round_hands (
        round text collate "C" not null,
        seat text collate "C" not null,
        position bigint not null,
        hand text collate "C" not null,
        cards text collate "C" not null,
        happened_at timestamptz not null,
        constraint pk_round_hands primary key (round, seat, position)
    )
    """,
    """
    create index ix_read_round_hands_hand_happened_at_position
        on read.round_hands (hand, happened_at, position)
    """,
    """
    create index ix_read_round_hands_cards_happened_at_position
        on read.round_hands (cards, happened_at, position)
    """,
    """
    create index ix_read_round_lines_currency_stake_minor_position
        on read.round_lines (currency, stake_minor, position)
    """,
    """
    create index ix_read_round_lines_payout on read.round_lines (currency, payout_minor, position)
        where payout_minor > 0
    """,
    "delete from log.checkpoints where name = 'projection/rounds'",
    "delete from read.stuck where reader = 'projection/rounds'",
    "delete from read.versions where projection = 'rounds'",
)


def upgrade() -> None:
    for step in STEPS:
        op.execute(step)


def downgrade() -> None:
    op.execute("drop table read.round_casinos, read.round_players, read.round_hands")
    op.execute("drop index read.ix_read_rounds_opened_at_first_position, read.ix_read_rounds_phase")
    op.execute("drop index read.ix_read_rounds_number_opened_at_first_position")
    op.execute("drop index read.ix_read_rounds_table_id_opened_at_first_position")
    op.execute("drop index read.ix_read_round_lines_currency_stake_minor_position")
    op.execute("drop index read.ix_read_round_lines_payout")
