"""Strong bots are made ready in another process; until then, and if that fails, others stand in."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ludotheque.bots import roster
from ludotheque.bots.roster import CHAOTIC, EXPERT, LEVELS, MASTER, NOVICE, REGULAR
from ludotheque.engine.game import load
from ludotheque.engine.refused import Refused
from ludotheque.server import warmup
from scenes import act, until

GAME = load("stupide_vautour")


class Compiler:
    """Stands for the process that compiles, and for loading what it has compiled."""

    def __init__(self) -> None:
        self.started: list[tuple[str, ...]] = []
        self.loaded: list[str] = []
        self.is_killed = False
        self._code: asyncio.Future[int] | None = None

    async def start(self, *command: str, **_: Any) -> Compiler:
        self.started.append(command)
        self.stdout, self.stderr = asyncio.StreamReader(), asyncio.StreamReader()
        self._code = asyncio.get_running_loop().create_future()
        return self

    async def wait(self) -> int:
        assert self._code is not None
        return await self._code

    async def print(self, line: str) -> None:
        await until(lambda: self._code)
        self.stdout.feed_data(f"{line}\n".encode())

    def kill(self) -> None:
        self.is_killed = True

    async def end(self, code: int = 0) -> None:
        """Let the process end."""
        await until(lambda: self._code)
        assert self._code is not None
        self.stderr.feed_data(b"no room on the disk")
        self.stdout.feed_eof()
        self.stderr.feed_eof()
        self._code.set_result(code)


@pytest.fixture(autouse=True)
def compiler(monkeypatch: pytest.MonkeyPatch) -> Compiler:
    fake = Compiler()
    monkeypatch.setattr(warmup, "_warmups", {})
    warmup.start()
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
        assert command[1:] == ("-m", "ludotheque", "warm", GAME.slug, "--bots")

    act(scene)


def test_a_game_that_needs_nothing_compiled_is_warm_at_once(
    compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roster, "is_compiled", lambda game: False)

    async def scene() -> None:
        assert levels_now() == list(LEVELS)
        assert await warmup.becomes_warm(GAME)
        assert await warmup.progress(GAME, 5) == (0, 0, True)
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


def test_progress_counts_the_start_every_step_of_the_compiler_and_loading(
    compiler: Compiler,
) -> None:
    async def scene() -> None:
        assert await warmup.progress(GAME) == (0, 0, False)
        for line, told in (("0 2", (1, 4, False)), ("1 2", (2, 4, False)), ("2 2", (3, 4, False))):
            waiting = asyncio.create_task(warmup.progress(GAME, told[0] - 1))
            await asyncio.sleep(0)
            assert not waiting.done()
            await compiler.print(line)
            assert await waiting == told
        assert await warmup.progress(GAME, 1) == (3, 4, False)
        await compiler.end()
        assert await warmup.progress(GAME, 3) == (4, 4, True)
        assert await warmup.progress(GAME, 9) == (4, 4, True)

    act(scene)


def test_a_guest_who_waits_for_a_long_step_is_told_that_it_goes_on(
    compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warmup, "PROGRESS_TIMEOUT_S", 0.0)

    async def scene() -> None:
        assert await warmup.progress(GAME, 0) == (0, 0, False)

    act(scene)


@pytest.mark.parametrize("line", ["", "halfway there"])
def test_a_guest_who_waits_for_progress_is_told_of_a_failure(
    compiler: Compiler, caplog: pytest.LogCaptureFixture, line: str
) -> None:
    async def scene() -> None:
        waiting = asyncio.create_task(warmup.progress(GAME, 0))
        if line:
            await compiler.print(line)
        await compiler.end(1)
        with pytest.raises(Refused, match="could not be compiled") as caught:
            await waiting
        assert caught.value.reason == "not_ready"
        assert compiler.is_killed == bool(line)

    act(scene)
    assert "cannot play" in caplog.text


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


def test_those_who_wait_are_answered_when_the_server_stops(compiler: Compiler) -> None:
    async def scene() -> None:
        waiting = asyncio.create_task(warmup.becomes_warm(GAME))
        following = asyncio.create_task(warmup.progress(GAME, 0))
        await until(lambda: compiler.started)
        warmup.stop()
        assert not await waiting
        with pytest.raises(Refused, match="could not be compiled"):
            await following

    act(scene)
    assert compiler.is_killed


def test_a_server_that_stops_compiles_nothing_more(compiler: Compiler) -> None:
    told: list[str] = []

    async def scene() -> None:
        warmup.stop()
        assert levels_now() == WEAK
        assert not await warmup.becomes_warm(GAME)
        with pytest.raises(Refused, match="could not be compiled"):
            await warmup.progress(GAME, 0)
        warmup.when_warm(GAME, lambda: told.append("warm"))
        await asyncio.sleep(0)

    act(scene)
    assert (compiler.started, told) == ([], [])


def test_a_warm_up_that_was_stopped_begins_again_with_the_next_server(compiler: Compiler) -> None:
    async def stopped() -> None:
        warmup.stand_in(GAME, MASTER)
        await until(lambda: compiler.started)
        warmup.stop()

    async def scene() -> None:
        warmup.start()
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
        await until(warmup._warmups[GAME.slug].task.done)
        assert not warmup.is_warm(GAME)
        assert len(compiler.started) == 1
        monkeypatch.setattr(warmup, "RETRY_S", -1)
        assert not warmup.is_warm(GAME)
        await until(lambda: len(compiler.started) == 2)
        await compiler.end()
        await until(lambda: warmup.is_warm(GAME))

    act(scene)
    assert "no room on the disk" in caplog.text


def test_games_are_compiled_one_after_the_other(compiler: Compiler) -> None:
    games = [load(slug) for slug in ("stupide_vautour", "up_and_down", "team_up")]

    async def scene() -> None:
        for game in games:
            warmup.stand_in(game, MASTER)
        for count, game in enumerate(games, 1):
            await until(lambda count=count: len(compiler.started) == count)  # type: ignore[misc]
            for waiting in games[count:]:
                assert await warmup.progress(waiting) == (0, 0, False)
            await compiler.end()
            assert await warmup.becomes_warm(game)

    act(scene)
    assert [command[4] for command in compiler.started] == [game.slug for game in games]
    assert compiler.loaded == [game.slug for game in games]
