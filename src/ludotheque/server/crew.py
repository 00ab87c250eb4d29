"""The bots of a match: they see what a person in their seat sees, and think off the event loop."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from ludotheque.bots import roster
from ludotheque.bots.bot import Adviser, Bot
from ludotheque.engine.match import Entry, Match
from ludotheque.engine.refused import Refused
from ludotheque.search.advice import Advice
from ludotheque.search.thought import Thought
from ludotheque.server import warming

_T = TypeVar("_T")
_thinkers = ThreadPoolExecutor(os.cpu_count() or 1, "thinker")  # more would only be slower


class NoAdvice(Refused):
    """Nobody can advise now; the page has a word of its own for each reason."""

    def __init__(self, reason: str, error: str) -> None:
        super().__init__(error)
        self.reason = reason


class Crew:
    def __init__(self, match: Match) -> None:
        self._match = match
        self._bots: dict[int, tuple[str, Bot]] = {}
        self._unseen: dict[int, list[Any]] = {}  # views that each bot has still to look at

    def show(self) -> None:
        """The match has changed: let every bot have a look when it next thinks."""
        for seat, unseen in self._unseen.items():
            unseen.append(self._match.view(seat))

    async def choose(self, seat: int, kind: str) -> int:
        """What the bot in this seat plays now; it takes a while, as people are used to."""
        match, view = self._match, self._match.view(seat)
        kind = warming.stand_in(match.game, kind)
        known, bot = self._bots.get(seat, ("", None))
        if bot is None or known != kind:
            bot, earlier = None, _views(self._again(), list(match.log), seat)
        else:
            earlier = iter(self._unseen[seat])
        self._unseen[seat] = []

        def think(thought: Thought) -> tuple[Bot, int]:
            """Hiring loads what the bot thinks with, which may take a moment."""
            hired = bot if bot is not None else roster.hire(kind, match.game, seat)
            for seen in earlier:
                hired.watch(seen)
            return hired, hired.choose(view, match.game.legal_moves(view, seat), thought)

        begun = asyncio.get_running_loop().time()
        hired, move = await _off_the_loop(think, roster.SECONDS[kind])
        self._bots[seat] = (kind, hired)
        took = asyncio.get_running_loop().time() - begun
        await asyncio.sleep(max(0.0, roster.pause(match.game, kind, hired) - took))
        return move

    async def advise(self, seat: int) -> list[Advice]:
        """What a master would play in this seat, and why, from what the seat has seen."""
        game, view, log = self._match.game, self._match.view(seat), list(self._match.log)
        if not game.awaits(view, seat):
            raise NoAdvice("not_your_turn", "there is nothing for you to do now")
        if not await warming.becomes_warm(game):
            raise NoAdvice("not_awake", "the adviser is not awake yet; ask again in a minute")
        again = self._again()

        def think(thought: Thought) -> list[Advice]:
            adviser = roster.hire(roster.MASTER, game, seat)
            if not isinstance(adviser, Adviser):
                raise Refused("nobody can advise on cards or boxes of your own")
            for seen in _views(again, log, seat):
                adviser.watch(seen)
            return adviser.advise(view, game.legal_moves(view, seat), thought)

        return await _off_the_loop(think, roster.SECONDS[roster.MASTER])

    def _again(self) -> Match:
        """The match before anything has happened."""
        return Match(self._match.game, self._match.seats, self._match.options)


async def _off_the_loop(think: Callable[[Thought], _T], seconds: float) -> _T:
    """Think in a thread; whoever does not wait for the end any more cancels the thought."""
    thought = Thought(seconds)
    try:
        return await asyncio.get_running_loop().run_in_executor(_thinkers, think, thought)
    except asyncio.CancelledError:
        thought.cancel()
        raise


def _views(again: Match, log: list[Entry], seat: int) -> Iterator[Any]:
    """What this seat has seen since the match began, for a bot that has just sat down."""
    for entry in log:
        again.make(entry.seat, entry.move, entry.at)
        yield again.view(seat)
