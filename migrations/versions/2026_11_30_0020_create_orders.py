"""Create the orders: files that are to be made, and what became of them."""

from alembic import op

revision = "2026_11_30_0020"
down_revision = "2026_11_30_0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
    create table intake.orders (
        number bigint not null generated always as identity constraint pk_orders primary key,
        ordered_at timestamptz not null default now(),
        ordered_by text not null,
        name text not null,
        form text not null,
        asked text not null,
        done_at timestamptz,
        size_bytes bigint,
        sha256 text,
        refused text
    )
    """)
    op.execute(
        "create index ix_orders_number on intake.orders (number) where done_at is null and refused is null"
    )


def downgrade() -> None:
    op.execute("drop table intake.orders")
