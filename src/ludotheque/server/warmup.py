"""Compiling what the strong bots think with, while the table is already open.

The first time, that takes up to a minute of work. Nobody has to wait for it: another process does
it and leaves the result on disk. Until then, a weaker bot that needs nothing compiled stands in,
and the table can say so.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import sys
import time
from collections.abc import Callable

from ludotheque.bots import roster
from ludotheque.engine.game import Game

WARM_TIMEOUT_S = 8.0  # how long a request that needs a strong bot waits for a game to be warm

RETRY_S = 300.0  # after which a warm-up that failed is tried again

_tasks: dict[str, asyncio.Task[bool]] = {}  # by game; the result is whether it is warm
_failed_at: dict[str, float] = {}


def stand_in(game: Game, level: str) -> str:
    """The level that plays for this one now: itself, or a weaker one while the game is cold."""
    level = roster.nearest(game, level)
    needs_warmth = level in (roster.EXPERT, roster.MASTER)
    return _ready_level(game) if needs_warmth and not is_warm(game) else level


def _ready_level(game: Game) -> str:
    """The strongest level that needs nothing compiled."""
    ready = [own for own in roster.levels(game) if own in (roster.NOVICE, roster.REGULAR)]
    return ready[-1] if ready else roster.CHAOTIC


def is_warm(game: Game) -> bool:
    """Whether the strong bots of a game can play; if not, the warm-up has begun."""
    if not roster.is_compiled(game):
        return True
    task = _task(game)
    return task.done() and task.result()


async def becomes_warm(game: Game) -> bool:
    """Wait a little for a game to be warm."""
    if roster.is_compiled(game):
        await asyncio.wait([_task(game)], timeout=WARM_TIMEOUT_S)
    return is_warm(game)


def when_warm(game: Game, callback: Callable[[], object]) -> None:
    """Call back once, on the event loop, when the warm-up of a game has ended, also if it failed.

    `stand_in` then says which levels play: after a failure the strong ones keep their stand-in.
    """
    if roster.is_compiled(game):
        _task(game).add_done_callback(lambda task: None if task.cancelled() else callback())
    else:
        asyncio.get_running_loop().call_soon(callback)


def _task(game: Game) -> asyncio.Task[bool]:
    """The warm-up of a game, begun if it has not been, or if the server was stopped during it."""
    task = _tasks.get(game.slug)
    if task is None or task.cancelled() or _may_retry(game):
        _failed_at.pop(game.slug, None)
        task = _tasks[game.slug] = asyncio.create_task(_warm(game))
    return task


async def _warm(game: Game) -> bool:
    """Compile in another process, then load what was compiled; whether that has worked."""
    try:
        await _compile(game)
        await asyncio.to_thread(roster.warm, game)
    except Exception:
        logging.getLogger(__name__).exception("the strong bots of %s cannot play", game.slug)
        _failed_at[game.slug] = time.monotonic()
        return False
    return True


def _may_retry(game: Game) -> bool:
    return time.monotonic() - _failed_at.get(game.slug, math.inf) > RETRY_S


async def _compile(game: Game) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "ludotheque", "warm", game.slug), stderr=asyncio.subprocess.PIPE
    )
    try:
        _, said = await process.communicate()
    except asyncio.CancelledError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        raise
    if process.returncode:
        last = said.decode(errors="replace")[-500:]
        raise RuntimeError(
            f"ludotheque warm {game.slug} ended with exit code {process.returncode}, "
            f"expected 0: {last}"
        )
