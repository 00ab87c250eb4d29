"""Play a few moves ahead of time, so that all that the bots need is compiled."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import Game
from ludotheque.engine.match import Match
from ludotheque.search.deadline import Deadline

Hire = Callable[[str, Game, int, Random], Any]


def warm_up(game: Game, hire: Hire, moves: int) -> None:
    """Let masters make the first moves of a match without time to think."""
    match = Match(game, game.seats[0], game.playout_options, seeds=Seeds(bytes(32)))
    for _ in range(moves):
        seat = match.awaited()[0]
        bot = hire("master", game, seat, Random(0))
        match.play(seat, bot.choose(match.view(seat), match.legal_moves(seat), Deadline(0)))
