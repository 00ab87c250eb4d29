"""Servers that start on a folder in use are refused, and those who play there notice nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random

from faults.crowd import Crowd
from people import Server, refusal
from scenes import act


def test_a_second_server_is_refused_while_people_play_and_nothing_is_lost(
    server: Server, is_long: bool, record_property: Callable[[str, object], None]
) -> None:
    servers = 20 if is_long else 1

    async def scene() -> None:
        crowd = Crowd(server, Random())
        async with crowd.playing():
            for _ in range(servers):
                told = await asyncio.to_thread(refusal, server.data)
                assert f"{server.data} is in use by another server" in told
                await crowd.move_everywhere()
        crowd.check()
        crowd.check_refusals()
        crowd.check_states()
        record_property("counted", f"{servers} second servers, {crowd}")

    act(scene)
