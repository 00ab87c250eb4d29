"""Threads in which bots think, shared fairly between guests and between their tables.

One thread for each core is enough: more would only slow every bot down. So bots wait for a thread,
and their time to think begins when they have one. The more of them wait, the shorter it is: under
load a bot thinks less, but it always thinks.
"""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeVar

from ludotheque.search.deadline import Deadline
from ludotheque.server.threads import Threads

LEAST_SHARE = 0.1  # of its full time that every bot gets

_T = TypeVar("_T")


class Thinkers:
    """Everything but the work itself happens on the event loop, so there is nothing to lock."""

    def __init__(self, threads: int | None = None) -> None:
        self._threads = threads or os.cpu_count() or 1
        self._pool = Threads(self._threads, "thinker")
        self._waiting = _FairQueue()
        self._running: set[_Job] = set()
        self._is_closed = False

    async def think(
        self, guest: str, table: str, seconds: float, work: Callable[[Deadline], _T]
    ) -> _T:
        """Do this work in a thread when its turn comes; cancelling ends the wait or the work."""
        if self._is_closed:
            raise RuntimeError("the thinkers are closed, expected no more work")
        job = _Job(guest, table, seconds, work)
        self._waiting.put(job)
        self._begin_next()
        try:
            result: _T = await job.result
        except asyncio.CancelledError:
            self._waiting.discard(job)
            job.cancel()
            raise
        return result

    def close(self) -> None:
        """Cancel what waits and what runs; a thread ends as soon as its work does."""
        self._is_closed = True
        for job in (*self._waiting, *self._running):
            job.cancel()
            job.result.cancel()
        self._waiting = _FairQueue()
        self._pool.close()

    def _begin_next(self) -> None:
        """Start jobs while there are threads for them."""
        while len(self._running) < self._threads and self._waiting:
            job = self._waiting.take()
            job.seconds *= self._share()
            self._running.add(job)
            self._pool.do(job.run).add_done_callback(partial(self._end, job))

    def _share(self) -> float:
        """The part of its full time that a job gets while others wait."""
        return max(LEAST_SHARE, self._threads / (self._threads + len(self._waiting)))

    def _end(self, job: _Job, end: asyncio.Future[Any]) -> None:
        self._running.discard(job)
        job.settle(end)
        self._begin_next()


class _Job:
    def __init__(
        self, guest: str, table: str, seconds: float, work: Callable[[Deadline], Any]
    ) -> None:
        self.guest = guest
        self.table = table
        self.seconds = seconds
        self.result: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._work = work
        self._deadline: Deadline | None = None
        self._is_cancelled = False

    def run(self) -> Any:
        """In a thread. Either `cancel` finds the deadline, or this finds that it is cancelled."""
        self._deadline = Deadline(self.seconds)
        if self._is_cancelled:
            self._deadline.cancel()
        return self._work(self._deadline)

    def cancel(self) -> None:
        self._is_cancelled = True
        if self._deadline is not None:
            self._deadline.cancel()

    def settle(self, end: asyncio.Future[Any]) -> None:
        """Pass on how the work ended, unless the wait for it has been cancelled."""
        error = end.exception()
        if self.result.done():
            return
        if error is not None:
            self.result.set_exception(error)
        else:
            self.result.set_result(end.result())


class _FairQueue:
    """Guests take turns, so do the tables of a guest; at a table it is first come, first served."""

    def __init__(self) -> None:
        self._guests: OrderedDict[str, OrderedDict[str, deque[_Job]]] = OrderedDict()

    def __iter__(self) -> Iterator[_Job]:
        for tables in self._guests.values():
            for jobs in tables.values():
                yield from jobs

    def __len__(self) -> int:
        return sum(len(jobs) for tables in self._guests.values() for jobs in tables.values())

    def put(self, job: _Job) -> None:
        tables = self._guests.setdefault(job.guest, OrderedDict())
        tables.setdefault(job.table, deque()).append(job)

    def take(self) -> _Job:
        """The next job; its guest and its table then go to the end of their queues."""
        guest, tables = self._guests.popitem(last=False)
        table, jobs = tables.popitem(last=False)
        job = jobs.popleft()
        if jobs:
            tables[table] = jobs
        if tables:
            self._guests[guest] = tables
        return job

    def discard(self, job: _Job) -> None:
        """Remove this job if it is here."""
        if job not in self:
            return
        tables = self._guests[job.guest]
        tables[job.table].remove(job)
        if not tables[job.table]:
            del tables[job.table]
        if not tables:
            del self._guests[job.guest]
