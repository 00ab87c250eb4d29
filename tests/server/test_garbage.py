"""Garbage is collected in small steps while people play, and all of it in quiet times."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable, Iterator

import pytest

from ludotheque.server import garbage
from scenes import act, until


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
