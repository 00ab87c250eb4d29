"""This node's way to a table on another node, and what is said when it leads nowhere."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from ludotheque.server import messages
from ludotheque.server.nodes import route as routes
from ludotheque.server.nodes import wire
from ludotheque.server.nodes.route import PAUSE_S, TRIES, House, Place, Route
from ludotheque.server.owner import UNCERTAIN, UNSTORED
from ludotheque.server.player import Player
from ludotheque.server.snapshot import Connection, Relayed, Showable, Unreachable
from ludotheque.server.tables import NotFound
from scenes import act, until

ANN = Player("a", "Ann", 1)
HELLO = messages.Request("1", messages.Say("hello"))
ASKED = wire.Ask("t", 7, ANN, HELLO, 0.0)


class Elsewhere:
    """A house whose table is at these places, one after the other, and then nowhere."""

    def __init__(self, *places: Place) -> None:
        self._places = iter(places)
        self.sent: list[tuple[str, wire.AnyMessage]] = []

    async def locate(self, table: str) -> Place:
        place = next(self._places, None)
        if place is None:
            raise NotFound(f"there is no table {table}")
        return place

    def send(self, receiver: str, message: wire.AnyMessage) -> None:
        self.sent.append((receiver, message))

    def new_number(self) -> int:
        return 7

    def expect_lease(self) -> None:
        raise AssertionError

    async def call(self, node: str, ask: Any, gives: Any) -> Any:
        raise AssertionError


def test_a_request_that_no_owner_has_had_has_changed_nothing() -> None:
    async def scene() -> None:
        replies: list[messages.Reply] = []
        Route("t", cast(House, Elsewhere())).ask(ANN, HELLO, replies.append)
        await until(lambda: replies)
        assert replies == [messages.Reply("1", False, UNSTORED)]

    act(scene)


def test_a_request_that_an_owner_has_had_who_is_gone_may_have_been_stored() -> None:
    async def scene() -> None:
        replies: list[messages.Reply] = []
        house = Elsewhere("b.1", "c.1")
        route = Route("t", cast(House, house))
        route.ask(ANN, HELLO, replies.append)
        for node in ("b.1", "c.1"):
            await until(lambda: house.sent)
            assert house.sent == [(node, wire.Ask("t", 7, ANN, HELLO, 0.0))]
            house.sent.clear()
            route.lose(node)
        await until(lambda: replies)
        assert replies == [messages.Reply("1", False, UNCERTAIN)]

    act(scene)


def test_who_leaves_while_the_owner_is_looked_for_leaves_it_where_it_was() -> None:
    async def scene() -> None:
        house = Elsewhere("b.1")
        route, connection = Route("t", cast(House, house)), Connection(ANN, lambda shown: None)
        route.join(connection, messages.Hello())
        await until(lambda: house.sent)
        route.lose()
        route.part(connection)
        assert house.sent[-1] == ("b.1", wire.Part("t", 7))

    act(scene)


# An owner that says that it is not there, and yet is found there again


async def refuse(house: Elsewhere, route: Route, times: int) -> None:
    """Node b is asked this often, and does not have the table, as when storage is away."""
    for _ in range(times):
        await until(lambda: house.sent)
        [(node, message)] = house.sent
        assert (node, message) == ("b.1", ASKED)
        house.sent.clear()
        route.take("b.1", wire.NotHere("t"))


def test_a_request_is_not_given_up_while_its_owner_cannot_read_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(routes, "PAUSE_S", 0.001)

    async def scene() -> None:
        replies: list[messages.Reply] = []
        house = Elsewhere(*["b.1"] * 100)
        route = Route("t", cast(House, house))
        route.ask(ANN, HELLO, replies.append)
        await refuse(house, route, 3 * TRIES)
        await until(lambda: house.sent)
        route.take("b.1", wire.Answered("t", 7, messages.Reply("1", True)))
        assert replies == [messages.Reply("1", True)]

    act(scene)


def test_an_owner_that_cannot_read_the_table_is_asked_again_after_a_pause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And a table that was handed over is found at once."""
    pauses: list[float] = []
    sleep = asyncio.sleep

    async def note_and_sleep(seconds: float) -> None:
        pauses.append(seconds)
        await sleep(0)

    async def scene() -> None:
        house = Elsewhere("b.1", "c.1", "c.1", "c.1")
        route = Route("t", cast(House, house))
        route.ask(ANN, HELLO, lambda reply: None)
        for node, before in (("b.1", 0), ("c.1", 0), ("c.1", 1)):
            await until(lambda: house.sent)
            assert [to for to, _ in house.sent] == [node]
            house.sent.clear()
            assert [s for s in pauses if s == PAUSE_S] == [PAUSE_S] * before
            route.take(node, wire.NotHere("t"))

    monkeypatch.setattr(asyncio, "sleep", note_and_sleep)
    act(scene)


def test_an_owner_that_never_can_read_the_table_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(routes, "PAUSE_S", 0.001)
    monkeypatch.setattr(routes, "SEEK_S", 0.02)

    async def scene() -> None:
        replies: list[messages.Reply] = []
        house = Elsewhere(*["b.1"] * 1000)
        route = Route("t", cast(House, house))
        route.ask(ANN, HELLO, replies.append)
        while not replies:
            await until(lambda: house.sent or replies)
            house.sent.clear()
            route.take("b.1", wire.NotHere("t"))
        assert replies == [messages.Reply("1", False, UNCERTAIN)]

    act(scene)


def test_clients_are_told_once_that_their_owner_cannot_read_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(routes, "PAUSE_S", 0.001)
    monkeypatch.setattr(routes, "AWAY_S", 0.0)

    async def scene() -> None:
        house, shown = Elsewhere(*["b.1"] * 100), list[Showable | None]()
        route, connection = Route("t", cast(House, house)), Connection(ANN, shown.append)
        route.join(connection, messages.Hello())
        await refuse_joins(house, route, 4)
        assert list(map(type, shown)) == [Unreachable]
        route.take("b.1", wire.Shown("t", 7, 5, b"{}"))
        await refuse_joins(house, route, 1)
        route.take("b.1", wire.Shown("t", 7, 6, b"{}"))
        assert list(map(type, shown)) == [Unreachable, Relayed, Unreachable, Relayed]

    act(scene)


async def refuse_joins(house: Elsewhere, route: Route, times: int) -> None:
    """A client is brought this often and refused, and then brought once more."""
    for _ in range(times):
        await until(lambda: house.sent)
        house.sent.clear()
        route.take("b.1", wire.NotHere("t"))
    await until(lambda: house.sent)


def test_a_request_that_its_owner_can_never_store_is_given_up_although_the_table_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Storage can be read, and not written."""
    monkeypatch.setattr(routes, "PAUSE_S", 0.001)
    monkeypatch.setattr(routes, "SEEK_S", 0.02)

    async def scene() -> None:
        replies: list[messages.Reply] = []
        house = Elsewhere(*["b.1"] * 1000)
        route, connection = Route("t", cast(House, house)), Connection(ANN, lambda shown: None)
        route.join(connection, messages.Hello())
        route.ask(ANN, HELLO, replies.append)
        while not replies:
            await until(lambda: house.sent or replies)
            numbers = [join.number for _, join in house.sent if isinstance(join, wire.Join)]
            house.sent.clear()
            for number in numbers:
                route.take("b.1", wire.Shown("t", 7, number, b"{}"))
            route.take("b.1", wire.NotHere("t"))
        assert replies == [messages.Reply("1", False, UNCERTAIN)]
        assert await house.locate("t") == "b.1"  # or it would be given up for that

    act(scene)
