"""Bots that think on other nodes, if there are any: a server without a broker has none."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol

from ludotheque.bots import roster
from ludotheque.engine.game import Game
from ludotheque.search.advice import Advice


class Unanswered(Exception):
    """Nobody elsewhere has thought about it."""


class Thought(NamedTuple):
    """What a bot knows when it thinks: what a person in its seat has seen, and nothing else."""

    game: Game
    level: str
    seat: int
    guest: str  # on whose account it thinks
    table: str
    bot: str  # its name, by which a worker knows it again
    seen: int  # views that it has looked at before
    views: list[Any]  # that it has not
    view: Any  # as it is now


class Choice(NamedTuple):
    move: int
    seconds: float | None  # that the move takes, if the bot is a racer


GiveUp = Callable[[], object]  # wait no longer for what was to be told


class Helpers(Protocol):
    """The bots of all other nodes."""

    thinks_here: bool  # whether this node may think itself, too

    def are_ready(self, game: Game) -> bool:
        """Whether a node is there whose bots can play a game at every level."""

    def want(self, game: Game) -> None:
        """Have other nodes get ready for a game."""

    def when_ready(self, game: Game, callback: Callable[[], object]) -> GiveUp:
        """Call back once when a node is ready for a game, unless that is given up before."""

    async def choose(self, thought: Thought, worker: str) -> tuple[Choice, str]:
        """A move, and who has thought; "" for any worker. Unanswered if nobody says."""

    async def advise(self, thought: Thought) -> list[Advice]:
        """The best moves, and why; Unanswered if nobody says."""


helpers: Helpers | None = None  # of this process


def ready_for(game: Game, level: str) -> Helpers | None:
    """Those who think for a bot of this level, if anyone elsewhere does."""
    if helpers is None or not needs_thought(game, level) or not helpers.are_ready(game):
        return None
    return helpers


def needs_thought(game: Game, level: str) -> bool:
    """Whether it is not a bot that plays anything, as all do with a host's own parts."""
    return level != roster.CHAOTIC and game.parts is None


def thinks_here() -> bool:
    return helpers is None or helpers.thinks_here


class FarBot:
    """A bot on another node. The last one to think is asked first, and told only what is new."""

    def __init__(self, level: str, seat: int, guest: str, table: str) -> None:
        self._name = secrets.token_hex(8)
        self._of = (level, seat, guest, table, self._name)
        self._worker = ""
        self._seen = 0

    async def choose(
        self, helpers: Helpers, game: Game, unseen: list[Any], history: Iterable[Any], view: Any
    ) -> Choice:
        """`history` is all that the seat has seen, for a worker that does not know this bot."""
        if self._worker:
            try:
                return await self._ask(helpers, Thought(game, *self._of, self._seen, unseen, view))
            except Unanswered:
                self._worker, self._seen = "", 0
        # In a thread: the match is replayed for it.
        views = await asyncio.to_thread(list, history)
        return await self._ask(helpers, Thought(game, *self._of, 0, views, view))

    async def _ask(self, helpers: Helpers, thought: Thought) -> Choice:
        choice, self._worker = await helpers.choose(thought, self._worker)
        self._seen = thought.seen + len(thought.views)
        return choice
