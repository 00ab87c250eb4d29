"""What clients notice when a node is killed or stopped: their longest wait for a move.

A move waits from being sent until the last of the four at its table has it. Three nodes take turns;
the one that ends owns the tables.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress

from websockets.exceptions import ConnectionClosed

from benchmarks.node_site import Node, Site, owned_by
from benchmarks.table_load import (
    SEATS,
    SERVER_TIMEOUT_S,
    Heard,
    Player,
    Seated,
    Stopwatch,
    Table,
    address_of,
    at_play,
)
from ludotheque.server import messages

PACE_S = 0.2  # between two moves of a player, so that one is always on its way
AT_LEAST_MS = 500.0  # which nobody waits for as long as all nodes live
AFTERWARDS_S = 1.0  # that a table is watched when its former node has ended


class Returning(Player):
    """A client that comes back through another node when its own one ends, and asks again.

    As the page does, it keeps its socket until the next one is open, if it is told to come again.
    """

    def __init__(self, table: Table, seat: int, ports: Sequence[int], seated: Seated) -> None:
        super().__init__(table, seat, PACE_S)
        self._ways = [address_of(port, seated.table) for port in ports]
        self._token = seated.tokens[seat]
        self._unanswered: dict[str, messages.Request] = {}
        self._moving: asyncio.Task[None] | None = None

    async def come(self) -> None:
        await self.connect(self._ways.pop(0), self._token)
        await self._ask_again()

    async def _move(self) -> None:
        """Go on with another socket; those who listen on this one notice that it has ended."""
        before, after = self.socket, await self.dial(self._ways.pop(0), self._token)
        self.socket = after
        before.transport.abort()
        await self._ask_again()

    async def _ask_again(self) -> None:
        for request in tuple(self._unanswered.values()):
            await super()._send(request)

    async def listen(self) -> None:
        while True:
            socket = self.socket
            try:
                await super().listen()
            except ConnectionClosed:
                if self.socket is socket:
                    await self.come()

    async def _send(self, request: messages.Request) -> None:
        self._unanswered[request.id] = request
        with suppress(ConnectionClosed):  # then it is sent again by another way
            await super()._send(request)

    async def _take(self, message: Heard) -> None:
        if isinstance(message, messages.ComeAgain):
            self._moving = asyncio.create_task(self._move())
            return
        if isinstance(message, messages.Reply):
            self._unanswered.pop(message.id, None)
        await super()._take(message)


async def kills(site: Site, tables: Sequence[Seated], number: int) -> list[float]:
    """Seconds for which each table stood still, when its owner was killed so often."""
    waits: list[float] = []
    for victim, others, some in _rounds(site, tables, number):
        await _ready(victim, others[0])
        waits += await _longest(victim, [others[0].port], some, _kill)
        victim.launch()  # it starts while the next one dies
    return waits


async def stops(site: Site, tables: Sequence[Seated], number: int, is_on_it: bool) -> list[float]:
    """The same when nodes are stopped; the clients are on the node that is, or on another."""
    waits: list[float] = []
    for victim, others, some in _rounds(site, tables, number):
        ports = [node.port for node in ([victim] if is_on_it else []) + others]
        await _ready(victim, *others)
        waits += await _longest(victim, ports, some, _stop)
        victim.launch()
    return waits


async def _ready(*nodes: Node) -> None:
    for node in nodes:
        await asyncio.to_thread(node.wait_until_it_is_ready)


def _rounds(
    site: Site, tables: Sequence[Seated], number: int
) -> list[tuple[Node, list[Node], list[Seated]]]:
    """The node that ends, the others, and tables for each time."""
    nodes = [node for node in site.nodes if isinstance(node, Node)]
    size, count = len(tables) // number, len(nodes)
    turns = [[*nodes[n % count :], *nodes[: n % count]] for n in range(number)]
    shares = [list(tables[n * size : (n + 1) * size]) for n in range(number)]
    return [(turn[0], turn[1:], share) for turn, share in zip(turns, shares, strict=True)]


async def _longest(
    victim: Node,
    ports: Sequence[int],
    tables: Sequence[Seated],
    end: Callable[[Node, Sequence[Stopwatch]], object],
) -> list[float]:
    """The longest wait for a move at each table while this node ends, in seconds."""
    await asyncio.to_thread(owned_by, victim, tables)
    watches = [Stopwatch(runs=True) for _ in tables]
    async with AsyncExitStack() as stack:
        for seated, watch in zip(tables, watches, strict=True):
            table = Table(watch)
            players = [Returning(table, seat, ports, seated) for seat in reversed(range(SEATS))]
            for player in players:
                await player.come()
            await stack.enter_async_context(at_play(players))
        await _until(lambda: all(len(watch.latencies) > SEATS for watch in watches))
        for watch in watches:
            watch.latencies.clear()
        await asyncio.to_thread(end, victim, watches)
    return [max(watch.latencies) / 1000 for watch in watches]


async def _until(is_over: Callable[[], bool]) -> None:
    async with asyncio.timeout(SERVER_TIMEOUT_S):
        while not is_over():
            await asyncio.sleep(0.02)


def _kill(victim: Node, watches: Sequence[Stopwatch]) -> None:
    victim.kill()
    until = time.monotonic() + SERVER_TIMEOUT_S
    while not all(max(watch.latencies, default=0.0) > AT_LEAST_MS for watch in watches):
        assert time.monotonic() < until, "nobody has taken over a table"
        time.sleep(0.02)


def _stop(victim: Node, watches: Sequence[Stopwatch]) -> None:
    victim.process.terminate()
    victim.process.wait(SERVER_TIMEOUT_S)
    time.sleep(AFTERWARDS_S)
    assert all(watch.latencies for watch in watches), "nobody has taken over a table"


def percentile(waits: Sequence[float], hundredth: int) -> float:
    return statistics.quantiles(waits, n=100, method="inclusive")[hundredth - 1]
