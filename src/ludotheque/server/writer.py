"""The one thread that writes to storage, and commits for many tables at once.

What it commits is durable before anything is announced, and cheap all the same. The primary key
(table, place) is a fence: of two writers of one table only the first succeeds. What cannot be
stored is logged, and those who asked get `Lost`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, NamedTuple, TypeVar

import msgspec
import sqlalchemy as sa

from ludotheque.server import logs
from ludotheque.server.counts import counts
from ludotheque.server.events import Attempt
from ludotheque.server.schema import events, results, seatings, tables
from ludotheque.server.threads import Threads

Row = tuple[str, int, str, str]  # an event as it is kept: table, place, request, body


class Ended(NamedTuple):
    """A match that has ended: what was dealt, which match of the table it was, who scored what."""

    deal: str
    match: int
    attempt: Attempt


class SeatingChanges(NamedTuple):
    """Which guests have sat down at a table or played there just now, and which have left it."""

    active: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.active or self.left)


class Batch(NamedTuple):
    """What one table has to store, all or nothing."""

    table: str
    rows: list[Row]
    is_live: bool | None = None  # None leaves it as it is
    ended: tuple[Ended, ...] = ()
    seatings: SeatingChanges = SeatingChanges()
    used: int | None = None  # when, if storage should note it

    @property
    def is_plain(self) -> bool:
        """Whether there are only events to store, as there are of almost every move."""
        is_marked = self.is_live is not None or self.used is not None
        return not is_marked and not self.ended and not self.seatings

    @property
    def is_anything(self) -> bool:
        return bool(self.rows) or self.is_live is not None


class Lost(Exception):
    """Something was not stored: another writer was first, or storage failed."""


_T = TypeVar("_T")
_log = logging.getLogger(__name__)


class Writer:
    """Keeps its connection, and uses it in its thread only."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._insert = sa.insert(events).compile(engine)
        self._thread = Threads(1, "store")
        self._connection: sa.Connection | None = None

    async def close(self) -> None:
        """Store what is waiting, and end."""
        self._thread.put(self._disconnect)
        self._thread.close()
        await asyncio.to_thread(self._thread.join)

    def write(self, batches: Sequence[Batch], done: Callable[[list[Lost | None]], object]) -> None:
        """Store the batches; `done` is told on this event loop when they are on disk.

        They share one commit. If it fails, each has its own, so that none is lost with another.
        """
        self._thread.put(partial(self._write, batches, done, asyncio.get_running_loop()))

    async def change(self, what: str, work: Callable[[sa.Connection], _T]) -> _T:
        """Do this in the writer's thread and commit it."""

        def change() -> _T:  # logs there, in case nobody waits for it
            try:
                return self._commit(work)
            except Lost as lost:
                counts.failed()
                _log.error("%s was not stored: %s", what, lost)
                raise

        return await self._thread.do(change)

    async def pragmas(self) -> dict[str, object]:
        """How SQLite treats what the writer commits, as the writer's connection has it."""

        def ask(connection: sa.Connection) -> dict[str, object]:
            names = ("journal_mode", "synchronous", "foreign_keys")
            return {n: connection.exec_driver_sql(f"PRAGMA {n}").scalar_one() for n in names}

        return await self._thread.do(lambda: self._commit(ask))

    async def empty_log(self) -> None:
        """Move the write-ahead log into the database; readers may keep a part of it for a while."""

        def empty() -> None:
            with self._writing() as connection:
                connection.connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

        await self._thread.do(empty)

    def append(self, connection: sa.Connection, rows: Sequence[Row]) -> None:
        """Give rows to the database's driver: SQLAlchemy's own way costs as much as the commit."""
        values: Sequence[Any] = rows
        if not self._insert.positional:
            values = [dict(zip(events.c.keys(), row, strict=True)) for row in rows]
        if values:
            connection.connection.cursor().executemany(str(self._insert), values)

    # In the thread

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
        finally:  # every table waits for this, so it must come in any case
            loop.call_soon_threadsafe(done, losses)

    def _losses(self, batches: Sequence[Batch]) -> list[Lost | None]:
        lost = self._loss(batches)
        if lost is not None and not self._is_of_storage(lost):
            return self._losses_one_by_one(batches)
        if lost is not None:
            for batch in batches:
                _note_loss(batch, lost)
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
                _note_loss(batch, lost)
            losses.append(lost)
        return losses

    def _is_of_storage(self, lost: Lost) -> bool:
        """Whether storage itself failed, rather than what it was given being wrong."""
        errors = (sa.exc.OperationalError, self._engine.dialect.loaded_dbapi.OperationalError)
        return isinstance(lost.__cause__, errors)

    def _loss(self, batches: Sequence[Batch]) -> Lost | None:
        """Store all of these, or say why none of them could be stored."""
        begun, rows = time.perf_counter(), [row for batch in batches for row in batch.rows]
        try:
            if all(batch.is_plain for batch in batches):
                self._commit_rows(rows)
            else:
                self._commit(partial(self._store, batches))
        except Lost as lost:
            return lost
        counts.committed(begun, len(rows))
        return None

    def _store(self, batches: Sequence[Batch], connection: sa.Connection) -> None:
        self.append(connection, [row for batch in batches for row in batch.rows])
        flags = [{"id_": b.table, "flag": b.is_live} for b in batches if b.is_live is not None]
        if flags:
            connection.execute(_SET_LIVE, flags)
        uses = [{"id_": b.table, "at": b.used} for b in batches if b.used is not None]
        if uses:
            connection.execute(_SET_USED, uses)
        ended = [_result(batch.table, end) for batch in batches for end in batch.ended]
        if ended:
            connection.execute(sa.insert(results), ended)
        for batch in batches:
            if batch.seatings:
                keep_seatings(connection, batch.table, batch.seatings)

    def _commit_rows(self, rows: Sequence[Row]) -> None:
        """Append these rows in one transaction, past SQLAlchemy: it costs as much as the commit."""
        with self._writing() as connection:
            self.append(connection, rows)
            connection.connection.commit()

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        """The writer's connection. After a failure the next transaction has a new one."""
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            yield self._connection
        except Exception as error:
            self._disconnect()
            raise Lost(str(getattr(error, "orig", error))) from error

    def _commit(self, work: Callable[[sa.Connection], _T]) -> _T:
        """Do this in one transaction."""
        with self._writing() as connection, connection.begin():
            return work(connection)

    def _disconnect(self) -> None:
        """Drop every idle connection: if one is broken, the others may be too."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sa.exc.DBAPIError):
                connection.invalidate()
            connection.close()
        self._engine.dispose()


def _note_loss(batch: Batch, lost: Lost) -> None:
    counts.failed()
    _log.error("table %s was not stored: %s", batch.table, lost, **logs.of_table(batch.table))


def keep_seatings(connection: sa.Connection, table: str, changed: SeatingChanges) -> None:
    """Forget who has left the table, and note when the others were active there: now."""
    everyone = sorted(changed.active | changed.left)
    known = sa.delete(seatings).where(seatings.c.table == table, seatings.c.guest.in_(everyone))
    connection.execute(known)
    used = _now_ms()
    rows = [{"guest": guest, "table": table, "used": used} for guest in sorted(changed.active)]
    if rows:
        connection.execute(sa.insert(seatings), rows)


_SET_LIVE = (
    sa.update(tables).where(tables.c.id == sa.bindparam("id_")).values(is_live=sa.bindparam("flag"))
)

_SET_USED = (
    sa.update(tables).where(tables.c.id == sa.bindparam("id_")).values(used=sa.bindparam("at"))
)


def _result(table: str, end: Ended) -> dict[str, object]:
    body = msgspec.json.encode(end.attempt).decode()
    ended = _now_ms()
    return {"deal": end.deal, "table": table, "match": end.match, "body": body, "ended": ended}


def _now_ms() -> int:
    return int(time.time() * 1000)
