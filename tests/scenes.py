"""Tests of what runs on an event loop, without waiting for a clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

WAIT_TIMEOUT_S = 60.0  # far more than anything takes, so that a busy machine changes nothing

T = TypeVar("T")


def act(scene: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Play a scene in a thread of its own: a browser's test may have left its loop in this one."""
    with ThreadPoolExecutor(1) as stage:
        return stage.submit(lambda: asyncio.run(scene())).result()


async def until(condition: Callable[[], object]) -> None:
    """Wait until this holds."""
    async with asyncio.timeout(WAIT_TIMEOUT_S):
        while not condition():
            await asyncio.sleep(0.001)
