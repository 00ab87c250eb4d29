"""The beat of a server: tables work together, and one commit stores what came of it.

To store something durably costs far more than to decide it, however little it is. So tables take
turns in common: at a beat everyone with something to do does it, one commit makes it durable, and
then all of them tell. Beats keep a distance; who comes when there has been none for a while does
not wait.

When many tables are at play, the server rests between beats. To wake up for a message costs several
times what it takes to read it, and there is nothing to do about it before the next beat anyway: so
messages are left to gather. Only who loads pages or plays over HTTP would have to wait more than
once: while there are such people the server stays awake.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from typing import Protocol

from ludotheque.server.store import Lost, Row, Store

DISTANCE = 0.08  # seconds from one beat to the next, at least: too short for anyone to notice
CROWD = 4  # tables that have worked at a beat: then more will at the next
VISIT = 1.0  # seconds after a request in which more of them may come


class Worker(Protocol):
    """Whoever works at a beat and tells what came of it when it is stored."""

    def work(self) -> list[Row]: ...

    def tell(self, lost: Lost | None) -> None: ...


class Beat:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: dict[Worker, None] = {}
        self._is_near = False  # a beat is set, or under way
        self._earliest = 0.0
        self._awake_until = 0.0

    def call(self, worker: Worker) -> None:
        """Let this one work at the next beat."""
        self._waiting[worker] = None
        if not self._is_near:
            self._set()

    def stay_awake(self) -> None:
        """Somebody asks for more than the next beat: answer at once for a while."""
        self._awake_until = asyncio.get_running_loop().time() + VISIT

    def _set(self) -> None:
        self._is_near = True
        loop = asyncio.get_running_loop()
        if loop.time() >= self._earliest:
            loop.call_soon(self._strike)
        else:
            loop.call_at(self._earliest, self._strike)

    def _strike(self) -> None:
        self._earliest = asyncio.get_running_loop().time() + DISTANCE
        workers, self._waiting = list(self._waiting), {}
        batches = [worker.work() for worker in workers]
        if any(batches):
            self._store.write(batches, lambda losses: self._end(workers, losses))
        else:
            self._end(workers, [None] * len(workers))

    def _end(self, workers: list[Worker], losses: Sequence[Lost | None]) -> None:
        for worker, lost in zip(workers, losses, strict=True):
            try:
                worker.tell(lost)
            except Exception:  # one that cannot tell must not silence the others
                logging.getLogger(__name__).exception("a table failed to tell what has happened")
        self._is_near = False
        if self._waiting:
            self._set()
        if len(workers) >= CROWD:
            # Two rounds of the event loop on, when all that was told has been sent.
            loop = asyncio.get_running_loop()
            loop.call_soon(loop.call_soon, self._rest)

    def _rest(self) -> None:
        now = asyncio.get_running_loop().time()
        if self._awake_until < now < self._earliest:
            time.sleep(self._earliest - now)
