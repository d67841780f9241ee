"""Create what readers of the log keep of themselves: events set aside, and who leads each reader."""

from alembic import op

revision = "2026_11_29_2130"
down_revision = "2026_11_29_2040"
branch_labels = None
depends_on = None

STEPS = (
    """
    create table read.stuck (
        reader text collate "C" not null,
        position bigint not null,
        stream text collate "C" not null,
        type text collate "C" not null,
        behind bigint,
        reason text not null,
        attempts bigint not null,
        since timestamptz not null default clock_timestamp(),
        constraint pk_stuck primary key (reader, position)
    )
    """,
    """
    create table read.leaders (
        reader text collate "C" not null,
        epoch bigint not null,
        leader text not null,
        backend bigint not null,
        since timestamptz not null,
        seen_at timestamptz not null,
        constraint pk_leaders primary key (reader)
    )
    """,
)


def upgrade() -> None:
    for step in STEPS:
        op.execute(step)


def downgrade() -> None:
    op.execute("drop table read.leaders")
    op.execute("drop table read.stuck")
