"""Leases and claims, against a real broker."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import pytest

from ludotheque.server.nodes.broker import LEASES, TABLES, Broker
from ludotheque.server.nodes.lease import LEASE_S, MARGIN_S, Claims, Held, Lease
from ludotheque.server.setting_kinds import Address
from ludotheque.server.store import Unavailable
from nodes import BrokerProcess
from scenes import act

Scene = Callable[[Broker], Awaitable[None]]


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokerProcess]:
    running = BrokerProcess(tmp_path_factory.mktemp("broker"))
    yield running
    running.stop()


def play(process: BrokerProcess, scene: Scene) -> None:
    async def run() -> None:
        broker = Broker(Address(process.address), "a")
        await broker.open(LEASE_S)
        try:
            await scene(broker)
        finally:
            await broker.close()

    act(run)


async def a_node(broker: Broker, name: str) -> tuple[Lease, Claims]:
    lease = Lease(broker, name)
    await lease.take()
    return lease, Claims(broker, lease)


def is_held(lease: Lease) -> bool:
    return lease.is_held


def test_a_table_has_one_owner_and_others_are_told_which(broker: BrokerProcess) -> None:
    async def scene(broker: Broker) -> None:
        (lease, ours), (_, theirs) = await a_node(broker, "a"), await a_node(broker, "b")
        assert await ours.claim("one") == Held(lease.id, True)
        assert await theirs.claim("one") == Held(lease.id, False)
        assert await ours.claim("one") == Held(lease.id, True)
        assert ("one" in ours, "one" in theirs) == (True, False)

    play(broker, scene)


def test_of_many_who_want_a_table_at_once_one_gets_it(broker: BrokerProcess) -> None:
    async def scene(broker: Broker) -> None:
        nodes = [await a_node(broker, f"n{i}") for i in range(6)]
        held = await asyncio.gather(*(claims.claim("many") for _, claims in nodes))
        assert sum(each.is_ours for each in held) == 1
        assert len({each.holder for each in held}) == 1

    play(broker, scene)


def test_a_released_table_is_anyones_and_leaves_no_key(broker: BrokerProcess) -> None:
    async def scene(broker: Broker) -> None:
        (_, ours), (lease, theirs) = await a_node(broker, "a"), await a_node(broker, "b")
        await ours.claim("two")
        await ours.release("two")
        assert await broker.get(TABLES, "two") is None
        assert await theirs.claim("two") == Held(lease.id, True)

    play(broker, scene)


def test_what_was_taken_over_is_not_released_by_its_former_owner(broker: BrokerProcess) -> None:
    async def scene(broker: Broker) -> None:
        (former, ours), (lease, theirs) = await a_node(broker, "a"), await a_node(broker, "b")
        await ours.claim("three")
        await former.give_back()
        assert await theirs.claim("three") == Held(lease.id, True)
        await ours.release("three")
        entry = await broker.get(TABLES, "three")
        assert entry is not None
        assert entry.value == lease.id

    play(broker, scene)


def test_a_table_is_handed_over_once(broker: BrokerProcess) -> None:
    async def scene(broker: Broker) -> None:
        (_, ours), (lease, theirs) = await a_node(broker, "a"), await a_node(broker, "b")
        await ours.claim("four")
        assert await ours.hand_over("four", lease.id)
        assert not await ours.hand_over("four", lease.id)
        assert await theirs.claim("four") == Held(lease.id, True)

    play(broker, scene)


def test_a_lease_that_has_run_out_never_comes_back(broker: BrokerProcess) -> None:
    async def scene(broker: Broker) -> None:
        lease, claims = await a_node(broker, "a")
        former = lease.id
        while await broker.get(LEASES, former) is not None:
            await asyncio.sleep(0.05)
        assert (is_held(lease), await lease.renew()) == (False, False)
        with pytest.raises(Unavailable):
            await claims.claim("five")
        await lease.take()
        assert (is_held(lease), lease.id == former) == (True, False)

    play(broker, scene)


def test_a_frozen_node_knows_by_its_clock_that_its_lease_is_over(broker: BrokerProcess) -> None:
    async def scene(broker: Broker) -> None:
        time = [100.0]
        lease = Lease(broker, "a", lambda: time[0])
        await lease.take()
        time[0] += LEASE_S - MARGIN_S - 0.01
        assert is_held(lease)
        time[0] += 0.02
        assert not is_held(lease)
        assert not await lease.renew()  # although the broker would still have taken it
        assert not is_held(lease)

    play(broker, scene)


def test_a_renewal_that_was_not_confirmed_does_not_end_a_lease(broker: BrokerProcess) -> None:
    async def scene(broker: Broker) -> None:
        lease, _ = await a_node(broker, "a")
        entry = await broker.get(LEASES, lease.id)
        assert entry is not None
        await broker.put(LEASES, lease.id, "a", entry.revision)  # ours, whose answer was lost
        assert await lease.renew()
        assert await lease.renew()

    play(broker, scene)
