"""Say of a refused request which casino it names, so that each sees its own. Of older ones that is not known."""

from alembic import op

revision = "2026_11_30_0046"
down_revision = "2026_11_30_0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("alter table intake.refusals add column casino text")


def downgrade() -> None:
    op.execute("alter table intake.refusals drop column casino")
