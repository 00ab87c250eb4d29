"""Several nodes that share tables: what players notice of it, which is nothing, whatever dies."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from faults.servers import LoggedServer
from homes import Home, postgresql_home
from ludotheque.engine.game import slugs
from ludotheque.engine.seats import NOBODY
from ludotheque.server.limits import ACCOUNT
from ludotheque.server.nodes import wire
from ludotheque.server.nodes.broker import AWAY
from ludotheque.server.nodes.lease import RENEW_S
from ludotheque.server.nodes.post import EVERYONE
from nodes import House, NodeProcess, WireTap, play_on, play_one, stored_events
from people import WAIT_TIMEOUT_S, Person, Socket

TAKEOVER_S = 15.0  # 5 on a machine with nothing else to do


class BelievingNode(LoggedServer, NodeProcess):
    """The clock by which it knows that its lease is over stands still while it is frozen."""

    command = """
import threading, time
from ludotheque.server.nodes import lease

now, seen = [0.0], [time.monotonic()]

def tick():
    while True:
        time.sleep(0.01)
        passed, seen[0] = time.monotonic() - seen[0], time.monotonic()
        now[0] += min(passed, 0.5)

threading.Thread(target=tick, daemon=True).start()
lease.Lease.__init__.__defaults__ = (lambda: now[0],)
from ludotheque.cli import main; main()
"""


class BelievingHouse(House):
    kind = BelievingNode


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Two nodes on PostgreSQL, as they are deployed."""
    running = House(tmp_path_factory.mktemp("house"), home=postgresql_home())
    yield running
    running.stop()


@pytest.fixture(scope="module")
def sqlite_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    running = House(tmp_path_factory.mktemp("house"))
    yield running
    running.stop()


@pytest.fixture
def mended(house: House) -> House:
    """All nodes, also those that a test before has killed."""
    house.mend()
    return house


@pytest.fixture(params=["house", "sqlite_house"])
def either(request: pytest.FixtureRequest) -> House:
    """All nodes on PostgreSQL, then on a file of SQLite."""
    running: House = request.getfixturevalue(request.param)
    running.mend()
    return running


class Table:
    """A match of two, each on another node; the table is owned where Ann is."""

    def __init__(
        self, owner: NodeProcess, other: NodeProcess, game: str = "stupide_vautour"
    ) -> None:
        self.ann, self.bob = Person(owner, "Ann"), Person(other, "Bob")
        self.id = self.ann.open_table(game, seats=2)
        self.near = self.ann.connect(self.id)
        self.near.update()
        self.far = self.bob.connect(self.id)
        self.far.update()
        assert self.far.reply(self.far.request("sit"))["done"]
        assert self.near.reply(self.near.request("start"))["done"]
        for one in self.sockets:
            one.wait(lambda update: update["match"] is not None)

    @property
    def sockets(self) -> list[Socket]:
        return [self.near, self.far]


def table_of(house: House, game: str = "stupide_vautour") -> Table:
    owner, other = house.nodes
    return Table(owner, other, game)


def moves_in(home: Home, table: str) -> int:
    return sum(event["event"] == "moved" for event in stored_events(home, table))


@pytest.mark.parametrize("game", slugs())
def test_a_match_is_played_from_two_nodes(house: House, game: str) -> None:
    table = table_of(house, game)
    play_on(table.sockets, moves=6)
    lines = [one.lines for one in table.sockets]
    assert len(lines[0]) == len(lines[1]) >= 6
    looks = [one.look(table.id) for one in (table.ann, table.bob)]
    assert looks[0]["version"] == looks[1]["version"] == table.near.latest["version"]


def test_what_is_asked_of_a_table_is_answered_on_any_node(house: House) -> None:
    table = table_of(house)
    assert table.bob.call("GET", f"/api/tables/{table.id}/proof") == (
        409,
        {"error": "there is no finished match on this table"},
    )
    assert play_on(table.sockets)["match"]["over"]
    paths = [f"/api/tables/{table.id}/{what}" for what in ("proof", "match")]
    asked = [[one.call("GET", path) for path in paths] for one in (table.ann, table.bob)]
    assert asked[0] == asked[1]
    assert [status for status, _ in asked[0]] == [200, 200]
    status, deal = table.bob.call("POST", f"/api/tables/{table.id}/deal")
    assert status == 201
    assert table.ann.call("GET", f"/api/deals/{deal['id']}")[0] == 200
    mine = table.bob.call("GET", "/api/me/tables")[1]["tables"]
    assert [each["table"]["id"] for each in mine] == [table.id]
    assert table.bob.call("GET", "/api/tables/nowhere")[0] == 404


@pytest.mark.parametrize("name", ["a%20b", "..", "a.", "a.b", "%0d%0a", "*", "%3e", "a" * 300])
def test_what_cannot_be_the_name_of_a_table_leads_to_none(house: House, name: str) -> None:
    """The broker would not take some of these, and is not asked about any."""
    assert Person(house.nodes[0], "Ann").call("GET", f"/api/tables/{name}")[0] == 404


def test_a_public_table_is_listed_on_every_node(house: House) -> None:
    here, there = house.nodes
    ann = Person(here, "Ann")
    table = ann.open_table("stupide_vautour", seats=2, is_public=True)
    ann.connect(table).update()
    listed = Person(there, "Bob").call("GET", "/api/tables")[1]["tables"]
    assert table in [each["id"] for each in listed]


def test_a_name_and_a_sign_out_reach_every_node(house: House) -> None:
    here, there = house.nodes
    ann, bob = Person(here, "Ann"), Person(there, "Bob")
    table = ann.open_table("stupide_vautour", seats=2)
    near = ann.connect(table)
    near.update()
    far = bob.connect(table)
    assert far.reply(far.request("sit"))["done"]
    near.wait(lambda update: update["table"]["seats"][1] is not None)
    assert bob.call("PUT", "/api/me", {"name": "Bobby", "avatar": 4})[0] == 200
    near.wait(
        lambda update: [s and s["name"] for s in update["table"]["seats"]] == ["Ann", "Bobby"]
    )
    assert bob.call("DELETE", "/api/me/devices")[0] == 200
    near.wait(lambda update: not update["table"]["seats"][1]["is_here"])


def test_a_limit_that_was_reached_on_one_node_is_reached_on_the_others(house: House) -> None:
    here, there = house.nodes
    ann, bob = Person(here, "Ann"), Person(there, "Bob")

    def change(node: NodeProcess, person: Person) -> int:
        new = {"name": "Someone", "avatar": 4}
        return node.call("PUT", "/api/me", new, Authorization=f"Bearer {person.token}")[0]

    statuses = []
    for _ in range(ACCOUNT.per_guest // 2):  # with which they do not reach the limit there
        while change(here, ann) != 429:
            pass
        statuses.append(change(there, ann))
        if statuses[-1] == 429:
            break
        time.sleep(RENEW_S)  # until nodes tell each other again
    assert statuses[-1] == 429, statuses
    assert change(there, bob) == 200


def test_a_guest_is_forgotten_at_tables_of_every_node(house: House) -> None:
    here, there = house.nodes
    ann, bob = Person(here, "Ann"), Person(there, "Bobolink")
    table = ann.open_table("stupide_vautour", seats=2)
    near = ann.connect(table)
    near.update()
    assert bob.do(table, "sit")[0] == 200
    assert bob.call("DELETE", "/api/me")[0] == 200
    assert "Bobolink" not in str(stored_events(house.home, table))
    assert "Bobolink" not in str(ann.look(table))
    near.wait(lambda update: "Bobolink" not in str(update["table"]))


def test_when_the_owner_is_killed_another_node_goes_on_and_sockets_stay(either: House) -> None:
    owner, other = either.nodes
    table = Table(owner, other)
    play_on(table.sockets, moves=4)
    before = len(stored_events(either.home, table.id))
    owner.kill()
    killed = time.monotonic()
    # Bob asks on his open socket while nobody owns the table.
    said = table.far.request("say", text="still here?")
    assert table.far.reply(said)["done"]
    assert time.monotonic() - killed < TAKEOVER_S
    table.far.wait(lambda update: update["said"] == 1)
    stored = stored_events(either.home, table.id)
    assert [event["event"] for event in stored[before:]] == ["said"]
    # Ann comes back through the other node, and they play to the end.
    near = Socket(other, table.id, table.ann.token)
    near.update()
    assert play_on([near, table.far])["match"]["over"]


def test_a_frozen_owner_answers_nothing_stale_when_it_thaws(mended: House) -> None:
    owner, other = mended.nodes
    table = Table(owner, other)
    play_on(table.sockets, moves=2)
    owner.freeze()
    assert table.far.reply(table.far.request("say", text="moved on"))["done"]
    version = table.far.wait(lambda update: update["said"] == 1)["version"]
    owner.thaw()
    # Whatever the thawed node says from now on, it has learnt from the new owner.
    assert table.ann.look(table.id)["version"] >= version
    table.near.wait(lambda update: update["said"] == 1)
    assert play_on(table.sockets)["match"]["over"]
    kinds = [event["event"] for event in stored_events(mended.home, table.id)]
    assert kinds.count("said") == 1


def test_a_node_that_stops_hands_its_tables_over(either: House) -> None:
    owner, other = either.nodes
    table = Table(owner, other)
    play_on(table.sockets, moves=2)
    asked = time.monotonic()
    owner.process.terminate()
    reply = table.far.reply(table.far.request("say", text="and now?"))
    assert reply["done"], reply
    assert time.monotonic() - asked < TAKEOVER_S
    assert owner.process.wait(60) in (0, -signal.SIGTERM)
    near = Socket(other, table.id, table.ann.token)
    near.update()
    assert play_on([near, table.far])["match"]["over"]


def test_a_node_that_stops_serves_its_clients_until_they_are_with_another(either: House) -> None:
    owner, other = either.nodes
    table = Table(owner, other)
    play_on(table.sockets, moves=2)
    owner.process.terminate()
    while table.near.receive()["type"] != "come_again":
        pass
    play_one(next(s for s in table.sockets if s.latest["match"]["legal"]), table.sockets)
    near = Socket(other, table.id, table.ann.token)
    near.update()
    table.near.close()
    assert owner.process.wait(60) in (0, -signal.SIGTERM)
    assert play_on([near, table.far])["match"]["over"]


def test_bots_play_on_when_their_node_dies_although_nobody_looks(mended: House) -> None:
    owner, other = mended.nodes
    ann = Person(owner, "Ann")
    table = ann.open_table("stupide_vautour", seats=3, move_seconds=10)
    for seat in (1, 2):
        status, reply = ann.do(table, "seat", seat=seat, bot="novice")
        assert status == 200, reply
    assert ann.do(table, "start")[0] == 200
    owner.kill()
    before = moves_in(mended.home, table)
    until = time.monotonic() + 60
    while moves_in(mended.home, table) == before:
        assert time.monotonic() < until, "nobody has taken over the table"
        time.sleep(0.2)
    assert other.process.poll() is None


def test_play_goes_on_after_a_restart_of_the_broker(mended: House) -> None:
    table = table_of(mended)
    play_on(table.sockets, moves=2)
    mended.broker.stop()
    mended.broker.start()
    assert table.far.reply(table.far.request("say", text="back"))["done"]
    for one in table.sockets:
        one.wait(lambda update: update["said"] == 1)
    play_one(next(s for s in table.sockets if s.latest["match"]["legal"]), table.sockets)


def test_a_node_whose_lease_was_ended_stores_nothing_beside_the_next_owner(mended: House) -> None:
    table = table_of(mended)
    play_on(table.sockets, moves=2)
    before = len(stored_events(mended.home, table.id))
    mended.end_lease("a")  # of which that node learns only when it renews it
    near, far = (one.request("say", text="mine?") for one in table.sockets)
    assert table.far.reply(far)["done"]
    assert table.near.reply(near)["done"]
    for one in table.sockets:
        one.wait(lambda update: update["said"] == 2)
    stored = stored_events(mended.home, table.id)
    assert [event["event"] for event in stored[before:]] == ["said", "said"]


@pytest.fixture(params=["postgresql", "sqlite"])
def believing(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    running = BelievingHouse(tmp_path, 2, postgresql_home() if request.param != "sqlite" else None)
    yield running
    running.stop()


def test_of_two_nodes_that_both_believe_to_own_a_table_one_stores_a_move(believing: House) -> None:
    owner, other = believing.nodes
    assert isinstance(owner, BelievingNode)
    table = Table(owner, other)
    play_on(table.sockets, moves=2)
    before = len(stored_events(believing.home, table.id))
    moves = [one.latest["match"]["legal"][0] for one in table.sockets]
    owner.freeze()
    near = table.near.request("play", move=moves[0])  # which waits in the frozen node
    assert table.far.reply(table.far.request("play", move=moves[1]))["done"]
    owner.thaw()
    assert table.near.reply(near)["done"]
    owner.wait_for_log(f"table {table.id} was not stored: another")  # for it has believed so
    stored = stored_events(believing.home, table.id)[before:]
    assert [event["moves"][0][:2] for event in stored[:2]] == [[1, moves[1]], [0, moves[0]]]
    version = table.ann.look(table.id)["version"]
    for one in table.sockets:
        one.wait_beyond(version - 1)
    assert play_on(table.sockets)["match"]["over"]


def test_without_the_broker_nothing_is_answered_and_afterwards_everything_is(
    mended: House,
) -> None:
    table = table_of(mended)
    mended.broker.stop()
    until = time.monotonic() + 60
    while table.ann.call("GET", f"/api/tables/{table.id}")[0] != 503:
        assert time.monotonic() < until, "a node answers for a table although its lease is over"
    status, problem = table.bob.call("GET", f"/api/tables/{table.id}")
    assert (status, problem["error"]) == (503, AWAY)
    mended.broker.start()
    for person in (table.ann, table.bob):
        while person.call("GET", f"/api/tables/{table.id}")[0] != 200:
            assert time.monotonic() < until, "the nodes do not find each other again"
    play_on([person.connect(table.id) for person in (table.ann, table.bob)], moves=2)


def test_a_node_tells_its_host_of_its_lease_and_of_nodes_that_are_gone(mended: House) -> None:
    here, there = mended.nodes
    before = here.metric("lost_nodes_total")
    assert here.metric("lease_held") == 1
    until = time.monotonic() + WAIT_TIMEOUT_S
    there.kill()
    while here.metric("lost_nodes_total") == before:
        assert time.monotonic() < until
        time.sleep(0.1)
    mended.broker.stop()
    while here.metric("lease_held") == 1:
        assert time.monotonic() < until
        time.sleep(0.1)


def test_no_node_is_sent_what_only_others_may_see(mended: House) -> None:
    """All that passes over the broker is read while people play, as no node could."""
    with WireTap(mended.broker.address) as tap:
        table = table_of(mended)
        play_on(table.sockets, moves=8)
        table.far.reply(table.far.request("say", text="enough"))
    shown = [(s, each.update) for s, each in tap.messages if isinstance(each, wire.Shown)]
    assert len(shown) > 8
    for subject, update in shown:
        assert subject.startswith("ludotheque.to.b.")  # Ann is where the owner is
        match = json.loads(update)["match"]
        assert match is None or match["viewer"] in (1, NOBODY)
    to_all = [message for subject, message in tap.messages if subject == EVERYONE]
    assert all(isinstance(message, wire.Beat) for message in to_all)
