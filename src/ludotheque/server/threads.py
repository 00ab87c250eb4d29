"""Threads that do not keep the server from ending, as those of Python's own executors do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

_T = TypeVar("_T")


class Threads:
    """Up to `count` threads, begun when there is work for them. First come, first served."""

    def __init__(self, count: int, name: str, begin: Callable[[], object] = lambda: None) -> None:
        """Each thread calls `begin` first."""
        self._begin = begin
        self._count = count
        self._name = name
        self._jobs: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._threads: list[Thread] = []

    def put(self, job: Callable[[], object]) -> None:
        """Have a job done that never raises; it costs half of what `do` does."""
        self._jobs.put(job)
        if len(self._threads) < self._count:
            self._threads.append(Thread(target=self._work, name=self._name, daemon=True))
            self._threads[-1].start()

    def do(self, work: Callable[[], _T]) -> asyncio.Future[_T]:
        """Have this done, and wait for what it returns on this event loop."""
        done: Future[_T] = Future()

        def run() -> None:
            if not done.set_running_or_notify_cancel():
                return  # given up before its turn came
            try:
                done.set_result(work())
            except BaseException as error:
                done.set_exception(error)

        self.put(run)
        return asyncio.wrap_future(done)

    def close(self) -> None:
        """Let the threads end when they have done what they were given."""
        for _ in self._threads:
            self._jobs.put(None)

    def join(self) -> None:
        """Wait until they have ended."""
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        self._begin()
        while (job := self._jobs.get()) is not None:
            job()
