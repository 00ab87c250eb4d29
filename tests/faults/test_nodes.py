"""Three nodes on PostgreSQL: whatever dies, is frozen or cut off, every promise is kept."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest

from faults.crowd import Crowd
from faults.network import Relay
from homes import Home
from ludotheque.server.nodes.lease import RENEW_S
from nodes import House, NodeProcess
from people import WAIT_TIMEOUT_S, Server
from postgres import Postgres, sqlalchemy_url
from scenes import act

LOOK_S = 0.2  # between two looks at a table
LONGEST_GAP_S = 5.0  # without an owner, on a machine with nothing else to do
LONGEST_GAP = int(10.0 / RENEW_S)  # the same on any machine, in turns that this process has had
LONGEST_PAUSE_S = 0.3  # of a request while a node stops, on a machine with nothing else to do
ENDLESS_PAUSE_S = 15.0  # the same on any machine

Fault = Callable[["Site"], Awaitable[None]]


class Site(House):
    """Three nodes, each with a line to the broker that can be cut."""

    def __init__(self, folder: Path) -> None:
        self.rng = Random()
        self.postgres = Postgres()
        self.relays: dict[str, Relay] = {}
        super().__init__(folder, 3, Home(sqlalchemy_url(self.postgres.new_database())))
        self.entrance = Entrance(self)

    def broker_of(self, name: str) -> str:
        self.relays[name] = Relay(self.broker.port)
        return f"nats://127.0.0.1:{self.relays[name].port}"

    def any_node(self) -> NodeProcess:
        return self.rng.choice(self.nodes)

    def stop(self) -> None:
        super().stop()
        for relay in self.relays.values():
            relay.close()
        self.postgres.stop("immediate")


class Entrance(Server):
    """Any node of those that people can be sent to."""

    def __init__(self, site: Site) -> None:
        self._rng = site.rng
        self.nodes: list[NodeProcess] = list(site.nodes)
        super().__init__(site.nodes[0].data)

    def start(self) -> None:
        """Nothing: the nodes are there."""

    @property
    def address(self) -> str:
        return self._rng.choice(self.nodes).address

    @asynccontextmanager
    async def without(self, node: NodeProcess) -> AsyncIterator[None]:
        """Send nobody to this node."""
        self.nodes.remove(node)
        try:
            yield
        finally:
            self.nodes.append(node)


class Watch:
    """Looks at every table again and again: how long does none of the nodes answer for it?"""

    def __init__(self, crowd: Crowd) -> None:
        self.longest_s = 0.0
        self.longest = 0  # the same in turns
        self._crowd = crowd
        self._turns = 0
        self._answered_at = dict.fromkeys(crowd.ledgers, (time.monotonic(), 0))

    @asynccontextmanager
    async def looking(self) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(self._look_at(table)) for table in self._crowd.ledgers]
        tasks.append(asyncio.create_task(self._count_turns()))
        try:
            yield
            self.note()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def note(self) -> None:
        """Count also those that have not answered yet."""
        since, turn = min(self._answered_at.values())
        self.longest_s = max(self.longest_s, time.monotonic() - since)
        self.longest = max(self.longest, self._turns - turn)

    async def _count_turns(self) -> None:
        """As nodes renew their leases: where that takes long, for them too."""
        while True:
            await asyncio.sleep(RENEW_S)
            self._turns += 1

    async def _look_at(self, table: str) -> None:
        person = self._crowd.at(table)[0].person
        while True:
            try:
                status, _ = await asyncio.to_thread(person.call, "GET", f"/api/tables/{table}")
            except OSError:
                status = 0  # it has just died
            if status == 200:
                self.note()
                self._answered_at[table] = time.monotonic(), self._turns
            await asyncio.sleep(LOOK_S)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    running = Site(tmp_path_factory.mktemp("site"))
    yield running
    running.stop()


async def start_again(node: NodeProcess) -> None:
    node.launch()
    await asyncio.to_thread(node.wait_until_it_answers)
    await asyncio.to_thread(node.wait_until_it_is_ready)


async def kill(site: Site) -> None:
    node = site.any_node()
    async with site.entrance.without(node):
        node.kill()
        await start_again(node)


async def freeze(site: Site) -> None:
    """Stop a node for a moment, or for so long that others take over from it."""
    node = site.any_node()
    async with site.entrance.without(node):
        node.freeze()
        await asyncio.sleep(site.rng.uniform(1, 6))
        node.thaw()
        await asyncio.to_thread(node.wait_until_it_is_ready)


async def restart_broker(site: Site) -> None:
    site.broker.stop()
    await asyncio.sleep(site.rng.uniform(0, 2))
    await asyncio.to_thread(site.broker.start)


async def restart_database(site: Site) -> None:
    await asyncio.to_thread(site.postgres.stop, site.rng.choice(["fast", "immediate"]))
    await asyncio.sleep(site.rng.uniform(0, 1))
    await asyncio.to_thread(site.postgres.start)


async def cut_off(site: Site) -> None:
    """Let a node hear nothing of the broker, while its clients stay."""
    node = site.any_node()
    async with site.entrance.without(node):
        site.relays[node.name].cut()
        await asyncio.sleep(site.rng.uniform(4, 6))
        await asyncio.to_thread(site.relays[node.name].mend)
        await asyncio.to_thread(node.wait_until_it_is_ready)


async def end_lease(site: Site) -> None:
    """Let a node believe that it owns its tables, while others may take them."""
    await asyncio.to_thread(site.end_lease, site.any_node().name)


@pytest.mark.parametrize(
    ("fault", "short", "long"),
    [
        (kill, 3, 200),  # each takes seven seconds: the lease runs out, and the node starts again
        (freeze, 1, 20),
        (restart_broker, 1, 20),
        (restart_database, 1, 20),
        (cut_off, 1, 20),
        (end_lease, 2, 40),
    ],
    ids=lambda value: value.__name__.replace("_", " ") if callable(value) else "",
)
def test_nothing_announced_is_lost_or_doubled_and_tables_have_an_owner_again(
    site: Site,
    is_long: bool,
    record_property: Callable[[str, object], None],
    fault: Fault,
    short: int,
    long: int,
) -> None:
    times = long if is_long else short

    async def scene() -> None:
        crowd = Crowd(site.entrance, site.rng, home=site.home)
        watch = Watch(crowd)
        try:
            async with crowd.playing(), watch.looking():
                for _ in range(times):
                    await crowd.hear(site.rng.randrange(40))
                    await crowd.ask()
                    await fault(site)
                    await crowd.move_everywhere()
                    crowd.check()
                if is_long:
                    await crowd.finish_everywhere()
            crowd.check()
            crowd.check_refusals()
            for node in site.nodes:
                site.entrance.nodes = [node]
                crowd.check_states()
            assert watch.longest < LONGEST_GAP
            assert watch.longest_s < LONGEST_GAP_S or not is_long
        finally:
            site.entrance.nodes = list(site.nodes)
            told = f"{times} × {fault.__name__}, {crowd}, at most {watch.longest_s:.1f} s"
            record_property("counted", f"{told} without an owner")

    act(scene)


def test_a_rolling_restart_under_load_is_a_pause_and_nothing_more(
    site: Site, is_long: bool, record_property: Callable[[str, object], None]
) -> None:
    """As an upgrade does it: one node after the other is stopped, and started again."""
    balancer = Relay(*(node.port for node in site.nodes))

    async def scene() -> None:
        crowd = Crowd(site.entrance, site.rng, lambda: f"127.0.0.1:{balancer.port}", site.home)
        pauses: list[float] = []
        try:
            async with crowd.playing():
                await crowd.move_everywhere(5)
                usual = crowd.new_longest_wait()
                for node in site.nodes * (5 if is_long else 1):
                    node.process.terminate()
                    await asyncio.to_thread(node.process.wait, WAIT_TIMEOUT_S)
                    await crowd.move_everywhere()
                    pauses.append(crowd.new_longest_wait())
                    await start_again(node)
            crowd.check()
            crowd.check_refusals()
            crowd.check_states()
            assert max(pauses) < (LONGEST_PAUSE_S if is_long else ENDLESS_PAUSE_S)
        finally:
            told = ", ".join(f"{pause:.2f}" for pause in pauses)
            waits = f"longest waits {told} s, {usual:.2f} s before"
            record_property("counted", f"{len(pauses)} nodes restarted, {crowd}, {waits}")

    try:
        act(scene)
    finally:
        balancer.close()
