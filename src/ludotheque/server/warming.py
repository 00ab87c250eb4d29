"""Compiling what the strong bots think with, while the table is already open.

The first time, that takes up to a minute of work, which must not make anybody wait: another process
does it and leaves the result on disk. Until it is there, a bot that needs none of it stands in.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys

from ludotheque.bots import roster
from ludotheque.engine.game import Game

PATIENCE = 8.0  # seconds that somebody waits who asks for a strong player

_warming: dict[str, asyncio.Task[bool]] = {}


def stand_in(game: Game, kind: str) -> str:
    """The kind of bot that plays for one of this kind for now."""
    if kind not in (roster.EXPERT, roster.MASTER) or is_warm(game):
        return kind if kind in roster.KINDS else roster.REGULAR
    return roster.REGULAR


async def becomes_warm(game: Game) -> bool:
    """Wait a little for a game to be warm."""
    if not is_warm(game):
        await asyncio.wait([_warming[game.slug]], timeout=PATIENCE)
    return is_warm(game)


def is_warm(game: Game) -> bool:
    """Whether the strong bots of a game can play; if not, they are being made ready from now on."""
    if not roster.is_compiled(game):
        return True
    task = _warming.get(game.slug)
    if task is None or task.cancelled():
        _warming[game.slug] = asyncio.create_task(_warm(game))
        return False
    return task.done() and task.result()


async def _warm(game: Game) -> bool:
    """Compile in another process, then load what was compiled."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "ludotheque", "warm", game.slug), stderr=asyncio.subprocess.DEVNULL
    )
    try:
        failed = await process.wait()
    except asyncio.CancelledError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        raise
    if failed:
        return False
    await asyncio.to_thread(roster.warm, game)
    return True
