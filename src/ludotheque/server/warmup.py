"""Compiles what strong bots need, while the table is already open.

The first time, this takes up to a minute. Nobody has to wait for it: another process compiles and
leaves the result on disk. Until then, a weaker bot that needs nothing compiled stands in, and the
table says so. A request for advice is kept until it can be answered, and its page is told how far
the warm-up is.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from functools import partial
from threading import Event
from typing import Any, NamedTuple

from ludotheque.bots import roster
from ludotheque.engine.game import Game
from ludotheque.engine.refused import Refused
from ludotheque.server import elsewhere
from ludotheque.server.elsewhere import GiveUp
from ludotheque.server.threads import Threads

PROGRESS_TIMEOUT_S = 20.0  # how long progress is waited for: less than proxies wait
RETRY_S = 300.0  # after which a warm-up that failed is tried again

_warmups: dict[str, _Warmup] = {}  # by game, in the order in which they are carried out
_is_stopped = Event()


class Progress(NamedTuple):
    """How many steps of a warm-up are done; `total` is 0 until it is known."""

    done: int
    total: int
    is_warm: bool


def stand_in(game: Game, level: str) -> str:
    """The level that plays for this one now: itself, or a weaker one while the game is cold."""
    return _stand_in(game, level, is_warm)


def stand_in_here(game: Game, level: str) -> str:
    """The same if nobody elsewhere thinks."""
    return _stand_in(game, level, is_warm_here)


def _stand_in(game: Game, level: str, is_warm: Callable[[Game], bool]) -> str:
    level = roster.nearest(game, level)
    needs_compiling = level in (roster.EXPERT, roster.MASTER)
    return _ready_level(game) if needs_compiling and not is_warm(game) else level


def _ready_level(game: Game) -> str:
    """The strongest level that needs nothing compiled."""
    ready = [own for own in roster.levels(game) if own in (roster.NOVICE, roster.REGULAR)]
    return ready[-1] if ready else roster.CHAOTIC


def is_warm(game: Game) -> bool:
    """Whether the strong bots of a game can play, here or elsewhere; if not, compiling begins."""
    return elsewhere.ready_for(game, roster.adviser(game)) is not None or is_warm_here(game)


def is_warm_here(game: Game) -> bool:
    """Whether they can on this node; if not, the warm-up has begun, here if this node may think."""
    if not elsewhere.thinks_here():
        assert elsewhere.helpers is not None
        elsewhere.helpers.want(game)
        return not roster.is_compiled(game) or game.parts is not None
    return not roster.is_compiled(game) or _warmup(game).has_worked


def is_ready_here(game: Game) -> bool:
    """The same, without starting anything."""
    if not roster.is_compiled(game):
        return True
    return game.slug in _warmups and _warmups[game.slug].has_worked


async def becomes_warm(game: Game) -> bool:
    """Wait until the warm-up of a game has ended; whether it has worked."""
    if not roster.is_compiled(game) or not elsewhere.thinks_here():
        return True  # where others think, nothing that is done here is compiled
    warmup = _warmup(game)
    await asyncio.wait([warmup.task])
    return warmup.has_worked


async def progress(game: Game, after: int = -1) -> Progress:
    """How far the warm-up of a game is, as soon as more than `after` steps are done.

    A step may take long, and then the answer is the same as before.
    """
    if not roster.is_compiled(game):
        return Progress(0, 0, True)
    if not elsewhere.thinks_here():
        return await _progress_elsewhere(game)
    warmup = _warmup(game)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(PROGRESS_TIMEOUT_S):
            await warmup.beyond(after)
    if warmup.task.done() and not warmup.has_worked:
        raise Refused("the strong bots of this game could not be compiled", "not_ready")
    return Progress(warmup.done, warmup.total, warmup.has_worked)


async def _progress_elsewhere(game: Game) -> Progress:
    """Other nodes say when they are ready, and not how far they are."""
    if not is_warm(game) and elsewhere.helpers is not None:
        ready = asyncio.Event()
        give_up = elsewhere.helpers.when_ready(game, ready.set)
        try:
            await asyncio.wait_for(ready.wait(), PROGRESS_TIMEOUT_S)
        except TimeoutError:
            pass  # its guest asks again
        finally:
            give_up()
    return Progress(0, 0, is_warm(game))


def start() -> None:
    """A server starts: games may be compiled."""
    _is_stopped.clear()


def stop() -> None:
    """The server stops: end what is being compiled, so that those who wait for it are answered.

    Nothing is compiled from now on.
    """
    _is_stopped.set()
    for warmup in _warmups.values():
        warmup.task.cancel()


def when_warm(game: Game, callback: Callable[[], object]) -> GiveUp:
    """Call back once, on the event loop, when the warm-up of a game has ended, even if it failed.

    `stand_in` then says which levels play: after a failure the strong ones keep their stand-in.
    """
    if elsewhere.helpers is not None and not elsewhere.helpers.thinks_here:
        return elsewhere.helpers.when_ready(game, callback)
    if not roster.is_compiled(game):
        return asyncio.get_running_loop().call_soon(callback).cancel

    def tell(ended: asyncio.Task[bool]) -> None:
        if not ended.cancelled():
            callback()

    task = _warmup(game).task
    task.add_done_callback(tell)
    return partial(task.remove_done_callback, tell)


def _warmup(game: Game) -> _Warmup:
    """The warm-up of a game, begun if it has not been, or if the server was stopped during it."""
    warmup = _warmups.get(game.slug)
    if warmup is None or warmup.task.cancelled() or warmup.may_be_retried:
        ahead = [other.task for other in _warmups.values() if not other.task.done()]
        warmup = _warmups[game.slug] = _Warmup(game, ahead)
        if _is_stopped.is_set():
            warmup.task.cancel()
    return warmup


class _Warmup:
    """Of one game. The first step is to start the compiler, the last to load what it has made.

    It begins when those ahead of it have ended: a machine has other things to do, too.
    """

    def __init__(self, game: Game, ahead: Sequence[asyncio.Task[bool]]) -> None:
        self.done = 0
        self.total = 0
        self.task = asyncio.create_task(
            self._run(game, ahead)
        )  # the result is whether it has worked
        self._failed_at = math.inf
        self._news: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def has_worked(self) -> bool:
        return self.task.done() and not self.task.cancelled() and self.task.result()

    @property
    def may_be_retried(self) -> bool:
        return time.monotonic() - self._failed_at > RETRY_S

    async def beyond(self, done: int) -> None:
        """Wait until more steps are done, or it has ended."""
        while self.done <= done and not self.task.done():
            news: list[asyncio.Future[Any]] = [self.task, self._news]
            await asyncio.wait(news, return_when=asyncio.FIRST_COMPLETED)

    async def _run(self, game: Game, ahead: Sequence[asyncio.Task[bool]]) -> bool:
        try:
            if ahead:
                await asyncio.wait(ahead)
            await self._compile(game)
            await _load(game)
        except Exception:
            logging.getLogger(__name__).exception("the strong bots of %s cannot play", game.slug)
            self._failed_at = time.monotonic()
            return False
        self.done = self.total
        return True

    async def _compile(self, game: Game) -> None:
        """Compile in another process."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "ludotheque", "warm", game.slug, "--bots"),
            stdout=PIPE,
            stderr=PIPE,
        )
        try:
            _, said = await asyncio.gather(self._follow(process), _all_said(process))
            code = await process.wait()
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            raise
        if code:
            raise RuntimeError(
                f"ludotheque warm {game.slug} ended with exit code {code}, expected 0: {said}"
            )

    async def _follow(self, process: Process) -> None:
        """Note what the compiler prints: how many of its own steps are done, and of how many."""
        assert process.stdout is not None
        async for line in process.stdout:
            done, total = map(int, line.split())
            self.done, self.total = 1 + done, 1 + total + 1
            self._news.set_result(None)
            self._news = asyncio.get_running_loop().create_future()


async def _load(game: Game) -> None:
    """Load what was compiled, in a thread: it takes seconds."""
    loader = Threads(1, "warm-up")
    try:
        await loader.do(lambda: roster.warm(game))
    finally:
        loader.close()


async def _all_said(process: Process) -> str:
    """The end of what a process has to complain about."""
    assert process.stderr is not None
    return (await process.stderr.read()).decode(errors="replace")[-500:]
