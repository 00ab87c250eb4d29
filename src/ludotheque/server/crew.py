"""The bots of a match: they see what a person in their seat sees, and think off the event loop."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from ludotheque.bots import roster
from ludotheque.bots.bot import Adviser, Bot
from ludotheque.engine.game import Game
from ludotheque.engine.match import Entry, Match
from ludotheque.engine.refused import Refused
from ludotheque.search.advice import Advice
from ludotheque.search.thought import Thought
from ludotheque.server import warming

_T = TypeVar("_T")
_thinkers = ThreadPoolExecutor(os.cpu_count() or 1, "thinker")  # more would only be slower


class Crew:
    def __init__(self, match: Match) -> None:
        self._match = match
        self._bots: dict[int, tuple[str, Bot]] = {}
        self._unseen: dict[int, list[Any]] = {}  # views that each bot has still to look at

    def show(self) -> None:
        """The match has changed: let every bot have a look when it next thinks."""
        for seat in self._bots:
            self._unseen[seat].append(self._match.view(seat))

    async def choose(self, seat: int, kind: str) -> int:
        """What the bot in this seat plays now; it takes a while, as people are used to."""
        game, view = self._match.game, self._match.view(seat)
        bot = self._bot(seat, warming.stand_in(game, kind))
        unseen, self._unseen[seat] = self._unseen[seat], []
        begun = asyncio.get_running_loop().time()
        move = await _off_the_loop(
            lambda thought: _choice(bot, unseen, game, view, seat, thought), roster.SECONDS[kind]
        )
        took = asyncio.get_running_loop().time() - begun
        await asyncio.sleep(max(0.0, roster.pause(game, kind, bot) - took))
        return move

    async def advise(self, seat: int) -> list[Advice]:
        """What a master would play in this seat, and why, from what the seat has seen."""
        game, view, log = self._match.game, self._match.view(seat), list(self._match.log)
        if not game.legal_moves(view, seat):
            raise Refused("there is nothing for you to do now")
        if not await warming.becomes_warm(game):
            raise Refused("the adviser is not awake yet; ask again in a minute")
        adviser = roster.hire(roster.MASTER, game, seat)
        if not isinstance(adviser, Adviser):
            raise Refused("nobody can advise on cards or boxes of your own")
        again = Match(game, self._match.seats, self._match.options)
        return await _off_the_loop(
            lambda thought: _advice(adviser, again, log, view, seat, thought),
            roster.SECONDS[roster.MASTER],
        )

    def _bot(self, seat: int, kind: str) -> Bot:
        if self._bots.get(seat, ("", None))[0] != kind:
            self._bots[seat] = (kind, roster.hire(kind, self._match.game, seat))
            again = Match(self._match.game, self._match.seats, self._match.options)
            self._unseen[seat] = list(_views(again, self._match.log, seat))
        return self._bots[seat][1]


async def _off_the_loop(think: Callable[[Thought], _T], seconds: float) -> _T:
    """Think in a thread; whoever does not wait for the end any more cancels the thought."""
    thought = Thought(seconds)
    try:
        return await asyncio.get_running_loop().run_in_executor(_thinkers, think, thought)
    except asyncio.CancelledError:
        thought.cancel()
        raise


def _choice(bot: Bot, unseen: list[Any], game: Game, view: Any, seat: int, thought: Thought) -> int:
    for earlier in unseen:
        bot.watch(earlier)
    return bot.choose(view, game.legal_moves(view, seat), thought)


def _advice(
    adviser: Any, again: Match, log: list[Entry], view: Any, seat: int, thought: Thought
) -> list[Advice]:
    for earlier in _views(again, log, seat):
        adviser.watch(earlier)
    advice: list[Advice] = adviser.advise(view, again.game.legal_moves(view, seat), thought)
    return advice


def _views(again: Match, log: list[Entry], seat: int) -> Iterator[Any]:
    """What this seat has seen since the match began, for a bot that has just sat down."""
    for entry in log:
        again.make(entry.seat, entry.move, entry.at)
        yield again.view(seat)
