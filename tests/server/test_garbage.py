"""Garbage is collected in small steps while people play, and all of it in quiet times."""

from __future__ import annotations

import asyncio
import gc
import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from ludotheque.server import garbage
from people import WAIT_TIMEOUT_S, Person, Server
from scenes import act, until

# What a visit to a table is made of.
KINDS = {
    "ludotheque.engine.match.Match",
    "ludotheque.server.connections.HttpConnection",
    "ludotheque.server.owner.Owner",
    "ludotheque.server.sockets.TableSocket",
    "websockets.server.ServerProtocol",
}


class Uncollected(Server):
    """A server without a collector, which tells again and again what it holds."""

    command = """
import gc, json, os, sys, threading, time
from pathlib import Path
from ludotheque.server import garbage, tables
garbage.collect_in_small_steps, garbage.QUIET_S = gc.disable, 1e6
tables.IDLE_S, tables.SWEEP_S = -1.0, 0.1
told = Path(sys.argv[-1]) / "held.json"
def tell():
    while True:
        new = told.with_suffix(".new")
        kinds = [type(each) for each in gc.get_objects()]
        new.write_text(json.dumps([f"{kind.__module__}.{kind.__name__}" for kind in kinds]))
        os.replace(new, told)
        time.sleep(0.1)
threading.Thread(target=tell, daemon=True).start()
from ludotheque.cli import main; main()
"""

    def held(self) -> Counter[str]:
        """How much there is of each kind, told after this was asked for."""
        told, asked = Path(self.data) / "held.json", time.time_ns()
        until_ = time.monotonic() + WAIT_TIMEOUT_S
        while not told.exists() or told.stat().st_mtime_ns < asked:
            assert time.monotonic() < until_, "the server does not tell what it holds"
            time.sleep(0.02)
        kinds = json.loads(told.read_text())
        return Counter(kind for kind in kinds if kind in KINDS)


@pytest.fixture
def uncollected(tmp_path: Path) -> Iterator[Uncollected]:
    running = Uncollected(tmp_path)
    yield running
    running.stop()


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


@pytest.fixture
def collections(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A collector that only counts how often everything was collected."""
    done: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: done.append(1))
    monkeypatch.setattr(garbage, "QUIET_S", 0.0)
    return done


async def meanwhile(act: Callable[[], Awaitable[object]]) -> None:
    running = asyncio.create_task(garbage.run())
    await act()
    running.cancel()


async def several_turns() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def test_what_is_loaded_is_not_looked_at_again() -> None:
    garbage.collect_in_small_steps()
    assert gc.get_freeze_count() > 0
    assert gc.get_threshold() == garbage.SMALL_STEPS


def test_everything_is_collected_when_the_server_is_quiet(
    collections: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(garbage, "_looks", lambda: 7)
    monkeypatch.setattr(garbage, "_is_anything_old", lambda: True)
    act(lambda: meanwhile(lambda: until(lambda: bool(collections))))
    assert collections


def test_nothing_old_is_collected_while_people_play(
    collections: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = iter(range(1000))
    monkeypatch.setattr(garbage, "_looks", lambda: next(looks))
    monkeypatch.setattr(garbage, "_is_anything_old", lambda: True)
    act(lambda: meanwhile(several_turns))
    assert collections == []


def test_everything_is_collected_in_the_end_although_the_server_is_never_quiet(
    collections: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = count()
    monkeypatch.setattr(garbage, "LONGEST_S", 0.0)
    monkeypatch.setattr(garbage, "_looks", lambda: next(looks))
    monkeypatch.setattr(garbage, "_is_anything_old", lambda: True)
    act(lambda: meanwhile(lambda: until(lambda: bool(collections))))
    assert collections


def test_a_server_at_rest_does_not_collect_again_and_again(
    collections: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(garbage, "_looks", lambda: 7)
    monkeypatch.setattr(garbage, "_is_anything_old", lambda: False)
    act(lambda: meanwhile(several_turns))
    assert collections == []


def test_what_grows_old_is_noticed_and_forgotten_once_all_is_collected() -> None:
    gc.disable()  # so that only this test collects anything
    try:
        gc.collect()
        assert not garbage._is_anything_old()
        gc.collect(1)
        assert garbage._is_anything_old()
    finally:
        gc.enable()


def test_a_look_at_what_is_new_is_counted() -> None:
    before = garbage._looks()
    gc.collect(0)
    assert garbage._looks() == before + 1


def test_a_visit_to_a_table_leaves_nothing_to_the_collector(uncollected: Uncollected) -> None:
    ann = Person(uncollected, "Ann")
    table = ann.open_table("stupide_vautour", seats=2)
    ann.do(table, "start", bots="novice")
    socket = ann.connect(table)
    legal = socket.wait(lambda u: bool(u["match"] and u["match"]["legal"]))["match"]["legal"]
    assert socket.reply(socket.request("play", move=legal[0]))["done"]
    assert uncollected.held()["ludotheque.server.owner.Owner"] == 1
    socket.close()
    until_ = time.monotonic() + WAIT_TIMEOUT_S
    while held := uncollected.held():
        assert time.monotonic() < until_, held
