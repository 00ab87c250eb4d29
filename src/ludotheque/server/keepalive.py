"""Pings for silent sockets: one loop over all of them is cheaper than a timer for each."""

from __future__ import annotations

import asyncio
from typing import Protocol

INTERVAL_S = 20.0


class Socket(Protocol):
    def check(self) -> None:
        """Ping a client that has been silent; drop it if it does not answer."""


class Keepalive:
    def __init__(self) -> None:
        self._sockets: set[Socket] = set()

    def __len__(self) -> int:
        return len(self._sockets)

    def add(self, socket: Socket) -> None:
        self._sockets.add(socket)

    def discard(self, socket: Socket) -> None:
        self._sockets.discard(socket)

    async def run(self) -> None:
        """Check all sockets at every interval, without end."""
        while True:
            await asyncio.sleep(INTERVAL_S)
            for socket in tuple(self._sockets):
                socket.check()
