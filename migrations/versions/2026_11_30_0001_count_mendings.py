"""Count how often rows had to be put right, so that whoever remembers them notices."""

from alembic import op

revision = "2026_11_30_0001"
down_revision = "2026_11_29_2358"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("alter table read.versions add column mended bigint not null default 0")


def downgrade() -> None:
    op.execute("alter table read.versions drop column mended")
