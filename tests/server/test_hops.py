"""What clients of other nodes do counts when they did it, however far away those nodes are."""

from __future__ import annotations

from typing import cast

import pytest

from folders import HANA
from ludotheque.server import clock, messages
from ludotheque.server.nodes import wire
from ludotheque.server.nodes.desk import Desk
from ludotheque.server.nodes.hops import RECENT, Hops
from ludotheque.server.owner import Answer, Owner
from ludotheque.server.player import Player
from ludotheque.server.round_trips import LONGEST_S
from ludotheque.server.snapshot import Connection

REQUEST = messages.Request("1", messages.Say("hello"))


class Time:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(clock, "instant", lambda: self.now)


def measure(time: Time, hops: Hops, *round_trips: float) -> None:
    for number, taken in enumerate(round_trips):
        hops.begin("b.1", number)
        time.now += taken
        hops.end("b.1", number)


def test_a_letter_is_on_its_way_for_half_of_the_smallest_recent_round_trip(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    time, hops = Time(monkeypatch), Hops()
    assert hops.delay_s("b.1") == 0
    measure(time, hops, 0.5, 0.25, 1.0)
    assert hops.delay_s("b.1") == 0.125
    measure(time, hops, *[0.5] * RECENT)
    assert hops.delay_s("b.1") == 0.25
    hops.forget("b.1")
    assert hops.delay_s("b.1") == 0


def test_an_answer_to_an_earlier_ping_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    time, hops = Time(monkeypatch), Hops()
    hops.begin("b.1", 1)
    hops.begin("b.1", 2)
    time.now += 1.0
    hops.end("b.1", 1)
    assert hops.delay_s("b.1") == 0


class Table:
    """An owner who is awake, with what it is told."""

    is_alive = True

    def __init__(self) -> None:
        self.delays: list[float] = []
        self.connections: list[Connection] = []

    def awake_owner(self, table: str) -> Owner:
        return cast(Owner, self)

    def is_ours(self) -> bool:
        return True

    def expect_lease(self) -> None: ...

    async def owner(self, table_id: str) -> Owner:
        raise AssertionError

    def ask(self, _: Player, __: messages.Request, ___: Answer, delay: float) -> None:
        self.delays.append(delay)

    def join(self, connection: Connection, *_: object) -> None:
        self.connections.append(connection)


@pytest.mark.parametrize(("told", "hop"), [(0.0, 0.03), (0.05, 0.03), (0.12, 0.03), (0.0, 9.0)])
def test_a_request_counts_when_it_was_made_and_not_when_its_carrier_had_it(
    told: float, hop: float
) -> None:
    """The cap is that of a player at this node, and the end of a race waits for as long."""
    table = Table()
    desk = Desk(table, lambda to, message: None, lambda carrier: hop)
    desk.take("b.1", wire.Join("t", 1, 1, HANA, False, False, messages.Hello()))
    desk.take("b.1", wire.Far("t", 1, told))
    desk.take("b.1", wire.Ask("t", 2, HANA, REQUEST, told))
    expected = min(told + hop, LONGEST_S / 2)
    assert table.delays == [expected]
    assert [each.round_trips.delay_s for each in table.connections] == [expected]
