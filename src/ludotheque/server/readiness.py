"""Whether the server can do its work: its tables are awake, and what happens there is stored."""

from __future__ import annotations

import asyncio
import time

from ludotheque.server.counts import Counts, counts
from ludotheque.server.store import Store
from ludotheque.server.tables import Tables
from ludotheque.server.writer import Lost

AFTER_FAILURE_S = 10.0  # within which a failed write says that storage is not well
FRESH_S = 10.0  # within which a write that succeeded says that it is
PROBE_TIMEOUT_S = 3.0


class Readiness:
    def __init__(self, tables: Tables, store: Store, counted: Counts = counts) -> None:
        self._tables = tables
        self._store = store
        self._counts = counted
        self._probing: asyncio.Task[None] | None = None

    async def obstacle(self) -> str:
        """Why the server is not ready, "" if it is."""
        if self._tables.obstacle:
            return self._tables.obstacle
        failed = self._counts.failed_at
        if failed is not None and time.monotonic() - failed < AFTER_FAILURE_S:
            return "a write to storage has failed a moment ago"
        stored = self._counts.stored_at
        if stored is not None and time.monotonic() - stored < FRESH_S:
            return ""
        return await self._probe()

    async def _probe(self) -> str:
        """Write something, once for everyone who asks meanwhile."""
        if self._probing is None or self._probing.done():
            self._probing = asyncio.create_task(self._write())
        try:
            async with asyncio.timeout(PROBE_TIMEOUT_S):
                await asyncio.shield(self._probing)
        except TimeoutError:
            return "storage does not answer"
        except Lost:
            return "storage cannot be written to"
        return ""

    async def _write(self) -> None:
        await self._store.probe()
        self._counts.stored_at = time.monotonic()
