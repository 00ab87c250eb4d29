"""Tests of what runs on an event loop, without waiting for a clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from threading import Thread
from typing import Any, TypeVar

from people import WAIT_TIMEOUT_S

T = TypeVar("T")


def act(scene: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Play a scene to its end."""
    return aside(lambda: asyncio.run(scene()))


def aside(work: Callable[[], T]) -> T:
    """Do this in a thread of its own: a browser's test may have left its loop in this one."""
    with ThreadPoolExecutor(1) as stage:
        return stage.submit(work).result()


async def until(condition: Callable[[], object]) -> None:
    """Wait until this holds."""
    async with asyncio.timeout(WAIT_TIMEOUT_S):
        while not condition():
            await asyncio.sleep(0.001)


class Stage:
    """An event loop in a thread of its own, for scenes that the test directs step by step."""

    def __enter__(self) -> Stage:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def failures(self) -> list[dict[str, Any]]:
        """What goes wrong from now on where nobody waits for it."""
        found: list[dict[str, Any]] = []
        self._loop.set_exception_handler(lambda _, context: found.append(context))
        return found

    def do(self, step: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(step, self._loop).result(WAIT_TIMEOUT_S)
