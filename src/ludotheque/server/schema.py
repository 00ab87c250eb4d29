"""The tables of the database, as the last of the migrations leaves them."""

from __future__ import annotations

import sqlalchemy as sa

from ludotheque.server.events import FORMAT

metadata = sa.MetaData()

players = sa.Table(
    "players",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("avatar", sa.Integer, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    # Whether tokens of earlier versions are accepted: all devices of a guest had the same one.
    sa.Column("has_former_token", sa.Boolean, nullable=False, server_default=sa.false()),
)

devices = sa.Table(  # on which guests are signed in
    "devices",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False),
    sa.Column("hash", sa.String(64), nullable=False),  # of its token, which is kept nowhere
    sa.Column("browser", sa.String(24), nullable=False),
    sa.Column("system", sa.String(24), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("seen", sa.BigInteger, nullable=False),  # to the hour
    sa.Index("devices_by_hash", "hash", unique=True),
    sa.Index("devices_of_guest", "guest", "seen"),
)

recoveries = sa.Table(  # the last recovery link of each guest, until it is used
    "recoveries",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("hash", sa.String(64), nullable=False),
    sa.Column("expires", sa.BigInteger, nullable=False),
)

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("format", sa.Integer, nullable=False, default=FORMAT, server_default="1"),
    # Whether something will happen there without a request: a bot's move, an alarm.
    sa.Column("is_live", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("code", sa.String(8), nullable=False, server_default=""),
    sa.Column("used", sa.BigInteger, nullable=False, server_default="0"),  # to a day or so
    sa.Column("fate", sa.String(8), nullable=False, server_default=""),  # see fate.py
    sa.Index("tables_by_code", "code", "created"),
    sa.Index("tables_by_use", "used", "id"),
    sa.Index(
        "decided_tables",
        "fate",
        sqlite_where=sa.text("fate <> ''"),
        postgresql_where=sa.text("fate <> ''"),
    ),
    sa.Index(
        "live_tables",
        "created",
        sqlite_where=sa.text("is_live = 1"),
        postgresql_where=sa.text("is_live"),
    ),
)

events = sa.Table(
    "events",
    metadata,
    sa.Column("table", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("place", sa.Integer, primary_key=True),
    sa.Column("request", sa.String(80), nullable=False),  # who asked, and their number for it
    sa.Column("body", sa.Text, nullable=False),
)

deals = sa.Table(
    "deals",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("table", sa.String(16), sa.ForeignKey("tables.id"), nullable=False),
    sa.Column("match", sa.Integer, nullable=False),  # which of the table's matches was dealt so
    sa.Column("created", sa.BigInteger, nullable=False),
)

results = sa.Table(  # how matches ended, by what was dealt
    "results",
    metadata,
    sa.Column("deal", sa.String(64), primary_key=True),
    sa.Column("table", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("match", sa.Integer, primary_key=True),  # its number at the table
    sa.Column("body", sa.Text, nullable=False),  # an Attempt, as JSON
    sa.Column("ended", sa.BigInteger, nullable=False),
)

seatings = sa.Table(  # which guests play at which tables, for them to find their way back
    "seatings",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("table", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("used", sa.BigInteger, nullable=False),  # when they sat down, began or ended a match
    sa.Index("latest_seatings", "guest", "used"),
)

subscriptions = sa.Table(  # browsers whose guests are called to their turns
    "subscriptions",
    metadata,
    sa.Column("endpoint", sa.String(1024), primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False),
    sa.Column("p256dh", sa.String(100), nullable=False),
    sa.Column("auth", sa.String(40), nullable=False),
    sa.Column("language", sa.String(8), nullable=False),
    sa.Column("contact", sa.String(255), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("device", sa.String(16), nullable=False, server_default=""),
    sa.Index("guest_subscriptions", "guest", "created"),
)

secrets = sa.Table(
    "secrets",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.String(128), nullable=False),
)
