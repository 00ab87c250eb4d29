"""Events may carry a digest of their match, for `ludotheque doctor`; older ones have none."""

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.execute("UPDATE tables SET format = 3 WHERE format = 2")
