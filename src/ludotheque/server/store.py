"""Where players and tables are kept: SQLite by default, anything SQLAlchemy speaks by its address.

Events are appended by one thread that commits for many tables at once: durable before anything is
announced, and cheap all the same. The primary key (table, place) is a fence: of two writers of one
table only the first succeeds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

import sqlalchemy as sa

from ludotheque.server.events import AnyEvent, decode, encode
from ludotheque.server.upgrade import upgrade

FORMAT = 2  # of the events of a table that is opened now

metadata = sa.MetaData()

players = sa.Table(
    "players",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("avatar", sa.Integer, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
)

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("format", sa.Integer, nullable=False, default=FORMAT, server_default="1"),
    # Whether something will happen there although nobody asks: a bot's move, an alarm.
    sa.Column("is_live", sa.Boolean, nullable=False, server_default=sa.false()),
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
    sa.Column("request", sa.String(100), nullable=False),  # who asked, and their number for it
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

plays = sa.Table(  # tables at which a deal is played again
    "plays",
    metadata,
    sa.Column("deal", sa.String(64), sa.ForeignKey("deals.id"), primary_key=True),
    sa.Column("table", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
)

secrets = sa.Table(
    "secrets",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.String(128), nullable=False),
)


@dataclass(frozen=True)
class Player:
    id: str
    name: str
    avatar: int


class Stored(NamedTuple):
    """An event with the request that caused it, "" if none did."""

    request: str
    event: AnyEvent


Row = tuple[str, int, str, str]  # an event as it is kept: table, place, request, body


class Lost(Exception):
    """The events were not stored: another writer holds the table, or storage failed."""


class Store:
    """Reads in threads; writes in one thread of its own that keeps its connection."""

    def __init__(self, url: str) -> None:
        self.engine = sa.create_engine(url)
        if self.engine.dialect.name == "sqlite":
            sa.event.listen(self.engine, "connect", _prepare_sqlite)
        self._append = sa.insert(events).compile(self.engine)
        self._jobs: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="store", daemon=True)
        self._connection: sa.PoolProxiedConnection | None = None

    async def open(self) -> None:
        """Bring the schema up to date and start the writer."""
        await asyncio.to_thread(upgrade, self.engine.url)
        self._thread.start()

    async def close(self) -> None:
        self._jobs.put(None)
        self._thread.join()
        if self._connection is not None:
            self._connection.close()
        self.engine.dispose()

    # Tables

    async def create_table(self, table: str, created: int, first: Stored) -> None:
        def create(connection: sa.Connection) -> None:
            connection.execute(sa.insert(tables).values(id=table, created=created))
            values = dict(zip(events.c.keys(), row(table, 0, first), strict=True))
            connection.execute(sa.insert(events).values(values))

        await self._change(create)

    async def history(self, table: str) -> list[Stored]:
        """Every event of a table, in order; none if there is no such table."""
        chosen = sa.select(events.c.request, events.c.body).where(events.c.table == table)
        rows = await self._read(chosen.order_by(events.c.place))
        return [Stored(row.request, decode(row.body)) for row in rows]

    async def table_ids(self) -> list[str]:
        rows = await self._read(sa.select(tables.c.id).order_by(tables.c.created))
        return [row.id for row in rows]

    # Players

    async def save_player(self, player: Player, created: int) -> None:
        values = {"name": player.name, "avatar": player.avatar}

        def save(connection: sa.Connection) -> None:
            known = sa.update(players).where(players.c.id == player.id).values(**values)
            if connection.execute(known).rowcount == 0:
                new = sa.insert(players).values(id=player.id, created=created, **values)
                connection.execute(new)

        await self._change(save)

    async def player(self, id_: str) -> Player | None:
        rows = await self._read(sa.select(players).where(players.c.id == id_))
        return Player(rows[0].id, rows[0].name, rows[0].avatar) if rows else None

    async def secret(self, name: str, fresh: str) -> str:
        """The secret of this name; the first time it is asked for, it becomes `fresh`."""
        rows = await self._read(sa.select(secrets).where(secrets.c.name == name))
        if rows:
            return str(rows[0].value)
        await self._change(
            lambda connection: connection.execute(sa.insert(secrets).values(name=name, value=fresh))
        )
        return fresh

    async def _read(self, chosen: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        def read() -> Sequence[sa.Row[Any]]:
            with self.engine.connect() as connection:
                return connection.execute(chosen).all()

        return await asyncio.to_thread(read)

    # The writer

    def write(
        self, batches: Sequence[list[Row]], done: Callable[[list[Lost | None]], object]
    ) -> None:
        """Append the batches, each whole or not at all; `done` is told when they are on disk."""
        self._jobs.put(partial(self._write, batches, done, asyncio.get_running_loop()))

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()

    def _write(
        self,
        batches: Sequence[list[Row]],
        done: Callable[[list[Lost | None]], object],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        losses: list[Lost | None] = [None] * len(batches)
        if self._lost([row for batch in batches for row in batch]) is not None:
            losses = [self._lost(batch) for batch in batches]
        loop.call_soon_threadsafe(done, losses)

    def _lost(self, rows: list[Row]) -> Lost | None:
        """Append all of these rows, or say why none of them could be stored.

        This goes to the database's driver: SQLAlchemy's own way costs as much as the commit.
        """
        if self._connection is None:
            self._connection = self.engine.raw_connection()
        values: Sequence[Any] = rows
        if not self._append.positional:
            values = [dict(zip(events.c.keys(), row, strict=True)) for row in rows]
        try:
            cursor = self._connection.cursor()
            cursor.executemany(str(self._append), values)
            self._connection.commit()
        except self.engine.dialect.loaded_dbapi.Error as error:
            self._connection.rollback()
            return Lost(str(error))
        return None

    async def _change(self, work: Callable[[sa.Connection], object]) -> None:
        """Do this in the writer's thread and commit it."""

        changed: Future[None] = Future()

        def change() -> None:
            try:
                with self.engine.begin() as connection:
                    work(connection)
            except Exception as error:
                changed.set_exception(error)
            else:
                changed.set_result(None)

        self._jobs.put(change)
        await asyncio.wrap_future(changed)


def row(table: str, place: int, stored: Stored) -> Row:
    return table, place, stored.request, encode(stored.event)


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
