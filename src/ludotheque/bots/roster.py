"""The bots there are: four levels of each game's own players, and one that plays anything."""

from __future__ import annotations

from random import Random

from ludotheque.bots.bot import Bot, Racer
from ludotheque.bots.chaotic import Chaotic
from ludotheque.engine.game import Game
from ludotheque.engine.refused import Refused

NOVICE, REGULAR, EXPERT, MASTER = LEVELS = ("novice", "regular", "expert", "master")
CHAOTIC = "chaotic"
KINDS = (*LEVELS, CHAOTIC)

THINK_S = {NOVICE: 0.1, REGULAR: 0.1, EXPERT: 0.4, MASTER: 1.0, CHAOTIC: 0.1}  # at most, for a move
_pace = Random()


def hire(kind: str, game: Game, seat: int, seed: int | str | None = None) -> Bot:
    """A new bot of this kind for one seat of one match.

    A game's own bots know the cards and boxes of our own box; with a host's they play anything.
    """
    if kind not in KINDS:
        raise Refused(f"there is no bot {kind!r}; the bots are: {', '.join(KINDS)}")
    if kind == CHAOTIC or game.parts is not None:
        return Chaotic(seed)
    bot: Bot = game.module("bot").hire(kind, game, seat, Random(seed))
    return bot


def pause(game: Game, kind: str, bot: Bot) -> float:
    """Seconds that a move takes at a table; they do not tell how hard the choice was.

    A racer knows what its move takes. Others may need their limit, and never answer before it.
    """
    return bot.seconds if isinstance(bot, Racer) else THINK_S[kind] + _pace.uniform(0.4, 1.1)


def is_compiled(game: Game) -> bool:
    """Whether some of the game's players think with what has to be compiled."""
    return hasattr(game.module("bot"), "warm")


def warm(game: Game) -> None:
    """Compile what the game's players think with, or load it from the disk."""
    if is_compiled(game):
        game.module("bot").warm(game)
