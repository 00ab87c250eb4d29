"""The one thread that writes to storage, and commits for many tables at once.

What it commits is durable before anything is announced, and cheap all the same. The primary key
(table, place) is a fence: of two writers of one table only the first succeeds, and the other gets
`Fenced`. What cannot be stored is logged, and those who asked get `Lost`.

PostgreSQL may end a connection before it has answered a commit. Then the batches are stored again
on another one: if the first commit came through, the fence says so, and what is there is compared.
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

from ludotheque.server import logs, postgresql
from ludotheque.server.counts import counts
from ludotheque.server.events import Attempt
from ludotheque.server.schema import events, results, seatings, tables
from ludotheque.server.storage_errors import (
    has_given_way,
    is_end_of_connection,
    is_fence,
    reason,
)
from ludotheque.server.threads import Threads
from ludotheque.server.upsert import upsert

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


class Fenced(Lost):
    """Another writer has stored events of this table: it has to be read again."""


class Uncertain(Lost):
    """The connection was lost during a commit: it is not known whether this was stored."""


class _Interrupted(Lost):
    """The connection was lost, or another transaction was in the way: it is worth another try."""


class Moved(Uncertain):
    """The table is another node's to tell of, whether or not it was stored."""


FENCED = "another writer has stored events of it meanwhile"

_T = TypeVar("_T")
_log = logging.getLogger(__name__)


class Writer:
    """Keeps its connection, and uses it in its thread only."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._insert = sa.insert(events).compile(engine)
        self._thread = Threads(1, "store")
        self._connection: sa.Connection | None = None
        self._is_committing = False  # so that nobody knows what came of it if it fails

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
                return self._change(work)
            except Lost as lost:
                counts.failed()
                _log.error("%s was not stored: %s", what, lost)
                raise

        return await self._thread.do(change)

    async def durability(self) -> dict[str, object]:
        """How the database treats what the writer commits, as the writer's connection has it."""

        def ask(connection: sa.Connection) -> dict[str, object]:
            names, question = _DURABILITY[connection.dialect.name]
            return {n: connection.exec_driver_sql(question + n).scalar_one() for n in names}

        return await self._thread.do(lambda: self._commit(ask))

    async def settle(self) -> None:
        """Wait until all is stored, or lost, that was given so far."""
        await self._thread.do(lambda: None)

    async def empty_log(self) -> None:
        """Move the write-ahead log into the database; readers may keep a part of it for a while."""

        def empty() -> None:
            with self._writing() as connection:
                connection.connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

        await self._thread.do(empty)

    def append(self, connection: sa.Connection, rows: Sequence[Row]) -> None:
        """Give rows to the database's driver: SQLAlchemy's own way costs as much as the commit."""
        if not rows:
            return
        cursor = connection.connection.cursor()
        if connection.dialect.name == "postgresql":  # one statement, however many rows there are
            cursor.execute(_INSERT_ARRAYS, [list(column) for column in zip(*rows, strict=True)])
        else:
            cursor.executemany(str(self._insert), rows)

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
        lost, is_uncertain = self._loss(batches), False
        is_again = isinstance(lost, _Interrupted)
        if is_again:
            is_uncertain = self._is_committing
            lost = self._certainty(self._loss(batches), is_uncertain)
        if lost is not None and (len(batches) > 1 or is_again) and not self._is_of_storage(lost):
            return self._losses_one_by_one(batches, is_uncertain)
        if lost is not None:
            for batch in batches:
                _note_loss(batch, lost)
        return [lost] * len(batches)

    def _certainty(self, lost: Lost | None, was_uncertain: bool) -> Lost | None:
        """Uncertain if storage failed during this commit, or if one before may be stored."""
        is_cut_off = isinstance(lost, _Interrupted) and self._is_committing
        if lost is not None and (is_cut_off or (was_uncertain and self._is_of_storage(lost))):
            return Uncertain(str(lost))
        return lost

    def _losses_one_by_one(self, batches: Sequence[Batch], is_uncertain: bool) -> list[Lost | None]:
        """Store each batch by itself. Once storage fails, the others are lost without a try.

        On a locked database each try takes seconds, in which no other table could be stored.
        """
        losses: list[Lost | None] = []
        untried: Lost | None = None  # what is said of those that are not tried any more
        for batch in batches:
            lost = untried or self._loss_by_itself(batch, is_uncertain)
            if lost is not None:
                _note_loss(batch, lost)
                if untried is None and self._is_of_storage(lost):
                    untried = Uncertain(str(lost)) if is_uncertain else Lost(str(lost))
            losses.append(lost)
        return losses

    def _loss_by_itself(self, batch: Batch, is_uncertain: bool) -> Lost | None:
        """If an earlier commit may have come through, a fenced batch may be stored by it."""
        lost = self._loss([batch])
        if is_uncertain and isinstance(lost, Fenced):
            lost = self._loss_of_stored(batch, lost)
        return self._certainty(lost, is_uncertain)

    def _loss_of_stored(self, batch: Batch, fenced: Fenced) -> Lost | None:
        """Fenced, unless it is this very batch that is stored."""
        places = [place for _, place, _, _ in batch.rows]
        is_here = events.c.place.between(min(places), max(places))
        chosen = sa.select(events).where(events.c.table == batch.table, is_here)
        try:
            found = self._commit(lambda c: c.execute(chosen.order_by(events.c.place)).all())
        except Lost as lost:
            return lost
        return None if [tuple(row) for row in found] == batch.rows else fenced

    def _is_of_storage(self, lost: Lost) -> bool:
        """Whether storage itself failed, rather than what it was given being wrong."""
        if isinstance(lost, Uncertain | _Interrupted):
            return True
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
            if connection.dialect.name == "postgresql":
                self._commit_at_once(connection, rows)
            else:
                self._commit_in_file(connection, rows)

    def _commit_at_once(self, connection: sa.Connection, rows: Sequence[Row]) -> None:
        """Append these rows in one round trip: a statement by itself is a transaction."""
        driver: Any = connection.connection.driver_connection
        self._is_committing = True
        driver.autocommit = True
        self.append(connection, rows)
        driver.autocommit = False

    def _commit_in_file(self, connection: sa.Connection, rows: Sequence[Row]) -> None:
        """A transaction that fails is ended at once.

        Closing its connection would not do: the error keeps the cursor, and with it the lock.
        """
        try:
            self.append(connection, rows)
            connection.connection.commit()
        except Exception:
            with suppress(self._engine.dialect.loaded_dbapi.Error):
                connection.connection.rollback()
            raise

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        """The writer's connection. After a failure the next transaction has a new one."""
        self._is_committing = False
        try:
            if self._connection is None:
                self._connection = self._connected()
            yield self._connection
        except Exception as error:
            lost = _lost(error, self._connection is not None)
            self._disconnect()
            raise lost from error

    def _connected(self) -> sa.Connection:
        connection = self._engine.connect()
        if connection.dialect.name == "postgresql":
            try:
                postgresql.join_servers(connection)
            except Exception:
                connection.close()
                raise
        return connection

    def _change(self, work: Callable[[sa.Connection], _T]) -> _T:
        """Do this in one transaction; again if the connection was lost before the commit."""
        try:
            return self._commit_or_doubt(work)
        except _Interrupted:
            return self._commit_or_doubt(work)

    def _commit_or_doubt(self, work: Callable[[sa.Connection], _T]) -> _T:
        """Do this in one transaction; Uncertain if the connection was lost during the commit."""
        try:
            return self._commit(work)
        except _Interrupted as lost:
            if self._is_committing:
                raise Uncertain(str(lost)) from lost.__cause__
            raise

    def _commit(self, work: Callable[[sa.Connection], _T]) -> _T:
        """Do this in one transaction."""
        with self._writing() as connection, connection.begin() as transaction:
            done = work(connection)
            self._is_committing = True
            transaction.commit()
            return done

    def _disconnect(self) -> None:
        """Drop every idle connection: if one is broken, the others may be too."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sa.exc.DBAPIError):
                connection.invalidate()
            connection.close()
        self._engine.dispose()


def _lost(error: Exception, was_connected: bool) -> Lost:
    """What a failure means: if a connection was lost, the next one may work."""
    if is_fence(error):
        return Fenced(FENCED)
    if has_given_way(error) or (was_connected and is_end_of_connection(error)):
        return _Interrupted(reason(error))
    return Lost(reason(error))


def _note_loss(batch: Batch, lost: Lost) -> None:
    if isinstance(lost, Fenced):  # and storage is well
        counts.fenced_writes += 1
        level = logging.WARNING
    else:
        counts.failed()
        level = logging.ERROR
    told = "may or may not be stored" if isinstance(lost, Uncertain) else "was not stored"
    _log.log(level, "table %s %s: %s", batch.table, told, lost, **logs.of_table(batch.table))


def keep_seatings(connection: sa.Connection, table: str, changed: SeatingChanges) -> None:
    """Forget who has left the table, and note when the others were active there: now."""
    if changed.left:
        is_gone = sa.and_(seatings.c.table == table, seatings.c.guest.in_(sorted(changed.left)))
        connection.execute(sa.delete(seatings).where(is_gone))
    used = _now_ms()
    for guest in sorted(changed.active):
        values = {"guest": guest, "table": table, "used": used}
        connection.execute(upsert(connection, seatings, values))


_INSERT_ARRAYS = """
INSERT INTO events ("table", place, request, body)
SELECT * FROM unnest(%s::varchar[], %s::integer[], %s::varchar[], %s::text[])
"""
_DURABILITY = {  # the settings that decide it, and how to ask for one
    "sqlite": (("journal_mode", "synchronous", "foreign_keys"), "PRAGMA "),
    "postgresql": (("synchronous_commit", "fsync"), "SHOW "),
}

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
