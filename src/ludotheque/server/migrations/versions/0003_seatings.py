"""Which guests play at which tables, from the events of those that this version can read."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

FORMAT = 2  # of the tables whose events are read
ROWS_AT_ONCE = 1000


def upgrade() -> None:
    seatings = op.create_table(
        "seatings",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("table", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("used", sa.BigInteger, nullable=False),
    )
    op.create_index("latest_seatings", "seatings", ["guest", "used"])
    rows: list[dict[str, object]] = []
    for row in _seatings(op.get_bind()):
        rows.append(row)
        if len(rows) == ROWS_AT_ONCE:
            op.bulk_insert(seatings, rows)
            rows = []
    op.bulk_insert(seatings, rows)


def _seatings(connection: sa.Connection) -> Iterator[dict[str, object]]:
    """Everyone who sits at a table; read row by row, since there may be millions of events."""
    tables = sa.table("tables", *map(sa.column, ("id", "created", "format")))
    events = sa.table("events", *map(sa.column, ("table", "place", "body")))
    chosen = (
        sa.select(tables.c.id, tables.c.created, events.c.body)
        .join_from(tables, events, events.c.table == tables.c.id)
        .where(tables.c.format == FORMAT)
        .where(sa.or_(*(events.c.body.like(f'{{"event":"{name}"%') for name in ("sat", "left"))))
        .order_by(tables.c.id, events.c.place)
    )
    found = connection.execute(chosen, execution_options={"yield_per": ROWS_AT_ONCE})
    for (table, created), rows in groupby(found, key=lambda row: (row.id, row.created)):
        for guest in sorted(_guests(row.body for row in rows)):
            yield {"guest": guest, "table": table, "used": created}


def _guests(bodies: Iterable[str]) -> set[str]:
    """Who sits there in the end; an event that cannot be read is passed over."""
    seats: dict[Any, str] = {}
    for body in bodies:
        try:
            event = msgspec.json.decode(body)
            if event["event"] == "sat":
                seats[event["seat"]] = str(event["guest"])
            else:
                seats.pop(event["seat"], None)
        except (msgspec.MsgspecError, ValueError, KeyError, TypeError):
            continue
    return set(seats.values())
