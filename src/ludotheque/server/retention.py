"""Deletes unused tables, one at a time so that nobody has to wait."""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ludotheque.server import fate, logs
from ludotheque.server.configuration import FOR_EVER, Configuration
from ludotheque.server.counts import counts
from ludotheque.server.store import Store, Unavailable, Used
from ludotheque.server.tables import Tables
from ludotheque.server.upgrade import copies_before_upgrades
from ludotheque.server.writer import Lost

LOOK_S = 15.0  # between two looks for tables that the host has deleted
PASS_S = 3600.0  # from the start to the first look for unused tables, and from one to the next
PAUSE_S = 0.2  # after each deletion, for others to be stored
PAGE_SIZE = 20
DAY_MS = 86_400_000
COPIES_KEPT_DAYS = 30  # from before upgrades

log = logging.getLogger(__name__)


class Ages(NamedTuple):
    """Days without use after which tables are deleted; FOR_EVER for never."""

    finished: int
    abandoned: int

    @classmethod
    def of(cls, chosen: Configuration) -> Ages:
        return cls(chosen.keep_finished_days, chosen.keep_abandoned_days)


class Retention:
    def __init__(self, store: Store, tables: Tables, ages: Ages, pause_s: float = PAUSE_S) -> None:
        self._store = store
        self._tables = tables
        self._ages = ages
        self._pause_s = pause_s
        self._next_pass = time.monotonic() + PASS_S

    async def run(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                await self.look(time.monotonic(), time.time())
            except (Lost, Unavailable):
                continue  # it has been logged
            except Exception:  # or nothing would ever be deleted again
                log.exception("old tables could not be looked for; they are in a while")

    async def look(self, moment: float, now: float) -> None:
        """Delete what has to go at this moment of the monotonic clock, which is now on the other.

        Age counts an hour after the start: a host whose clock is wrong has that long to notice.
        """
        await self.delete_decided()
        if moment < self._next_pass:
            return
        self._next_pass = moment + PASS_S
        now_ms = int(now * 1000)
        if not await self._seems_ahead(now_ms):
            await self.delete_unused(now_ms)
        await asyncio.to_thread(self.delete_old_copies, now)

    async def _seems_ahead(self, now: int) -> bool:
        """Whether by the clock every table is too old, even the one that was used last."""
        ages = [age for age in self._ages if age != FOR_EVER]
        newest = await self._store.last_use()
        if not ages or newest is None or newest >= now - min(ages) * DAY_MS:
            return False
        log.warning(
            "no table was used in the last %d days by the clock, which may be wrong: "
            "no table is deleted for its age before one is used",
            min(ages),
        )
        return True

    def delete_old_copies(self, now: float) -> None:
        """Delete copies from before upgrades, which still hold guests who deleted themselves."""
        url = self._store.engine.url
        if url.get_backend_name() != "sqlite" or not url.database:
            return
        for copy in copies_before_upgrades(Path(url.database)):
            if copy.stat().st_mtime < now - COPIES_KEPT_DAYS * DAY_MS / 1000:
                copy.unlink()
                log.info("%s was deleted, a copy from before an upgrade", copy.name)

    async def delete_decided(self) -> None:
        """Delete the tables that the host has marked for it; first they are closed.

        One that is awake all the same was marked a moment ago, wakes, or is another node's to
        close: it is deleted after a later look, or something could still be stored of it.
        """
        await self._tables.close_decided()
        for table, decided in (await self._store.decided()).items():
            if decided == fate.DELETED:
                await self._delete_asleep(table)

    async def delete_unused(self, now: int) -> None:
        """Delete what has not been used for longer than the host keeps it."""
        ages = [age for age in self._ages if age != FOR_EVER]
        if not ages:
            return
        last, until = Used(-1, ""), now - min(ages) * DAY_MS
        while found := await self._store.unused_tables(until, last, PAGE_SIZE):
            last = found[-1]
            for unused in found:
                if await self._is_old(unused, now):
                    await self._delete_asleep(unused.table)

    async def _is_old(self, unused: Used, now: int) -> bool:
        is_finished = await self._store.is_finished(unused.table)
        age = self._ages.finished if is_finished else self._ages.abandoned
        return age != FOR_EVER and unused.at < now - age * DAY_MS

    async def _delete_asleep(self, table: str) -> None:
        async with self._tables.asleep(table) as is_asleep:
            if is_asleep:
                await self._delete(table)

    async def _delete(self, table: str) -> None:
        await self._store.change(f"the end of table {table}", partial(fate.remove, table=table))
        counts.deleted_tables += 1
        log.info("table %s was deleted", table, **logs.of_table(table))
        await asyncio.sleep(self._pause_s)
