"""Strong bots are made ready in another process; until then, and if that fails, others stand in."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ludotheque.bots import roster
from ludotheque.bots.roster import CHAOTIC, EXPERT, LEVELS, MASTER, NOVICE, REGULAR
from ludotheque.engine.game import load
from ludotheque.server import warmup
from scenes import act, until

GAME = load("stupide_vautour")


class Compiler:
    """Stands for the process that compiles, and for loading what it has compiled."""

    def __init__(self) -> None:
        self.started: list[tuple[str, ...]] = []
        self.loaded: list[str] = []
        self.is_killed = False
        self.returncode = 0
        self._code: asyncio.Future[int] | None = None

    async def start(self, *command: str, **_: Any) -> Compiler:
        self.started.append(command)
        self._code = asyncio.get_running_loop().create_future()
        return self

    async def communicate(self) -> tuple[None, bytes]:
        assert self._code is not None
        self.returncode = await self._code
        return None, b"no room on the disk"

    def kill(self) -> None:
        self.is_killed = True

    async def end(self, code: int = 0) -> None:
        """Let the process end."""
        await until(lambda: self._code)
        assert self._code is not None
        self._code.set_result(code)


@pytest.fixture(autouse=True)
def compiler(monkeypatch: pytest.MonkeyPatch) -> Compiler:
    fake = Compiler()
    monkeypatch.setattr(warmup, "_tasks", {})
    monkeypatch.setattr(warmup, "_failed_at", {})
    monkeypatch.setattr(asyncio, "create_subprocess_exec", fake.start)
    monkeypatch.setattr(roster, "warm", lambda game: fake.loaded.append(game.slug))
    return fake


def levels_now() -> list[str]:
    return [warmup.stand_in(GAME, level) for level in LEVELS]


WEAK = [NOVICE, REGULAR, REGULAR, REGULAR]


def test_a_regular_stands_in_for_strong_levels_until_the_game_is_warm(compiler: Compiler) -> None:
    async def scene() -> None:
        assert levels_now() == WEAK
        await compiler.end()
        await until(lambda: warmup.is_warm(GAME))
        assert levels_now() == list(LEVELS)
        assert compiler.loaded == [GAME.slug]

    act(scene)


def test_a_bot_of_no_known_level_is_a_regular_and_chaos_is_never_replaced() -> None:
    async def scene() -> None:
        assert warmup.stand_in(GAME, "grandmaster") == REGULAR
        assert warmup.stand_in(GAME, CHAOTIC) == CHAOTIC

    act(scene)


def test_weak_levels_compile_nothing(compiler: Compiler) -> None:
    async def scene() -> None:
        for level in (NOVICE, REGULAR, CHAOTIC, "grandmaster"):
            warmup.stand_in(GAME, level)
        await asyncio.sleep(0)
        assert compiler.started == []

    act(scene)


def test_a_game_is_compiled_once_by_its_own_command(compiler: Compiler) -> None:
    async def scene() -> None:
        for _ in range(3):
            warmup.stand_in(GAME, MASTER)
        await compiler.end()
        await until(lambda: warmup.is_warm(GAME))
        (command,) = compiler.started
        assert command[1:] == ("-m", "ludotheque", "warm", GAME.slug)

    act(scene)


def test_a_game_that_needs_nothing_compiled_is_warm_at_once(
    compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roster, "is_compiled", lambda game: False)

    async def scene() -> None:
        assert levels_now() == list(LEVELS)
        assert await warmup.becomes_warm(GAME)
        called: list[str] = []
        warmup.when_warm(GAME, lambda: called.append("warm"))
        await until(lambda: called)
        assert compiler.started == []

    act(scene)


def test_waiting_ends_when_the_game_is_warm(compiler: Compiler) -> None:
    async def scene() -> None:
        waiting = asyncio.create_task(warmup.becomes_warm(GAME))
        await compiler.end()
        assert await waiting

    act(scene)


def test_waiting_ends_though_the_game_is_still_cold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup, "WARM_TIMEOUT_S", 0.0)

    async def scene() -> None:
        assert not await warmup.becomes_warm(GAME)

    act(scene)


def test_those_who_asked_are_told_once_when_the_game_becomes_warm(compiler: Compiler) -> None:
    async def scene() -> None:
        told: list[tuple[str, list[str]]] = []
        warmup.when_warm(GAME, lambda: told.append(("one", levels_now())))
        warmup.when_warm(GAME, lambda: told.append(("two", levels_now())))
        assert levels_now() == WEAK
        await compiler.end()
        await until(lambda: len(told) >= 2)
        warmup.when_warm(GAME, lambda: told.append(("late", levels_now())))
        assert len(told) == 2
        await until(lambda: len(told) >= 3)
        assert told == [("one", [*LEVELS]), ("two", [*LEVELS]), ("late", [*LEVELS])]

    act(scene)


@pytest.mark.parametrize("failure", ["process", "loading", "start"])
def test_after_a_failure_they_are_told_too_and_the_stand_ins_stay(
    compiler: Compiler,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    failure: str,
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OSError("no room")

    if failure == "loading":
        monkeypatch.setattr(roster, "warm", fail)
    if failure == "start":
        monkeypatch.setattr(asyncio, "create_subprocess_exec", fail)

    async def scene() -> None:
        told: list[list[str]] = []
        warmup.when_warm(GAME, lambda: told.append(levels_now()))
        if failure != "start":
            await compiler.end(code=3 if failure == "process" else 0)
        await until(lambda: told)
        assert told == [WEAK]
        assert not await warmup.becomes_warm(GAME)
        assert len(compiler.started) <= 1

    act(scene)
    assert f"the strong bots of {GAME.slug} cannot play" in caplog.text


def test_the_process_is_killed_when_the_server_stops_and_nobody_is_told(
    compiler: Compiler,
) -> None:
    told: list[str] = []

    async def scene() -> None:
        warmup.when_warm(GAME, lambda: told.append("warm"))
        await until(lambda: compiler.started)

    act(scene)
    assert compiler.is_killed
    assert told == []


def test_a_warm_up_that_was_stopped_begins_again_with_the_next_server(compiler: Compiler) -> None:
    async def stopped() -> None:
        warmup.stand_in(GAME, MASTER)
        await until(lambda: compiler.started)

    async def scene() -> None:
        assert warmup.stand_in(GAME, EXPERT) == REGULAR
        await until(lambda: len(compiler.started) == 2)
        await compiler.end()
        await until(lambda: warmup.stand_in(GAME, EXPERT) == EXPERT)

    act(stopped)
    act(scene)


def test_a_warm_up_that_failed_is_tried_again_later(
    compiler: Compiler, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> None:
        assert not warmup.is_warm(GAME)
        await compiler.end(1)
        await until(warmup._tasks[GAME.slug].done)
        assert not warmup.is_warm(GAME)
        assert len(compiler.started) == 1
        monkeypatch.setattr(warmup, "RETRY_S", -1)
        assert not warmup.is_warm(GAME)
        await until(lambda: len(compiler.started) == 2)
        await compiler.end()
        await until(lambda: warmup.is_warm(GAME))

    act(scene)
    assert "no room on the disk" in caplog.text
