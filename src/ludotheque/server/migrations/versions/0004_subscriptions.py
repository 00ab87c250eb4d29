"""Browsers whose guests are called to their turns."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "subscriptions",
        sa.Column("endpoint", sa.String(1024), primary_key=True),
        sa.Column("guest", sa.String(32), nullable=False),
        sa.Column("p256dh", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("contact", sa.String(255), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_index("guest_subscriptions", "subscriptions", ["guest", "created"])
