"""One commit for everything that has gathered while the last commit was running.

Storing something durably costs far more than deciding it, however small it is. So tables that have
something to do work in the same round, one commit stores all of it, and then they tell. There is no
clock: the first table does not wait, and later ones wait only for the commit before theirs.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextvars import Context
from functools import partial
from typing import Protocol

from ludotheque.server.store import Store
from ludotheque.server.writer import Batch, Lost, Moved

log = logging.getLogger(__name__)


class Worker(Protocol):
    """Something that works, and tells the result when it is stored."""

    def work(self) -> Batch: ...

    def tell(self, lost: Lost | None) -> None: ...


class GroupCommit:
    def __init__(self, store: Store, is_ours: Callable[[], bool] = lambda: True) -> None:
        """`is_ours` tells whether the tables are still this server's to decide and to tell of."""
        self._store = store
        self._is_ours = is_ours
        self._waiting: dict[Worker, None] = {}
        self._context = Context()  # not that of the request which happens to begin a round
        self._is_busy = False  # a round is about to begin, or its commit is running

    def call(self, worker: Worker) -> None:
        """Have this worker work in the next round."""
        self._waiting[worker] = None
        if not self._is_busy:
            self._is_busy = True
            # Not at once: whatever else arrives in this turn of the event loop shares the commit.
            asyncio.get_running_loop().call_soon(self._begin, context=self._context)

    def _begin(self) -> None:
        workers, batches = [], []
        waiting, self._waiting = list(self._waiting), {}
        for worker in waiting:
            try:
                batches.append(worker.work())
                workers.append(worker)
            except Exception as error:  # one that fails must not stop the others
                log.exception("a table failed to work")
                self._tell(worker, Lost(str(error)))
        if self._is_ours() and any(batch.is_anything for batch in batches):
            self._store.write(batches, partial(self._end, workers))
        else:
            self._end(workers, [None] * len(workers))

    def _end(self, workers: list[Worker], losses: Sequence[Lost | None]) -> None:
        is_ours = self._is_ours()
        for worker, lost in zip(workers, losses, strict=True):
            self._tell(worker, lost if is_ours else lost or Moved())
        self._is_busy = bool(self._waiting)
        if self._is_busy:
            asyncio.get_running_loop().call_soon(self._begin, context=self._context)

    def _tell(self, worker: Worker, lost: Lost | None) -> None:
        try:
            worker.tell(lost)
        except Exception:  # one that cannot tell must not silence the others
            log.exception("a table failed to tell what has happened")
