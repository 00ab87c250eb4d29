"""What players with a memory have in common: they look at the table through it."""

from __future__ import annotations

from random import Random
from typing import Any, Generic, Protocol, TypeVar


class Watching(Protocol):
    def watch(self, view: Any) -> None:
        """Take in what there is to see."""


Memory = TypeVar("Memory", bound=Watching)


class Remembering(Generic[Memory]):
    def __init__(self, seat: int, rng: Random, memory: Memory) -> None:
        self._seat = seat
        self._rng = rng
        self._memory = memory

    def watch(self, view: Any) -> None:
        self._memory.watch(view)
