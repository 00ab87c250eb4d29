"""Who is there: nodes that are heard, that fall silent, and that come back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest

from ludotheque.server.counts import counts
from ludotheque.server.limits import Pace
from ludotheque.server.nodes import node as nodes
from ludotheque.server.nodes import wire
from ludotheque.server.nodes.broker import Broker, Take
from ludotheque.server.nodes.lease import Lease
from ludotheque.server.nodes.node import Node
from ludotheque.server.nodes.post import EVERYONE
from ludotheque.server.nodes.route import AWAY_S, Gone
from ludotheque.server.nodes.tables import SharedTables
from ludotheque.server.store import Unavailable
from people import WAIT_TIMEOUT_S
from scenes import act, until

BEAT = wire.Beat(False, [])


class Radio:
    """A broker that keeps no keys; its subscriptions fail as often as it is told."""

    name = "a"

    def __init__(self, failures: int = 0) -> None:
        self.failures = failures
        self.posted: list[wire.AnyMessage] = []
        self._takes: list[Take] = []

    def deliver(self, letter: wire.Letter) -> None:
        """A letter to all nodes."""
        self._takes[-1](EVERYONE, wire.encode(letter), False)

    async def put(self, bucket: str, key: str, value: str, expected: int) -> int:
        return 1

    async def get(self, bucket: str, key: str) -> object:
        return object()  # every lease is held

    async def hear(self, subject: str, take: Any, queue: str = "") -> object:
        if self.failures:
            self.failures -= 1
            raise Unavailable("away")
        self._takes.append(take)
        return object()

    def post(self, subject: str, text: bytes, lost_to: str = "") -> None:
        self.posted += wire.decode(text).messages


class Lost:
    """The tables of a node, which note what it tells them."""

    def __init__(self) -> None:
        self.lost: list[str] = []
        self.rejoined: list[str | None] = []
        self.let_go: list[str] = []
        self.due = 0
        self.expects_due = False
        self.away = 0

    def tell_away(self) -> None:
        self.away += 1

    def expect_due(self) -> None:
        self.expects_due = True

    def let_go_of(self, carrier: str) -> None:
        self.let_go.append(carrier)

    def lose_node(self, node: str) -> None:
        self.lost.append(node)

    def rejoin(self, holder: str | None = None) -> None:
        self.rejoined.append(holder)

    def doubt(self, node: str | None = None) -> None: ...

    async def take_over_due(self) -> None:
        self.due += 1


async def a_node(radio: Radio) -> tuple[Node, Lost]:
    node, tables = Node(cast(Broker, radio), Pace()), Lost()
    node.tables = cast(SharedTables, tables)
    await node.lease.take()
    return node, tables


def test_a_node_that_was_only_silent_is_asked_to_join_its_clients_again() -> None:
    """This node has let go of them, and the other one knows nothing of it."""

    async def scene() -> None:
        node, _ = await a_node(radio := Radio())
        await node.open_post()
        node.take("b.1", BEAT)
        node.lose("b.1")
        assert node.has_lost("b.1")
        node.take("b.1", BEAT)
        assert not node.has_lost("b.1")
        await until(lambda: wire.JoinAgain() in radio.posted)

    act(scene)


def test_a_node_that_says_goodbye_leaves_nothing_to_take_over() -> None:
    async def scene() -> None:
        node, tables = await a_node(Radio())
        await node.open_post()
        found_gone = counts.lost_nodes
        node.take("b.1", BEAT)
        node.take("b.1", wire.Goodbye())
        node.lose("b.1")  # as what was still sent to it comes back
        assert (node.others, tables.lost, counts.lost_nodes) == ([], ["b.1"], found_gone)
        assert not tables.expects_due

    act(scene)


def test_the_letters_of_a_node_that_has_said_goodbye_are_counted_no_longer() -> None:
    async def scene() -> None:
        node, _ = await a_node(radio := Radio())
        await node.open_post()
        radio.deliver(wire.Letter(wire.VERSION, "b.1", 1, [BEAT]))
        radio.deliver(wire.Letter(wire.VERSION, "b.1", 2, [wire.Goodbye()]))
        assert node._post is not None
        assert (node._post._told, node._post._heard) == ({}, {})

    act(scene)


def test_when_a_letter_was_lost_a_table_that_was_handed_over_is_looked_for() -> None:
    async def scene() -> None:
        node, tables = await a_node(Radio())
        await node.open_post()
        node.miss("b.1")
        assert tables.expects_due

    act(scene)


def test_a_node_that_was_never_heard_is_noticed_when_it_stays_silent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its lease is read at the broker, and what is sent to it may vanish."""
    monkeypatch.setattr(nodes, "SILENT_S", 0.0)

    async def scene() -> None:
        node, tables = await a_node(Radio())
        node.expect_beats("b.1")

        def is_lost() -> bool:
            node.look_for_the_silent()
            return bool(tables.lost)

        await until(is_lost)
        assert tables.lost == ["b.1"]

    act(scene)


def test_a_node_of_another_version_is_not_among_the_others_and_missed_when_it_is_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene() -> None:
        node, tables = await a_node(Radio())
        node.take("b.1", BEAT)
        for _ in range(2):
            node.note_other_version("b.1")
        node.look_for_the_silent()
        assert (node.others, node.is_strange("b.1"), tables.lost) == ([], True, ["b.1"])
        assert not node.has_lost("b.1")
        monkeypatch.setattr(nodes, "SILENT_S", -1.0)
        node.look_for_the_silent()
        assert (node.is_strange("b.1"), node.has_lost("b.1")) == (False, True)
        assert tables.expects_due

    act(scene)


def test_looking_for_a_silent_node_does_not_make_it_look_alive(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(nodes, "SILENT_S", 0.05)

    async def scene() -> None:
        node, tables = await a_node(Radio())
        node.take("b.1", BEAT)

        def is_lost() -> bool:
            node.expect_beats("b.1")
            node.look_for_the_silent()
            return bool(tables.lost)

        await until(is_lost)

    act(scene)


def test_clients_are_told_when_the_broker_does_not_answer_for_a_while_and_when_it_does() -> None:
    async def scene() -> None:
        node, tables = await a_node(radio := Radio())
        now = [0.0]
        node.lease = Lease(cast(Broker, radio), "a", lambda: now[0])
        await node.lease.take()
        now[0] = AWAY_S
        node.look_for_the_broker()
        assert tables.away == 0
        now[0] += 0.1
        node.look_for_the_broker()
        assert (tables.away, tables.rejoined) == (1, [])
        await node.lease.renew()
        for _ in range(2):
            node.look_for_the_broker()
        assert (tables.away, tables.rejoined) == (1, [None])

    act(scene)


def test_few_of_the_nodes_that_are_gone_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every start of a node is another one."""
    monkeypatch.setattr(nodes, "LOST_KEPT", 3)

    async def scene() -> None:
        node, tables = await a_node(Radio())
        starts = [f"b.{number}" for number in range(10)]
        for start in starts:
            node.take(start, wire.Beat(True, []))
            node.lose(start)
        assert tables.lost == starts
        assert [start for start in starts if node.has_lost(start)] == starts[-3:]
        node.take("c.1", wire.Beat(True, []))
        assert (node.others, node.successors) == (["c.1"], [])
        assert node._draining == {"c.1"}

    act(scene)


def test_a_node_that_fails_at_something_stays_in_touch(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(nodes, "RENEW_S", 0.001)
    monkeypatch.setattr(nodes, "SILENT_S", 0.0)

    async def scene() -> None:
        node, tables = await a_node(radio := Radio())
        await node.open_post()
        node.expect_beats("b.1")
        failures = iter([ValueError("on purpose")])

        def lose_node(lost: str) -> None:
            tables.lost.append(lost)
            raise next(failures)

        monkeypatch.setattr(tables, "lose_node", lose_node)
        running = asyncio.create_task(node.run())
        await until(lambda: tables.lost)
        radio.posted.clear()
        await until(lambda: len(radio.posted) > 1)
        assert not running.done()
        assert node.is_in_touch
        running.cancel()

    act(scene)
    assert "on purpose" in caplog.text


def test_a_node_begins_again_although_its_post_failed_to_open_at_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(nodes, "RENEW_S", 0.01)

    async def scene() -> None:
        node, tables = await a_node(radio := Radio(failures=2))
        node.gain_lease()
        await until(lambda: tables.due)
        assert (radio.failures, node.is_in_touch, tables.rejoined) == (0, True, [None])

    act(scene)


@pytest.mark.parametrize(
    "happens",
    [
        lambda node: node.broker.when_back(),
        lambda node: node.miss("b.1"),
        lambda node: node.take("b.1", wire.JoinAgain()),
    ],
    ids=["the broker was away", "a letter was lost here", "a letter was lost there"],
)
def test_who_waits_for_an_answer_that_may_be_lost_asks_again(
    happens: Callable[[Node], object],
) -> None:
    async def scene() -> None:
        node, _ = await a_node(radio := Radio())
        await node.open_post()
        question = wire.ListPublic(None)
        calls = [
            asyncio.create_task(node.call(holder, lambda n: wire.Call(n, question), list))
            for holder in ("b.1", "c.1")
        ]
        await until(lambda: len(radio.posted) == 2)
        happens(node)
        with pytest.raises(Gone):
            async with asyncio.timeout(WAIT_TIMEOUT_S / 2):
                await calls[0]
        calls[1].cancel()

    act(scene)


@pytest.mark.parametrize(
    "happens",
    [lambda node: node.broker.when_back(), lambda node: node.miss("b.1")],
    ids=["the broker was away", "a letter was lost"],
)
def test_clients_of_another_node_that_may_have_left_are_let_go_of_and_asked_for_again(
    happens: Callable[[Node], object],
) -> None:
    """Also if this node knows of none: what it knew may have been lost twice."""

    async def scene() -> None:
        node, tables = await a_node(radio := Radio())
        await node.open_post()
        node.take("b.1", BEAT)
        happens(node)
        await until(lambda: radio.posted)
        assert (tables.let_go, radio.posted) == (["b.1"], [wire.JoinAgain()])

    act(scene)
