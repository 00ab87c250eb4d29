"""What a game's players need to compile ahead of time."""

from __future__ import annotations

from collections.abc import Callable

from ludotheque.engine.chance import Seeds
from ludotheque.engine.game import Game
from ludotheque.engine.match import Match

Step = Callable[[], object]  # compiles about one kernel, or loads it from the disk


def opening(game: Game) -> Match:
    """A match to warm up with, in which nobody has moved; it is always the same."""
    return Match(game, game.seats[0], game.playout_options, seeds=Seeds(bytes(32)))
