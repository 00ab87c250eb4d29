"""Where players and tables are kept: in SQLite by default, in PostgreSQL by its address.

One thread writes, and commits for many tables at once: durable before anything is announced, and
cheap all the same. The primary key (table, place) is a fence: of two writers of one table only the
first succeeds. Whatever cannot be stored is logged and told to those who asked, as `Lost`.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from ludotheque.engine.refused import Refused
from ludotheque.server.events import FORMAT, AnyEvent, Attempt, decode, encode
from ludotheque.server.player import Player
from ludotheque.server.upgrade import upgrade

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

secrets = sa.Table(
    "secrets",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.String(128), nullable=False),
)


class Stored(NamedTuple):
    """An event with the request that caused it, "" if none did."""

    request: str
    event: AnyEvent


Row = tuple[str, int, str, str]  # an event as it is kept: table, place, request, body


class Ended(NamedTuple):
    """A match that has ended: what was dealt, which match of the table it was, who scored what."""

    deal: str
    match: int
    attempt: Attempt


class Batch(NamedTuple):
    """What is to be stored of one table, whole or not at all."""

    table: str
    rows: list[Row]
    is_live: bool | None = None  # None leaves it as it is
    ended: tuple[Ended, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether there are only events to store, as there are of almost every move."""
        return self.is_live is None and not self.ended

    @property
    def is_anything(self) -> bool:
        return bool(self.rows) or self.is_live is not None


class Lost(Exception):
    """Something was not stored: another writer was first, or storage failed."""


class Unreadable(Refused):
    """A table is stored, but not in a way that this version can read."""


class Unavailable(Refused):
    """Storage cannot be read now: the disk is full, or locked, or away. It may be back later."""


PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000")
UNAVAILABLE = "the storage of the server cannot be read now; try again in a while"
UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError)  # what `decode` may raise

_T = TypeVar("_T")
_log = logging.getLogger(__name__)


class Store:
    """Reads in threads; writes in one thread of its own that keeps its connection."""

    def __init__(self, url: str | sa.URL) -> None:
        self.engine = sa.create_engine(url)
        if self.engine.dialect.name == "sqlite":
            sa.event.listen(self.engine, "connect", _prepare_sqlite)
        self._append = sa.insert(events).compile(self.engine)
        self._jobs: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="store", daemon=True)
        self._writer: sa.Connection | None = None  # used in that thread only

    async def open(self) -> None:
        """Bring the schema up to date."""
        await asyncio.to_thread(upgrade, self.engine.url)
        self._thread.start()

    async def close(self) -> None:
        """Store what is waiting, and end."""
        self._jobs.put(self._disconnect)
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def _work(self) -> None:
        """The writer's thread. A queue costs half of what an executor does for every commit."""
        while (job := self._jobs.get()) is not None:
            job()

    async def _in_writer(self, work: Callable[[], _T]) -> _T:
        """Do this in the writer's thread, and wait for it."""
        done: Future[_T] = Future()

        def run() -> None:
            if not done.set_running_or_notify_cancel():
                return  # given up before its turn came
            try:
                done.set_result(work())
            except BaseException as error:
                done.set_exception(error)

        self._jobs.put(run)
        return await asyncio.wrap_future(done)

    # Tables

    async def create_table(self, table: str, created: int, first: Sequence[Stored]) -> None:
        """Keep a new table with its first events."""

        def create(connection: sa.Connection) -> None:
            connection.execute(sa.insert(tables).values(id=table, created=created))
            self._append_rows(connection, [row(table, i, s) for i, s in enumerate(first)])

        await self._change(f"table {table}", create)

    async def history(self, table: str) -> list[Stored]:
        """Every event of a table, in order; none if there is no such table."""
        return await asyncio.to_thread(self._history, table)

    def _history(self, table: str) -> list[Stored]:
        chosen = sa.select(tables.c.format, events).select_from(tables.outerjoin(events))
        chosen = chosen.where(tables.c.id == table).order_by(events.c.place)
        try:
            rows = self._chosen(chosen)
        except sa.exc.DBAPIError as error:
            raise Unreadable(f"table {table!r} cannot be read: {error.orig}") from error
        return [_stored(table, place, row) for place, row in enumerate(rows)]

    async def live_tables(self) -> list[str]:
        """The tables where something will happen although nobody asks, the oldest first."""
        chosen = sa.select(tables.c.id).where(tables.c.is_live).order_by(tables.c.created)
        return [row.id for row in await self._read(chosen)]

    # Deals

    async def save_deal(self, id_: str, table: str, match: int, created: int) -> None:
        """Name the deal of a table's match; a name that is taken stays as it is."""
        values = {"id": id_, "table": table, "match": match, "created": created}
        deal = self._insert_once(deals, values)
        await self._change(f"deal {id_}", lambda connection: connection.execute(deal))

    async def deal(self, id_: str) -> tuple[str, int] | None:
        """The table, and which of its matches was dealt so."""
        rows = await self._read(sa.select(deals.c.table, deals.c.match).where(deals.c.id == id_))
        return (rows[0].table, rows[0].match) if rows else None

    async def attempts(self, deal: str, limit: int) -> list[Attempt]:
        """How this deal was played, the latest attempts, the oldest of them first."""
        chosen = sa.select(results.c.body).where(results.c.deal == deal)
        rows = await self._read(chosen.order_by(results.c.ended.desc()).limit(limit))
        return [attempt for row in reversed(rows) if (attempt := _attempt(deal, row.body))]

    # Players

    async def save_player(self, player: Player, created: int) -> None:
        values = {"name": player.name, "avatar": player.avatar}

        def save(connection: sa.Connection) -> None:
            known = sa.update(players).where(players.c.id == player.id).values(**values)
            if connection.execute(known).rowcount == 0:
                new = sa.insert(players).values(id=player.id, created=created, **values)
                connection.execute(new)

        await self._change(f"player {player.id}", save)

    async def player(self, id_: str) -> Player | None:
        rows = await self._read(sa.select(players).where(players.c.id == id_))
        return Player(rows[0].id, rows[0].name, rows[0].avatar) if rows else None

    async def secret(self, name: str, fresh: str) -> str:
        """The secret of this name; the first time anyone asks for it, it becomes `fresh`."""

        def keep(connection: sa.Connection) -> str:
            connection.execute(self._insert_once(secrets, {"name": name, "value": fresh}))
            kept = sa.select(secrets.c.value).where(secrets.c.name == name)
            return str(connection.execute(kept).scalar_one())

        return await self._change(f"secret {name}", keep)

    # Reading

    async def _read(self, chosen: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        return await asyncio.to_thread(self._chosen, chosen)

    def _chosen(self, chosen: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        """Read these rows; Unavailable if there is no reading now."""
        try:
            with self.engine.connect() as connection:
                return connection.execute(chosen).all()
        except sa.exc.OperationalError as error:
            if _is_of_text(error):
                raise
            _log.error("storage cannot be read: %s", error.orig)
            raise Unavailable(UNAVAILABLE) from error

    # The writer

    def write(self, batches: Sequence[Batch], done: Callable[[list[Lost | None]], object]) -> None:
        """Store the batches; `done` is told on this event loop when they are on disk.

        They share one commit. If it fails, each has its own, so that none is lost with another.
        """
        self._jobs.put(partial(self._write, batches, done, asyncio.get_running_loop()))

    async def writer_pragmas(self) -> dict[str, object]:
        """How SQLite treats what the writer commits, as the writer's connection has it."""

        def ask(connection: sa.Connection) -> dict[str, object]:
            names = ("journal_mode", "synchronous", "foreign_keys")
            return {n: connection.exec_driver_sql(f"PRAGMA {n}").scalar_one() for n in names}

        return await self._in_writer(lambda: self._commit(ask))

    async def _change(self, what: str, work: Callable[[sa.Connection], _T]) -> _T:
        """Do this in the writer's thread and commit it."""

        def change() -> _T:  # logs there, in case that nobody waits for it any more
            try:
                return self._commit(work)
            except Lost as lost:
                _log.error("%s was not stored: %s", what, lost)
                raise

        return await self._in_writer(change)

    def _write(
        self,
        batches: Sequence[Batch],
        done: Callable[[list[Lost | None]], object],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        losses: list[Lost | None] = [Lost("the writer failed")] * len(batches)
        try:
            losses = self._losses(batches)
        except Exception:
            _log.exception("the writer failed")
        finally:  # all wait for this, so it must come whatever happens
            loop.call_soon_threadsafe(done, losses)

    def _losses(self, batches: Sequence[Batch]) -> list[Lost | None]:
        lost = self._loss(batches)
        if lost is not None and not self._is_of_storage(lost):
            return self._losses_one_by_one(batches)
        if lost is not None:
            for batch in batches:
                _log.error("table %s was not stored: %s", batch.table, lost)
        return [lost] * len(batches)

    def _losses_one_by_one(self, batches: Sequence[Batch]) -> list[Lost | None]:
        """Store each batch by itself. Once storage fails, the others are lost without a try.

        On a locked database each try takes seconds, in which no other table could be stored.
        """
        losses: list[Lost | None] = []
        lost: Lost | None = None
        for batch in batches:
            if lost is None or not self._is_of_storage(lost):
                lost = self._loss([batch])
            if lost is not None:
                _log.error("table %s was not stored: %s", batch.table, lost)
            losses.append(lost)
        return losses

    def _is_of_storage(self, lost: Lost) -> bool:
        """Whether storage failed; otherwise there was something wrong with what it was given."""
        errors = (sa.exc.OperationalError, self.engine.dialect.loaded_dbapi.OperationalError)
        return isinstance(lost.__cause__, errors)

    def _loss(self, batches: Sequence[Batch]) -> Lost | None:
        """Store all of these, or say why none of them could be stored."""
        try:
            if all(batch.is_plain for batch in batches):
                self._commit_rows([row for batch in batches for row in batch.rows])
            else:
                self._commit(partial(self._store, batches))
        except Lost as lost:
            return lost
        return None

    def _store(self, batches: Sequence[Batch], connection: sa.Connection) -> None:
        self._append_rows(connection, [row for batch in batches for row in batch.rows])
        flags = [{"id_": b.table, "flag": b.is_live} for b in batches if b.is_live is not None]
        if flags:
            connection.execute(_SET_LIVE, flags)
        ended = [_result(batch.table, end) for batch in batches for end in batch.ended]
        if ended:
            connection.execute(sa.insert(results), ended)

    def _append_rows(self, connection: sa.Connection, rows: Sequence[Row]) -> None:
        """Give rows to the database's driver: SQLAlchemy's own way costs as much as the commit."""
        values: Sequence[Any] = rows
        if not self._append.positional:
            values = [dict(zip(events.c.keys(), row, strict=True)) for row in rows]
        if values:
            connection.connection.cursor().executemany(str(self._append), values)

    def _commit_rows(self, rows: Sequence[Row]) -> None:
        """Append these rows in one transaction, past SQLAlchemy: it costs as much as the commit."""
        with self._writing() as connection:
            self._append_rows(connection, rows)
            connection.connection.commit()

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        """The writer's connection. After a failure the next transaction has a new one."""
        try:
            if self._writer is None:
                self._writer = self.engine.connect()
            yield self._writer
        except Exception as error:
            self._disconnect()
            raise Lost(str(getattr(error, "orig", error))) from error

    def _commit(self, work: Callable[[sa.Connection], _T]) -> _T:
        """Do this in one transaction."""
        with self._writing() as connection, connection.begin():
            return work(connection)

    def _disconnect(self) -> None:
        """Give up every connection that is not in use: one may be broken as another is."""
        writer, self._writer = self._writer, None
        if writer is not None:
            with suppress(sa.exc.DBAPIError):
                writer.invalidate()
            writer.close()
        self.engine.dispose()

    def _insert_once(self, into: sa.Table, values: dict[str, object]) -> sa.Insert:
        """Insert a row unless its key is taken."""
        if self.engine.dialect.name == "postgresql":
            return postgresql.insert(into).values(values).on_conflict_do_nothing()
        return sqlite.insert(into).values(values).on_conflict_do_nothing()


_SET_LIVE = (
    sa.update(tables).where(tables.c.id == sa.bindparam("id_")).values(is_live=sa.bindparam("flag"))
)


def _result(table: str, end: Ended) -> dict[str, object]:
    body = msgspec.json.encode(end.attempt).decode()
    ended = int(time.time() * 1000)
    return {"deal": end.deal, "table": table, "match": end.match, "body": body, "ended": ended}


def row(table: str, place: int, stored: Stored) -> Row:
    return table, place, stored.request, encode(stored.event)


def _stored(table: str, place: int, found: sa.Row[Any]) -> Stored:
    """The event of a row that ought to be the one at this place."""
    if found.format != FORMAT:
        is_older = isinstance(found.format, int) and found.format < FORMAT
        age = "an older" if is_older else "a newer"
        raise Unreadable(
            f"table {table!r} was written by {age} version: "
            f"its format is {found.format}, this version reads {FORMAT}"
        )
    if found.place != place:
        raise Unreadable(f"event {place} of table {table!r} is missing")
    try:
        return Stored(found.request, decode(found.body))
    except UNREADABLE as error:
        raise Unreadable(f"event {place} of table {table!r} cannot be read: {error}") from error


def _attempt(deal: str, body: str) -> Attempt | None:
    """A result that can be read; one that cannot is not worth losing the others for."""
    try:
        attempt = msgspec.json.decode(body, type=Attempt)
    except UNREADABLE as error:
        _log.error("a result of deal %s cannot be read: %s", deal, error)
        return None
    return attempt if attempt.scores else None


def _is_of_text(error: sa.exc.OperationalError) -> bool:
    """Whether text was not UTF-8: Python's driver reports it like a failure, but without a code."""
    return isinstance(error.orig, sqlite3.Error) and not hasattr(error.orig, "sqlite_errorcode")


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
