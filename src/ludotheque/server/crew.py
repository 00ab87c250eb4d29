"""The bots of a match: they see what a person in their seat sees, and think off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

from ludotheque.bots import roster
from ludotheque.bots.bot import Bot
from ludotheque.engine.game import Game
from ludotheque.engine.match import Match


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
        if self._bots.get(seat, ("", None))[0] != kind:
            self._bots[seat] = (kind, roster.hire(kind, self._match.game, seat))
            self._unseen[seat] = list(_views(self._match, seat))
        unseen, self._unseen[seat] = self._unseen[seat], []
        game, view, bot = self._match.game, self._match.view(seat), self._bots[seat][1]
        pause = asyncio.sleep(roster.pause(game))
        thought = asyncio.to_thread(_think, bot, unseen, game, view, seat)
        _, move = await asyncio.gather(pause, thought)
        return move


def _think(bot: Bot, unseen: list[Any], game: Game, view: Any, seat: int) -> int:
    for earlier in unseen:
        bot.watch(earlier)
    return bot.choose(view, game.legal_moves(view, seat))


def _views(match: Match, seat: int) -> Iterator[Any]:
    """What this seat has seen since the match began, for a bot that has just sat down."""
    again = Match(match.game, match.seats, match.options)
    for entry in match.log:
        again.make(entry.seat, entry.move, entry.at)
        yield again.view(seat)
