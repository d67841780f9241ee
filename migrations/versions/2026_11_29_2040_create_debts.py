"""Create the debts: what players owe since a reversal."""

from alembic import op

revision = "2026_11_29_2040"
down_revision = "2026_11_29_2015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        """
        create table read.debts (
            casino text collate "C" not null,
            player text collate "C" not null,
            currency text collate "C" not null,
            owed_minor bigint not null,
            constraint pk_debts primary key (casino, player, currency)
        )
        """
    )
    # Written inline, it is right from the start only where nothing was appended before it was there.
    op.execute(
        """
        insert into read.versions (projection, version)
        select 'debts', case when position = 0 then 1 else 0 end from log.head
        """
    )


def downgrade() -> None:
    op.execute("delete from read.versions where projection = 'debts'")
    op.execute("drop table read.debts")
