"""This node's way to a table on another node, and what is said when it leads nowhere."""

from __future__ import annotations

from typing import Any, cast

from ludotheque.server import messages
from ludotheque.server.nodes import wire
from ludotheque.server.nodes.route import House, Place, Route
from ludotheque.server.owner import UNCERTAIN, UNSTORED
from ludotheque.server.player import Player
from ludotheque.server.snapshot import Connection
from ludotheque.server.tables import NotFound
from scenes import act, until

ANN = Player("a", "Ann", 1)
HELLO = messages.Request("1", messages.Say("hello"))


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
