"""Where players and tables are kept: in SQLite by default, in PostgreSQL by its address."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from threading import Lock
from typing import Any, NamedTuple, TypeVar

import msgspec
import sqlalchemy as sa

from ludotheque.engine.refused import Refused
from ludotheque.server import fate
from ludotheque.server.database import engine_of
from ludotheque.server.events import FORMAT, AnyEvent, Attempt, Sat, decode, encode
from ludotheque.server.player import Player
from ludotheque.server.schema import (
    deals,
    events,
    players,
    results,
    seatings,
    secrets,
    subscriptions,
    tables,
)
from ludotheque.server.storage_errors import is_end_of_connection, reason
from ludotheque.server.threads import Threads
from ludotheque.server.upgrade import upgrade
from ludotheque.server.upsert import insert_once, upsert
from ludotheque.server.web_push import Subscription
from ludotheque.server.writer import Batch, Lost, Row, SeatingChanges, Writer, keep_seatings


class Stored(NamedTuple):
    """An event with the request that caused it, "" if none did."""

    request: str
    event: AnyEvent


class Seating(NamedTuple):
    """A table at which a guest plays."""

    table: str
    active_at: int  # when they were last active there, in milliseconds since 1970


class Used(NamedTuple):
    """A table, and when it was last used, in milliseconds since 1970."""

    at: int
    table: str


class Coded(NamedTuple):
    """The table that a code leads to, and when it was opened, in milliseconds since 1970."""

    table: str
    created: int


class Unreadable(Refused):
    """A table is stored, but not in a way that this version can read."""


class Unavailable(Refused):
    """Storage cannot be read now: the disk is full, or locked, or away. It may be back later."""


PROBE = "probe"  # a row that says nothing
SUBSCRIPTIONS_KEPT = 10  # of a guest, the latest
UNAVAILABLE = "the storage of the server cannot be read now; try again in a while"
UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError)  # what `decode` may raise

_T = TypeVar("_T")
_log = logging.getLogger(__name__)


class Store:
    """Reads in threads, and writes by a Writer."""

    def __init__(self, url: str | sa.URL) -> None:
        self.engine = engine_of(sa.make_url(url))
        # One round trip for a question: PostgreSQL would begin and end a transaction for each.
        self._reading = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._writer = Writer(self.engine)
        self._scanner = Threads(1, "scanner")  # so that what takes long keeps nobody else waiting
        self._failures: set[str] = set()  # of reading, since it last worked
        self._noting = Lock()

    async def open(self) -> None:
        """Bring the schema up to date."""
        await asyncio.to_thread(upgrade, self.engine.url)

    async def close(self) -> None:
        """Store what is waiting, and end."""
        self._scanner.close()
        await self._writer.close()

    # Tables

    async def create_table(
        self, table: str, created: int, first: Sequence[Stored], code: str = ""
    ) -> None:
        """Keep a new table with its first events."""
        guests = frozenset(s.event.guest for s in first if isinstance(s.event, Sat))

        def create(connection: sa.Connection) -> None:
            new = {"id": table, "created": created, "used": created, "code": code}
            connection.execute(sa.insert(tables).values(new))
            self._writer.append(connection, [row(table, i, s) for i, s in enumerate(first)])
            if guests:
                keep_seatings(connection, table, SeatingChanges(guests))

        await self._writer.change(f"table {table}", create)

    async def history(self, table: str, even_if_closed: bool = False) -> list[Stored]:
        """Every event of a table, in order; none if there is no such table, or it is closed."""
        return await asyncio.to_thread(self._history, table, even_if_closed)

    async def later(self, table: str, first: int) -> list[Stored] | None:
        """The events of a table from this place on; None if it is closed, or there is none."""
        rows = await asyncio.to_thread(self._rows_of, table, first)
        if not rows or rows[0].fate:
            return None
        has_later = rows[0].place is not None
        return [_stored(table, first + i, row) for i, row in enumerate(rows if has_later else [])]

    def _history(self, table: str, even_if_closed: bool) -> list[Stored]:
        return history_of(table, self._rows_of(table), even_if_closed)

    def _rows_of(self, table: str, first: int = 0) -> Sequence[sa.Row[Any]]:
        try:
            return self._chosen(_events_of(table, first))
        except sa.exc.DBAPIError as error:
            raise _unreadable(table, error) from error

    async def coded(self, code: str) -> Coded | None:
        """The table that a code leads to: the latest of those it was given to."""
        chosen = sa.select(tables.c.id, tables.c.created).where(tables.c.code == code)
        rows = await self._read(chosen.order_by(tables.c.created.desc(), tables.c.id).limit(1))
        return Coded(rows[0].id, rows[0].created) if rows else None

    async def code(self, table: str) -> str:
        """The code that leads to a table, or "" if none does."""
        rows = await self._read(sa.select(tables.c.code).where(tables.c.id == table))
        holder = await self.coded(rows[0].code) if rows and rows[0].code else None
        return rows[0].code if holder is not None and holder.table == table else ""

    async def decided(self) -> dict[str, str]:
        """What the host has decided about tables, by table."""
        chosen = sa.select(tables.c.id, tables.c.fate).where(tables.c.fate != "")
        return {row.id: row.fate for row in await self._read(chosen)}

    async def unused_tables(self, until: int, after: Used, limit: int) -> list[Used]:
        """Tables that were last used before a time, the longest unused first, behind `after`."""
        kept = tables.c
        is_later = sa.tuple_(kept.used, kept.id) > sa.tuple_(after.at, after.table)
        chosen = sa.select(kept.used, kept.id).where(kept.used < until, kept.fate == "", is_later)
        rows = await self._read(chosen.order_by(kept.used, kept.id).limit(limit))
        return [Used(row.used, row.id) for row in rows]

    async def last_use(self) -> int | None:
        """When a table was last used, of all that there are; None if there is none."""
        rows = await self._read(sa.select(sa.func.max(tables.c.used)))
        last: int | None = rows[0][0]
        return last

    async def is_finished(self, table: str) -> bool:
        """Whether the last match that was begun at a table has ended."""

        return await asyncio.to_thread(self._ask, partial(fate.is_finished, table=table))

    async def change(self, what: str, work: Callable[[sa.Connection], _T]) -> _T:
        """Do this in the writer's thread and commit it; Lost if that fails."""
        return await self._writer.change(what, work)

    async def live_tables(self) -> list[str]:
        """The tables where something will happen without a request, the oldest first."""
        chosen = sa.select(tables.c.id).where(tables.c.is_live).order_by(tables.c.created)
        return [row.id for row in await self._read(chosen)]

    async def seatings(self, guest: str, limit: int, after: Seating | None) -> list[Seating]:
        """The tables at which a guest plays, the latest first, from behind `after` on."""
        kept = seatings.c
        chosen = sa.select(kept.table, kept.used).where(kept.guest == guest)
        if after is not None:
            is_later = sa.tuple_(kept.used, kept.table) < sa.tuple_(after.active_at, after.table)
            chosen = chosen.where(is_later)
        chosen = chosen.order_by(kept.used.desc(), kept.table.desc()).limit(limit)
        return [Seating(row.table, row.used) for row in await self._read(chosen)]

    async def forget_seating(self, guest: str, table: str) -> None:
        """Forget that a guest plays at a table, until they are active there again."""
        left = SeatingChanges(left=frozenset([guest]))
        await self._writer.change(
            f"table {table}", lambda connection: keep_seatings(connection, table, left)
        )

    # Deals

    async def save_deal(self, id_: str, table: str, match: int, created: int) -> None:
        """Name the deal of a table's match; a name that is taken stays as it is."""
        values = {"id": id_, "table": table, "match": match, "created": created}
        deal = insert_once(self.engine, deals, values)
        await self._writer.change(f"deal {id_}", lambda connection: connection.execute(deal))

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

    async def players(self, ids: Iterable[str]) -> list[Player]:
        """Those of these guests who are known."""
        chosen = sa.select(players).where(players.c.id.in_(sorted(ids)))
        return [Player(row.id, row.name, row.avatar) for row in await self._read(chosen)]

    async def save_subscription(
        self, guest: str, subscription: Subscription, created: int, device: str = ""
    ) -> None:
        """Call this guest there from now on, and nobody else; the oldest subscriptions end."""
        kept = subscriptions.c
        latest = sa.select(kept.endpoint).where(kept.guest == guest)
        latest = latest.order_by(kept.created.desc(), kept.endpoint).limit(SUBSCRIPTIONS_KEPT)
        values = {**subscription._asdict(), "guest": guest, "created": created}
        values["device"] = device

        def save(connection: sa.Connection) -> None:
            connection.execute(upsert(self.engine, subscriptions, values))
            too_old = sa.and_(kept.guest == guest, kept.endpoint.not_in(latest))
            connection.execute(sa.delete(subscriptions).where(too_old))

        await self._writer.change(f"a subscription of player {guest}", save)

    async def subscriptions(self, guest: str) -> list[Subscription]:
        """Where a guest has asked to be called."""
        columns = [subscriptions.c[name] for name in Subscription._fields]
        chosen = sa.select(*columns).where(subscriptions.c.guest == guest)
        return [Subscription._make(row) for row in await self._read(chosen)]

    async def forget_subscription(self, endpoint: str, guest: str | None = None) -> None:
        """Call nobody there any more; only if it is this guest's, if one is named."""
        gone = sa.delete(subscriptions).where(subscriptions.c.endpoint == endpoint)
        if guest is not None:
            gone = gone.where(subscriptions.c.guest == guest)
        await self._writer.change("a subscription", lambda connection: connection.execute(gone))

    async def secret(self, name: str, fresh: str) -> str:
        """The secret of this name; the first time anyone asks for it, it becomes `fresh`."""

        def keep(connection: sa.Connection) -> str:
            connection.execute(insert_once(self.engine, secrets, {"name": name, "value": fresh}))
            kept = sa.select(secrets.c.value).where(secrets.c.name == name)
            return str(connection.execute(kept).scalar_one())

        return await self._writer.change(f"secret {name}", keep)

    # The whole of it

    async def table_count(self) -> int:
        """How many tables are kept."""
        rows = await self._read(sa.select(sa.func.count()).select_from(tables))
        return int(rows[0][0])

    async def probe(self) -> None:
        """Write something, to see whether it can be; Lost if not."""

        values = {"name": PROBE, "value": str(time.time_ns())}
        written = upsert(self.engine, secrets, values)
        await self._writer.change("a probe of storage", lambda c: c.execute(written))

    # Writing and reading

    def write(self, batches: Sequence[Batch], done: Callable[[list[Lost | None]], object]) -> None:
        """Store the batches; `done` is told on this event loop when they are on disk."""
        self._writer.write(batches, done)

    async def durability(self) -> dict[str, object]:
        """How the database treats what the writer commits, as the writer's connection has it."""
        return await self._writer.durability()

    async def settle(self) -> None:
        """Wait until all is stored, or lost, that was given so far."""
        await self._writer.settle()

    async def empty_log(self) -> None:
        """Have SQLite take over and empty its write-ahead log, where old rows would stay."""
        if self.engine.dialect.name == "sqlite":
            await self._writer.empty_log()

    async def read(self, chosen: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        """Read these rows; Unavailable if storage cannot be read now."""
        return await self._read(chosen)

    async def scan(self, chosen: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        """Read rows for which a whole table is scanned, one such query at a time."""
        return await self._scanner.do(lambda: self._chosen(chosen))

    async def _read(self, chosen: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        return await asyncio.to_thread(self._chosen, chosen)

    def _chosen(self, chosen: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        try:
            return self._ask(lambda connection: connection.execute(chosen).all())
        except sa.exc.DataError:  # PostgreSQL has no text with NUL in it, so nothing is named so
            return []

    def _ask(self, question: Callable[[sa.Connection], _T]) -> _T:
        """Read something, on another connection if the first is lost; Unavailable if it fails."""
        try:
            try:
                answer = self._asked(question)
            except sa.exc.DBAPIError as error:
                if not is_end_of_connection(error):
                    raise
                answer = self._asked(question)
        except sa.exc.DBAPIError as error:
            if _is_of_text(error) or isinstance(error, sa.exc.DataError):
                raise
            self._note_failure(reason(error))
            raise Unavailable(UNAVAILABLE) from error
        if self._failures:
            self._note_success()
        return answer

    def _note_failure(self, told: str) -> None:
        """Log what is new: it may be tried many times a second."""
        with self._noting:
            is_news = told not in self._failures
            self._failures.add(told)
        _log.log(logging.ERROR if is_news else logging.DEBUG, "storage cannot be read: %s", told)

    def _note_success(self) -> None:
        with self._noting:
            was_away = bool(self._failures)
            self._failures.clear()
        if was_away:
            _log.warning("storage can be read again")

    def _asked(self, question: Callable[[sa.Connection], _T]) -> _T:
        with self._reading.connect() as connection:
            return question(connection)


def row(table: str, place: int, stored: Stored) -> Row:
    return table, place, stored.request, encode(stored.event)


def read_history(connection: sa.Connection, table: str) -> list[Stored]:
    """The events of a table, closed or not, by this connection."""
    try:
        return history_of(table, connection.execute(_events_of(table)).all(), even_if_closed=True)
    except sa.exc.DBAPIError as error:
        raise _unreadable(table, error) from error


def history_of(table: str, rows: Sequence[sa.Row[Any]], even_if_closed: bool) -> list[Stored]:
    """The events of a table that these rows hold."""
    if rows and rows[0].fate and not even_if_closed:
        return []
    if rows and rows[0].place is None and rows[0].fate:
        return []  # of a deleted table there is nothing but its mark
    return [_stored(table, place, row) for place, row in enumerate(rows)]


def _events_of(table: str, first: int = 0) -> sa.Select[Any]:
    columns = (tables.c.format, tables.c.fate, events)
    is_wanted = (events.c.table == tables.c.id) & (events.c.place >= first)
    chosen = sa.select(*columns).select_from(tables.outerjoin(events, is_wanted))
    return chosen.where(tables.c.id == table).order_by(events.c.place)


def _unreadable(table: str, error: sa.exc.DBAPIError) -> Unreadable:
    return Unreadable(f"table {table!r} cannot be read: {reason(error)}")


def _stored(table: str, place: int, found: sa.Row[Any]) -> Stored:
    """The event in a row; Unreadable if it is not the one at this place."""
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
    """A result, or None if it cannot be read: the others are still worth telling."""
    try:
        attempt = msgspec.json.decode(body, type=Attempt)
    except UNREADABLE as error:
        _log.error("a result of deal %s cannot be read: %s", deal, error)
        return None
    return attempt if attempt.scores else None


def _is_of_text(error: sa.exc.DBAPIError) -> bool:
    """Whether text was not UTF-8: the driver reports that like a failure, but without a code."""
    return isinstance(error.orig, sqlite3.Error) and not hasattr(error.orig, "sqlite_errorcode")
