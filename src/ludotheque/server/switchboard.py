"""All sockets of a server: what is done for many of them at once is cheaper than one by one."""

from __future__ import annotations

import asyncio
from typing import Protocol

SILENCE = 20.0  # seconds from one look around to the next


class Line(Protocol):
    """A socket, as the switchboard sees it."""

    def flush(self) -> None:
        """Send everything that was said since the last time, in one piece."""

    def check(self) -> None:
        """Ask a client that has been silent whether it is there; end it if it does not answer."""


class Switchboard:
    def __init__(self) -> None:
        self._lines: set[Line] = set()
        self._talking: list[Line] = []

    def add(self, line: Line) -> None:
        self._lines.add(line)

    def discard(self, line: Line) -> None:
        self._lines.discard(line)

    def flush_soon(self, line: Line) -> None:
        """Let this one send when all that happens now has been said."""
        if not self._talking:
            asyncio.get_running_loop().call_soon(self._flush)
        self._talking.append(line)

    def _flush(self) -> None:
        talking, self._talking = self._talking, []
        for line in talking:
            line.flush()

    async def watch(self) -> None:
        """Look around for those who have gone without a word, for ever."""
        while True:
            await asyncio.sleep(SILENCE)
            for line in tuple(self._lines):
                line.check()
