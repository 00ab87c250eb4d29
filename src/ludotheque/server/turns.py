"""A queue for each address, so that a client with many requests delays only itself.

The event loop does what is ready first come, first served. So hundreds of requests of one address,
each well within its limits, would all be answered before the next move of a neighbour. Here a few
of them are worked on at a time, and the others wait in line.

A school behind one address hardly loses by it: of a hundred people there who all ask at the same
moment, the median is answered no later than without turns, and their neighbours sooner.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextvars import ContextVar

from ludotheque.server.limits import WORKED_ON_AT_ONCE, home

Work = Callable[[], object]


class Turns:
    """The queues of all addresses; an address with nothing under way or waiting has none."""

    def __init__(self, at_once: int = WORKED_ON_AT_ONCE) -> None:
        self._at_once = at_once
        self._lines: dict[str, _Line] = {}

    def __len__(self) -> int:
        """How many addresses have a line."""
        return len(self._lines)

    def of(self, address: str) -> Turn:
        """A turn for a request from this address, which has not begun yet."""
        return Turn(self, home(address))

    def do(self, address: str, work: Work) -> None:
        """Do this at once; in a later pass of the loop if this one has done much for the address.

        What comes from one address is done in the order in which it came.
        """
        address = home(address)
        line = self._line(address)
        if line.work or line.done >= self._at_once:
            line.work.append(work)
            return
        if not line.done:
            asyncio.get_running_loop().call_soon(self._go_on, address, line)
        line.done += 1
        work()

    def _go_on(self, address: str, line: _Line) -> None:
        """In the next pass of the event loop: some more of what waits."""
        line.done = min(self._at_once, len(line.work))
        if line.done:
            asyncio.get_running_loop().call_soon(self._go_on, address, line)
        else:
            self._forget(address, line)
        for _ in range(line.done):
            line.work.popleft()()  # if it fails, the others have their turn in the next pass

    async def begin(self, address: str) -> None:
        line = self._line(address)
        if line.begun < self._at_once:
            line.begun += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line.waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.end(address)  # its turn had just come
            raise

    def end(self, address: str) -> None:
        line = self._lines[address]
        while line.waiting:
            turn = line.waiting.popleft()
            if not turn.done():
                turn.set_result(None)  # it has the place of the one that ends
                return
        line.begun -= 1
        self._forget(address, line)

    def _line(self, address: str) -> _Line:
        return self._lines.setdefault(address, _Line())

    def _forget(self, address: str, line: _Line) -> None:
        if not line.begun and not line.done and self._lines.get(address) is line:
            del self._lines[address]


class Turn:
    """Given up while something else is waited for, it may begin again; ending it twice is fine."""

    def __init__(self, turns: Turns, address: str) -> None:
        self._turns = turns
        self._address = address
        self._has_begun = False

    async def begin(self) -> None:
        """Wait for the turn."""
        await self._turns.begin(self._address)
        self._has_begun = True

    def end(self) -> None:
        if self._has_begun:
            self._has_begun = False
            # In the next pass of the loop: many requests never wait for anything, and all of them
            # would be worked on in one pass.
            asyncio.get_running_loop().call_soon(self._turns.end, self._address)


current: ContextVar[Turn | None] = ContextVar("turn", default=None)  # of the request


def stand_aside() -> None:
    """What follows waits for others: meanwhile other requests of this address have their turn."""
    if (turn := current.get()) is not None:
        turn.end()


class _Line:
    """What is asked for by one address."""

    def __init__(self) -> None:
        self.begun = 0  # requests that are worked on
        self.waiting: deque[asyncio.Future[None]] = deque()  # and those that wait for their turn
        self.done = 0  # messages in this pass of the event loop
        self.work: deque[Work] = deque()  # and those for later passes
