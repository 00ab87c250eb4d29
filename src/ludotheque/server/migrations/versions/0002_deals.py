"""Formats of tables, which of them are live, and deals that are played again."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("tables", sa.Column("format", sa.Integer, nullable=False, server_default="1"))
    op.add_column(
        "tables", sa.Column("is_live", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.create_index(
        "live_tables",
        "tables",
        ["created"],
        sqlite_where=sa.text("is_live = 1"),
        postgresql_where=sa.text("is_live"),
    )
    op.create_table(
        "deals",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("table", sa.String(16), sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("match", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "results",
        sa.Column("deal", sa.String(64), primary_key=True),
        sa.Column("table", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("match", sa.Integer, primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False),
    )
