"""The tables that a node owns beside others, with a broker in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pytest

from folders import HANA, ask, begun, home_of
from halls import BOB
from ludotheque.server import messages, tables, turn_calls
from ludotheque.server.limits import Pace
from ludotheque.server.nodes import lease, wire
from ludotheque.server.nodes import node as nodes
from ludotheque.server.nodes import tables as shared
from ludotheque.server.nodes.broker import LEASES, TABLES, Broker, Entry, Taken
from ludotheque.server.nodes.node import Node
from ludotheque.server.nodes.tables import SharedTables
from ludotheque.server.store import Store, Stored, Unavailable
from ludotheque.server.table import Person
from ludotheque.server.turn import Turn, turn_of
from scenes import until


class Keys:
    """A broker that keeps keys, and what was posted."""

    name = "a"

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], Entry] = {}
        self._last = 0
        self.posted: list[wire.AnyMessage] = []
        self.asked: list[tuple[str, str]] = []
        self.is_terse = False  # whether it does not tell all values at once

    async def put(self, bucket: str, key: str, value: str, expected: int) -> int:
        found = self._kept.get((bucket, key))
        self.asked.append((bucket, key))
        if expected != (found.revision if found else 0):
            raise Taken(key)
        self._last += 1
        self._kept[bucket, key] = Entry(value, self._last)
        return self._last

    async def get(self, bucket: str, key: str) -> Entry | None:
        self.asked.append((bucket, key))
        return self._kept.get((bucket, key))

    async def values(self, bucket: str) -> dict[str, str]:
        if self.is_terse:
            raise Unavailable("it is not permitted")
        return {key: entry.value for (kept, key), entry in self._kept.items() if kept == bucket}

    async def delete(self, bucket: str, revision: int) -> None:
        kept = self._kept.items()
        self._kept = {key: entry for key, entry in kept if entry.revision != revision}

    async def hear(self, subject: str, take: Any, queue: str = "") -> object:
        return object()

    def post(self, subject: str, text: bytes, lost_to: str = "") -> None:
        self.posted += wire.decode(text).messages


class House:
    """A node, its tables, and a broker in which other nodes can be made up."""

    def __init__(self, store: Store) -> None:
        self.keys = Keys()
        self.called: list[str] = []
        self.node = Node(cast(Broker, self.keys), Pace())
        self.tables = SharedTables(store, lambda guest, table: self.called.append(guest), self.node)

    async def open(self) -> None:
        await self.node.lease.take()
        await self.node.open_post()

    async def due_table(self) -> str:
        """A table that sleeps although a bot is awaited there."""
        wish = messages.NewTable(game="stupide_vautour", seats=2)
        table = await self.tables.open(HANA, wish)
        owner = await self.tables.owner(table)
        assert (await owner.answer(HANA, messages.Request("1", messages.Start()))).done
        self.tables.lose_lease()
        await self.forget(TABLES, table)
        return table

    async def forget(self, bucket: str, key: str) -> None:
        found = await self.keys.get(bucket, key)
        assert found is not None
        await self.keys.delete(bucket, found.revision)


def play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scene: Callable[[House], Awaitable[None]]
) -> None:
    monkeypatch.setattr(lease, "LEASE_S", 3600.0)  # a busy machine does not lose it either

    async def opened(store: Store) -> None:
        house = House(store)
        await house.open()
        try:
            await scene(house)
        finally:
            house.tables.close()

    home_of(tmp_path).with_store(opened)


# Tables at which something is due


def test_due_tables_of_a_dead_node_are_woken_although_storage_failed_at_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(house: House) -> None:
        await house.due_table()

        async def fail(_: Store) -> list[str]:
            raise Unavailable("away")

        with monkeypatch.context() as broken:
            broken.setattr(Store, "live_tables", fail)
            await house.tables.take_over_due()
        await house.tables.sweep()
        assert house.tables.awake == 1

    play(tmp_path, monkeypatch, scene)


def test_a_due_table_is_woken_when_the_lease_of_the_node_that_died_has_run_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long that takes: this node has waited for it in vain before."""
    monkeypatch.setattr(nodes, "DEATH_S", -1.0)

    async def scene(house: House) -> None:
        table = await house.due_table()
        await house.keys.put(LEASES, "b.1", "b", 0)
        await house.keys.put(TABLES, table, "b.1", 0)
        house.node.lose("b.1")
        await house.tables.sweep()
        assert house.tables.awake == 0
        await house.forget(LEASES, "b.1")
        await house.tables.sweep()
        assert house.tables.awake == 1

    play(tmp_path, monkeypatch, scene)


def test_a_node_that_owned_a_due_table_when_this_one_began_is_noticed_when_it_stays_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be this one itself, before it crashed."""

    async def scene(house: House) -> None:
        table = await house.due_table()
        await house.keys.put(LEASES, "a.1", "a", 0)
        await house.keys.put(TABLES, table, "a.1", 0)
        await house.tables.take_over_due()
        assert house.node.others == ["a.1"]

    play(tmp_path, monkeypatch, scene)


def test_tables_of_living_nodes_are_not_looked_at_by_every_sweep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(house: House) -> None:
        table = await house.due_table()
        await house.keys.put(LEASES, "b.1", "b", 0)
        await house.keys.put(TABLES, table, "b.1", 0)
        await house.tables.take_over_due()
        await house.forget(TABLES, table)
        await house.tables.sweep()
        assert house.tables.awake == 0

    play(tmp_path, monkeypatch, scene)


@pytest.mark.parametrize("is_terse", [False, True])
def test_when_a_node_dies_only_its_tables_are_claimed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_terse: bool
) -> None:
    """And those that nobody owns; the broker is asked for no other."""

    async def scene(house: House) -> None:
        living, dead, nobodys = [await house.due_table() for _ in range(3)]
        await house.keys.put(LEASES, "b.1", "b", 0)
        await house.keys.put(TABLES, living, "b.1", 0)
        await house.keys.put(TABLES, dead, "c.1", 0)
        house.keys.asked.clear()
        house.keys.is_terse = is_terse
        await house.tables.take_over_due()
        assert set(house.tables._owners) == {dead, nobodys}
        assert house.node.others == ["b.1"]
        assert ((TABLES, living) in house.keys.asked) == is_terse

    play(tmp_path, monkeypatch, scene)


# Claims


def test_a_table_that_is_being_woken_is_not_given_away_by_a_sweep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(house: House) -> None:
        table = await house.tables.open(HANA, messages.NewTable(game="stupide_vautour", seats=2))
        (await house.tables.owner(table)).close()  # as if storing had failed
        reads, goes_on, history = asyncio.Event(), asyncio.Event(), Store.history

        async def read_slowly(store: Store, table_id: str) -> list[Stored]:
            reads.set()
            await goes_on.wait()
            return await history(store, table_id)

        monkeypatch.setattr(Store, "history", read_slowly)
        waking = asyncio.create_task(house.tables.owner(table))
        await reads.wait()
        await house.tables.sweep()
        goes_on.set()
        assert (await waking).is_alive
        await asyncio.sleep(0)  # for what nobody waits for
        assert house.tables.is_own(table)
        assert await house.keys.get(TABLES, table) is not None

    play(tmp_path, monkeypatch, scene)


def test_a_table_whose_claim_was_given_up_while_it_was_read_has_no_owner_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(house: House) -> None:
        table = await house.tables.open(HANA, messages.NewTable(game="stupide_vautour", seats=2))
        history = Store.history

        async def lose_and_read(store: Store, table_id: str) -> list[Stored]:
            await house.node.claims.release(table_id)
            return await history(store, table_id)

        monkeypatch.setattr(Store, "history", lose_and_read)
        with pytest.raises(Unavailable):
            await house.tables.owner(table)
        assert house.tables.awake == 0

    play(tmp_path, monkeypatch, scene)


async def asleep_while_storing(house: House, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """A table is put to sleep while something is on its way to storage, until the event."""
    stored, settle = asyncio.Event(), Store.settle

    async def settle_slowly(store: Store) -> None:
        await stored.wait()
        await settle(store)

    monkeypatch.setattr(Store, "settle", settle_slowly)
    monkeypatch.setattr(tables, "IDLE_S", -1.0)
    await house.tables.sweep()
    assert house.tables.awake == 0
    await asyncio.sleep(0.05)  # for what nobody waits for
    return stored


def test_a_table_that_sleeps_is_anyones_when_all_of_it_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another node might delete it, and something would be stored of it afterwards."""

    async def scene(house: House) -> None:
        table = await house.tables.open(HANA, messages.NewTable(game="stupide_vautour", seats=2))
        await house.tables.owner(table)
        stored = await asleep_while_storing(house, monkeypatch)
        assert await house.keys.get(TABLES, table) is not None
        stored.set()
        await until(lambda: not house.tables._releasing)
        assert await house.keys.get(TABLES, table) is None

    play(tmp_path, monkeypatch, scene)


def test_a_table_that_wakes_again_before_all_of_it_was_stored_stays_this_nodes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(house: House) -> None:
        table = await house.tables.open(HANA, messages.NewTable(game="stupide_vautour", seats=2))
        await house.tables.owner(table)
        stored = await asleep_while_storing(house, monkeypatch)
        assert (await house.tables.owner(table)).is_alive
        stored.set()
        await until(lambda: not house.tables._releasing)
        assert house.tables.is_own(table)
        assert await house.keys.get(TABLES, table) is not None

    play(tmp_path, monkeypatch, scene)


# Clocks that are handed over

LATE_MS = 10_000_000  # later than any clock of these tests shows by itself


async def hand_over(house: House, table: str, number: int) -> None:
    """Another node hands a table over, in a match of this number."""
    house.tables.take("b.1", wire.Takeover(table, 1, LATE_MS, None, [], number, [], False))
    await until(lambda: not house.node._tasks)


def test_a_table_that_is_awake_when_it_is_handed_over_goes_on_with_the_clocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(house: House) -> None:
        owner = await house.tables.owner(table := await begun(house.tables))
        await hand_over(house, table, owner.table.matches)
        await owner.retire(lambda decision: None)
        assert owner.clocks.match.now() >= LATE_MS

    play(tmp_path, monkeypatch, scene)


def test_clocks_of_another_match_are_not_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(house: House) -> None:
        owner = await house.tables.owner(table := await begun(house.tables))
        await hand_over(house, table, owner.table.matches - 1)
        await owner.retire(lambda decision: None)
        assert owner.clocks.match.now() < LATE_MS

    play(tmp_path, monkeypatch, scene)


def test_clocks_are_not_kept_for_later_if_a_table_that_is_handed_over_cannot_be_woken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(house: House) -> None:
        table = await house.due_table()
        await house.keys.put(LEASES, "c.1", "c", 0)
        await house.keys.put(TABLES, table, "c.1", 0)
        await hand_over(house, table, 1)
        await house.forget(LEASES, "c.1")
        owner = await house.tables.owner(table)
        assert owner.table.matches == 1
        await owner.retire(lambda decision: None)
        assert owner.clocks.match.now() < LATE_MS

    play(tmp_path, monkeypatch, scene)


# Tables that are read before they are handed over


def takeover(table: str, is_prepared: bool) -> wire.Takeover:
    return wire.Takeover(table, 1, LATE_MS, None, [], 1, [], is_prepared)


async def read_nothing(_: Store, table: str) -> list[Stored]:
    raise AssertionError("the table is read as a whole")


def test_of_a_table_that_was_prepared_only_what_came_later_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(house: House) -> None:
        table = await begun(house.tables)
        assert await house.tables.answer_call("b.1", wire.Prepare(table))
        await ask(house.tables, table, messages.Say("said while it was prepared"))
        place = (await house.tables.owner(table))._unstored.place
        house.tables.lose_lease()
        await house.forget(TABLES, table)
        with monkeypatch.context() as patched:
            patched.setattr(Store, "history", read_nothing)
            house.tables.take("b.1", takeover(table, is_prepared=True))
            await until(lambda: not house.node._tasks)
        owner = house.tables.awake_owner(table)
        assert owner is not None
        assert (owner._unstored.place, owner.stored.said) == (place, 2)
        assert (await owner.answer(HANA, messages.Request("next", messages.Say("on")))).done

    play(tmp_path, monkeypatch, scene)


def test_a_table_that_was_rewritten_since_it_was_prepared_is_read_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(house: House) -> None:
        table = await begun(house.tables)
        assert await house.tables.answer_call("b.1", wire.Prepare(table))
        await house.tables.forget(HANA.id)
        house.tables.lose_lease()
        await house.forget(TABLES, table)
        house.tables.take("b.1", takeover(table, is_prepared=False))
        await until(lambda: not house.node._tasks)
        owner = house.tables.awake_owner(table)
        assert owner is not None
        assert HANA.name not in str(owner.stored.seats)

    play(tmp_path, monkeypatch, scene)


def test_a_table_that_is_being_rewritten_is_handed_over_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(house: House) -> None:
        table = await begun(house.tables)
        monkeypatch.setattr(shared, "PREPARE_S", 0.0)
        house.node.take("b.1", wire.Beat(False, []))
        await house.tables.answer_call("c.1", wire.Retire(table, HANA.id))
        draining = asyncio.create_task(house.tables.drain())
        await asyncio.sleep(0.05)
        held = await house.keys.get(TABLES, table)
        assert held is not None
        assert held.value == house.node.lease_id
        house.tables.take("c.1", wire.Rewritten([table]))
        assert await draining
        held = await house.keys.get(TABLES, table)
        assert held is None or held.value == "b.1"

    play(tmp_path, monkeypatch, scene)


# Guests who are deleted


def test_two_guests_whom_two_nodes_delete_at_once_both_give_up_their_seats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(house: House) -> None:
        table = await house.tables.open(HANA, messages.NewTable(game="stupide_vautour", seats=3))
        owner = await house.tables.owner(table)
        for player, command in ((BOB, messages.Sit()), (HANA, messages.Start())):
            assert (await owner.answer(player, messages.Request("1", command))).done
        first = house.tables.answer_call("b.1", wire.Retire(table, HANA.id))
        second = house.tables.answer_call("c.1", wire.Retire(table, BOB.id))
        one, other = asyncio.create_task(first), asyncio.create_task(second)
        await one
        assert not other.done()
        house.tables.take("b.1", wire.Rewritten([table]))
        await other
        house.tables.take("c.1", wire.Rewritten([table]))
        seats = (await house.tables.owner(table)).stored.seats
        assert [seat.keeper for seat in seats[:2] if isinstance(seat, Person)] == ["regular"] * 2

    play(tmp_path, monkeypatch, scene)


# Calls that are handed over


async def two_to_call(house: House) -> tuple[str, list[Turn]]:
    """A table that waits for two people who are away, and their turns."""
    table = await house.tables.open(HANA, messages.NewTable(game="stupide_vautour", seats=2))
    owner = await house.tables.owner(table)
    for player, command in ((BOB, messages.Sit()), (HANA, messages.Start())):
        assert (await owner.answer(player, messages.Request("1", command))).done
    match = owner.stored.match
    assert match is not None
    return table, [turn_of(1, match, seat) for seat in range(2)]


def test_turns_to_which_nobody_was_called_yet_are_handed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Although nobody looks on, and nothing else is due."""
    monkeypatch.setattr(turn_calls, "GRACE_S", 3600.0)
    monkeypatch.setattr(shared, "PREPARE_S", 0.0)

    async def scene(house: House) -> None:
        table, turns = await two_to_call(house)
        house.node.take("b.1", wire.Beat(False, []))
        monkeypatch.setattr(shared, "WAKE_S", 0.0)
        await house.tables.drain()
        await until(lambda: [m for m in house.keys.posted if isinstance(m, wire.Takeover)])
        told = next(m for m in house.keys.posted if isinstance(m, wire.Takeover))
        assert (told.table, sorted(told.uncalled)) == (table, turns)

    play(tmp_path, monkeypatch, scene)


def test_who_is_away_is_called_to_a_turn_that_was_handed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn_calls, "GRACE_S", 3600.0)

    async def scene(house: House) -> None:
        table, turns = await two_to_call(house)
        house.tables.lose_lease()
        await house.forget(TABLES, table)
        monkeypatch.setattr(turn_calls, "GRACE_S", 0.01)
        house.tables.take("b.1", wire.Takeover(table, 1, 0, None, [], 1, turns[:1], False))
        await until(lambda: house.called)
        await until(lambda: not house.node._tasks)
        assert house.called == [HANA.id]

    play(tmp_path, monkeypatch, scene)
