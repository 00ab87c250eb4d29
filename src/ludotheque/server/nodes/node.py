"""This node among the others: its lease, its post, who else is there, and what all share."""

from __future__ import annotations

import asyncio
import itertools
import logging
import re
import socket
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from ludotheque.engine.refused import Refused
from ludotheque.server.configuration import Configuration
from ludotheque.server.counts import counts
from ludotheque.server.limits import Pace
from ludotheque.server.nodes import lease as leases
from ludotheque.server.nodes import wire
from ludotheque.server.nodes.broker import Broker, user_in
from ludotheque.server.nodes.hops import Hops
from ludotheque.server.nodes.lease import LEASE_S, RENEW_S, Claims, Lease
from ludotheque.server.nodes.post import Post
from ludotheque.server.nodes.refusals import raised, refusal
from ludotheque.server.nodes.route import AWAY_S, Gone
from ludotheque.server.store import Unavailable

if TYPE_CHECKING:
    from ludotheque.server.nodes.tables import SharedTables

SILENT_S = LEASE_S + RENEW_S  # without a beat: then a node is gone
DEATH_S = 15.0  # for the lease of a node that is gone to run out
CALL_TIMEOUT_S = 60.0
LOST_KEPT = 100  # nodes: a node that starts again is another one

log = logging.getLogger(__name__)


class Node:
    def __init__(self, broker: Broker, pace: Pace) -> None:
        self.broker = broker
        self.lease = Lease(broker, broker.name)
        self.claims = Claims(broker, self.lease)
        self.tables: SharedTables
        self.is_draining = False
        self.has_left_nothing = False  # all its tables were handed over
        self.hops = Hops()
        self._pace = pace
        self._post: Post | None = None
        self._numbers = itertools.count(1)
        self._calls: dict[int, tuple[str, asyncio.Future[wire.Told]]] = {}
        self._seen: dict[str, float] = {}  # when a node was last heard, on the loop's clock
        self._draining: set[str] = set()
        self._lost: dict[str, None] = {}  # the latest
        self._strangers: set[str] = set()  # nodes of another version
        self._tasks: set[asyncio.Task[Any]] = set()
        self._is_open = False
        self._is_away = False  # whether clients were told that the broker does not answer
        broker.when_back = self._come_back

    # Who is there

    @property
    def lease_id(self) -> str:
        return self.lease.id

    @property
    def is_in_touch(self) -> bool:
        """Whether this node may answer for its tables."""
        return self._is_open and self.lease.is_held

    @property
    def others(self) -> list[str]:
        strange = self._lost.keys() | self._strangers
        return [node for node in self._seen if node not in strange]

    @property
    def successors(self) -> list[str]:
        """Nodes that may take over tables."""
        return [node for node in self.others if node not in self._draining]

    def is_strange(self, node: str) -> bool:
        """Whether a node has another version, so that it understands nothing of this one."""
        return node in self._strangers

    def has_lost(self, node: str) -> bool:
        return node in self._lost

    # Life

    async def open(self) -> None:
        await self.broker.open(LEASE_S)
        await self.lease.take()
        await self.open_post()

    async def run(self) -> None:
        """Stay in touch with the others, without end."""
        keeping = asyncio.create_task(leases.keep(self.lease, self._lose_lease, self.gain_lease))
        try:
            while True:
                try:
                    self.beat()
                    self.look_for_the_silent()
                    self.look_for_the_broker()
                except Exception:  # or the node would never answer again
                    log.exception("this node failed to look after the others")
                await asyncio.sleep(RENEW_S)
        finally:
            keeping.cancel()

    async def close(self) -> None:
        self._is_open = False
        for task in tuple(self._tasks):
            task.cancel()
        with suppress(Unavailable):
            await self.lease.give_back()
        if self.has_left_nothing:
            self.broadcast(wire.Goodbye())
        if self._post is not None:
            await self._post.close()
        await self.broker.close()

    async def open_post(self) -> None:
        post = self._post = Post(self.broker, self.lease.id, self)
        await post.open()
        self._is_open = post is self._post

    def _lose_lease(self) -> None:
        self._is_open = False
        post, self._post = self._post, None
        if post is not None:
            post.is_open = False
            self.do(post.close())
        self._give_up_calls()
        self._seen.clear()
        self._lost.clear()
        self._draining.clear()
        self._strangers.clear()
        self.tables.lose_lease()
        self.look_for_the_broker()

    def gain_lease(self) -> None:
        self.do(self._begin_again())

    async def _begin_again(self) -> None:
        """Open the post under the new lease, as often as it takes while that lease lasts."""
        lease = self.lease.id
        while not self._is_open:
            if self.lease.id != lease or not self.lease.is_held:
                return
            try:
                await self.open_post()
            except Exception as error:
                log.warning("the post of this node could not be opened: %s", error)
                await asyncio.sleep(RENEW_S)
        self.tables.rejoin()
        self.tables.doubt()
        await self.tables.take_over_due()

    def _come_back(self) -> None:
        """The connection to the broker was broken: letters may have been lost, both ways."""
        self._give_up_calls()
        if self._post is not None:
            for node in self.others:
                self._have_join_again(node)
            self.tables.rejoin()
            self.tables.doubt()
            self.tables.expect_due()  # a table may have been handed over to this node

    def beat(self) -> None:
        self.broadcast(wire.Beat(self.is_draining, self._pace.take_used()))
        for node in self.others:
            ping = wire.Ping(self.new_number())
            self.hops.begin(node, ping.number)
            self.send(node, ping)

    def expect_beats(self, node: str) -> None:
        """Notice it if this node stays silent, also if it was never heard."""
        self._seen.setdefault(node, asyncio.get_running_loop().time())

    def look_for_the_silent(self) -> None:
        now = asyncio.get_running_loop().time()
        for node, seen in list(self._seen.items()):
            if now - seen > SILENT_S:
                self.lose(node)

    def look_for_the_broker(self) -> None:
        """Tell clients if it is away, and show them their tables when it is back.

        From a hiccup they notice nothing.
        """
        was_away, self._is_away = self._is_away, self.lease.unanswered_s > AWAY_S
        if self._is_away:
            self.tables.tell_away()
        elif was_away:
            self.tables.rejoin()

    # Letters

    def new_number(self) -> int:
        return next(self._numbers)

    def send(self, receiver: str, message: wire.AnyMessage) -> None:
        if self._post is not None:
            self._post.send(receiver, message)

    def broadcast(self, message: wire.AnyMessage) -> None:
        if self._post is not None:
            self._post.broadcast(message)

    def call(
        self, node: str, ask: Callable[[int], wire.AnyMessage], gives: Any
    ) -> Coroutine[Any, Any, Any]:
        """Have another node answer; Gone if it does not, Refused if it refuses.

        It is asked now, and the answer is to be waited for.
        """
        number = self.new_number()
        answer: asyncio.Future[wire.Told] = asyncio.get_running_loop().create_future()
        self._calls[number] = (node, answer)
        self.send(node, ask(number))
        return self._answer_to(number, answer, gives)

    async def _answer_to(self, number: int, answer: asyncio.Future[wire.Told], gives: Any) -> Any:
        try:
            async with asyncio.timeout(CALL_TIMEOUT_S):
                told = await answer
        except TimeoutError:
            raise Gone from None
        finally:
            del self._calls[number]
        if told.kind:
            raise raised(told)
        return msgspec.msgpack.decode(told.value, type=gives)

    def take(self, sender: str, message: wire.AnyMessage) -> None:
        self._note_seen(sender)
        match message:
            case wire.Beat():
                self._take_beat(sender, message)
            case wire.Ping():
                self.send(sender, wire.Pong(message.number))
            case wire.Pong():
                self.hops.end(sender, message.number)
            case wire.Goodbye():
                self._let_go(sender)
                if self._post is not None:
                    self._post.forget(sender)
            case wire.Told():
                _, answer = self._calls.get(message.call, ("", None))
                if answer is not None and not answer.done():
                    answer.set_result(message)
            case wire.Call():
                self.do(self._answer(sender, message))
            case wire.JoinAgain():
                self._give_up_calls(sender)
                self.tables.rejoin(sender)
            case _:
                self.tables.take(sender, message)

    def note_other_version(self, sender: str) -> None:
        self._seen[sender] = asyncio.get_running_loop().time()
        self._lost.pop(sender, None)
        if sender not in self._strangers:
            log.warning("node %s has another version: its tables are left to it", sender)
            self._strangers.add(sender)
            self._give_up_calls(sender)
            self.tables.lose_node(sender)

    def _note_seen(self, sender: str) -> None:
        self._seen[sender] = asyncio.get_running_loop().time()
        if sender in self._lost:  # it was only silent, and its clients were let go of
            del self._lost[sender]
            self.send(sender, wire.JoinAgain())

    def _take_beat(self, sender: str, beat: wire.Beat) -> None:
        self._pace.count_elsewhere(beat.used)
        if beat.is_draining:
            self._draining.add(sender)

    async def _answer(self, sender: str, call: wire.Call) -> None:
        try:
            value = await self.tables.answer_call(sender, call.body)
            told = wire.Told(call.call, msgspec.msgpack.encode(value))
        except Exception as error:
            told = refusal(call.call, error)
        self.send(sender, told)

    def miss(self, sender: str) -> None:
        """Something of this node's was lost on the way: both sides say again what they know."""
        log.warning("a letter of node %s was lost", sender)
        self._have_join_again(sender)
        self._give_up_calls(sender)
        self.tables.rejoin(sender)
        self.tables.expect_due()

    def _have_join_again(self, carrier: str) -> None:
        """That some of its clients have left may be lost: those that have not come again."""
        self.tables.let_go_of(carrier)
        self.send(carrier, wire.JoinAgain())

    def doubt(self, sender: str) -> None:
        self.tables.doubt(sender)

    def _give_up_calls(self, node: str | None = None) -> None:
        """The answers of a node, or of all, may be lost: who waits for them asks again."""
        for asked, answer in list(self._calls.values()):
            if node in (None, asked) and not answer.done():
                answer.set_exception(Gone())

    def lose(self, receiver: str) -> None:
        """A node is gone: nobody hears what is sent to it, or it has been silent for too long."""
        if receiver in self._lost:
            return
        counts.lost_nodes += 1
        log.warning("node %s is gone", receiver)
        self.tables.expect_due()
        self._let_go(receiver)
        self.do(self._bury(receiver))

    def _let_go(self, node: str) -> None:
        """A node is not there any more, nor are its clients."""
        self._lost[node] = None
        if len(self._lost) > LOST_KEPT:
            del self._lost[next(iter(self._lost))]
        self._strangers.discard(node)
        self._seen.pop(node, None)
        self._draining.discard(node)
        self.hops.forget(node)
        self._give_up_calls(node)
        self.tables.lose_node(node)

    async def _bury(self, node: str) -> None:
        """Look after the tables of a node when its lease has run out."""
        loop = asyncio.get_running_loop()
        until = loop.time() + DEATH_S
        while loop.time() < until and node in self._lost:
            with suppress(Unavailable):
                if not await self.claims.is_alive(node):
                    await self.tables.take_over_due()
                    if self._post is not None:
                        self._post.forget(node)
                    return
            await asyncio.sleep(RENEW_S / 2)

    def do(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _logged(work: Coroutine[Any, Any, Any]) -> None:
    try:
        await work
    except Exception:
        log.exception("a node failed at what nobody waits for")


def broker_of(configuration: Configuration) -> Broker:
    """The broker that the settings name.

    A node is called as it is set, or as its user at the broker, or as the machine.
    """
    address = configuration.broker
    assert address is not None
    name = configuration.node or user_in(address.full) or socket.gethostname()
    word = re.sub(r"[^A-Za-z0-9_-]", "-", name)[:40] or "node"
    return Broker(address, word, configuration.broker_credentials)


def check(configuration: Configuration) -> None:
    """Refused in one sentence if the broker cannot be used."""

    async def connect() -> None:
        broker = broker_of(configuration)
        try:
            await broker.open(None if configuration.role == "bots" else LEASE_S)
        except Unavailable as error:
            raise Refused(str(error)) from None
        finally:
            await broker.close()

    asyncio.run(connect())
