"""All sockets of a server: one look around keeps them alive, which is cheaper than a timer each."""

from __future__ import annotations

import asyncio
from typing import Protocol

SILENCE = 20.0  # seconds from one look around to the next


class Line(Protocol):
    """A socket, as the switchboard sees it."""

    def check(self) -> None:
        """Ask a client that has been silent whether it is there; end it if it does not answer."""


class Switchboard:
    def __init__(self) -> None:
        self._lines: set[Line] = set()

    def add(self, line: Line) -> None:
        self._lines.add(line)

    def discard(self, line: Line) -> None:
        self._lines.discard(line)

    async def watch(self) -> None:
        """Look around for those who have gone without a word, for ever."""
        while True:
            await asyncio.sleep(SILENCE)
            for line in tuple(self._lines):
                line.check()
