"""Where players and tables are kept: SQLite by default, anything SQLAlchemy speaks by its address.

Events are appended by one writer that commits for everybody who waits: durable before anything is
announced, and fast all the same. The primary key (table, place) is a fence: of two writers of one
table only the first succeeds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from ludotheque.server.events import AnyEvent, decode, encode

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
)

events = sa.Table(
    "events",
    metadata,
    sa.Column("table", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("place", sa.Integer, primary_key=True),
    sa.Column("request", sa.String(80), nullable=False),  # who asked, and their number for it
    sa.Column("body", sa.Text, nullable=False),
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


@dataclass(frozen=True)
class Stored:
    """An event with the request that caused it, "" if none did."""

    request: str
    event: AnyEvent


@dataclass(frozen=True)
class _Batch:
    table: str
    place: int
    stored: Sequence[Stored]
    done: asyncio.Future[None]


class Lost(Exception):
    """The events were not stored: another writer holds the table, or storage failed."""


class Store:
    """Reads in threads; writes in one thread of its own that keeps its connection."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = sa.create_engine(url)
        if self.engine.dialect.name == "sqlite":
            sa.event.listen(self.engine, "connect", _prepare_sqlite)
        self._waiting: asyncio.Queue[_Batch] = asyncio.Queue()
        self._thread = ThreadPoolExecutor(1, "store")
        self._writer: asyncio.Task[None] | None = None
        self._connection: sa.Connection | None = None

    async def open(self) -> None:
        """Bring the schema up to date and start the writer."""
        await asyncio.to_thread(_migrate, self.url)
        self._writer = asyncio.create_task(self._write())

    async def close(self) -> None:
        if self._writer is not None:
            self._writer.cancel()
        self._thread.shutdown()
        if self._connection is not None:
            self._connection.close()
        self.engine.dispose()

    # Tables

    async def create_table(self, table: str, created: int, first: Stored) -> None:
        def create(connection: sa.Connection) -> None:
            connection.execute(sa.insert(tables).values(id=table, created=created))
            connection.execute(sa.insert(events), [_row(table, 0, first)])

        await self._change(create)

    async def append(self, table: str, place: int, stored: Sequence[Stored]) -> None:
        """Store events from `place` on; returns when they are on disk, raises Lost if not."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        await self._waiting.put(_Batch(table, place, stored, done))
        await done

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

    async def _change(self, work: Callable[[sa.Connection], object]) -> None:
        """Do this in the writer's thread and commit it."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._commit, work)

    def _commit(self, work: Callable[[sa.Connection], object]) -> None:
        if self._connection is None:
            self._connection = self.engine.connect()
        with self._connection.begin():
            work(self._connection)

    # The writer

    async def _write(self) -> None:
        while True:
            batches = [await self._waiting.get()]
            while not self._waiting.empty():
                batches.append(self._waiting.get_nowait())
            if not await self._stored(batches):
                for batch in batches:
                    await self._stored([batch])

    async def _stored(self, batches: list[_Batch]) -> bool:
        """Store all or nothing. A batch that fails alone is lost; together they try again."""
        rows = [
            _row(batch.table, batch.place + offset, stored)
            for batch in batches
            for offset, stored in enumerate(batch.stored)
        ]
        try:
            await self._change(lambda connection: connection.execute(sa.insert(events), rows))
        except sa.exc.SQLAlchemyError as error:
            if len(batches) == 1:
                _settle(batches[0].done, Lost(str(error)))
            return len(batches) == 1
        for batch in batches:
            _settle(batch.done, None)
        return True


def _settle(done: asyncio.Future[None], error: Exception | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)


def _row(table: str, place: int, stored: Stored) -> dict[str, Any]:
    body = encode(stored.event)
    return {"table": table, "place": place, "request": stored.request, "body": body}


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _migrate(url: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("sqlalchemy.url", url)
    command.upgrade(config, "head")
