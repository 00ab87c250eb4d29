"""Devices on which guests are signed in, and recovery links that are used once."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    former = sa.Column("has_former_token", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("players", former)
    op.execute(sa.text("UPDATE players SET has_former_token = true"))
    device = sa.Column("device", sa.String(16), nullable=False, server_default="")
    op.add_column("subscriptions", device)
    op.create_table(
        "devices",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("guest", sa.String(32), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("browser", sa.String(24), nullable=False),
        sa.Column("system", sa.String(24), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
    )
    op.create_index("devices_by_hash", "devices", ["hash"], unique=True)
    op.create_index("devices_of_guest", "devices", ["guest", "seen"])
    op.create_table(
        "recoveries",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
    )
