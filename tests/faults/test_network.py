"""A bad network: connections are slow, are cut in the middle of frames, and come a second time."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from faults.crowd import Crowd
from faults.network import Network
from people import Server
from scenes import act


def test_on_a_bad_network_nothing_is_lost_or_doubled_and_no_table_is_frozen(
    server: Server, is_long: bool, record_property: Callable[[str, object], None]
) -> None:
    times, rng = 300 if is_long else 20, Random()

    async def scene() -> None:
        async with Network(server, rng) as network:
            crowd = Crowd(server, rng, lambda: network.address)
            try:
                async with crowd.playing():
                    await crowd.until(lambda: min(network.cuts, network.repeats) >= times)
                    network.is_good = True
                    await crowd.move_everywhere()
                crowd.check()
                crowd.check_states()
            finally:
                counted = f"{network.cuts} cuts and {network.repeats} repeated connections, {crowd}"
                record_property("counted", counted)

    act(scene)
