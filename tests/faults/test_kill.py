"""A server that is killed or frozen loses nothing that it has announced, and stops no table."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from faults.crowd import Crowd
from people import WAIT_TIMEOUT_S, Server
from scenes import act

Fault = Callable[[Server, Random], Awaitable[None]]


class MortalServer(Server):
    """Told by a signal, it dies when it has stored something next, before it tells anyone."""

    command = """
import os, signal
from ludotheque.cli import main
from ludotheque.server.writer import Writer

store, order = Writer._store, []

def store_and_die(self, batches, connection):
    store(self, batches, connection)
    if order and any(batch.rows for batch in batches):
        connection.commit()
        os.kill(os.getpid(), signal.SIGKILL)

Writer._store = store_and_die
signal.signal(signal.SIGUSR1, lambda *_: order.append("die"))
main()
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = MortalServer(tmp_path)
    yield running
    running.stop()


async def kill(server: Server, rng: Random) -> None:
    """Kill the server and start it again; now and then it is killed on its way up as well."""
    await asyncio.sleep(rng.uniform(0, 0.01))
    server.kill()
    while rng.random() < 0.2:
        server.launch()
        await asyncio.sleep(rng.uniform(0, 1))
        server.kill()
    await asyncio.to_thread(server.start)


async def kill_after_commit(server: Server, _: Random) -> None:
    server.process.send_signal(signal.SIGUSR1)
    await asyncio.to_thread(server.process.wait, WAIT_TIMEOUT_S)
    await asyncio.to_thread(server.start)


async def freeze(server: Server, rng: Random) -> None:
    """Stop the server for a moment, in which some clients give up their sockets."""
    server.process.send_signal(signal.SIGSTOP)
    await asyncio.sleep(rng.uniform(0.05, 2))
    server.process.send_signal(signal.SIGCONT)


@pytest.mark.parametrize(
    ("fault", "short", "long"),
    [(kill, 6, 200), (kill_after_commit, 3, 40), (freeze, 3, 20)],
    ids=["kill", "kill after a commit", "freeze"],
)
def test_nothing_announced_is_lost_or_doubled_and_no_table_is_frozen(
    server: Server,
    is_long: bool,
    record_property: Callable[[str, object], None],
    fault: Fault,
    short: int,
    long: int,
) -> None:
    times, rng = long if is_long else short, Random()

    async def scene() -> None:
        crowd = Crowd(server, rng)
        try:
            async with crowd.playing():
                for _ in range(times):
                    await crowd.hear(rng.randrange(40))
                    await crowd.ask()
                    await fault(server, rng)
                    crowd.check()
                await crowd.move_everywhere()
            crowd.check()
            crowd.check_refusals()
            crowd.check_states()
        finally:
            record_property("counted", f"{times} × {fault.__name__}, {crowd}")

    act(scene)
