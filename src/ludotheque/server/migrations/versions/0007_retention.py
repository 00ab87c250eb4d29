"""When tables were last used, and what the host has decided about them.

Events have no time, so a table of an earlier version counts as used when it is migrated.
"""

import time

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("tables", sa.Column("used", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("fate", sa.String(8), nullable=False, server_default=""))
    used = int(time.time() * 1000)
    op.execute(sa.text("UPDATE tables SET used = :used").bindparams(used=used))
    op.create_index("tables_by_use", "tables", ["used", "id"])
    op.create_index(
        "decided_tables",
        "tables",
        ["fate"],
        sqlite_where=sa.text("fate <> ''"),
        postgresql_where=sa.text("fate <> ''"),
    )
