"""Scenes: coroutines that tests play to their end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run(scene: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Play a scene in a thread of its own: a browser's test may have left its loop in this one."""
    with ThreadPoolExecutor(1) as stage:
        return stage.submit(lambda: asyncio.run(scene())).result()
