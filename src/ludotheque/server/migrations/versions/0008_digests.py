"""Events may tell how a match stands, for `ludotheque doctor`; those of before do not, and stay."""

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.execute("UPDATE tables SET format = 3 WHERE format = 2")
