"""The tables of all nodes: those that this node owns, and the ways to those of the others."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from functools import partial
from random import Random
from typing import Any

import msgspec

from ludotheque.engine.refused import Refused
from ludotheque.server import logs
from ludotheque.server.autoplay import Clocks
from ludotheque.server.clock import Clock
from ludotheque.server.devices import Devices
from ludotheque.server.nodes import wire
from ludotheque.server.nodes.broker import AWAY
from ludotheque.server.nodes.desk import Desk
from ludotheque.server.nodes.lease import RENEW_S
from ludotheque.server.nodes.node import Node
from ludotheque.server.nodes.route import Gone, Place, Route
from ludotheque.server.owner import AnyOwner, Call, Known, Owner, known_of
from ludotheque.server.player import Player
from ludotheque.server.store import Store, Unavailable
from ludotheque.server.table import may_be_table_id
from ludotheque.server.tables import PAGE_SIZE, Broken, Listed, NotFound, Tables

LIST_TIMEOUT_S = 0.5  # for the other nodes to say which public tables they have
REWRITTEN_TIMEOUT_S = 30.0  # after which a node is asked whether it still rewrites a table
ROUTE_IDLE_S = 60.0
PREPARE_S = 3.0  # for others to read what is handed over to them; a node is stopped within 15
PREPARED_S = 10.0  # after which what was read for a table that did not come is forgotten
WAKE_S = 1.0  # for a table that was handed over to be awake
REWRITE_S = 3.0  # that a node which stops waits for a table that is rewritten
NAMED_AT_ONCE = 100  # tables at which people are asked for in storage at once
AT_ONCE = 16  # tables that are claimed or handed over at the same time
OF_ANOTHER = "the node that has this table does not answer; another one takes over in a moment"
OF_ANOTHER_VERSION = (
    "the node that has this table has another version; this one takes over when that one stops"
)
STOPPING = "this node is stopping; try again"

log = logging.getLogger(__name__)


class Elsewhere(Unavailable):
    """Another node owns the table."""

    def __init__(self, holder: str) -> None:
        super().__init__(OF_ANOTHER)
        self.holder = holder


class SharedTables(Tables):
    def __init__(self, store: Store, call: Call, node: Node) -> None:
        super().__init__(store, call)
        self.node = node.broker.name
        self._node = node
        self._claims = node.claims
        self._routes: dict[str, Route] = {}
        self._desk = Desk(self, node.send, node.hops.delay_s)
        self._moving: dict[str, asyncio.Event] = {}
        self._releasing: set[asyncio.Task[None]] = set()
        self._is_draining = False
        self._rewriting: set[str] = set()  # tables that this node has had retired
        self._prepared: dict[
            str, Known
        ] = {}  # tables that are about to be handed over to this node
        self._prepare_until = 0.0  # when this node hands over what is not prepared
        self._leaving: dict[str, str] = {}  # guests, and the nodes that delete what is kept of them
        self._doubts = 0  # times that something may not have come
        self._is_due_left = False  # whether a table at which something is due may have no owner
        self.note_leaving: Callable[[str, bool], object] = lambda guest, is_leaving: None
        node.tables = self

    # Readiness

    @property
    def obstacle(self) -> str:
        if self._is_draining:
            return STOPPING
        return super().obstacle if self._node.is_in_touch else "the broker does not answer"

    @property
    def nodes(self) -> int:
        return 1 + len(self._node.others)

    @property
    def is_stopping(self) -> str:
        return STOPPING if self._is_draining else ""

    def is_ours(self) -> bool:
        return self._node.is_in_touch

    def expect_lease(self) -> None:
        if not self.is_ours():
            raise Unavailable(AWAY)

    # Ways to tables

    async def reach(self, table_id: str) -> AnyOwner:
        if not may_be_table_id(table_id):  # nor a key of the broker
            raise NotFound(f"there is no table {table_id!r}")
        route = self._routes.get(table_id)
        if route is None or route.failure is not None:
            if not self._node.is_in_touch:
                raise Unavailable(AWAY)  # at once: who asks first has nothing to lose
            route = self._routes[table_id] = Route(table_id, self)
        route.used_at = asyncio.get_running_loop().time()
        await route.place()
        return route

    async def locate(self, table: str) -> Place:
        """Where the owner of a table is; this node takes over a table that nobody has."""
        try:
            return await self.owner(table)
        except Elsewhere as elsewhere:
            if self._node.has_lost(elsewhere.holder):
                raise  # its lease has to run out first
            if self._node.is_strange(elsewhere.holder):
                raise Unavailable(OF_ANOTHER_VERSION) from None
            self._node.expect_beats(elsewhere.holder)
            return elsewhere.holder

    def send(self, receiver: str, message: wire.AnyMessage) -> None:
        self._node.send(receiver, message)

    def new_number(self) -> int:
        return self._node.new_number()

    async def call(self, node: str, ask: Callable[[int], wire.AnyMessage], gives: Any) -> Any:
        return await self._node.call(node, ask, gives)

    # Owning

    def awake_owner(self, table: str) -> Owner | None:
        owner = self._owners.get(table)
        return owner if owner is not None and owner.is_alive and self.is_ours() else None

    def is_own(self, table: str) -> bool:
        return table in self._claims and self.is_ours()

    async def _read(self, table_id: str) -> Owner:
        if table_id in self._moving:
            await self._moving[table_id].wait()
        lease = self._node.lease_id
        await self._claim(table_id)
        try:
            owner = await super()._read(table_id)
        except BaseException:
            self._release(table_id)
            raise
        if lease != self._node.lease_id or not self.is_own(table_id):  # it took too long
            owner.close()
            self._owners.pop(table_id, None)
            raise Unavailable(OF_ANOTHER)
        return owner

    async def _claim(self, table_id: str) -> None:
        """Own a table; Elsewhere if another node does."""
        self.expect_lease()
        self._claims.forget(table_id)  # so that the broker is asked: it may have been taken
        held = await self._claims.claim(table_id, only_find=self._is_draining)
        if not held.is_ours:
            raise Elsewhere(held.holder)

    def _release(self, table_id: str) -> None:
        """Let other nodes own a table when all of it is stored; nobody waits for this."""

        async def release() -> None:
            try:
                await self._claims.release(table_id, self._store.settle)
            except Unavailable:
                return  # then its key ends with the lease

        task = asyncio.create_task(release())
        self._releasing.add(task)
        task.add_done_callback(self._releasing.discard)

    def close(self) -> None:
        super().close()
        for task in self._releasing:  # the keys end with the lease
            task.cancel()

    def _drop(self, table_id: str) -> None:
        super()._drop(table_id)
        self._release(table_id)

    @asynccontextmanager
    async def asleep(self, table_id: str) -> AsyncIterator[bool]:
        async with super().asleep(table_id) as is_asleep:
            if not is_asleep or table_id in self._moving:
                yield False
                return
            self._moving[table_id] = asyncio.Event()  # or it could be claimed here once more
            try:
                yield (await self._claims.claim(table_id)).is_ours
            finally:
                self._moving.pop(table_id).set()
                await self._claims.release(table_id)  # if it is ours

    async def sweep(self) -> None:
        await super().sweep()
        now = asyncio.get_running_loop().time()
        for table_id, route in list(self._routes.items()):
            if not route.is_idle:
                route.used_at = now
            elif route.failure is not None or now - route.used_at > ROUTE_IDLE_S:
                del self._routes[table_id]
        if self._is_due_left:
            await self._wake_due()

    async def _wake_due(self) -> None:
        """Own the tables that nobody owns and at which something is due, some at a time."""
        self._is_due_left = True
        due = await self._store.live_tables()
        held = await self._held_by_others()
        self._is_due_left = False
        for holder in {held[table] for table in due if table in held}:
            self._mind(holder)
        due = [table for table in due if table not in held]
        Random().shuffle(due)  # so that nodes which do this at the same time share them
        limit = asyncio.Semaphore(AT_ONCE)

        async def wake(table_id: str) -> None:
            async with limit:
                if table_id not in self._owners and not self._is_draining:
                    await self._try_to_wake(table_id)

        await asyncio.gather(*map(wake, due))

    async def _held_by_others(self) -> dict[str, str]:
        """Who owns which tables, as far as the broker tells that of all at once."""
        try:
            return await self._claims.held_by_others()
        except Unavailable:
            return {}  # then it is asked for each

    def _mind(self, holder: str) -> None:
        """Notice it when a node with tables at which something is due is there no more."""
        if self._node.has_lost(holder):
            self._is_due_left = True  # its lease has to run out first
        else:
            self._node.expect_beats(holder)

    async def _try_to_wake(self, table_id: str) -> None:
        try:
            await self.locate(table_id)
        except Unavailable:  # its node is gone and the lease is not, or storage is away
            self._is_due_left = True
        except Refused as error:
            log.error("table %s stays asleep: %s", table_id, error, **logs.of_table(table_id))
        except Exception:
            log.exception("table %s failed to wake", table_id, **logs.of_table(table_id))

    # What the node tells

    def lose_lease(self) -> None:
        """Others may own everything that was this node's."""
        self._claims.forget_all()
        self._desk.forget_all()
        owners, self._owners = self._owners, {}
        for owner in owners.values():
            owner.close()
        self.rejoin()

    def rejoin(self, holder: str | None = None) -> None:
        """Find again the tables that a node has had, or all of them."""
        for route in list(self._routes.values()):
            route.lose(holder)

    def expect_due(self) -> None:
        """A table at which something is due may have no owner."""
        self._is_due_left = True

    def tell_away(self) -> None:
        """Tell clients that the owners of their tables cannot be reached."""
        for route in list(self._routes.values()):
            route.tell_away()

    def lose_node(self, node: str) -> None:
        """A node is gone, with its clients, and so are its tables."""
        self._desk.let_go_of(node)
        self.rejoin(node)
        self._end_leaving(node)

    def doubt(self, node: str | None = None) -> None:
        """What a node has told everyone, or any of them, may not have come."""
        self._end_leaving(node)
        self._doubts += 1
        if self._doubts == 1:
            self._node.do(self._look_in_storage())

    def _note_leaving(self, guest: str, is_leaving: bool, teller: str) -> None:
        if is_leaving:
            self._leaving[guest] = teller
        else:
            self._leaving.pop(guest, None)
        self.note_leaving(guest, is_leaving)

    def _end_leaving(self, node: str | None) -> None:
        """Nobody may say that a node deletes these guests no longer; storage knows who is left."""
        for guest in [g for g, teller in self._leaving.items() if node in (None, teller)]:
            self._note_leaving(guest, False, "")

    async def _look_in_storage(self) -> None:
        """Learn there what others may have told in vain: who has signed out, and new names."""
        try:
            while doubts := self._doubts:
                try:
                    await self._look_for_signed_out()
                    await self._look_for_names()
                    self._doubts -= doubts
                except Unavailable:
                    await asyncio.sleep(RENEW_S)
        finally:
            self._doubts = 0

    async def _look_for_signed_out(self) -> None:
        """End the sockets of devices that are signed in no longer."""
        openers = {each for route in self._routes.values() for each in route.openers}
        for gone in await Devices(self._store).signed_out(openers):
            self._dismiss_here(*gone)

    async def _look_for_names(self) -> None:
        """Call everyone at the tables of this node as they are called now."""
        owners = list(self._owners.values())
        for start in range(0, len(owners), NAMED_AT_ONCE):
            await self._learn_names(owners[start : start + NAMED_AT_ONCE])

    async def take_over_due(self) -> None:
        """Look after the tables of a node that has died."""
        try:
            await self._wake_due()
        except Unavailable:
            return  # the next sweep tries again

    def take(self, sender: str, message: wire.AnyMessage) -> None:
        match message:
            case wire.Join() | wire.Part() | wire.Ask() | wire.Far() | wire.Consult():
                self._desk.take(sender, message)
            case wire.Shown() | wire.Answered() | wire.Dismissed() | wire.NotHere():
                if (route := self._routes.get(message.table)) is not None:
                    route.take(sender, message)
            case wire.Takeover():
                self._begin_takeover(sender, message)
            case wire.Renamed():
                super().rename(message.player)
            case wire.SignedOut():
                self._dismiss_here(message.guest, message.device)
            case wire.Leaving():
                self._note_leaving(message.guest, message.is_leaving, sender)
            case wire.Rewritten():
                super()._note_rewritten(message.tables)

    def let_go_of(self, carrier: str) -> None:
        self._desk.let_go_of(carrier)

    # Handing over

    async def drain(self) -> bool:
        self._is_draining = True
        self._node.is_draining = True
        self._node.beat()
        self._prepare_until = asyncio.get_running_loop().time() + PREPARE_S
        limit = asyncio.Semaphore(AT_ONCE)

        async def hand_over(table_id: str, owner: Owner) -> bool:
            async with limit:
                try:
                    await self._hand_over(table_id, owner)
                except Exception as error:  # it is taken over when the lease has run out
                    log.warning("table %s was not handed over: %s", table_id, error)
                    return False
            return True

        owners = list(self._owners.items())
        is_done = await asyncio.gather(*(hand_over(*each) for each in owners))
        self._node.has_left_nothing = all(is_done)
        return bool(self._node.successors)

    async def _hand_over(self, table_id: str, owner: Owner) -> None:
        """Have another node go on with a table, with the clocks as they are."""
        successor = self._successor(table_id) if owner.is_needed else None
        is_prepared = successor is not None and await self._is_prepared(successor, table_id)
        if table_id in self._rewritten:  # nobody may read it before
            with suppress(TimeoutError):
                await asyncio.wait_for(self._rewritten[table_id].wait(), REWRITE_S)
        is_prepared = is_prepared and owner.is_alive  # or it may have been rewritten since
        if self._owners.get(table_id) is not owner:
            return  # it sleeps
        going_on = None
        self._moving[table_id] = asyncio.Event()
        self._desk.begin_moving(table_id)
        try:
            await owner.retire(lambda decision: None)
            self._owners.pop(table_id, None)
            if successor is None:
                await self._claims.release(table_id)
            elif await self._claims.hand_over(table_id, successor):
                takeover = partial(_takeover, table_id, owner, is_prepared)
                going_on = self._node.call(successor, takeover, None)
        finally:
            self._moving.pop(table_id).set()
            self._desk.end_moving(table_id)
        if going_on is not None:
            with suppress(TimeoutError, Gone):  # it wakes when somebody asks for it
                await asyncio.wait_for(going_on, WAKE_S)

    async def _is_prepared(self, successor: str, table_id: str) -> bool:
        """Have a node read a table that it is about to own, while this one goes on with it."""
        try:
            async with asyncio.timeout_at(self._prepare_until):
                ask = partial(wire.Call, body=wire.Prepare(table_id))
                return bool(await self.call(successor, ask, bool))
        except (TimeoutError, Gone, Refused):
            return False  # then it is read when it is taken over

    async def _prepare(self, table_id: str) -> bool:
        if self._is_draining:
            return False
        known = await known_of(self._store, table_id)
        if known is None:
            return False
        self._prepared[table_id] = known
        asyncio.get_running_loop().call_later(PREPARED_S, self._prepared.pop, table_id, None)
        return True

    def _successor(self, table_id: str) -> str | None:
        """The node that has most of a table's clients, or any that goes on."""
        others = self._node.successors
        counted = Counter(c for c in self._desk.carriers_of(table_id) if c in others)
        if counted:
            return counted.most_common(1)[0][0]
        return Random().choice(others) if others else None

    def _begin_takeover(self, sender: str, takeover: wire.Takeover) -> None:
        loop, left = asyncio.get_running_loop(), takeover.deadline_s
        deadline = None if left is None else loop.time() + left
        turns = frozenset(takeover.turns)
        uncalled = frozenset(takeover.uncalled)
        clocks = Clocks(Clock(takeover.match_ms), deadline, turns, takeover.number, uncalled)
        known = self._prepared.pop(takeover.table, None)
        if known is not None and takeover.is_prepared:
            self._known[takeover.table] = known
        told = wire.Told(takeover.call, msgspec.msgpack.encode(None))
        self._node.do(self._go_on(takeover.table, clocks, partial(self.send, sender, told)))

    async def _go_on(self, table_id: str, clocks: Clocks, say_so: Callable[[], None]) -> None:
        """Have a table go on with these clocks now, or without them later."""
        self._retired[table_id] = clocks
        await self._try_to_wake(table_id)
        self._known.pop(table_id, None)
        left, owner = self._retired.pop(table_id, None), self.awake_owner(table_id)
        if left is not None and owner is not None:  # it was awake before
            owner.resume(left)
        say_so()

    # What concerns all nodes

    def rename(self, player: Player) -> None:
        super().rename(player)
        self._node.broadcast(wire.Renamed(player))

    def dismiss(self, guest: str, device: str | None = None) -> None:
        self._dismiss_here(guest, device)
        self._node.broadcast(wire.SignedOut(guest, device))

    def _dismiss_here(self, guest: str, device: str | None) -> None:
        """At the tables of this node, and at all others where its clients are."""
        super().dismiss(guest, device)
        for route in self._routes.values():
            route.dismiss(guest, device)

    async def forget(self, guest: str) -> None:
        self._node.broadcast(wire.Leaving(guest, True))
        try:
            await super().forget(guest)
        finally:
            self._node.broadcast(wire.Leaving(guest, False))

    async def _retire(self, table_id: str, guest: str) -> None:
        self._rewriting.add(table_id)
        for _ in range(3):
            try:
                place = await self.locate(table_id)
            except (Broken, NotFound):  # its events are rewritten all the same
                return
            try:
                if isinstance(place, Owner):
                    await super()._retire(table_id, guest)
                else:
                    ask = partial(wire.Call, body=wire.Retire(table_id, guest))
                    await self.call(place, ask, None)
            except (Elsewhere, Gone):
                await asyncio.sleep(REWRITTEN_TIMEOUT_S / 10)
            else:
                return
        raise Unavailable(OF_ANOTHER)

    async def _owner_to_retire(self, table_id: str) -> Owner:
        if table_id in self._moving:
            await self._moving[table_id].wait()
        return await super()._owner_to_retire(table_id)

    def _note_rewritten(self, tables: Iterable[str]) -> None:
        told = list(tables)
        super()._note_rewritten(told)
        self._rewriting.difference_update(told)
        self._node.broadcast(wire.Rewritten(told))

    async def _is_awake(self, table_id: str) -> bool:
        try:
            return await self._claims.is_held(table_id)
        except Unavailable:
            return True  # for all that is known

    async def _listed(self, before: int | None) -> list[Listed]:
        wish = wire.ListPublic(before)
        pages = await asyncio.gather(
            *(self._listed_there(node, wish) for node in self._node.others),
        )
        listed = [*self.listed_here(before), *(each for page in pages for each in page)]
        once = {each.table.id: each for each in sorted(listed)}
        newest_first = sorted(once.values(), key=lambda each: -each.number)
        return newest_first[: PAGE_SIZE + 1]

    async def _listed_there(self, node: str, wish: wire.ListPublic) -> list[Listed]:
        """What another node lists; nothing if it takes too long."""
        try:
            async with asyncio.timeout(LIST_TIMEOUT_S):
                ask = self.call(node, partial(wire.Call, body=wish), list[Listed])
                found: list[Listed] = await ask
                return found
        except (TimeoutError, Gone, Refused):
            return []

    async def answer_call(self, asker: str, wish: wire.Wish) -> Any:
        """What another node has asked of this one."""
        match wish:
            case wire.ListPublic():
                return self.listed_here(wish.before)
            case wire.IsRewriting():
                return wish.table in self._rewriting
            case wire.Prepare():
                return await self._prepare(wish.table)
            case wire.Retire():
                await self._retire_for(asker, wish)
        return None

    async def _retire_for(self, asker: str, wish: wire.Retire) -> None:
        if not self.is_own(wish.table):
            raise Unavailable(OF_ANOTHER)
        before = self._rewritten.get(wish.table)
        try:
            await super()._retire(wish.table, wish.guest)
        finally:
            rewritten = self._rewritten.get(wish.table)
            if rewritten is not None and rewritten is not before:
                self._node.do(self._keep_unread(wish.table, rewritten, asker))

    async def _keep_unread(self, table_id: str, rewritten: asyncio.Event, asker: str) -> None:
        """Have a table read again also if nobody says that it was rewritten."""
        while not rewritten.is_set():
            try:
                await asyncio.wait_for(rewritten.wait(), REWRITTEN_TIMEOUT_S)
            except TimeoutError:
                if not await self._is_rewriting(asker, table_id):
                    rewritten.set()
        if self._rewritten.get(table_id) is rewritten:
            del self._rewritten[table_id]

    async def _is_rewriting(self, node: str, table_id: str) -> bool:
        ask = partial(wire.Call, body=wire.IsRewriting(table_id))
        try:
            return bool(await self.call(node, ask, bool))
        except Gone:
            return not self._node.has_lost(node)  # or only its answer is lost


def _takeover(table_id: str, owner: Owner, is_prepared: bool, call: int) -> wire.Takeover:
    clocks, deadline = owner.clocks, None
    if clocks.deadline is not None:
        deadline = clocks.deadline - asyncio.get_running_loop().time()
    match_ms = clocks.match.now()
    turns, uncalled = list(clocks.turns), list(clocks.uncalled)
    of_match = (match_ms, deadline, turns, clocks.number, uncalled)
    return wire.Takeover(table_id, call, *of_match, is_prepared)
