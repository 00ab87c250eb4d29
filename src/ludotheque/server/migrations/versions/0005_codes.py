"""The short codes of tables; those of earlier versions have none."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("tables", sa.Column("code", sa.String(8), nullable=False, server_default=""))
    op.create_index("tables_by_code", "tables", ["code", "created"])
