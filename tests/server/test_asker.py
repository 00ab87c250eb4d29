"""What a node with tables remembers of those who think for it: no more than it needs."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from typing import cast

import msgspec
import pytest

from folders import GAME, HANA
from ludotheque.bots.roster import MASTER
from ludotheque.engine.game import load
from ludotheque.server import elsewhere, warmup
from ludotheque.server.autoplay import Autoplay
from ludotheque.server.events import BotSat, Opened
from ludotheque.server.nodes import asker as askers
from ludotheque.server.nodes.asker import Asker
from ludotheque.server.nodes.broker import Broker, Take
from ludotheque.server.nodes.thoughts import READY, SILENT_S, Ready, encode
from ludotheque.server.settings import of_new_table
from ludotheque.server.table import Table
from ludotheque.server.thinkers import Thinkers
from scenes import act


class Quiet:
    """A broker on which nobody answers; the test says what is heard."""

    name = "a"
    is_connected = True

    def __init__(self) -> None:
        self.takes: list[Take] = []
        self.posted: list[str] = []

    async def hear(self, subject: str, take: Take) -> None:
        self.takes.append(take)

    def post(self, subject: str, text: bytes, lost_to: str = "") -> None:
        self.posted.append(subject)

    def tell_ready(self, worker: str, *games: str) -> None:
        self.takes[0](READY, encode(Ready(worker, list(games))), False)


async def an_asker() -> tuple[Quiet, Asker]:
    broker = Quiet()
    asker = Asker(cast(Broker, broker), "secret", lambda guest: "home", thinks_here=False)
    await asker.open()
    elsewhere.helpers = asker
    return broker, asker


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    yield
    elsewhere.helpers = None


def test_polls_of_how_far_a_game_is_leave_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup, "PROGRESS_TIMEOUT_S", 0.0)

    async def scene() -> None:
        _, asker = await an_asker()
        for _ in range(5):
            assert await warmup.progress(load(GAME)) == (0, 0, False)
        assert asker._callbacks == {}

    act(scene)


def test_a_poll_is_answered_when_a_node_is_ready() -> None:
    async def scene() -> None:
        broker, asker = await an_asker()
        poll = asyncio.create_task(warmup.progress(load(GAME)))
        await asyncio.sleep(0)
        broker.tell_ready("b.1", GAME)
        assert await poll == (0, 0, True)
        assert asker._callbacks == {}

    act(scene)


def test_a_table_that_is_put_to_sleep_waits_for_no_bots() -> None:
    async def scene() -> None:
        _, asker = await an_asker()
        thinkers = Thinkers(1)
        for _ in range(2):
            table = Table("t")
            settings = msgspec.structs.astuple(of_new_table(load(GAME)))
            table.apply(Opened(*settings, host=HANA.id, server_seed="00" * 32))
            table.apply(BotSat(0, MASTER, "Robot"))
            autoplay = Autoplay(table, thinkers, lambda act: None, lambda guest: 0.0)
            before = sys.getrefcount(autoplay)
            autoplay.when_warm(table, lambda: None)
            assert len(asker._callbacks[GAME]) == 1
            autoplay.stop()
            assert asker._callbacks == {}
            assert sys.getrefcount(autoplay) == before
        thinkers.close()

    act(scene)


def test_those_who_are_gone_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        broker, asker = await an_asker()
        now = 100.0
        monkeypatch.setattr(askers, "_now", lambda: now)
        for number in range(5):
            broker.tell_ready(f"b.{number}", GAME)
            now += SILENT_S
        assert len(asker._workers) == 1

    act(scene)
