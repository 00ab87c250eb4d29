"""What nodes tell all others, which may be lost on its way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ether import Ether, Shared, with_nodes
from folders import GAME, HANA, ask, begun, finished
from homes import sqlite_home
from ludotheque.server import fate, messages, tables
from ludotheque.server.devices import Devices, GuestsDevice
from ludotheque.server.nodes import tables as shared
from ludotheque.server.nodes import wire
from ludotheque.server.nodes.broker import TABLES
from ludotheque.server.nodes.tables import SharedTables
from ludotheque.server.owner import Owner
from ludotheque.server.player import Player
from ludotheque.server.retention import DAY_MS, Ages, Retention
from ludotheque.server.snapshot import Connection, Showable
from ludotheque.server.store import Store, Unavailable
from people import WAIT_TIMEOUT_S
from scenes import until

Happens = Callable[[Ether, Shared, Shared], Awaitable[None]]


async def signed_in(store: Store) -> Player:
    """Hana on one more device."""
    devices = Devices(store)
    is_known = await store.players([HANA.id])
    token = await (devices.add(HANA.id, "") if is_known else devices.enter(HANA, ""))
    found = await devices.signed_in(token)
    assert found is not None
    return found.player


async def looking(tables: SharedTables, player: Player) -> list[Showable | None]:
    """What a client of this player's is shown at a new table."""
    shown: list[Showable | None] = []
    owner = await tables.reach(await tables.open(HANA, messages.NewTable(game=GAME)))
    owner.join(Connection(player, shown.append), messages.Hello())
    await until(lambda: shown)
    return shown


# Signing out


async def a_letter_is_lost(ether: Ether, here: Shared, _: Shared) -> None:
    ether.loses = lambda message: isinstance(message, wire.SignedOut)
    here[1].dismiss(HANA.id, "")
    await until(lambda: ether.lost)
    here[0].beat()


async def the_node_had_no_lease(ether: Ether, here: Shared, _: Shared) -> None:
    """It comes under another one, of which this is the first letter."""
    node = here[0]
    await node.lease.take()
    await node.open_post()
    node.beat()


async def the_broker_was_away(ether: Ether, _: Shared, there: Shared) -> None:
    there[0].broker.when_back()


@pytest.mark.parametrize("happens", [a_letter_is_lost, the_node_had_no_lease, the_broker_was_away])
def test_who_has_signed_out_loses_sockets_on_nodes_that_were_not_told(
    tmp_path: Path, happens: Happens
) -> None:
    async def scene(ether: Ether, store: Store, here: Shared, there: Shared) -> None:
        stolen, own = await signed_in(store), await signed_in(store)
        shown, seen = await looking(there[1], stolen), await looking(there[1], own)
        await Devices(store).sign_out(HANA.id, stolen.device)
        await happens(ether, here, there)
        await until(lambda: shown[-1] is None)
        assert None not in seen

    with_nodes(tmp_path, scene)


RENAMED = Player(HANA.id, "Hanae", 2)


async def renamed_in_storage(store: Store, tables: SharedTables) -> Owner:
    """A table of a guest who is called otherwise now, as its owner was not told."""
    await signed_in(store)
    owner = await tables.owner(await begun(tables))
    await Devices(store).rename(RENAMED)
    return owner


@pytest.mark.parametrize("happens", [a_letter_is_lost, the_node_had_no_lease, the_broker_was_away])
def test_a_new_name_reaches_tables_that_are_awake_on_nodes_that_were_not_told(
    tmp_path: Path, happens: Happens
) -> None:
    async def scene(ether: Ether, store: Store, here: Shared, there: Shared) -> None:
        owner = await renamed_in_storage(store, there[1])
        await happens(ether, here, there)
        await until(lambda: owner.stored.persons[0].name == RENAMED.name)

    with_nodes(tmp_path, scene)


def test_devices_of_earlier_versions_are_signed_in_until_one_signs_out(tmp_path: Path) -> None:
    async def enter(store: Store) -> str:
        return (await signed_in(store)).device

    async def ask(store: Store) -> set[GuestsDevice]:
        return await Devices(store).signed_out({former, device})

    async def sign_out(store: Store) -> None:
        await Devices(store).sign_out(HANA.id, all_but=device.device)

    home = sqlite_home(tmp_path)
    former, device = GuestsDevice(HANA.id, ""), GuestsDevice(HANA.id, home.with_store(enter))
    home.ask("UPDATE players SET has_former_token = true")
    assert home.with_store(ask) == set()
    home.with_store(sign_out)
    assert home.with_store(ask) == {former}


# Leaving


async def its_end_is_lost(ether: Ether, here: Shared, _: Shared) -> None:
    ether.loses = lambda message: message == wire.Leaving(HANA.id, False)
    here[0].broadcast(wire.Leaving(HANA.id, False))
    await until(lambda: ether.lost)
    here[0].beat()


async def the_node_is_gone(_: Ether, here: Shared, there: Shared) -> None:
    there[0].lose(here[0].lease_id)


@pytest.mark.parametrize("happens", [its_end_is_lost, the_node_is_gone, the_broker_was_away])
def test_a_guest_is_let_in_again_although_nobody_says_that_deleting_them_has_failed(
    tmp_path: Path, happens: Happens
) -> None:
    async def scene(ether: Ether, _: Store, here: Shared, there: Shared) -> None:
        told: list[tuple[str, bool]] = []
        there[1].note_leaving = lambda *noted: told.append(noted)
        here[0].broadcast(wire.Leaving(HANA.id, True))
        await until(lambda: told)
        await happens(ether, here, there)
        await until(lambda: told == [(HANA.id, True), (HANA.id, False)])

    with_nodes(tmp_path, scene)


# Rewriting tables


def questions_in(ether: Ether) -> int:
    """How often a node has asked whether a table is still being rewritten."""
    asked = [each.body for each in ether.carried if isinstance(each, wire.Call)]
    return sum(isinstance(body, wire.IsRewriting) for body in asked)


def test_a_table_is_not_read_before_it_is_rewritten_however_long_that_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "REWRITTEN_TIMEOUT_S", 0.01)

    async def scene(ether: Ether, store: Store, here: Shared, there: Shared) -> None:
        table, change, goes_on = await begun(there[1]), store.change, asyncio.Event()

        async def slow(what: str, work: Callable[..., Any]) -> Any:
            await goes_on.wait()
            return await change(what, work)

        monkeypatch.setattr(store, "change", slow)
        deleting = asyncio.create_task(here[1].forget(HANA.id))
        await until(lambda: questions_in(ether) > 2)
        reading = asyncio.create_task(there[1].owner(table))
        await until(lambda: questions_in(ether) > 5)
        assert not reading.done()
        goes_on.set()
        await deleting
        assert HANA.id not in (await reading).stored.guests

    with_nodes(tmp_path, scene)


@pytest.mark.parametrize("does_fail", [True, False], ids=["retiring fails", "its end is lost"])
def test_a_table_is_read_again_although_nobody_says_that_it_was_rewritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does_fail: bool
) -> None:
    monkeypatch.setattr(shared, "REWRITTEN_TIMEOUT_S", 0.01)

    async def scene(ether: Ether, store: Store, here: Shared, there: Shared) -> None:
        table = await begun(there[1])
        ether.loses = lambda message: isinstance(message, wire.Rewritten)
        if does_fail:
            monkeypatch.setattr(Owner, "retire", fail)
            with pytest.raises(Exception, match="not stored"):
                await here[1].forget(HANA.id)
        else:
            await here[1].forget(HANA.id)
        async with asyncio.timeout(WAIT_TIMEOUT_S):
            await there[1].owner(table)

    async def fail(owner: Owner, act: object) -> None:
        owner.close()
        raise Unavailable("it was not stored")

    with_nodes(tmp_path, scene)


def test_a_table_is_read_again_when_the_node_that_rewrites_it_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "REWRITTEN_TIMEOUT_S", 0.01)

    async def scene(ether: Ether, store: Store, here: Shared, there: Shared) -> None:
        table = await begun(there[1])
        asked = partial(wire.Call, body=wire.Retire(table, HANA.id))
        await here[0].call(there[0].lease_id, asked, None)
        ether.loses = lambda message: not isinstance(message, wire.Beat)
        reading = asyncio.create_task(there[1].owner(table))
        await until(lambda: ether.lost)
        there[0].lose(here[0].lease_id)
        async with asyncio.timeout(WAIT_TIMEOUT_S):
            await reading

    with_nodes(tmp_path, scene)


# Codes


def test_a_code_of_a_table_that_is_in_use_on_another_node_is_not_given_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = iter(["KKKKK", "KKKKK", "LLLLL", "KKKKK"])
    monkeypatch.setattr(tables, "new_code", lambda: next(drawn))
    monkeypatch.setattr(tables, "KEPT_MS", -DAY_MS)  # every table is old

    async def scene(ether: Ether, store: Store, here: Shared, there: Shared) -> None:
        wish, used = messages.NewTable(game=GAME), await begun(there[1])
        await here[1].open(HANA, wish)
        assert (await store.code(used), await holder_of(store, "KKKKK")) == ("KKKKK", used)
        (await there[1].owner(used)).close()
        await there[1].sweep()
        await until(lambda: (TABLES, used) not in ether.keys)
        new = await here[1].open(HANA, wish)
        assert await holder_of(store, "KKKKK") == new

    async def holder_of(store: Store, code: str) -> str:
        coded = await store.coded(code)
        assert coded is not None
        return coded.table

    with_nodes(tmp_path, scene)


# Tables that the host deletes


def test_a_table_that_the_host_deletes_is_deleted_once_no_node_stores_anything_of_it(
    tmp_path: Path,
) -> None:
    async def scene(ether: Ether, store: Store, here: Shared, there: Shared) -> None:
        origin = await finished(there[1])
        deal = await there[1].share_deal(origin, HANA)
        await store.change("a test", lambda c: fate.decide(c, origin, fate.DELETED))
        retention = Retention(store, here[1], Ages(0, 0), pause_s=0)
        await retention.delete_decided()
        await ask(there[1], origin, messages.Say("still here"))
        assert await store.decided() == {origin: fate.DELETED}
        await there[1].close_decided()
        await until(lambda: (TABLES, origin) not in ether.keys)
        await retention.delete_decided()
        assert await store.decided() == {origin: fate.ARCHIVED}
        assert (await here[1].deal(deal)).game == GAME

    with_nodes(tmp_path, scene)
