"""A clock that jumps by days, back and forth, disturbs nobody: nothing at a table hangs on it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from faults.crowd import PEOPLE, WITHOUT_BOT, Crowd
from people import WAIT_TIMEOUT_S, Server
from scenes import act


class JumpingServer(Server):
    """Five times a second its clock is set to another day, up to a month away."""

    command = """
import time
from random import Random

real = time.time

def jumping():
    days = Random(int(time.monotonic() * 5)).randint(-30, 30)
    return real() + days * 86_400

time.time = jumping
from ludotheque.cli import main; main()
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = JumpingServer(tmp_path)
    yield running
    running.stop()


def bots_have_moved(crowd: Crowd, moves: int) -> bool:
    """Whether each bot has made this many moves, as the clients of its table were told."""
    counts = [
        sum(line["seat"] == PEOPLE for told in client.told for line in told.lines)
        for client in crowd.clients
        if client.game.slug not in WITHOUT_BOT
    ]
    return all(count >= moves for count in counts)


def test_people_and_bots_play_on(
    server: Server, is_long: bool, record_property: Callable[[str, object], None]
) -> None:
    moves = 40 if is_long else 5

    async def scene() -> None:
        crowd = Crowd(server, Random())
        async with crowd.playing():
            await crowd.move_everywhere(moves)
            await crowd.until(lambda: bots_have_moved(crowd, moves // 5))
        crowd.check()
        crowd.check_refusals()
        crowd.check_states()
        record_property("counted", f"a jumping clock, {crowd}")

    act(scene)


def test_an_address_that_was_told_to_wait_may_go_on_later(server: Server) -> None:
    wait_for(server, 429)
    wait_for(server, 201)


def wait_for(server: Server, status: int) -> None:
    """Become a guest again and again until the answer is this."""
    until = time.monotonic() + WAIT_TIMEOUT_S
    while server.call("POST", "/api/guests", {"name": "Ann"})[0] != status:
        assert time.monotonic() < until, f"there is no answer {status}"
