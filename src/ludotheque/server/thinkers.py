"""Threads in which bots think, shared fairly between homes, their guests and the guests' tables.

One thread for each core is enough: more would only slow every bot down. So bots wait for a thread,
and their time to think begins when they have one. The more of them wait, the shorter it is: under
load a bot thinks less, but it always thinks.

A guest for whom many bots think pays for that alone: all that wait for one guest shorten that
guest's thoughts, and no more than one thought of each other guest; such a guest has all threads but
one; and when another guest comes and no thread is free, the oldest thought of that guest ends with
the best move so far. The threads stand back for the one that serves people.

To be many guests helps nobody: those of one home, an address, take the turns of that home, and its
thoughts end in the same way when another home comes.
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
        self.home_of: Callable[[str], str] = str  # of a guest; by default each has their own

    def note_match(self, table: str, host: str, goes_on: bool) -> None:
        """A match with bots is running at this table, or has ended."""
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
        self,
        guest: str,
        table: str,
        seconds: float,
        work: Callable[[Deadline], _T],
        home: str | None = None,
    ) -> _T:
        """Do this work in a thread when its turn comes; cancelling ends the wait or the work.

        `home` is the guest's, if it is not this server that knows it.
        """
        if self._is_closed:
            raise RuntimeError("the thinkers are closed, expected no more work")
        job = _Job(home or self.home_of(guest), guest, table, seconds, work)
        self._waiting.put(job)
        self._begin_next()
        if self._waiting.of(guest) == 1:
            self._interrupt_the_greedy(job)
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
            job.seconds *= self._share(job)
            self._running[job] = None
            self._pool.do(job.run).add_done_callback(partial(self._end, job))

    def _may_begin(self, guest: str) -> bool:
        """Whether this guest may have one more thread: all but one are enough for many bots."""
        if self._threads == 1 or self._waiting.of(guest) <= MANY:
            return True
        return sum(job.guest == guest for job in self._running) < self._threads - 1

    def _interrupt_the_greedy(self, first: _Job) -> None:
        """Free a thread for a guest's first thought, if guests or homes with many have them all."""
        if any(job.guest == first.guest for job in self._running):
            return
        is_new_home = all(job.home != first.home for job in self._running)
        for job in self._running:
            is_crowded = is_new_home and self._waiting.of_home(job.home) > MANY
            if is_crowded or self._waiting.of(job.guest) > MANY:
                job.finish()
                return

    def _share(self, job: _Job) -> float:
        """The part of its full time that a job gets: what waits for its guest counts.

        Each other guest of its home counts as one, and so does each other home.
        """
        waiting = self._waiting.of(job.guest) + self._waiting.others(job)
        return max(LEAST_SHARE, self._threads / (self._threads + waiting))

    def _end(self, job: _Job, end: asyncio.Future[Any]) -> None:
        self._running.pop(job, None)
        job.settle(end)
        self._begin_next()


class _Job:
    def __init__(
        self, home: str, guest: str, table: str, seconds: float, work: Callable[[Deadline], Any]
    ) -> None:
        self.home = home
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


_Tables = OrderedDict[str, deque[_Job]]
_Guests = OrderedDict[str, _Tables]


class _FairQueue:
    """Homes take turns, so do the guests of a home and the tables of a guest.

    At a table it is first come, first served.
    """

    def __init__(self) -> None:
        self._homes: OrderedDict[str, _Guests] = OrderedDict()
        self._of_guests: Counter[str] = Counter()  # jobs
        self._of_homes: Counter[str] = Counter()

    def __iter__(self) -> Iterator[_Job]:
        for guests in self._homes.values():
            for tables in guests.values():
                for jobs in tables.values():
                    yield from jobs

    def __len__(self) -> int:
        return self._of_guests.total()

    def of(self, guest: str) -> int:
        """How many jobs of this guest wait."""
        return self._of_guests[guest]

    def of_home(self, home: str) -> int:
        """How many jobs of the guests of this home wait."""
        return self._of_homes[home]

    def others(self, job: _Job) -> int:
        """How many other guests of the same home wait, and other homes."""
        guests = self._homes.get(job.home, OrderedDict())
        other_guests = len(guests) - (job.guest in guests)
        return other_guests + len(self._homes) - (job.home in self._homes)

    def put(self, job: _Job) -> None:
        self._of_guests[job.guest] += 1
        self._of_homes[job.home] += 1
        guests = self._homes.setdefault(job.home, OrderedDict())
        tables = guests.setdefault(job.guest, OrderedDict())
        tables.setdefault(job.table, deque()).append(job)

    def take(self, may_begin: Callable[[str], bool]) -> _Job | None:
        """The next job of a guest who may begin one; home, guest and table then go to the end.

        None if there is no such job.
        """
        for home, guests in self._homes.items():
            guest = next(filter(may_begin, guests), None)
            if guest is not None:
                job = next(iter(guests[guest].values()))[0]
                self.discard(job)
                self._to_the_end(home, guest, job.table)
                return job
        return None

    def _to_the_end(self, home: str, guest: str, table: str) -> None:
        guests = self._homes.get(home, OrderedDict())
        tables = guests.get(guest, OrderedDict())
        for queue, key in ((tables, table), (guests, guest), (self._homes, home)):
            if key in queue:
                queue.move_to_end(key)

    def discard(self, job: _Job) -> None:
        """Remove this job if it is here, and with the last one its table, guest and home."""
        guests = self._homes.get(job.home, OrderedDict())
        tables = guests.get(job.guest, OrderedDict())
        jobs = tables.get(job.table, deque())
        if job not in jobs:
            return
        jobs.remove(job)
        self._of_guests[job.guest] -= 1
        self._of_homes[job.home] -= 1
        if not jobs:
            del tables[job.table]
        if not tables:
            del guests[job.guest], self._of_guests[job.guest]
        if not guests:
            del self._homes[job.home], self._of_homes[job.home]


def stand_back() -> None:
    """Let other threads go first, where a thread has a priority of its own: on Linux."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        with suppress(OSError):
            own = os.getpriority(os.PRIO_PROCESS, thread)
            os.setpriority(os.PRIO_PROCESS, thread, own + NICENESS)
