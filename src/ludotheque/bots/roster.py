"""The bots there are, by kind: one that plays anything, and each game's own."""

from __future__ import annotations

from random import Random

from ludotheque.bots.bot import Bot
from ludotheque.bots.chaotic import Chaotic
from ludotheque.engine.game import Game
from ludotheque.engine.refused import Refused

CHAOTIC, GREEDY = "chaotic", "greedy"
KINDS = (GREEDY, CHAOTIC)  # the first is hired if nobody asks for another
_pace = Random()


def hire(kind: str, game: Game, seat: int, seed: int | str | None = None) -> Bot:
    """A new bot of this kind for one seat of one match.

    A game's own bot knows the cards and boxes of our own box; with a host's it plays anything.
    """
    if kind == CHAOTIC or (kind == GREEDY and game.parts is not None):
        return Chaotic(seed)
    if kind == GREEDY:
        greedy: Bot = game.module("bot").Greedy(seat, Random(seed))
        return greedy
    raise Refused(f"there is no bot {kind!r}; the bots are: {', '.join(KINDS)}")


def pause(game: Game) -> float:
    """Seconds a bot seems to think: drawn without regard to what it thinks about."""
    return _pace.uniform(4.0, 9.0) if game.timed else _pace.uniform(0.5, 1.2)
