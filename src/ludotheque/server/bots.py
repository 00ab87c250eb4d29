"""The bots of a match: they see what a person in their seat sees, and think off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ludotheque.bots import roster
from ludotheque.bots.bot import Adviser, Bot, Racer
from ludotheque.engine.game import Game
from ludotheque.engine.match import Entry, Match
from ludotheque.engine.refused import Refused
from ludotheque.search.advice import Advice
from ludotheque.search.deadline import Deadline
from ludotheque.server import elsewhere, warmup
from ludotheque.server.elsewhere import Choice, FarBot, Helpers, Thought, Unanswered
from ludotheque.server.thinkers import Thinkers

_T = TypeVar("_T")


class Bots:
    """Every decision replaces the match by a copy, so each call is told which match it is about.

    Bots take turns to think, by guest and table. Sitting down takes a turn of its own, so that
    loading kernels and catching up with the match do not shorten the time to think.
    """

    def __init__(self, thinkers: Thinkers, host: str, table: str) -> None:
        self._thinkers = thinkers
        self._host = host
        self._table = table
        self._players: dict[int, _Player] = {}  # by seat

    def show(self, match: Match) -> None:
        """The match has changed: every bot sees its new view when it next thinks."""
        for seat, player in self._players.items():
            player.unseen[len(match.log)] = match.view(seat)

    async def choose(self, match: Match, seat: int, level: str, is_alone: bool = False) -> int:
        """What the bot in this seat plays now, after a pause such as people make.

        It is alone if there are only bots.
        """
        begun = asyncio.get_running_loop().time()
        try:
            playing, choice = await self._decide(match, seat, level)
        except BaseException:
            self._players.pop(seat, None)  # it may still be thinking: do not use it again
            raise
        pause = roster.pause(match.game, playing, choice.seconds)
        if is_alone:
            pause = max(pause, roster.pause_alone(match.game))
        await asyncio.sleep(begun + pause - asyncio.get_running_loop().time())
        return choice.move

    async def advise(self, match: Match, seat: int, guest: str) -> list[Advice]:
        """What the strongest bot would play in this seat, and why, from what it has seen.

        It thinks on the account of the guest who asked.
        """
        game, view, history = match.game, match.view(seat), _history(match, seat)
        if not game.awaits(view, seat):
            raise Refused("there is nothing for you to do now", "not_your_turn")
        level = roster.adviser(game)
        if elsewhere.helpers is not None and elsewhere.needs_thought(game, level):
            advice = await self._advice_elsewhere(match, seat, level, guest)
            if advice is not None:
                return advice
        if not await warmup.becomes_warm(game):
            raise Refused("there is no advice: its code could not be compiled", "not_ready")
        adviser = await self._hire(level, game, seat, history, guest)
        if not isinstance(adviser, Adviser):
            raise Refused("there are no hints for cards or boxes of your own")
        return await self._think(
            level,
            lambda deadline: adviser.advise(view, game.legal_moves(view, seat), deadline),
            guest,
        )

    def _player(self, seat: int, level: str) -> _Player:
        """Who plays in this seat: the same as before, unless the level has changed."""
        player = self._players.get(seat)
        if player is None or player.level != level:
            player = self._players[seat] = _Player(level)
        return player

    async def _decide(self, match: Match, seat: int, level: str) -> tuple[str, Choice]:
        """The level that plays for this one, and its choice."""
        player = self._player(seat, warmup.stand_in(match.game, level))
        helpers = elsewhere.ready_for(match.game, player.level)
        if helpers is not None:
            choice = await self._choose_elsewhere(helpers, player, match, seat)
            if choice is not None:
                return player.level, choice
            player = self._player(seat, warmup.stand_in_here(match.game, level))
        return player.level, await self._choose_here(player, match, seat)

    async def _choose_elsewhere(
        self, helpers: Helpers, player: _Player, match: Match, seat: int
    ) -> Choice | None:
        """What a bot on another node plays; None if no node answers."""
        if player.far is None:
            player.far = FarBot(player.level, seat, self._host, self._table)
        player.bot = None  # it misses what the other one looks at now
        unseen, view = player.look(len(match.log)), match.view(seat)
        try:
            history = _history(match, seat)
            return await player.far.choose(helpers, match.game, unseen, history, view)
        except Unanswered:
            player.far = None
            return None

    async def _advice_elsewhere(
        self, match: Match, seat: int, level: str, guest: str
    ) -> list[Advice] | None:
        """What a bot on another node advises; None if this node has to think itself."""
        view, history = match.view(seat), _history(match, seat)
        if not elsewhere.thinks_here():
            await warmup.progress(match.game)  # as soon as another node is ready
        helpers = elsewhere.ready_for(match.game, level)
        if helpers is not None:
            views = await asyncio.to_thread(list, history)
            about = Thought(match.game, level, seat, guest, self._table, "", 0, views, view)
            with suppress(Unanswered):
                return await helpers.advise(about)
        if not elsewhere.thinks_here():
            raise Refused("there is no advice now: no node with bots answers", "not_ready")
        return None

    async def _choose_here(self, player: _Player, match: Match, seat: int) -> Choice:
        game, view, earlier = match.game, match.view(seat), player.look(len(match.log))
        if player.bot is None:
            history = _history(match, seat)
            player.bot = await self._hire(player.level, game, seat, history, self._host)
            player.far = None
        bot = player.bot

        def choose(deadline: Deadline) -> int:
            for seen in earlier:
                bot.watch(seen)
            return bot.choose(view, game.legal_moves(view, seat), deadline)

        return Choice(await self._think(player.level, choose, self._host), seconds_of(bot))

    async def _hire(
        self, level: str, game: Game, seat: int, history: Iterator[Any], guest: str
    ) -> Bot:
        """A bot that has seen what its seat has."""

        def sit_down(_: Deadline) -> Bot:
            bot = roster.hire(level, game, seat)
            for seen in history:
                bot.watch(seen)
            return bot

        return await self._think(level, sit_down, guest)

    async def _think(self, level: str, work: Callable[[Deadline], _T], guest: str) -> _T:
        return await self._thinkers.think(guest, self._table, roster.THINK_S[level], work)


@dataclass
class _Player:
    """A bot in its seat, or one that is about to sit down."""

    level: str
    bot: Bot | None = None
    far: FarBot | None = None  # if it thinks on another node
    unseen: dict[int, Any] = field(default_factory=dict)  # views by the length of the log

    def look(self, length: int) -> list[Any]:
        """The views that are new up to this length; later ones are for the next thought."""
        return [self.unseen.pop(at) for at in sorted(self.unseen) if at <= length]


def seconds_of(bot: Bot) -> float | None:
    """What the move that a racer has chosen last takes."""
    return bot.seconds if isinstance(bot, Racer) else None


def _history(match: Match, seat: int) -> Iterator[Any]:
    """What this seat has seen since the match began; later moves do not change it."""
    return _views(Match(match.game, match.seats, match.options), list(match.log), seat)


def _views(again: Match, log: list[Entry], seat: int) -> Iterator[Any]:
    for entry in log:
        again.make(entry.seat, entry.move, entry.at)
        yield again.view(seat)
