"""Threads in which bots think, shared fairly between guests and between their tables.

One thread for each core is enough: more would only slow every bot down. So bots wait for a thread,
and their time to think begins when they have one. The more of them wait, the shorter it is: under
load a bot thinks less, but it always thinks.

A guest for whom many bots think pays for that alone: all that wait for one guest shorten that
guest's thoughts, and no more than one thought of each other guest; such a guest has all threads but
one; and when another guest comes and no thread is free, the oldest thought of that guest ends with
the best move so far. The threads stand back for the one that serves people.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from ludotheque.engine.refused import Refused
from ludotheque.search.deadline import Deadline
from ludotheque.server import limits
from ludotheque.server.threads import Threads

LEAST_SHARE = 0.1  # of its full time that every bot gets
MANY = 8  # thoughts of one guest that wait: more than any one table needs
NICENESS = 5  # of the threads beyond that of the process, where a system has priorities for threads

_T = TypeVar("_T")


class Thinkers:
    """Everything but the work itself happens on the event loop, so there is nothing to lock."""

    def __init__(self, threads: int | None = None) -> None:
        self._threads = threads or os.cpu_count() or 1
        self._pool = Threads(self._threads, "thinker", stand_back)
        self._waiting = _FairQueue()
        self._running: dict[_Job, None] = {}  # the oldest first
        self._is_closed = False
        self._hosts: dict[str, str] = {}  # of the tables at which bots play now
        self._tables: Counter[str] = Counter()  # how many these are, by host

    def note_match(self, table: str, host: str, goes_on: bool) -> None:
        """A match with bots goes on at this table, or does so no longer."""
        if goes_on == (table in self._hosts):
            return
        if goes_on:
            self._hosts[table] = host
            self._tables[host] += 1
        else:
            host = self._hosts.pop(table)
            self._tables[host] -= 1
            if not self._tables[host]:
                del self._tables[host]

    def expect_room(self, table: str, host: str) -> None:
        """Refuse one more match with bots at the tables of a host who has very many."""
        if table not in self._hosts and self._tables[host] >= limits.MATCHES_WITH_BOTS:
            raise Refused(
                f"{limits.MATCHES_WITH_BOTS} matches with bots go on at the tables of this host; "
                "play one to its end first",
                limits.TooOften.reason,
            )

    @property
    def running(self) -> int:
        return len(self._running)

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    async def think(
        self, guest: str, table: str, seconds: float, work: Callable[[Deadline], _T]
    ) -> _T:
        """Do this work in a thread when its turn comes; cancelling ends the wait or the work."""
        if self._is_closed:
            raise RuntimeError("the thinkers are closed, expected no more work")
        job = _Job(guest, table, seconds, work)
        self._waiting.put(job)
        self._begin_next()
        if self._waiting.of(guest) == 1:
            self._interrupt_the_greedy(guest)
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
        while len(self._running) < self._threads:
            job = self._waiting.take(self._may_begin)
            if job is None:
                return
            job.seconds *= self._share(job.guest)
            self._running[job] = None
            self._pool.do(job.run).add_done_callback(partial(self._end, job))

    def _may_begin(self, guest: str) -> bool:
        """Whether this guest may have one more thread: all but one are enough for many bots."""
        if self._threads == 1 or self._waiting.of(guest) <= MANY:
            return True
        return sum(job.guest == guest for job in self._running) < self._threads - 1

    def _interrupt_the_greedy(self, guest: str) -> None:
        """Free a thread for this guest's first thought, if guests with many have them all."""
        if any(job.guest == guest for job in self._running):
            return
        for job in self._running:
            if self._waiting.of(job.guest) > MANY:
                job.finish()
                return

    def _share(self, guest: str) -> float:
        """The part of its full time that a job gets: all who wait count, other guests as one."""
        waiting = self._waiting.of(guest) + self._waiting.others(guest)
        return max(LEAST_SHARE, self._threads / (self._threads + waiting))

    def _end(self, job: _Job, end: asyncio.Future[Any]) -> None:
        self._running.pop(job, None)
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
        self.finish()

    def finish(self) -> None:
        """Let it end with what it has so far, if it has begun."""
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
        self._counts: Counter[str] = Counter()  # of jobs, by guest

    def __iter__(self) -> Iterator[_Job]:
        for tables in self._guests.values():
            for jobs in tables.values():
                yield from jobs

    def __len__(self) -> int:
        return self._counts.total()

    def of(self, guest: str) -> int:
        """How many jobs of this guest wait."""
        return self._counts[guest]

    def others(self, guest: str) -> int:
        """How many other guests wait."""
        return len(self._guests) - (guest in self._guests)

    def put(self, job: _Job) -> None:
        self._counts[job.guest] += 1
        tables = self._guests.setdefault(job.guest, OrderedDict())
        tables.setdefault(job.table, deque()).append(job)

    def take(self, may_begin: Callable[[str], bool]) -> _Job | None:
        """The next job of a guest who may; then its guest and table go to the end of their queues.

        None if there is no such job.
        """
        guest = next(filter(may_begin, self._guests), None)
        if guest is None:
            return None
        tables = self._guests[guest]
        table, jobs = tables.popitem(last=False)
        job = jobs.popleft()
        if jobs:
            tables[table] = jobs
        self._guests.move_to_end(guest)
        self._forget(job, tables)
        return job

    def discard(self, job: _Job) -> None:
        """Remove this job if it is here."""
        if job not in self:
            return
        tables = self._guests[job.guest]
        tables[job.table].remove(job)
        if not tables[job.table]:
            del tables[job.table]
        self._forget(job, tables)

    def _forget(self, job: _Job, tables: OrderedDict[str, deque[_Job]]) -> None:
        """Note that a job has gone, and with the last one its guest."""
        self._counts[job.guest] -= 1
        if not tables:
            del self._guests[job.guest], self._counts[job.guest]


def stand_back() -> None:
    """Let other threads go first, where a thread has a priority of its own: on Linux."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        with suppress(OSError):
            own = os.getpriority(os.PRIO_PROCESS, thread)
            os.setpriority(os.PRIO_PROCESS, thread, own + NICENESS)
