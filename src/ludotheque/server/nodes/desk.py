"""Where what other nodes' clients do reaches the tables of this node, and goes back to them."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Protocol

import msgspec

from ludotheque.engine.refused import Refused
from ludotheque.server import logs, messages
from ludotheque.server.nodes import wire
from ludotheque.server.nodes.refusals import not_here, refusal
from ludotheque.server.owner import Owner
from ludotheque.server.round_trips import LONGEST_S, RoundTrips
from ludotheque.server.snapshot import Connection, Showable

Send = Callable[[str, wire.AnyMessage], None]
ForTable = wire.Join | wire.Part | wire.Ask | wire.Far | wire.Consult

log = logging.getLogger(__name__)


class Own(Protocol):
    """The tables of this node."""

    def awake_owner(self, table: str) -> Owner | None: ...

    def is_ours(self) -> bool: ...

    def expect_lease(self) -> None: ...

    async def owner(self, table_id: str) -> Owner: ...


class Distance(RoundTrips):
    """How far away a client of another node is: its carrier measures that, this node the rest."""

    __slots__ = ("_carrier_s", "told_s")

    def __init__(self, carrier_s: Callable[[], float]) -> None:
        super().__init__()
        self._carrier_s = carrier_s
        self.told_s = 0.0

    @property
    def delay_s(self) -> float:
        return in_all(self.told_s, self._carrier_s())


def in_all(to_carrier_s: float, from_carrier_s: float) -> float:
    """How long what a client sends is on its way; no client is farther away than the farthest."""
    return min(to_carrier_s + from_carrier_s, LONGEST_S / 2)


class Visitor:
    """A client whose socket another node has."""

    def __init__(self, desk: Desk, carrier: str, join: wire.Join, owner: Owner) -> None:
        self._desk = desk
        self.carrier = carrier
        self.table = join.table
        self.client = join.client
        self.number = 0  # of the join that was carried out last
        self.owner = owner
        self.distance = Distance(partial(desk.delay_of, carrier))
        self.connection = Connection(join.opener, self.show, join.is_screen, join.has_key)
        self.connection.round_trips = self.distance

    def begin(self, number: int) -> bool:
        """A join is carried out: what is shown from now on goes on from what that one says."""
        self.number = number
        self.connection.table, self.connection.revealed = None, 0  # they may have been lost
        return True

    def part(self) -> None:
        """The client is gone."""
        self.owner.part(self.connection)
        self.connection.end()

    def show(self, snapshot: Showable | None) -> None:
        if snapshot is None:
            self._desk.end(self)
            return
        update, seen = snapshot.update_for(self.connection), self.connection
        race = snapshot.race if seen.viewer >= 0 else 0
        had = (seen.viewer, seen.match, seen.lines, seen.chat, race)
        shown = wire.Shown(self.table, self.client, self.number, update, *had)
        self._desk.send(self.carrier, shown)


class Desk:
    def __init__(
        self, tables: Own, send: Send, delay_of: Callable[[str], float] = lambda carrier: 0.0
    ) -> None:
        self._tables = tables
        self.send = send
        self.delay_of = delay_of  # how long a carrier's letters are on their way, in seconds
        self._visitors: dict[tuple[str, int], Visitor] = {}
        self._carriers: dict[str, Counter[str]] = {}  # of the visitors of each table
        self._waiting: dict[str, list[tuple[str, ForTable]]] = {}  # for tables that wake
        self._moving: dict[
            str, set[str]
        ] = {}  # tables on their way elsewhere, and whom it concerns
        self._tasks: set[asyncio.Task[None]] = set()

    def carriers_of(self, table: str) -> list[str]:
        """The nodes with clients at a table, one for each client."""
        return list(self._carriers.get(table, Counter()).elements())

    def take(self, carrier: str, message: ForTable) -> None:
        """Messages for one table stay in order, also while it wakes.

        A carrier that sends them has read at the broker that the table is this node's. This node
        may not know it: an answer of the broker's, or another node's word, was lost. So it asks.
        """
        if message.table in self._waiting:
            self._waiting[message.table].append((carrier, message))
            return
        owner = self._tables.awake_owner(message.table)
        if owner is not None:
            self._deliver(owner, carrier, message)
        elif isinstance(message, wire.Part | wire.Far):
            return  # the client was nowhere
        elif self._tables.is_ours():
            self._waiting[message.table] = [(carrier, message)]
            self._do(self._wake(message.table))
        else:
            self._refer(carrier, message)

    def let_go_of(self, carrier: str) -> None:
        """A node is gone, or says again which clients it has."""
        for key in [key for key in self._visitors if key[0] == carrier]:
            self._remove(key).part()
        for table, waiting in self._waiting.items():  # clients that waited may have left since
            self._waiting[table] = [
                (sender, message)
                for sender, message in waiting
                if sender != carrier or not isinstance(message, wire.Join)
            ]

    def forget_all(self) -> None:
        """Nothing is this node's any more."""
        self._visitors.clear()
        self._carriers.clear()

    def _add(self, visitor: Visitor) -> None:
        key = (visitor.carrier, visitor.client)
        if key in self._visitors:
            self._remove(key)
        self._visitors[key] = visitor
        self._carriers.setdefault(visitor.table, Counter())[visitor.carrier] += 1

    def _remove(self, key: tuple[str, int]) -> Visitor:
        visitor = self._visitors.pop(key)
        carriers = self._carriers[visitor.table]
        carriers[visitor.carrier] -= 1
        if not carriers.total():
            del self._carriers[visitor.table]
        return visitor

    def end(self, visitor: Visitor) -> None:
        """The owner shows a visitor nothing more: it is gone, or they have signed out."""
        key = (visitor.carrier, visitor.client)
        if self._visitors.get(key) is visitor:
            self._remove(key)
        visitor.connection.end()
        if visitor.owner.is_alive:
            self.send(visitor.carrier, wire.Dismissed(visitor.table, visitor.client))
        elif visitor.table in self._moving:
            self._moving[visitor.table].add(visitor.carrier)
        else:
            self.send(visitor.carrier, wire.NotHere(visitor.table))

    def begin_moving(self, table: str) -> None:
        """Keep what carriers send to a table until another node has it."""
        self._moving[table] = set()
        self._waiting[table] = []

    def end_moving(self, table: str) -> None:
        """Have everyone look for the table where it is now."""
        carriers, waiting = self._moving.pop(table), self._waiting.pop(table)
        for carrier in carriers - {carrier for carrier, _ in waiting}:
            self.send(carrier, wire.NotHere(table))
        for carrier, message in waiting:
            self._refer(carrier, message)

    async def _wake(self, table: str) -> None:
        try:
            owner = await self._tables.owner(table)
        except Refused:
            owner = None
        except Exception:
            log.exception("table %s failed to wake", table, **logs.of_table(table))
            owner = None
        for carrier, message in self._waiting.pop(table):
            if owner is not None and owner.is_alive:
                self._deliver(owner, carrier, message)
            else:
                self._refer(carrier, message)

    def _refer(self, carrier: str, message: ForTable) -> None:
        """Have the carrier look for the table again; who waits for an answer asks again."""
        self.send(carrier, wire.NotHere(message.table))
        if isinstance(message, wire.Consult):
            self.send(carrier, not_here(message.call))

    def _deliver(self, owner: Owner, carrier: str, message: ForTable) -> None:
        match message:
            case wire.Join():
                self._join(owner, carrier, message)
            case wire.Part():
                if (carrier, message.client) in self._visitors:
                    self._remove((carrier, message.client)).part()
            case wire.Ask():
                answer = partial(self._answer, owner, carrier, message)
                delay = in_all(message.delay, self.delay_of(carrier))
                owner.ask(message.player, message.request, answer, delay)
            case wire.Far():
                known = self._visitors.get((carrier, message.client))
                if known is not None:
                    known.distance.told_s = message.delay
            case wire.Consult():
                self._do(self._consult(owner, carrier, message))

    def _join(self, owner: Owner, carrier: str, join: wire.Join) -> None:
        key = (carrier, join.client)
        visitor = self._visitors.get(key)
        if visitor is None or visitor.owner is not owner:
            visitor = Visitor(self, carrier, join, owner)
            self._add(visitor)
        owner.join(visitor.connection, join.hello, partial(visitor.begin, join.number))

    def _answer(self, owner: Owner, carrier: str, ask: wire.Ask, reply: messages.Reply) -> None:
        if owner.is_alive or reply.done:
            self.send(carrier, wire.Answered(ask.table, ask.asked, reply))
        elif ask.table in self._moving:
            self._moving[ask.table].add(carrier)
        else:  # nothing was decided here: the next owner is asked
            self.send(carrier, wire.NotHere(ask.table))

    async def _consult(self, owner: Owner, carrier: str, consult: wire.Consult) -> None:
        try:
            value = await owner.consult(consult.question)
            self._tables.expect_lease()
            told = wire.Told(consult.call, msgspec.msgpack.encode(value))
        except Exception as error:
            told = refusal(consult.call, error)
        self.send(carrier, told)

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
