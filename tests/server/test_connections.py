"""Who is let in, and who has to go when there is no more room."""

from __future__ import annotations

import pytest

from ludotheque.server import connections as module
from ludotheque.server.connections import ADDRESS_IS_FULL, EVICTED, SERVER_IS_FULL, Connections
from ludotheque.server.counts import Counts
from ludotheque.server.proxies import Proxies


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counts:
    fresh = Counts()
    monkeypatch.setattr(module, "counts", fresh)
    return fresh


class Visitor:
    def __init__(self, is_idle: bool = False) -> None:
        self.is_idle = is_idle
        self.is_dropped = False

    def drop(self) -> None:
        self.is_dropped = True


def admitted(connections: Connections, address: str, count: int, is_idle: bool) -> list[Visitor]:
    visitors = [Visitor(is_idle) for _ in range(count)]
    assert [connections.admit(visitor, address) for visitor in visitors] == [""] * count
    return visitors


def test_an_address_has_so_many_connections_and_no_more(counted: Counts) -> None:
    connections = Connections(Proxies(), most=100, per_address=3)
    held = admitted(connections, "192.0.2.1", 3, is_idle=True)
    assert connections.admit(Visitor(), "192.0.2.1") == ADDRESS_IS_FULL
    admitted(connections, "192.0.2.2", 1, is_idle=False)
    connections.discard(held[0])
    admitted(connections, "192.0.2.1", 1, is_idle=False)
    assert (len(connections), connections.of("192.0.2.1")) == (4, 3)
    assert counted.refusals == {("connection", "address_is_full"): 1}


def test_a_home_has_one_address_in_ipv6() -> None:
    connections = Connections(Proxies(), most=100, per_address=1)
    admitted(connections, "2001:db8::1", 1, is_idle=True)
    assert connections.admit(Visitor(), "2001:db8::2") == ADDRESS_IS_FULL


def test_a_named_proxy_has_as_many_as_there_are() -> None:
    connections = Connections(Proxies(["192.0.2.1"]), most=100, per_address=3)
    admitted(connections, "192.0.2.1", 100, is_idle=False)


def test_idle_ones_of_the_address_with_most_go_first_the_oldest_before_others(
    counted: Counts,
) -> None:
    count = EVICTED + 10
    connections = Connections(Proxies(), most=count + 2, per_address=1000)
    quiet = admitted(connections, "192.0.2.1", 1, is_idle=True)
    busy = admitted(connections, "192.0.2.2", 1, is_idle=False)
    many = admitted(connections, "192.0.2.3", count, is_idle=True)
    admitted(connections, "192.0.2.4", 1, is_idle=False)
    assert [v.is_dropped for v in many] == [True] * EVICTED + [False] * 10
    assert not any(v.is_dropped for v in quiet + busy)
    assert len(connections) == 2 + 10 + 1
    assert counted.refusals == {("connection", "evicted"): EVICTED}


def test_players_are_not_sent_away_for_newcomers() -> None:
    connections = Connections(Proxies(), most=5, per_address=1000)
    playing = admitted(connections, "192.0.2.1", 4, is_idle=False)
    idle = admitted(connections, "192.0.2.2", 1, is_idle=True)
    admitted(connections, "192.0.2.3", 1, is_idle=False)
    assert idle[0].is_dropped
    assert connections.admit(Visitor(), "192.0.2.4") == SERVER_IS_FULL
    assert not any(v.is_dropped for v in playing)


def test_what_has_gone_is_forgotten() -> None:
    connections = Connections(Proxies(), most=5)
    (visitor,) = admitted(connections, "192.0.2.1", 1, is_idle=False)
    connections.discard(visitor)
    connections.discard(visitor)
    assert (len(connections), connections.of("192.0.2.1")) == (0, 0)
