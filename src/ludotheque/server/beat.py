"""The beat of a server: tables work together, and one commit stores what came of it.

To store something durably costs far more than to decide it, however little it is. So tables take
turns in common: at a beat everyone with something to do does it, one commit makes it durable, and
then all of them tell. Beats keep a distance; who comes when there has been none for a while does
not wait.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Protocol

from ludotheque.server.store import Lost, Row, Store

DISTANCE = 0.07  # seconds from one beat to the next, at least: too short for anyone to notice


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

    def call(self, worker: Worker) -> None:
        """Let this one work at the next beat."""
        self._waiting[worker] = None
        if not self._is_near:
            self._set()

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
